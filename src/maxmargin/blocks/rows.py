"""The one interface to rows that need not be in one place, and rows in memory."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.utils.parallel import Parallel, delayed

Sums = tuple[Any, ...]  # arrays and numbers that are added entry by entry

#: Rows of a micro-block at least. Sums are the same whoever holds the rows, because the
#: blocks that are summed up are always these, in this order.
MICRO_ROWS = 16384
TILE_ENTRIES = 2**17


@dataclass(frozen=True)
class Block:
    """A micro-block of rows, in tiles that stay near the cache.

    Attributes
    ----------
    start, stop : int
        Which rows these are.
    rows : array or CSR matrix of shape (stop − start, d)
    step : int
        The rows of a tile.
    """

    start: int
    stop: int
    rows: Any
    step: int

    def tiles(self) -> Iterator[tuple[slice, Any]]:
        """Yield the place of each tile among all rows, and its rows (C order or CSR)."""
        for first in range(0, self.stop - self.start, self.step):
            last = min(first + self.step, self.stop - self.start)
            rows = (
                csr_rows(self.rows, first, last) if issparse(self.rows) else self.rows[first:last]
            )
            rows = rows if issparse(rows) else np.ascontiguousarray(rows)
            yield slice(self.start + first, self.start + last), rows


class Rows(ABC):
    """Rows of data that can be passed over, wherever they are kept.

    Attributes
    ----------
    shape : tuple of int
        The numbers of rows and of features.
    dtype : dtype
        float32 or float64.
    width : float
        Stored entries in a row, on average.
    """

    shape: tuple[int, int]
    dtype: Any
    width: float

    @property
    def micro(self) -> int:
        """The rows of a micro-block: more than features, so that its sums are worth having."""
        return max(MICRO_ROWS, 1 << (2 * self.shape[1] - 1).bit_length())

    @property
    def step(self) -> int:
        """The rows of a tile."""
        return min(max(1 << int(TILE_ENTRIES / self.width).bit_length(), 128), 4096)

    @abstractmethod
    def sum(self, partial: Callable[[Block], Sums]) -> Sums:
        """Add up ``partial(block)`` over all micro-blocks, in their order.

        ``partial`` may be called for several blocks at once; it may write to rows of its own
        block in arrays that all share.
        """


class MemoryRows(Rows):
    """The rows of a matrix, which is never copied as a whole.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d)
    n_jobs : int or None
        Blocks at the same time; the sums do not depend on it.
    """

    def __init__(self, X: Any, n_jobs: int | None = None) -> None:
        self.X = X
        self.n_jobs = n_jobs
        self.shape = X.shape
        self.dtype = X.dtype
        self.width = max(1.0, X.nnz / X.shape[0] if issparse(X) else X.shape[1])

    def _blocks(self) -> Iterator[Block]:
        n, micro = self.shape[0], self.micro
        for start in range(0, n, micro):
            stop = min(start + micro, n)
            whole = stop - start == n
            if issparse(self.X):
                rows = self.X if whole else csr_rows(self.X, start, stop)
            else:
                rows = self.X[start:stop]
            yield Block(start, stop, rows, self.step)

    def sum(self, partial: Callable[[Block], Sums]) -> Sums:
        """Add up ``partial(block)`` over all micro-blocks, in their order."""
        if self.n_jobs in (None, 1) or self.shape[0] <= self.micro:
            parts: Any = map(partial, self._blocks())
        else:
            parts = Parallel(n_jobs=self.n_jobs, require="sharedmem", return_as="generator")(
                delayed(partial)(block) for block in self._blocks()
            )
        total: list[Any] | None = None
        for part in parts:
            if total is None:
                total = list(part)
            else:
                for i, value in enumerate(part):
                    total[i] += value
        assert total is not None, "there is at least one row"
        return tuple(total)


def csr_rows(X: Any, start: int, stop: int) -> Any:
    """Rows of a CSR matrix that share its arrays."""
    first, last = X.indptr[start], X.indptr[stop]
    part = type(X)((stop - start, X.shape[1]), dtype=X.dtype)
    part.data, part.indices = X.data[first:last], X.indices[first:last]
    part.indptr = X.indptr[start : stop + 1] - first
    return part


def as_line(rows: Any) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], int]:
    """The values of rows one after the other, where they end, their columns, and the width.

    Dense rows have no ends and no columns (see ``_core/cuts.pyx``).
    """
    if issparse(rows):
        ends = rows.indptr.astype(rows.indices.dtype, copy=False)
        return rows.data, ends, rows.indices, rows.shape[1]
    nowhere = np.empty(0, np.int32)
    return rows.ravel(), nowhere, nowhere, rows.shape[1]


def sample_rows(
    pins: NDArray[np.int32], max_rows: int, rng: np.random.Generator
) -> NDArray[np.intp]:
    """All rows, or a random subset of so many in random order.

    Pinned rows come first, up to half of the subset and as evenly from the clusters as can be.
    """
    n = len(pins)
    if n <= max_rows:
        return np.arange(n)
    order = rng.permutation(n)
    pinned = order[pins[order] >= 0]
    turn = np.empty(len(pinned), np.intp)  # which one of its cluster a row is
    for c in np.unique(pins[pinned]):
        members = pins[pinned] == c
        turn[members] = np.arange(members.sum())
    first = pinned[np.argsort(turn, kind="stable")][: max_rows // 2]
    rest = order[~np.isin(order, first)]
    free = pins[rest] < 0
    return np.concatenate([first, rest[free], rest[~free]])[:max_rows]
