"""A labelling that can be changed by one move and asked for its value."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from maxmargin._core.moves import claim, descend, swap_sweep
from maxmargin.sizes import Sizes
from maxmargin.spaces.quadratic_form import QuadraticForm, value_from_scores

#: Larger than any gain, and finite as the compiled loops want it.
BARRIER = 1e300


class Labelling:
    """Labels, their scores T = RH and their value f, kept up to date move by move.

    A move costs O(n) with R at hand and O(nr) with a factor.

    Parameters
    ----------
    form : QuadraticForm
    sizes : Sizes
    labels : ndarray of shape (n,)
        Changed in place.
    """

    def __init__(self, form: QuadraticForm, sizes: Sizes, labels: NDArray[np.int32]) -> None:
        self.form = form
        self.sizes = sizes
        self.movable = sizes.movable
        self.barrier = np.zeros(form.n)
        self.n_moves = 0
        self.relabel(labels)

    def relabel(self, labels: NDArray[np.int32]) -> None:
        """Take other labels, and compute everything anew."""
        k = self.sizes.n_clusters
        self.labels = labels
        self.counts = np.bincount(labels, minlength=k)
        self.scores = self.form.scores(labels, k)
        self.own = self.scores[labels, np.arange(self.form.n)]
        self.value = value_from_scores(self.scores, labels, self.form.diagonal)

    def claim(self, cluster: int, quota: int) -> None:
        """Let a cluster take the rows that serve it best, whatever the size limits say."""
        self.barrier[:] = np.where(self.movable, 0.0, BARRIER)
        taken, gained = claim(*self._arrays(), cluster, max(0, quota))
        self._count(taken, gained)

    def descend(self) -> int:
        """Take the steepest single moves within the limits until none gains; count them."""
        return self._descend(self.sizes.lower, self.sizes.upper, self.form.tol, 2**62)

    def align(self) -> None:
        """Name the clusters so that they fit the pins best.

        A search may gather the rows around a pinned one under another name, and no single
        move would lead back. f depends on the names only through the votes of free rows for
        pinned ones, Σ_c Σ_{j pinned to π(c)} T_free[c, j]: an assignment problem. Clusters
        trade names if their sizes allow it, or, where limits are broken anyway, if they have the
        same ones.
        """
        k, pins = self.sizes.n_clusters, self.sizes.pins
        if self.sizes.n_pinned == 0 or k == 1:
            return
        named = np.where(pins >= 0, pins, k).astype(np.int32)
        votes = self.scores - self.form.scores(named, k + 1)[:k]
        worth = np.column_stack([votes[:, pins == c].sum(axis=1) for c in range(k)])
        free = np.bincount(self.labels[pins < 0], minlength=k)
        counts = free[:, None] + np.bincount(pins[pins >= 0], minlength=k)
        fits = (counts >= self.sizes.lower) & (counts <= self.sizes.upper)
        if not self.sizes.hold(self.labels):  # then no name fits, and any may be mended
            fits |= self.sizes.alike()
        worth[~fits] = -BARRIER
        _, names = linear_sum_assignment(worth, maximize=True)
        if not np.array_equal(names, np.arange(k)):
            self.relabel(np.where(pins >= 0, pins, names[self.labels]).astype(np.int32))

    def repair(self) -> None:
        """Bring the sizes within their limits by the moves that cost least."""
        lower, upper = self.sizes.lower, self.sizes.upper
        while True:
            over = np.maximum(self.counts - upper, 0)
            under = np.maximum(lower - self.counts, 0)
            if over.any():  # rows may leave the clusters that are too large only
                moves = self._descend(
                    np.where(over, upper, self.counts),
                    np.where(over, 0, upper),
                    -BARRIER,
                    over.sum(),
                )
            elif under.any():  # rows may join the clusters that are too small only
                moves = self._descend(lower, np.where(under, lower, 0), -BARRIER, under.sum())
            else:
                return
            if moves == 0:
                raise ValueError(
                    "the size limits cannot be met: the pinned rows in y leave no row to move."
                )

    def polish(self) -> None:
        """Reach a local optimum: no single move within the limits gains, and where limits
        stand in the way of moves, no swap of two rows gains either.
        """  # noqa: D205
        while True:
            self.descend()
            tight = (self.counts <= self.sizes.lower) | (self.counts >= self.sizes.upper)
            if not tight.any() or self._swap() == 0:
                return

    def _descend(
        self, lower: NDArray[np.intp], upper: NDArray[np.intp], tol: float, max_moves: int
    ) -> int:
        moves, gained = descend(
            *self._arrays(),
            self.movable,
            lower.astype(np.intp, copy=False),
            upper.astype(np.intp, copy=False),
            tol,
            int(max_moves),
        )
        self._count(moves, gained)
        return moves

    def _swap(self) -> int:
        swaps, gained = swap_sweep(*self._arrays(), self.movable, self.form.diagonal, self.form.tol)
        self._count(2 * swaps, gained)
        return swaps

    def _arrays(
        self,
    ) -> tuple[
        NDArray[Any],
        bool,
        NDArray[np.int32],
        NDArray[np.float64],
        NDArray[np.float64],
        NDArray[np.intp],
        NDArray[np.float64],
    ]:
        return (
            self.form.matrix,
            self.form.factored,
            self.labels,
            self.scores,
            self.own,
            self.counts,
            self.barrier,
        )

    def _count(self, moves: int, gained: float) -> None:
        self.n_moves += moves
        self.value += gained
