"""A fair sample of rows that come in batches."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Reservoir:
    """At most ``size`` rows, each that ever came with the same chance (Algorithm R).

    Parameters
    ----------
    size : int
    rng : Generator
    rows : array of shape (m, d)
        The sample.
    n_seen : int
        The rows that came.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin._runtime.reservoir import Reservoir
    >>> empty = Reservoir(3, np.random.default_rng(0))
    >>> sample = empty.grown(np.arange(8.0).reshape(4, 2))
    >>> sample.rows.shape, sample.n_seen
    ((3, 2), 4)
    """

    size: int
    rng: np.random.Generator
    rows: NDArray[np.floating] = field(default_factory=lambda: np.empty((0, 0)))
    n_seen: int = 0

    def grown(self, X: NDArray[np.floating]) -> "Reservoir":
        """The sample after more rows; this one keeps its rows."""
        first = X[: max(0, self.size - self.n_seen)]
        rows = np.concatenate([self.rows, first]) if self.n_seen else first.copy()
        rest = X[len(first) :]
        # the t-th row that came takes one of t places, if that is one of those kept
        places = self.rng.integers(self.n_seen + len(first) + 1 + np.arange(len(rest)))
        kept = places < self.size
        rows[places[kept]] = rest[kept]  # of two rows for one place the later one stays
        return Reservoir(self.size, self.rng, rows, self.n_seen + len(X))

    def __getstate__(self) -> dict[str, Any]:
        # Plain numbers instead of a generator: a file could seed one so that it never ends.
        return {**vars(self), "rng": self.rng.bit_generator.state}

    def __setstate__(self, state: dict[str, Any]) -> None:
        bits = np.random.PCG64()
        bits.state = state["rng"]
        vars(self).update({**state, "rng": np.random.Generator(bits)})
