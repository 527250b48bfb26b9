"""Rows of a Dask array or dataframe: functions go to the rows, and what they return comes back."""

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from functools import partial
from itertools import pairwise
from typing import Any

import dask
import dask.array as da
import numpy as np
from numpy.typing import NDArray

from maxmargin._core.interrupts import check_interrupt
from maxmargin._runtime.parallel import one_thread
from maxmargin.blocks.dask_columns import Recipe, Workers, received
from maxmargin.blocks.lost_workers import computed
from maxmargin.blocks.rows import Block, NotNumbers, Rows
from maxmargin.blocks.stream import chosen

#: Blocks that are asked for together, and what may go out with them at most.
BLOCKS_TOGETHER = 64
BYTES_TOGETHER = 4 * 2**20


class DaskRows(Rows):
    """The rows of a Dask array or dataframe, in micro-blocks whatever its chunks are.

    Every block is made again from how the array was made where a worker is lost. Rows that should
    stay in the memory of the workers are those of ``X.persist()``.

    Parameters
    ----------
    X : dask.array.Array or dask.dataframe.DataFrame
        With chunks of known or unknown lengths; these are counted once.
    columns : sequence of str or None
        Of a dataframe, those that are read.
    """

    remote = True

    def __init__(self, X: Any, columns: Sequence[str] | None = None) -> None:
        if hasattr(X, "to_dask_array"):
            X = X if columns is None else X[list(chosen(X.dtypes, columns, "the dataframe"))]
            wrong = [str(name) for name, kind in X.dtypes.items() if kind.kind not in "fiub"]
            if wrong:
                raise NotNumbers(
                    f"the dataframe has columns that are no numbers: {', '.join(wrong)}. Rows in "
                    f"blocks must be numbers: leave these columns out, or encode them first."
                )
            self.names = [str(name) for name in X.columns]
            X = X.to_dask_array(lengths=self._asked(X.map_partitions(len)))
        if X.ndim != 2 or X.dtype.kind not in "fiub":
            raise ValueError(
                f"rows must be a Dask array of numbers with two axes; got one of {X.ndim} axes "
                f"and type {X.dtype}."
            )
        if np.isnan(sum(X.chunks[0])):
            X = da.Array(X.dask, X.name, self._known_chunks(X), X.dtype)
        self._workers = Workers()
        self.dtype = np.dtype(np.float32 if X.dtype == np.float32 else np.float64)
        self.shape = (int(X.shape[0]), int(X.shape[1]))
        if self.shape[0]:
            whole = X.astype(self.dtype).rechunk({0: self.micro, 1: -1})
            self._blocks = whole.to_delayed().ravel().tolist()

    def _known_chunks(self, X: Any) -> tuple[tuple[int, ...], ...]:
        first = X.to_delayed()[:, 0]
        lengths = computed([dask.delayed(len)(chunk) for chunk in first])
        return (tuple(lengths), *X.chunks[1:])

    def _asked(self, X: Any) -> list[int]:
        return [int(length) for length in computed([X])[0]]

    def read(self, start: int, stop: int) -> NDArray[Any]:
        """Fetch a range of rows."""
        wanted = range(start // self.micro, -(-stop // self.micro))
        ask = dask.delayed(_range_of, pure=False)
        parts = [np.empty((0, self.shape[1]), self.dtype)]
        parts += computed(
            [ask(self._blocks[i], start - i * self.micro, stop - i * self.micro) for i in wanted]
        )
        return np.concatenate(parts)

    def each(
        self, function: Callable[..., Any], *arrays: Any, kept: int = 0
    ) -> Iterator[tuple[slice, Any]]:
        """Yield the place of each micro-block and ``function(block, *parts)``, in their order."""
        blocks, together = list(self.blocks()), self._together(arrays)
        for first in range(0, len(blocks), together):
            check_interrupt()
            some = blocks[first : first + together]
            recipes = [
                Recipe(
                    function,
                    partial(_ask, self._blocks[number], block.start, self.step),
                    [array[block.place] for array in arrays],
                    kept,
                )
                for number, block in enumerate(some, first)
            ]
            for block, result in zip(some, self._workers.done(recipes), strict=True):
                yield block.place, result

    def _take(self, which: NDArray[np.integer]) -> NDArray[Any]:
        """Some rows by their numbers, from the blocks that have any."""
        ordered, n = np.unique(which), self.shape[0]
        if len(ordered) and not (ordered[0] >= 0 and ordered[-1] < n):
            return super()._take(which)  # which says what is wrong
        ask = dask.delayed(_some_of, pure=False)
        ends = np.searchsorted(ordered, [block.start for block in self.blocks()] + [n])
        parts = [np.empty((0, self.shape[1]), self.dtype)]
        parts += computed(
            [
                ask(rows, ordered[first:end] - i * self.micro)
                for i, (rows, (first, end)) in enumerate(
                    zip(self._blocks, pairwise(ends.tolist()), strict=True)
                )
                if first < end
            ]
        )
        return np.concatenate(parts)[np.searchsorted(ordered, which)]

    def _together(self, arrays: Sequence[Any]) -> int:
        """How many blocks are asked for together; arrays that go out with them take memory."""
        row_bytes = 1 + sum(array.strides[0] for array in arrays if isinstance(array, np.ndarray))
        return max(1, min(BLOCKS_TOGETHER, BYTES_TOGETHER // (row_bytes * self.micro)))


def read_by_workers(rows: Rows) -> DaskRows:
    """Rows that the workers read themselves, each block from the store that all of them see."""
    opened = dask.delayed(rows, pure=False, traverse=False)
    ask = dask.delayed(_read, pure=False, traverse=False)
    parts = [
        da.from_delayed(
            ask(opened, block.start, block.stop),
            shape=(block.stop - block.start, rows.shape[1]),
            dtype=rows.dtype,
        )
        for block in rows.blocks()
    ]
    read = DaskRows(da.concatenate(parts))
    read.names = rows.names
    return read


def _ask(rows: Any, start: int, step: int, function: Any, how: list[int], *given: Any) -> Any:
    return dask.delayed(_on_block, pure=False, traverse=False)(
        function, rows, start, step, how, *given
    )


def _on_block(
    function: Callable[..., Any],
    rows: NDArray[Any],
    start: int,
    step: int,
    how: Sequence[int],
    *given: Any,
) -> Any:
    """Call a function for a block, where the rows are; one thread, for the same last digits."""
    rows = np.ascontiguousarray(rows)
    parts = [received(number, part, len(rows)) for number, part in zip(how, given, strict=True)]
    with one_thread():
        return function(Block(start, start + len(rows), rows, step, start), *parts)


def _read(rows: Rows, start: int, stop: int) -> Any:
    return copy(rows).read(start, stop)  # a stream is of one thread


def _some_of(rows: NDArray[Any], which: NDArray[np.integer]) -> NDArray[Any]:
    return np.asarray(rows[which])


def _range_of(rows: NDArray[Any], start: int, stop: int) -> NDArray[Any]:
    return np.asarray(rows[max(0, start) : max(0, stop)])
