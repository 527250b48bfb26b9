"""The working set of cuts, the hyperplanes that are best under it, and labels within limits."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin._core.cuts import add_centred, relink_cuts, sum_cut
from maxmargin.blocks import Block, Rows
from maxmargin.blocks.columns import Column, placed, revise
from maxmargin.blocks.rows import as_line
from maxmargin.objectives.hinge import (
    ONE_KERNEL,
    UNWEIGHTED,
    Hinge,
    Hyperplanes,
    KernelNorm,
    RowRanking,
    Scaling,
    Weights,
    also,
)
from maxmargin.sizes import Sizes, cheapest_labels
from maxmargin.solvers.kernel_weights import KernelDual, solve_kernel_weights

#: A cut that was of no use in so many problems in a row is dropped, and so is the one that
#: was idle for longest where there are more than MAX_CUTS: each takes two bytes for a row.
MAX_IDLE = 10
MAX_CUTS = 32
#: Numbers in a gradient from which on its products are not made again.
LONG_GRADIENT = 10_000


@dataclass(frozen=True)
class Limits:
    """What a run must keep to.

    Attributes
    ----------
    sizes : Sizes
        The bounds of the clusters, and the pins.
    tol : float
        ε: the violation of a constraint that is good enough.
    max_iter : int
        Cuts at most.
    there : column or None
        The pins, where the rows are.
    """

    sizes: Sizes
    tol: float
    max_iter: int
    there: Column | None = None

    @property
    def pins(self) -> Column:
        """The cluster of each pinned row, −1 where the row is free."""
        pins = self.sizes.pins
        if self.there is not None:
            return self.there
        if not self.sizes.n_pinned:  # one number, wherever it is sent
            return np.broadcast_to(np.int16(-1), len(pins))
        return pins.astype(np.int16)

    def hold(self, labels: Column, counts: NDArray[np.intp]) -> bool:
        """Whether labels that have the pins keep the bounds too; the rows of each are known."""
        weighted = self.sizes.weights is not None
        return self.sizes.within(self.sizes.counts(labels) if weighted else counts)

    def beside(self, rows: Rows) -> "Limits":
        """The same with the pins where the rows are, which may be somewhere else."""
        return replace(self, there=placed(rows, self.pins)) if self.sizes.n_pinned else self

    def subset(self, rows: NDArray[np.intp] | None) -> "Limits":
        """The same for some of the rows; None for all."""
        return self if rows is None else replace(self, sizes=self.sizes.subset(rows), there=None)


class CuttingPlane:
    """Problem (17) of CPM3C, or (4.34) of MKC, under the cuts that were made so far.

    A cut takes part of the rows, each with a rival of its label, and says that the mean loss
    is at least 1/n Σ (1 − f_label + f_rival) over them. All cuts share the labels: a row whose
    label changes is linearised again in every cut.

    Parameters
    ----------
    rows : Rows
    scaling : Scaling
    labels : ndarray of shape (n,)
        The labels to begin with.
    n_clusters : int
    alpha : float
        The strength of the regularisation, the paper's β.
    balance : float
        The largest difference of two biases, the paper's l/n.
    norm : KernelNorm
        The penalty of the hyperplanes; by default that of one kernel.
    swap : bool
        Whether label and rival trade places where a row moves to its rival; False for CPM3C to
        the letter.
    drop : bool
        Whether cuts that are of no use are dropped; False for all papers to the letter.
    tied : bool
        Whether hyperplanes have no biases, for rows that are not centred, and the balance is
        that of w_pᵀm for their mean m: problem (17) as it is written.
    weights : ndarray of shape (n,) or None
        What rows count for, 1 in the mean.

    Attributes
    ----------
    planes : Hyperplanes
        Those that solved the last problem, or better ones that an optimiser went back to.
    solution : KernelDual
        The last problem, solved.
    """

    planes: Hyperplanes
    solution: KernelDual

    def __init__(
        self,
        rows: Rows,
        scaling: Scaling,
        labels: NDArray[np.integer],
        n_clusters: int,
        alpha: float,
        balance: float,
        norm: KernelNorm = ONE_KERNEL,
        swap: bool = True,
        drop: bool = True,
        tied: bool = False,
        weights: Weights | None = None,
    ) -> None:
        d = rows.shape[1]
        self.rows, self.scaling, self.weights = rows, scaling, weights
        self.hinge = Hinge(rows, scaling, weights)
        self.labels: Column = labels.astype(np.int16)
        self.alpha, self.balance, self.norm = alpha, balance, norm
        self.swap, self.drop, self.tied = swap, drop, tied
        self.k = n_clusters
        self._rivals: list[Column] = []
        self._made_by: list[Hyperplanes] = []
        self._room = np.empty((0, n_clusters, d))  # for the gradients of cuts to come, too
        self._counts = np.empty((0, n_clusters))
        self._active = np.empty(0)
        self._weights = np.empty(0)
        self._kernel_weights: NDArray[np.float64] | None = None
        self._idle = np.empty(0, np.intp)
        self._means: NDArray[np.float64] | None = None
        self._products: NDArray[np.float64] | None = None  # of the gradients of the first cuts

    @property
    def n_cuts(self) -> int:
        """The cuts that are alive."""
        return len(self._rivals)

    @property
    def _gradients(self) -> NDArray[np.float64]:
        """A of each cut (m × k × d), of scaled rows and as a mean over all."""
        return self._room[: self.n_cuts]

    def begin(self) -> None:
        """Make the first cut, from hyperplanes that point to the means of the clusters."""
        n, k = self.rows.shape[0], self.k
        sums, counts, _ = self._sums(self.labels, np.full(n, k, np.int16))
        means = np.zeros_like(sums)
        self._add_centred(means, sums, counts)
        means *= n / np.where(counts > 0, counts, 1)[:, None]
        self.planes = Hyperplanes(means, np.zeros(k))
        self.add(self.rank(self.labels))

    def begin_with(self, planes: Hyperplanes, pins: NDArray[np.int16]) -> None:
        """Make the first cut from hyperplanes, with the labels that they say."""
        self.planes = planes
        self.labels = self.rank(pins).labels
        self.add(self.rank(self.labels))

    def rank(self, held: NDArray[np.int16]) -> RowRanking:
        """What the hyperplanes say of the rows."""
        return self.hinge.rank(self.planes, held)

    def rank_within(self, limits: Limits) -> RowRanking:
        """The same, with the labels of the smallest loss within the limits."""
        ranking = self.rank(limits.pins)
        if limits.hold(ranking.labels, ranking.counts):
            return ranking
        return self.rank(cheapest_labels(self.hinge.losses(self.planes), limits.sizes))

    def add(self, ranking: RowRanking, made_by: Hyperplanes | None = None) -> None:
        """Add the most violated constraint (eq. 14) of hyperplanes at the current labels."""
        gradient, counts, active = self._sums(self.labels, ranking.rivals)
        if self.drop and self.n_cuts >= MAX_CUTS:
            self._drop(np.arange(self.n_cuts) != np.argmax(self._idle))
        more = (len(self._room) + 2, *gradient.shape)
        self._rivals.append(ranking.rivals)
        self._made_by.append(self.planes if made_by is None else made_by)
        if self.n_cuts > len(self._room):
            self._room = np.concatenate([self._room, np.empty_like(self._room, shape=more)])
        self._gradients[-1] = 0
        self._add_centred(self._gradients[-1], gradient, counts)
        self._counts = np.concatenate([self._counts, counts[None]])
        self._active = np.append(self._active, active)
        self._weights = np.append(self._weights, 0.0)
        self._idle = np.append(self._idle, 0)

    def relabel(self, labels: Column) -> float:
        """Give rows new labels and linearise every cut again; returns how many moved."""
        shape = self._gradients.shape
        if _are_the_same(self.labels, labels):
            return 0
        relink = partial(_relink_block, shape, self.swap)
        columns = self.labels, labels, *also(self.weights)
        self._rivals, sums = revise(self.rows, self._rivals, relink, *columns)
        n_moved, gradients, counts, active = sums
        self.labels = labels
        if not n_moved:
            return 0
        self._add_centred(
            self._gradients.reshape(-1, shape[2]), gradients.reshape(-1, shape[2]), counts.ravel()
        )
        self._counts += counts
        self._active += active
        self._products = None
        return int(n_moved)

    def solve(self) -> float:
        """Find the best hyperplanes under the cuts (problem 20); returns the objective."""
        n, m = self.rows.shape[0], self.n_cuts
        gradients = self._gradients
        if self.tied:
            if self._means is None:
                self._means = self._of_means()
            gradients = np.concatenate([gradients, self._means])
        self.solution = solve_kernel_weights(
            self._grams(gradients), self._counts / n, self._active / n, self.alpha,
            self.balance, self.norm, self._weights, self._kernel_weights, tied=self.tied,
        )  # fmt: skip
        self._weights = self.solution.weights[:m]
        self._kernel_weights = self.solution.factors
        flat = gradients.reshape(len(gradients), self.k * gradients.shape[2])
        weights = (self.solution.weights / self.alpha @ flat).reshape(gradients.shape[1:])
        weights = self.norm.scaled(weights, self.solution.factors)
        self.planes = Hyperplanes(weights, self.solution.bias)
        self._idle = np.where(self._weights > 0, 0, self._idle + 1)
        if self.drop and np.any(self._idle > MAX_IDLE):
            self._drop(self._idle <= MAX_IDLE)
        return self.solution.objective

    def _grams(self, gradients: NDArray[np.float64]) -> NDArray[np.float64]:
        """The products of the gradients, for each kernel.

        Long gradients cost more than bookkeeping: only products with new cuts are made.
        """
        if self.k * gradients.shape[2] < LONG_GRADIENT or self.tied:
            return self.norm.grams(gradients)
        known, m = self._products, len(gradients)
        if known is None:
            self._products = self.norm.grams(gradients)
            return self._products
        old = known.shape[1]
        self._products = np.empty((len(known), m, m))
        self._products[:, :old, :old] = known
        for i in range(old, m):
            with_new = self.norm.products(gradients[: i + 1], gradients[i])
            self._products[:, i, : i + 1] = self._products[:, : i + 1, i] = with_new
        return self._products

    def objective(self, ranking: RowRanking) -> float:
        """The penalty and the mean loss: the objective itself, not what the cuts know of it."""
        return self.alpha * self.norm.penalty(self.planes.weights) + ranking.loss

    def carried_to(
        self,
        rows: Rows,
        held: NDArray[np.int16],
        columns: NDArray[np.intp] | None = None,
        planes: Hyperplanes | None = None,
        weights: Weights | None = None,
        numbers: NDArray[np.integer] | None = None,
    ) -> "CuttingPlane":
        """The same problem on other rows: every cut is made again by those who made it.

        The cuts are what the method knows. Hyperplanes alone would be forgotten with the
        first problem that is solved; where Ctrl-C left cuts half made, ``planes`` are all that
        goes on. The rows may have some of the columns only, and clusters other ``numbers``.
        """
        columns = np.arange(len(self.scaling.mean)) if columns is None else columns
        numbers = np.arange(self.k) if numbers is None else numbers
        other = CuttingPlane(
            rows, self.scaling.of_columns(columns), np.empty(0, np.int16), self.k, self.alpha,
            self.balance, self.norm.of_columns(columns), self.swap, self.drop, self.tied, weights,
        )  # fmt: skip
        other.planes = (planes or self.planes).of_columns(columns).renumbered(numbers)
        other.labels = other.rank(held).labels
        for made_by in [planes] if planes else self._made_by:
            made_by = made_by.of_columns(columns).renumbered(numbers)
            other.add(other.hinge.rank(made_by, other.labels), made_by)
        if planes is None:
            other._weights, other._idle = self._weights.copy(), self._idle.copy()
        return other

    def _of_means(self) -> NDArray[np.float64]:
        """The gradients of w_pᵀm for the mean of the scaled rows, one for each cluster."""
        n, k = self.rows.shape[0], self.k
        nobody = np.full(n, k, np.int16)
        sums, counts, _ = self._sums(np.zeros(n, np.int16), nobody)
        mean = np.zeros((k, sums.shape[1]))
        self._add_centred(mean, sums, counts)
        return np.eye(k)[:, :, None] * mean[0]

    # -- sums ----------------------------------------------------------------------------

    def _sums(
        self, labels: Column, rivals: Column
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
        """Σ x over the rows of a label minus Σ x over those of a rival; the same of ones.

        A rival k is nobody: it takes what is not wanted.
        """
        sums = partial(_sum_block, self.k, self.rows.shape[1])
        gradient, counts, active = self.rows.sum(sums, labels, rivals, *also(self.weights))
        return gradient, counts, active

    def _add_centred(
        self, out: NDArray[np.float64], sums: NDArray[np.float64], counts: NDArray[np.float64]
    ) -> None:
        """Add sums of rows to sums of scaled rows, as a mean over all."""
        factor = self.scaling.scale / self.rows.shape[0]
        add_centred(out, sums, counts, self.scaling.mean, factor)

    def _drop(self, keep: NDArray[np.bool_]) -> None:
        for place, kept in enumerate(np.flatnonzero(keep)):  # without another array
            if place < kept:
                self._room[place] = self._room[kept]
        if self._products is not None:
            known = keep[: self._products.shape[1]]
            self._products = self._products[:, known][:, :, known]
        self._rivals = [rivals for rivals, kept in zip(self._rivals, keep, strict=True) if kept]
        self._made_by = [made for made, kept in zip(self._made_by, keep, strict=True) if kept]
        self._counts = self._counts[keep]
        self._active = self._active[keep]
        self._weights = self._weights[keep]
        self._idle = self._idle[keep]


def _sum_block(
    k: int,
    d: int,
    block: Block,
    labels: NDArray[np.int16],
    rivals: NDArray[np.int16],
    weights: Weights = UNWEIGHTED,
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """What the rows of a block add to a cut; pure, as it may run anywhere."""
    gradient, counts, active = np.zeros((k + 1, d)), np.zeros(k + 1), 0.0
    for at, tile in block.tiles():
        active += sum_cut(*as_line(tile), labels[at], rivals[at], weights[at], gradient, counts)
    return gradient[:k], counts[:k], active


def _relink_block(
    shape: tuple[int, ...],
    swap: bool,
    block: Block,
    old: NDArray[np.int16],
    new: NDArray[np.int16],
    *others: NDArray[Any],
) -> tuple[Any, ...]:
    """The rows that moved, their new rivals in each cut, how many, and what the cuts sum up.

    The others are weights, if there are any, and the rivals in each cut.
    """
    weights, rivals = UNWEIGHTED, others
    if len(others) > shape[0]:
        weights, rivals = others[0], others[1:]
    gradients = np.zeros(shape)
    counts, active = np.zeros(shape[:2]), np.zeros(shape[0])
    parts = [(np.empty(0, np.intp), np.empty((shape[0], 0), np.int16))]
    changed = old != new
    for at, tile in block.tiles(needed=changed):
        moved = np.flatnonzero(changed[at])
        theirs = np.array([cut[at][moved] for cut in rivals], np.int16)
        theirs = theirs.reshape(shape[0], len(moved))
        relink_cuts(
            *as_line(tile), moved, old[at], new[at], theirs, swap, weights[at],
            gradients, counts, active,
        )  # fmt: skip
        parts.append((at.start + moved, theirs))
    moved, theirs = (np.concatenate(lists, axis=-1) for lists in zip(*parts, strict=True))
    n_moved = weights[moved].sum() if len(weights) else len(moved)
    return moved, theirs, n_moved, gradients, counts, active


def _are_the_same(old: Column, new: Column) -> bool:
    """Whether labels are known to be the same, without asking where they are."""
    arrays = isinstance(old, np.ndarray) and isinstance(new, np.ndarray)
    return old is new or (arrays and np.array_equal(old, new))
