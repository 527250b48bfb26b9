"""The multi-class margin: hyperplanes for all clusters, and the frame that they are drawn in.

A row x has the values f_p(x) = w_pᵀx̃ + b_p in the frame x̃ = s(x − m), and under the label z
the hinge loss max(0, 1 + max_{q≠z} f_q − f_z) of Crammer and Singer. The objective is
½ α Σ_p ‖w_p‖² plus the mean loss (eq. 2 of CPM3C, whose β is α).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from maxmargin._core.cuts import label_losses, rank_rows
from maxmargin.blocks import Block, Rows
from maxmargin.objectives.kernel_norm import ONE_KERNEL, KernelNorm

#: The part of the length of a mean row, by bytes, that rounding explains.
ROUNDING = {4: 4 * float(np.finfo(np.float32).eps), 8: 1e-12}


@dataclass(frozen=True)
class Frame:
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
    def of(cls, rows: Rows, norm: KernelNorm = ONE_KERNEL) -> "Frame":
        """The frame of these rows: two passes."""
        (total,) = rows.sum(_column_sums)
        mean = total / rows.shape[0]

        def squares(block: Block) -> tuple[NDArray[np.float64]]:
            parts = [_squared_distances(tile, mean) for _, tile in block.tiles()]
            return (np.sum(parts, axis=0),)

        (square,) = rows.sum(squares)
        scale = np.zeros(len(mean))
        for view in norm.views:
            spread = float(np.sum(square[view])) / rows.shape[0]
            noise = (ROUNDING[rows.dtype.itemsize] * np.linalg.norm(mean[view])) ** 2
            scale[view] = 1 / np.sqrt(spread) if spread > noise else 0.0
        return cls(mean, scale)

    def weighted(self, kernels: KernelNorm, weights: NDArray[Any]) -> "Frame":
        """The frame of the kernel that is the weighted sum of all."""
        scale = self.scale.copy()
        for view, weight in zip(kernels.views, weights, strict=True):
            scale[view] *= np.sqrt(weight)
        return Frame(self.mean, scale)

    def gram(self, X: Any) -> NDArray[np.float64]:
        """The products of the rows of a matrix, dense or CSR, as they are in the frame."""
        if issparse(X):
            scaled = X.multiply(self.scale).tocsr().astype(np.float64)
            shift = scaled @ (self.scale * self.mean)
            length = float(np.sum(np.square(self.scale * self.mean)))
            return (scaled @ scaled.T).toarray() - shift - shift[:, None] + length
        framed = (X - self.mean) * self.scale
        return framed @ framed.T

    def of_columns(self, columns: NDArray[np.intp]) -> "Frame":
        """The frame of rows that have these columns only."""
        return Frame(self.mean[columns], self.scale[columns])


@dataclass(frozen=True)
class Planes:
    """A hyperplane for each cluster, in a frame.

    Attributes
    ----------
    weights : ndarray of shape (k, d)
    bias : ndarray of shape (k,)
    """

    weights: NDArray[np.float64]
    bias: NDArray[np.float64]

    def of_columns(self, columns: NDArray[np.intp]) -> "Planes":
        """The hyperplanes without the other columns."""
        return Planes(self.weights[:, columns], self.bias)

    def renumbered(self, numbers: NDArray[np.integer]) -> "Planes":
        """The same hyperplanes; that of cluster c has the number ``numbers[c]``."""
        order = np.argsort(numbers)
        return Planes(self.weights[order], self.bias[order])

    def outside(self, frame: Frame) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Coefficients (k × d) and intercepts (k) for rows as they are."""
        coefficients = frame.scale * self.weights
        return coefficients, self.bias - coefficients @ frame.mean


@dataclass(frozen=True)
class Ranking:
    """What hyperplanes say of rows.

    Attributes
    ----------
    labels : ndarray of shape (n,)
        The cluster of each row: the one it is held in, or that of its largest value.
    rivals : ndarray of shape (n,)
        The other cluster with the largest value, −1 where the margin is 1 or more.
    loss : float
        The mean hinge loss.
    """

    labels: NDArray[np.int16]
    rivals: NDArray[np.int16]
    loss: float


class Hinge:
    """The values and losses of rows under hyperplanes.

    Parameters
    ----------
    rows : Rows
    frame : Frame
    """

    def __init__(self, rows: Rows, frame: Frame) -> None:
        self.rows = rows
        self.frame = frame

    def rank(self, planes: Planes, held: NDArray[np.int16]) -> Ranking:
        """Labels, rivals and the loss: one pass."""
        n = self.rows.shape[0]
        labels, rivals = np.empty(n, np.int16), np.empty(n, np.int16)
        coefficients, offsets = self._coefficients(planes)

        def partial(block: Block) -> tuple[float]:
            loss = 0.0
            for at, tile in block.tiles():
                scores = np.asarray(tile @ coefficients)
                loss += rank_rows(scores, offsets, held[at], labels[at], rivals[at])
            return (loss,)

        (loss,) = self.rows.sum(partial)
        return Ranking(labels, rivals, loss / n)

    def losses(self, planes: Planes) -> NDArray[np.float32]:
        """The loss of each row under each label (n × k): one pass."""
        out = np.empty((self.rows.shape[0], len(planes.bias)), np.float32)
        coefficients, offsets = self._coefficients(planes)

        def partial(block: Block) -> tuple[int]:
            for at, tile in block.tiles():
                label_losses(np.asarray(tile @ coefficients), offsets, out[at])
            return (0,)

        self.rows.sum(partial)
        return out

    def _coefficients(self, planes: Planes) -> tuple[NDArray[Any], NDArray[np.float64]]:
        """For tiles in their own precision; d × k in C order, as sparse products want it."""
        coefficients, offsets = planes.outside(self.frame)
        return np.ascontiguousarray(coefficients.T, dtype=self.rows.dtype), offsets


def _column_sums(block: Block) -> tuple[NDArray[np.float64]]:
    total = np.zeros(block.rows.shape[1])
    for _, tile in block.tiles():
        total += _sum_rows(tile)
    return (total,)


def _sum_rows(tile: Any) -> NDArray[np.float64]:
    if issparse(tile):
        total = np.zeros(tile.shape[1])
        np.add.at(total, tile.indices, tile.data)
        return total
    return tile.sum(axis=0, dtype=np.float64)


def _squared_distances(tile: Any, mean: NDArray[np.float64]) -> NDArray[np.float64]:
    """Σ (x − m)² of each column."""
    if issparse(tile):
        if not tile.has_canonical_format:
            tile = tile.copy()
            tile.sum_duplicates()
        d = tile.shape[1]
        apart = tile.data - mean[tile.indices]
        empty = tile.shape[0] - np.bincount(tile.indices, minlength=d)
        return np.bincount(tile.indices, apart**2, minlength=d) + empty * mean**2
    apart = tile - mean
    return np.einsum("ij,ij->j", apart, apart)
