"""The one interface to rows that need not be in one place, and rows in memory."""

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.utils import get_tags
from sklearn.utils.parallel import Parallel, delayed

from maxmargin._core.interrupts import check_interrupt
from maxmargin._runtime.memory import available_memory, require_memory
from maxmargin._runtime.memory_plan import require_plan
from maxmargin._runtime.validation import validate_data

Sums = tuple[Any, ...]  # arrays and numbers that are added entry by entry

#: Rows of a micro-block at least. Sums are the same whoever holds the rows, because the
#: blocks that are summed up are always these, in this order.
MICRO_ROWS = 16384
TILE_ENTRIES = 2**17
#: A memory map is read in blocks where it is larger than this share of the memory that is left.
LARGE_SHARE = 0.25


class NotNumbers(ValueError):
    """Rows have text, gaps or infinite numbers; a table of them may still be encoded."""


@dataclass(frozen=True)
class Block:
    """A micro-block of rows, in tiles that stay near the cache; :class:`Rows` has an example.

    Attributes
    ----------
    start, stop : int
        Which rows these are.
    source : array, CSR matrix or Rows
        Where they are read from when they are asked for.
    step : int
        The rows of a tile.
    first : int
        The number of the first row of the source.
    """

    start: int
    stop: int
    source: Any
    step: int
    first: int = 0

    @property
    def place(self) -> slice:
        """The rows, as an index."""
        return slice(self.start, self.stop)

    @property
    def rows(self) -> Any:
        """All of them at once."""
        return self._read(self.start, self.stop)

    def tiles(self, needed: NDArray[np.bool_] | None = None) -> Iterator[tuple[slice, Any]]:
        """Yield the place of each tile in the block, and its rows (C order or CSR).

        Tiles without a row that is needed are not read.
        """
        for start in range(self.start, self.stop, self.step):
            stop = min(start + self.step, self.stop)
            at = slice(start - self.start, stop - self.start)
            if needed is None or needed[at].any():
                rows = self._read(start, stop)
                yield at, np.ascontiguousarray(rows) if isinstance(rows, np.ndarray) else rows

    def _read(self, start: int, stop: int) -> Any:
        start, stop = start - self.first, stop - self.first
        if not isinstance(self.source, np.ndarray) and issparse(self.source):  # slow to say no
            return csr_rows(self.source, start, stop)
        return self.source[start:stop]


class Rows(ABC):
    """Rows of numbers that are read when they are asked for, wherever they are kept.

    A kind of its own says ``shape`` and ``dtype``, and how a range of rows is read. It can be given
    to ``fit`` and ``predict`` in place of an array.

    Attributes
    ----------
    shape : tuple of int
        The numbers of rows and of features.
    dtype : dtype
        float32 or float64.
    names : list of str or None
        What the columns are called.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.blocks import Rows
    >>> class Waves(Rows):
    ...     shape, dtype = (100_000, 1), np.dtype(np.float64)
    ...     def read(self, start, stop):
    ...         return np.sin(np.arange(start, stop))[:, None]
    >>> rows = Waves()
    >>> rows[[0, 99_999]].round(2).tolist()
    [[0.0], [0.86]]
    >>> (total,) = rows.sum(lambda block: (block.rows.sum(axis=0),))
    >>> total.round(2).tolist()
    [1.81]
    """

    shape: tuple[int, int]
    dtype: Any
    names: Sequence[str] | None = None
    #: Whether rows are somewhere else, and functions go to them.
    remote = False
    #: Whether they are made from an array that is there anyway.
    in_memory = False
    _extremes: tuple[NDArray[Any], NDArray[Any]] | None = None
    _last: tuple[NDArray[Any], NDArray[Any]] | None = None

    @abstractmethod
    def read(self, start: int, stop: int) -> Any:
        """The rows from ``start`` to ``stop``, as an array; they are asked for in order, mostly."""

    @property
    def width(self) -> float:
        """Stored entries in a row, on average."""
        return max(1.0, float(self.shape[1]))

    @property
    def micro(self) -> int:
        """The rows of a micro-block: more than features, so that its sums are worth having."""
        return max(MICRO_ROWS, 1 << (2 * self.shape[1] - 1).bit_length())

    @property
    def step(self) -> int:
        """The rows of a tile."""
        return min(max(1 << int(TILE_ENTRIES / self.width).bit_length(), 128), 4096)

    def blocks(self) -> Iterator[Block]:
        """The micro-blocks, in their order."""
        n, micro = self.shape[0], self.micro
        for start in range(0, n, micro):
            yield Block(start, min(start + micro, n), self, self.step)

    def each(
        self, function: Callable[..., Any], *arrays: Any, kept: int = 0
    ) -> Iterator[tuple[slice, Any]]:
        """Yield the place of each micro-block and ``function(block, *parts)``, in their order.

        ``parts`` are those rows of the arrays that belong to the block. The function is pure: it
        may be called somewhere else, for several blocks at once, and again where it was lost. Of
        what it returns, the first ``kept`` stay where the rows are: see ``blocks/columns.py``.
        """
        for block in self.blocks():
            check_interrupt()
            yield block.place, function(block, *(array[block.place] for array in arrays))

    def sum(
        self, function: Callable[..., Sums], *arrays: NDArray[Any], out: Sequence[NDArray[Any]] = ()
    ) -> Sums:
        """Add up ``function(block, *parts)`` over all micro-blocks, in their order.

        What it returns first is not added, but written to the block's rows of ``out``.
        """
        total: list[Any] | None = None
        for place, (*values,) in self.each(function, *arrays):
            for whole in out:
                whole[place] = values.pop(0)
            if total is None:
                total = values
            else:
                for i, value in enumerate(values):
                    total[i] += value
        assert total is not None, "there is at least one row"
        return tuple(total)

    def take(self, which: NDArray[np.integer]) -> NDArray[Any]:
        """Some rows by their numbers, in the order that is asked for: one pass at most.

        None if they are those that were asked for last.
        """
        asked = np.asarray(which)
        if self._last is None or not np.array_equal(self._last[0], asked):
            self._last = asked.copy(), self._take(asked)
        return self._last[1].copy()

    def _take(self, which: NDArray[np.integer]) -> NDArray[Any]:
        n, ordered = self.shape[0], np.unique(which)
        if len(ordered) and not (ordered[0] >= 0 and ordered[-1] < n):
            raise IndexError(
                f"rows are numbered from 0 to {n - 1}; got {ordered[0]} to {ordered[-1]}."
            )
        wanted = np.zeros(n, bool)
        wanted[ordered] = True
        parts = [np.empty((0, self.shape[1]), self.dtype)]
        parts += [part for _, part in self.each(_wanted_of, wanted)]
        return np.concatenate(parts)[np.searchsorted(ordered, which)]

    def extremes(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """The smallest and the largest value of each column; an error if one is not finite."""
        if self._extremes is None:
            low, high = np.full((2, self.shape[1]), [[np.inf], [-np.inf]])
            for place, (least, most) in self.each(extremes_of):
                if not (np.isfinite(least).all() and np.isfinite(most).all()):
                    raise NotNumbers(self._not_finite(place))
                np.minimum(low, least, out=low)
                np.maximum(high, most, out=high)
            self._extremes = low, high
        return self._extremes

    def _not_finite(self, place: slice) -> str:
        rows = self.read(place.start, place.stop)
        row, column = np.argwhere(~np.isfinite(rows))[0]
        name = repr(self.names[column]) if self.names else str(column)
        what = "NaN" if np.isnan(rows[row, column]) else "infinity"
        return (
            f"X has {what} in row {place.start + row}, column {name}: rows in blocks must be "
            f"finite numbers. Fill the gaps, or leave these rows out."
        )

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, which: Any) -> Any:
        if isinstance(which, tuple):
            which, columns = which
            if not (isinstance(which, slice) and which == slice(None)):
                return self[which][:, columns]
            from maxmargin.blocks.mapped import some_columns

            return some_columns(self, columns)
        if isinstance(which, slice):
            start, stop, step = which.indices(self.shape[0])
            if step == 1:
                return self.read(start, max(start, stop))
            which = np.arange(start, stop, step)
        which = np.asarray(which)
        return self.take(np.flatnonzero(which) if which.dtype == bool else which)

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError(
            f"{type(self).__name__} is not read as a whole; rows[:] reads all rows, and "
            f"rows[:1000] or rows[[1, 5]] some."
        )


class MemoryRows(Rows):
    """The rows of a matrix, which is never copied as a whole.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d)
    n_jobs : int or None
        Blocks at the same time; the sums do not depend on it.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from maxmargin.blocks import MemoryRows
    >>> MemoryRows(load_iris().data)[[0, 149]].shape
    (2, 4)
    """

    in_memory = True

    def __init__(self, X: Any, n_jobs: int | None = None) -> None:
        self.X = X
        self.n_jobs = n_jobs
        self.shape = X.shape
        self.dtype = X.dtype

    @property
    def width(self) -> float:
        """Stored entries in a row, on average."""
        return max(1.0, self.X.nnz / self.shape[0] if issparse(self.X) else self.shape[1])

    def read(self, start: int, stop: int) -> Any:
        """The rows themselves, not a copy."""
        return csr_rows(self.X, start, stop) if issparse(self.X) else self.X[start:stop]

    def take(self, which: NDArray[np.integer]) -> Any:
        """Some rows by their numbers."""
        return self.X[which]

    @cached_property
    def _blocks(self) -> list[Block]:
        n, micro, step = self.shape[0], self.micro, self.step
        return [Block(a, min(a + micro, n), self.X, step) for a in range(0, n, micro)]

    def each(
        self, function: Callable[..., Any], *arrays: Any, kept: int = 0
    ) -> Iterator[tuple[slice, Any]]:
        """Yield the place of each micro-block and ``function(block, *parts)``, in their order."""
        blocks = self._blocks
        calls = ((block, *(array[block.place] for array in arrays)) for block in blocks)
        results: Any
        if self.n_jobs in (None, 1) or len(blocks) == 1:
            results = (function(*call) for call in calls)
        else:
            results = Parallel(n_jobs=self.n_jobs, require="sharedmem", return_as="generator")(
                delayed(function)(*call) for call in calls
            )
        for block, result in zip(blocks, results, strict=True):
            yield block.place, result


def in_blocks(X: Any, n_jobs: int | None = None) -> Rows:
    """Rows that are in blocks already, or those of a matrix."""
    return X if isinstance(X, Rows) else MemoryRows(X, n_jobs)


def is_source(X: Any) -> bool:
    """Whether X is to be read in blocks: a path, rows in blocks, Dask, a very large memory map."""
    if isinstance(X, np.memmap):
        free = available_memory()
        return X.ndim == 2 and free is not None and X.nbytes > LARGE_SHARE * free
    dask = type(X).__module__.partition(".")[0] in ("dask", "dask_expr")
    return dask or isinstance(X, str | os.PathLike | Rows)


def read_rows(
    estimator: Any, X: Any, *, reset: bool = True, whole: float = 0, **checks: Any
) -> Any:
    """The rows of X, checked: an array or CSR matrix, or rows in blocks.

    Blocks of no more rows than ``whole`` are read as one array.
    """
    checks = {"dtype": [np.float64, np.float32], **checks}
    if not is_source(X):
        X = validate_data(estimator, X, reset=reset, **checks)
        if reset and not issparse(X) and not get_tags(estimator).input_tags.pairwise:
            require_plan(estimator, X.shape[0], X.shape[1], X.dtype.itemsize)
        return X
    from maxmargin.blocks.given import open_for

    rows = open_for(estimator, X, reset, checks.get("ensure_min_samples", 1))
    return read_whole(rows) if len(rows) <= whole else rows


def extremes_of(block: Block) -> tuple[NDArray[Any], NDArray[Any]]:
    """The smallest and the largest value of each column in a block; NaN where there is one."""
    parts = [(rows.min(axis=0), rows.max(axis=0)) for _, rows in block.tiles()]
    return np.min([low for low, _ in parts], axis=0), np.max([high for _, high in parts], axis=0)


def read_whole(rows: Rows) -> NDArray[Any]:
    """All rows as an array, if there is memory for them."""
    n, d = rows.shape
    require_memory(
        n * d * np.dtype(rows.dtype).itemsize,
        f"reading all {n} rows at once",
        "Use parameters that look at some of the rows first (init_size).",
    )
    return np.asarray(rows[:])


def of_tiles(function: Callable[[Any], NDArray[Any]], block: Block) -> tuple[NDArray[Any]]:
    """What a function says of the rows of a block, which must be finite."""
    parts = []
    for at, rows in block.tiles():
        if not all(np.isfinite([rows.min(), rows.max()])):
            row = block.start + at.start + int(np.argmin(np.isfinite(rows).all(axis=1)))
            raise ValueError(f"X has NaN or infinity in row {row}: rows must be finite numbers.")
        parts.append(function(rows))
    return (np.concatenate(parts),)


def _wanted_of(block: Block, wanted: NDArray[np.bool_]) -> Any:
    parts = [rows[wanted[at]] for at, rows in block.tiles(needed=wanted)]
    return np.concatenate(parts) if parts else block._read(block.start, block.start)


def csr_rows(X: Any, start: int, stop: int) -> Any:
    """Rows of a CSR matrix that share its arrays."""
    if stop - start == X.shape[0]:
        return X
    first, last = X.indptr[start], X.indptr[stop]
    part = type(X)((stop - start, X.shape[1]), dtype=X.dtype)
    part.data, part.indices = X.data[first:last], X.indices[first:last]
    part.indptr = X.indptr[start : stop + 1] - first
    return part


def as_line(rows: Any) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], int]:
    """The values of rows one after the other, where they end, their columns, and the width.

    Dense rows have no ends and no columns (see ``_core/cuts.pyx``).
    """
    if not isinstance(rows, np.ndarray):
        ends = rows.indptr.astype(rows.indices.dtype, copy=False)
        return rows.data, ends, rows.indices, rows.shape[1]
    nowhere = np.empty(0, np.int32)
    return rows.ravel(), nowhere, nowhere, rows.shape[1]
