"""Whether the rows of a stream come in an order: stochastic gradient descent wants none."""

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

#: Rows that come together, and how many times such groups there must be before they tell anything.
GROUP, LEAST_GROUPS = 64, 8
#: Where rows come in no order, means of groups vary as the rows in them say: F = 1. Of 8 groups one
#: in a million million has a tenfold F; clusters that come one after the other have one of GROUP.
LARGEST_F = 10.0
#: A share of all squares that is rounding.
NO_VARIANCE = 1e-9


def _nothing() -> NDArray[np.float64]:
    return np.empty(0)


@dataclass(frozen=True, eq=False)
class Arrival:
    """How far the means of rows that came together are apart: an analysis of variance in passing.

    Attributes
    ----------
    rest : ndarray of shape (less than GROUP, d)
        The rows of a group that is not full.
    origin : ndarray of shape (d,)
        The first row, from which all are counted.
    sums, squares, between : ndarray of shape (d,)
        Of the rows of full groups: their sums, their squares, and the squares of the sums of each
        group over its rows.
    n_groups : int

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.estimators.arrival import Arrival
    >>> rows = np.random.default_rng(0).normal(size=(1000, 2))
    >>> Arrival().grown(rows).in_order, Arrival().grown(np.sort(rows, axis=0)).in_order
    (False, True)
    """

    rest: NDArray[np.float64] = field(default_factory=_nothing)
    origin: NDArray[np.float64] = field(default_factory=_nothing)
    sums: NDArray[np.float64] = field(default_factory=_nothing)
    squares: NDArray[np.float64] = field(default_factory=_nothing)
    between: NDArray[np.float64] = field(default_factory=_nothing)
    n_groups: int = 0

    def grown(self, X: NDArray[np.floating]) -> "Arrival":
        """The same after more rows."""
        new: NDArray[np.float64] = np.asarray(X, dtype=np.float64)
        if not len(self.origin):
            none = np.zeros(new.shape[1])
            return Arrival(new[:0], new[0].copy(), none, none, none).grown(new)
        rows = np.concatenate([self.rest, new])
        m, d = len(rows) // GROUP, rows.shape[1]
        with np.errstate(over="ignore", invalid="ignore"):  # a far row tells nothing
            full = (rows[: m * GROUP] - self.origin).reshape(m, GROUP, d)
            sums = full.sum(axis=1)
            return replace(
                self,
                rest=rows[m * GROUP :].copy(),
                sums=self.sums + sums.sum(axis=0),
                squares=self.squares + np.square(full).sum(axis=(0, 1)),
                between=self.between + np.square(sums).sum(axis=0) / GROUP,
                n_groups=self.n_groups + m,
            )

    @property
    def in_order(self) -> bool:
        """Whether rows that came together are alike."""
        if self.n_groups < LEAST_GROUPS:
            return False
        n = self.n_groups * GROUP
        with np.errstate(over="ignore", invalid="ignore"):
            between = self.between - self.sums**2 / n
            within = self.squares - self.between
            far_apart = between / (self.n_groups - 1) > LARGEST_F * within / (n - self.n_groups)
            return bool(np.any(far_apart & (between > NO_VARIANCE * self.squares)))
