"""A stream that is clustered online: what is kept of it."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from maxmargin._runtime.units import Units
from maxmargin.estimators.streaming import Reservoir
from maxmargin.solvers.online import OnlineSGD, Streamed
from maxmargin.solvers.violations import Violations


@dataclass(frozen=True, eq=False)
class OnlineReservoir:
    """A fair sample of a stream, to find clusters among, and the violations that make the domain.

    Parameters
    ----------
    sample : Reservoir
    violations : Violations
        In safe units.
    average : bool
        As in :class:`~maxmargin.solvers.OnlineSGD`.
    units : Units
    """

    sample: Reservoir
    violations: Violations
    average: bool
    units: Units

    @classmethod
    def empty(
        cls, sample: Reservoir, solver: OnlineSGD, gamma: float | str, nu: float, units: Units
    ) -> "OnlineReservoir":
        """Before the first row; the width must be known by then."""
        if isinstance(gamma, str):
            raise ValueError(
                f"gamma must be a number for partial_fit with {solver!r}, which looks at each row "
                f"once; got {gamma!r}. A fit to the first rows chooses one: see its gamma_."
            )
        rng = np.random.default_rng(sample.rng.integers(2**63))
        violations = Violations(units.of_gamma(float(gamma)), nu, solver.budget, rng)
        return cls(sample, violations, solver.average, units)

    def grown(self, X: NDArray[np.floating]) -> "OnlineReservoir":
        """What is kept after more rows; this one keeps its rows."""
        violations = self.violations.grown(self.units.scaled(X))
        return replace(self, sample=self.sample.grown(X), violations=violations)

    @property
    def rows(self) -> NDArray[np.floating]:
        """The sample, and then the violations."""
        sample = self.sample.rows
        return np.concatenate(
            [sample, (self.violations.rows / self.units.factor).astype(sample.dtype)]
        )

    @property
    def known(self) -> tuple[NDArray[np.float64], Streamed]:
        """What each row counts for, violations nothing: they are no fair sample; and the domain."""
        sizes = [len(self.sample.rows), len(self.violations.rows)]
        return np.repeat([1.0, 0.0], sizes), Streamed(self.violations, self.average)

    @property
    def n_seen(self) -> int:
        """The rows that came."""
        return self.sample.n_seen
