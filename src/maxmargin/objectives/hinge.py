"""The multi-class hinge loss of hyperplanes, and their penalty over one kernel or several.

A row x has the values f_p(x) = w_pᵀx̃ + b_p for scaled features x̃ = s(x − m), and under the label
z the hinge loss max(0, 1 + max_{q≠z} f_q − f_z) of Crammer and Singer. The objective is
½ α Σ_p ‖w_p‖² plus the mean loss (eq. 2 of CPM3C, whose β is α). Where rows have weights, all
means over rows are weighted: the objective is that of as many copies.

The features of M kernels stand side by side, and v_m are the weights of hyperplanes for those
of kernel m. Eq. 2.6 of MKC penalises ½ Σ_m ‖v_m‖²/β_m under Σ_m β_m^p ≤ 1. The best β is

    β_m ∝ ‖v_m‖^{2/(p+1)},

which leaves ½ ‖(‖v_1‖, …, ‖v_M‖)‖_q² with q = 2p/(p+1): the ℓ_1 norm for p = 1, which drops
kernels, towards ℓ_2, which keeps all alike, for p → ∞. One kernel has ½ ‖v‖² whatever p is.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from maxmargin._core.cuts import label_losses, rank_rows
from maxmargin.blocks import Block, Rows
from maxmargin.blocks.columns import Column, keep

#: What rows count for, 1 in the mean.
Weights = NDArray[np.float64]
#: The compiled loops count each row once.
UNWEIGHTED: Weights = np.empty(0)
#: The part of the length of a mean row, by bytes, that rounding explains.
ROUNDING = {4: 4 * float(np.finfo(np.float32).eps), 8: 1e-12}


@dataclass(frozen=True)
class KernelNorm:
    """Which features belong to which kernel, and how their weights are penalised together.

    Attributes
    ----------
    slices : tuple of slice
        The features of each kernel.
    p : float
        The norm of the kernel weights, from 1 to infinity.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.objectives.hinge import KernelNorm
    >>> norm = KernelNorm((slice(0, 2), slice(2, 3)), p=1)
    >>> planes = np.array([[3.0, 0.0, 1.0], [0.0, 4.0, 0.0]])
    >>> norm.lengths(planes).tolist(), norm.penalty(planes)
    ([5.0, 1.0], 18.0)
    >>> norm.kernel_weights(norm.lengths(planes)).round(3).tolist()
    [0.833, 0.167]
    """

    slices: tuple[slice, ...] = (slice(None),)
    p: float = 1.0

    def lengths(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """‖v_m‖ of the weights (k × d) for each kernel."""
        return np.array([np.linalg.norm(weights[:, part]) for part in self.slices])

    def penalty(self, weights: NDArray[np.float64]) -> float:
        """½ Σ ‖v_m‖²/β_m for the best β."""
        return self.penalty_of(self.lengths(weights))

    def penalty_of(self, lengths: NDArray[np.float64]) -> float:
        """The penalty of weights of these lengths."""
        return 0.5 * power_norm(lengths, 2 / (1 + 1 / self.p)) ** 2

    def dual_penalty(self, squares: NDArray[np.float64]) -> float:
        """½ max_β Σ β_m s_m for s ≥ 0: what the penalty is in the dual."""
        p = self.p
        conjugate = np.inf if p == 1 else 1.0 if np.isinf(p) else p / (p - 1)
        largest = float(squares.max(initial=0))
        if largest == 0:
            return 0.0
        # Powers as large as p* underflow or overflow unless the largest is 1.
        return 0.5 * largest * power_norm(squares / largest, conjugate)

    def kernel_weights(self, lengths: NDArray[np.float64]) -> NDArray[np.float64]:
        """The best β for weights of these lengths; all alike where there are none."""
        if len(lengths) == 1:
            return np.ones(1)
        longest = lengths.max(initial=0)
        shares = lengths / longest if longest > 0 else np.ones(len(self.slices))
        weights = np.where(shares > 0, shares ** (2 / (self.p + 1)), 0.0)  # 0⁰ for p = ∞
        return weights / power_norm(weights, self.p)

    def grams(self, gradients: NDArray[np.float64]) -> NDArray[np.float64]:
        """The products of gradients (m × k × d), for each kernel (M × m × m)."""
        m = len(gradients)
        parts = (gradients[:, :, part] for part in self.slices)
        flat = (part.reshape(m, part.shape[1] * part.shape[2]) for part in parts)
        return np.array([part @ part.T for part in flat])

    def products(
        self, gradients: NDArray[np.float64], other: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """The products of gradients (m × k × d) with one of them, for each kernel (M × m)."""
        # without a copy of any gradient: with many clusters these are large
        parts = ((gradients[:, :, part], other[:, part]) for part in self.slices)
        return np.array([np.einsum("ikd,kd->i", many, one) for many, one in parts])

    def of_columns(self, columns: NDArray[np.intp]) -> "KernelNorm":
        """The norm of features that have these columns only, in their order."""
        if self.slices == (slice(None),):
            return self
        widths = [
            np.count_nonzero((columns >= one.start) & (columns < one.stop)) for one in self.slices
        ]
        ends = np.cumsum(widths)
        kept = zip(ends, widths, strict=True)
        return KernelNorm(tuple(slice(int(end - w), int(end)) for end, w in kept if w), self.p)

    def columns(self, which: NDArray[np.bool_]) -> NDArray[np.intp]:
        """The features of some of the kernels."""
        slices = [part for part, chosen in zip(self.slices, which, strict=True) if chosen]
        return np.concatenate([np.arange(part.start, part.stop) for part in slices])

    def scaled(
        self, weights: NDArray[np.float64], factors: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Multiply the weights of each kernel by its factor, in place."""
        for part, factor in zip(self.slices, factors, strict=True):
            weights[:, part] *= factor
        return weights


ONE_KERNEL = KernelNorm()


def power_norm(values: NDArray[np.float64], p: float) -> float:
    """(Σ v^p)^(1/p) of a few values ≥ 0, which NumPy's norm checks for longer than it adds."""
    return float(values.max() if np.isinf(p) else np.sum(values**p) ** (1 / p))


@dataclass(frozen=True)
class Scaling:
    """Where the origin is, and how long a unit: mean row 0, mean squared length 1.

    The rows themselves stay as they are; hyperplanes are moved instead. Where the features of
    several kernels stand side by side, each kernel has a unit of its own. Features of a kernel
    that are the same for all rows have no length to measure, and the scale 0.

    Attributes
    ----------
    mean : ndarray of shape (d,)
    scale : ndarray of shape (d,)
        The same for all features of a kernel.
    """

    mean: NDArray[np.float64]
    scale: NDArray[np.float64]

    @classmethod
    def of(
        cls, rows: Rows, norm: KernelNorm = ONE_KERNEL, weights: Weights | None = None
    ) -> "Scaling":
        """The scaling of these rows, with weights of mean 1 or none: two passes."""
        (total,) = rows.sum(_column_sums, *also(weights))
        mean = total / rows.shape[0]

        (square,) = rows.sum(partial(_column_squares, mean), *also(weights))
        scale = np.zeros(len(mean))
        for part in norm.slices:
            spread = float(np.sum(square[part])) / rows.shape[0]
            noise = (ROUNDING[rows.dtype.itemsize] * np.linalg.norm(mean[part])) ** 2
            scale[part] = 1 / np.sqrt(spread) if spread > noise else 0.0
        return cls(mean, scale)

    def uncentred(self, kernels: KernelNorm) -> "Scaling":
        """Rows where they are, with a mean squared length of 1 from the origin."""
        scale = self.scale.copy()
        for part in kernels.slices:
            unit = float(scale[part].max(initial=0))
            if unit > 0:
                scale[part] = 1 / np.sqrt(unit**-2 + float(np.sum(self.mean[part] ** 2)))
        return Scaling(np.zeros_like(self.mean), scale)

    def weighted(self, kernels: KernelNorm, weights: NDArray[Any]) -> "Scaling":
        """The scaling of the kernel that is the weighted sum of all."""
        scale = self.scale.copy()
        for part, weight in zip(kernels.slices, weights, strict=True):
            scale[part] *= np.sqrt(weight)
        return Scaling(self.mean, scale)

    def gram(self, X: Any) -> NDArray[np.float64]:
        """The products of the rows of a matrix, dense or CSR, when they are scaled."""
        if issparse(X):
            scaled = X.multiply(self.scale).tocsr().astype(np.float64)
            shift = scaled @ (self.scale * self.mean)
            length = float(np.sum(np.square(self.scale * self.mean)))
            return (scaled @ scaled.T).toarray() - shift - shift[:, None] + length
        scaled = (X - self.mean) * self.scale
        return scaled @ scaled.T

    def of_columns(self, columns: NDArray[np.intp]) -> "Scaling":
        """The scaling of rows that have these columns only."""
        return Scaling(self.mean[columns], self.scale[columns])


@dataclass(frozen=True)
class Hyperplanes:
    """A hyperplane for each cluster, for scaled rows.

    Attributes
    ----------
    weights : ndarray of shape (k, d)
    bias : ndarray of shape (k,)
    """

    weights: NDArray[np.float64]
    bias: NDArray[np.float64]

    def of_columns(self, columns: NDArray[np.intp]) -> "Hyperplanes":
        """The hyperplanes without the other columns."""
        return Hyperplanes(self.weights[:, columns], self.bias)

    def renumbered(self, numbers: NDArray[np.integer]) -> "Hyperplanes":
        """The same hyperplanes; that of cluster c has the number ``numbers[c]``."""
        order = np.argsort(numbers)
        return Hyperplanes(self.weights[order], self.bias[order])

    def unscaled(self, scaling: Scaling) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Coefficients (k × d) and intercepts (k) for rows as they are."""
        coefficients = scaling.scale * self.weights
        return coefficients, self.bias - coefficients @ scaling.mean


@dataclass(frozen=True)
class RowRanking:
    """What hyperplanes say of rows.

    Attributes
    ----------
    labels : column of n numbers
        The cluster of each row: the one it is held in, or that of its largest value.
    rivals : column of n numbers
        The other cluster with the largest value, −1 where the margin is 1 or more.
    loss : float
        The mean hinge loss.
    counts : ndarray of shape (k,)
        The rows of each cluster.
    """

    labels: Column
    rivals: Column
    loss: float
    counts: NDArray[np.intp]


class Hinge:
    """The values and losses of rows under hyperplanes.

    Parameters
    ----------
    rows : Rows
    scaling : Scaling
    weights : ndarray of shape (n,) or None, default=None
        What rows count for, 1 in the mean.
    """

    def __init__(self, rows: Rows, scaling: Scaling, weights: Weights | None = None) -> None:
        self.rows = rows
        self.scaling = scaling
        self.weights = weights

    def rank(self, planes: Hyperplanes, held: Column) -> RowRanking:
        """Labels, rivals and the loss: one pass."""
        rank = partial(_rank_block, *self._coefficients(planes))
        (labels, rivals), (loss, counts) = keep(self.rows, 2, rank, held, *also(self.weights))
        return RowRanking(labels, rivals, loss / self.rows.shape[0], counts)

    def losses(self, planes: Hyperplanes) -> NDArray[np.float32]:
        """The loss of each row under each label (n × k): one pass."""
        out = np.empty((self.rows.shape[0], len(planes.bias)), np.float32)
        self.rows.sum(partial(_block_losses, *self._coefficients(planes)), out=(out,))
        return out

    def _coefficients(self, planes: Hyperplanes) -> tuple[NDArray[Any], NDArray[np.float64]]:
        """For tiles in their own precision; d × k in C order, as sparse products want it."""
        coefficients, offsets = planes.unscaled(self.scaling)
        return np.ascontiguousarray(coefficients.T, dtype=self.rows.dtype), offsets


# What is done with a block of rows: pure functions, which may run anywhere.


def also(weights: Weights | None) -> list[Weights]:
    """Weights as what a pass over blocks takes besides the rows."""
    return [] if weights is None else [weights]


def _column_sums(block: Block, weights: Weights = UNWEIGHTED) -> tuple[NDArray[np.float64]]:
    total: Any = 0.0
    for at, tile in block.tiles():
        total = total + (weights[at] @ tile if len(weights) else _sum_rows(tile))
    return (total,)


def _column_squares(
    mean: NDArray[np.float64], block: Block, weights: Weights = UNWEIGHTED
) -> tuple[NDArray[np.float64]]:
    tiles = block.tiles()
    return (np.sum([_squared_distances(tile, mean, weights[at]) for at, tile in tiles], axis=0),)


def _rank_block(
    coefficients: NDArray[Any],
    offsets: NDArray[np.float64],
    block: Block,
    held: NDArray[np.int16],
    weights: Weights = UNWEIGHTED,
) -> tuple[NDArray[np.int16], NDArray[np.int16], float, NDArray[np.intp]]:
    labels, rivals, loss = np.empty(len(held), np.int16), np.empty(len(held), np.int16), 0.0
    held = np.ascontiguousarray(held)  # one number for all rows may be given
    counts = np.zeros(len(offsets), np.intp)
    for at, tile in block.tiles():
        scores = np.asarray(tile @ coefficients)
        loss += rank_rows(scores, offsets, held[at], labels[at], rivals[at], weights[at], counts)
    return labels, rivals, loss, counts


def _block_losses(
    coefficients: NDArray[Any], offsets: NDArray[np.float64], block: Block
) -> tuple[NDArray[np.float32]]:
    out = np.empty((block.stop - block.start, len(offsets)), np.float32)
    for at, tile in block.tiles():
        label_losses(np.asarray(tile @ coefficients), offsets, out[at])
    return (out,)


def _sum_rows(tile: Any) -> NDArray[np.float64]:
    if issparse(tile):
        total = np.zeros(tile.shape[1])
        np.add.at(total, tile.indices, tile.data)
        return total
    return tile.sum(axis=0, dtype=np.float64)


def _squared_distances(
    tile: Any, mean: NDArray[np.float64], weights: Weights
) -> NDArray[np.float64]:
    """Σ (x − m)² of each column."""
    if issparse(tile):
        if not tile.has_canonical_format:
            tile = tile.copy()
            tile.sum_duplicates()
        d = tile.shape[1]
        apart, total = tile.data - mean[tile.indices], tile.shape[0]
        own = np.repeat(weights, np.diff(tile.indptr)) if len(weights) else None
        if own is not None:
            total = weights.sum()
        empty = total - np.bincount(tile.indices, own, minlength=d)
        squares = apart**2 if own is None else own * apart**2
        return np.bincount(tile.indices, squares, minlength=d) + empty * mean**2
    apart = tile - mean
    if len(weights):
        return weights @ np.square(apart)
    return np.einsum("ij,ij->j", apart, apart)
