"""How the objective changed during the fit."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class ObjectivePath:
    """The objective at each step of the best run.

    Attributes
    ----------
    stretches : sequence of ndarray
        The values, cut where they are no longer of the same problem: a new cutting plane
        raises what is under the planes, and an alternation changes the kernel weights.
    objective : float
        The objective at the answer.
    larger : bool
        Whether larger is better.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.explain.objective import ObjectivePath
    >>> path = ObjectivePath([np.array([5.0, 4.0]), np.array([4.5, 3.0, 2.0])], 2.0)
    >>> [steps.tolist() for steps in path.steps], path.starts
    ([[1, 2], [3, 4, 5]], [(1, 5.0), (3, 4.5)])
    """

    stretches: Sequence[NDArray[np.floating]]
    objective: float
    larger: bool = False

    @classmethod
    def of(cls, model: Any) -> Self:
        """The path of a fitted clusterer that has ``objective_path_``."""
        path = model.objective_path_
        one = isinstance(path, np.ndarray)  # least squares, whose fit is maximised
        return cls([path] if one else path, float(model.objective_), larger=one)

    @property
    def steps(self) -> list[NDArray[np.intp]]:
        """The number of each step in its stretch; they are counted from 1 over all stretches."""
        ends = np.cumsum([len(values) for values in self.stretches])
        return [
            np.arange(end - len(values), end) + 1
            for end, values in zip(ends, self.stretches, strict=True)
        ]

    @property
    def starts(self) -> list[tuple[int, float]]:
        """The first step of each stretch, and its value."""
        return [
            (int(steps[0]), float(values[0]))
            for steps, values in zip(self.steps, self.stretches, strict=True)
            if len(values)
        ]

    @property
    def axes(self) -> tuple[str, str]:
        """What the steps and the values are."""
        step = "problem solved, or round" if len(self.starts) > 1 else "round"
        return step, f"objective ({'larger' if self.larger else 'smaller'} is better)"
