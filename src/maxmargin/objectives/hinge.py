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


@dataclass(frozen=True)
class Frame:
    """Where the origin is, and how long a unit: mean row 0, mean squared length 1.

    The rows themselves stay as they are; hyperplanes are moved instead.

    Attributes
    ----------
    mean : ndarray of shape (d,)
    scale : float
    """

    mean: NDArray[np.float64]
    scale: float

    @classmethod
    def of(cls, rows: Rows) -> "Frame":
        """The frame of these rows: two passes."""
        (total,) = rows.sum(_column_sums)
        mean = total / rows.shape[0]

        def squares(block: Block) -> tuple[float]:
            return (sum(_squared_distance(tile, mean) for _, tile in block.tiles()),)

        (square,) = rows.sum(squares)
        spread = square / rows.shape[0]
        # Rows that are all equal but for rounding have no length to measure.
        noise = max(4 * np.finfo(rows.dtype).eps, 1e-12) ** 2 * float(mean @ mean)
        return cls(mean, 1 / np.sqrt(spread) if spread > noise else 1.0)


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


def _squared_distance(tile: Any, mean: NDArray[np.float64]) -> float:
    if issparse(tile):
        if not tile.has_canonical_format:
            tile = tile.copy()
            tile.sum_duplicates()
        apart = tile.data - mean[tile.indices]
        empty = tile.shape[0] - np.bincount(tile.indices, minlength=tile.shape[1])
        return float(apart @ apart) + float(empty @ mean**2)
    apart = tile - mean
    return float(np.vdot(apart, apart))
