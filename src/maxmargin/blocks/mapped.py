"""Rows that are made from other rows, block by block: features, prepared or chosen columns."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin.blocks.rows import Block, Rows


class MappedRows(Rows):
    """What a function makes of rows, in the same blocks whoever asks.

    Products of a row depend, in their last digit, on the rows that they are computed with.

    Parameters
    ----------
    rows : Rows
    function : callable
        Makes an array of an array of rows, row by row.
    step : int
        The rows that it is called with: a power of two.
    alone : bool, default=False
        Whether a row comes out the same in any company: there are no products.
    """

    def __init__(
        self, rows: Rows, function: Callable[[Any], Any], step: int, alone: bool = False
    ) -> None:
        self.rows, self.function, self.stride, self.alone = rows, function, step, alone
        self.in_memory = rows.in_memory
        # of rows that are made themselves a whole block would be made for them
        first = rows.first if isinstance(rows, MappedRows) else rows[: min(2, len(rows))]
        self.first: NDArray[Any] = function(first)
        self.shape = (rows.shape[0], self.first.shape[1])
        self.dtype, self.remote = self.first.dtype, rows.remote
        self._kept: tuple[int, Any] = (-1, None)

    def read(self, start: int, stop: int) -> Any:
        """Make the blocks that hold these rows."""
        first, parts = start, [np.empty((0, self.shape[1]), self.dtype)]
        while first < stop:
            whole, at = first // self.stride, first % self.stride
            part = self._block(whole)[at : at + stop - first]
            parts.append(part)
            first += len(part)
        return parts[1] if len(parts) == 2 else np.concatenate(parts)

    def take(self, which: NDArray[np.integer]) -> Any:
        """Some rows by their numbers; the blocks that hold them only where they need company."""
        return self.function(self.rows.take(which)) if self.alone else super().take(which)

    def _block(self, number: int) -> Any:
        if self._kept[0] != number:
            rows = self.rows[number * self.stride : (number + 1) * self.stride]
            self._kept = number, self.function(rows)
        return self._kept[1]

    def each(
        self, function: Callable[..., Any], *arrays: Any, kept: int = 0
    ) -> Iterator[tuple[slice, Any]]:
        """Yield the place of each micro-block and ``function(block, *parts)``, in their order."""
        if self.micro != self.rows.micro:  # many features: their blocks are larger
            return super().each(function, *arrays)
        mapped = partial(_with_mapped, function, self.function, self.stride, self.step)
        return self.rows.each(mapped, *arrays, kept=kept)

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_kept": (-1, None)}


def some_columns(rows: Rows, columns: Any) -> Rows:
    """Rows with some of their columns."""
    chosen = MappedRows(rows, partial(np.take, indices=columns, axis=1), rows.step)
    if rows.names is not None:
        chosen.names = list(np.array(rows.names, object)[columns])
    return chosen


def _with_mapped(
    function: Callable[..., Any],
    made: Callable[[Any], Any],
    stride: int,
    step: int,
    block: Block,
    *parts: NDArray[Any],
) -> Any:
    """Call a function for a block of rows that are made from those of another one."""
    source = _MappedBlock(block, made, stride)
    return function(Block(block.start, block.stop, source, step, block.start), *parts)


class _MappedBlock(MappedRows):
    """The rows of one block, made when they are asked for."""

    def __init__(self, block: Block, made: Callable[[Any], Any], stride: int) -> None:
        self.block, self.function, self.stride = block, made, stride
        self._kept = (-1, None)
        self.shape = (block.stop - block.start, self._block(0).shape[1])
        self.dtype = self._block(0).dtype

    def _block(self, number: int) -> Any:
        if self._kept[0] != number:
            start = self.block.start + number * self.stride
            rows = self.block._read(start, min(start + self.stride, self.block.stop))
            self._kept = number, self.function(rows)
        return self._kept[1]
