"""Tables with text, dates and gaps that are read in parts, and the rows that are made of them."""

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin._core.interrupts import check_interrupt
from maxmargin.blocks.rows import Rows
from maxmargin.blocks.stream import StreamRows


class BlockTable(ABC):
    """A table that is read in parts, each of them a frame or a dict of columns.

    Attributes
    ----------
    names : list of str
        What the columns are called.
    n_rows : int
    """

    names: list[str]
    n_rows: int

    @abstractmethod
    def each(self, function: Callable[[int, Any], Any]) -> Iterator[Any]:
        """Yield ``function(first, frame)`` for each part, in their order; ``first`` is its row."""

    @abstractmethod
    def rows(self, function: Callable[[Any], NDArray[np.float64]], width: int) -> Rows:
        """The rows of numbers that a function makes of frames, row by row."""


class FileTable(BlockTable):
    """A table of a file, or of several one after the other."""

    path: str

    @abstractmethod
    def frames(self, start: int) -> Iterator[Any]:
        """The rows from ``start`` on, in frames of any size."""

    def each(self, function: Callable[[int, Any], Any]) -> Iterator[Any]:
        """Yield ``function(first, frame)`` for each part, in their order."""
        first = 0
        for frame in self.frames(0):
            check_interrupt()
            yield function(first, frame)
            first += height(frame)

    def rows(self, function: Callable[[Any], NDArray[np.float64]], width: int) -> Rows:
        """The rows of numbers that a function makes of frames, row by row."""
        return EncodedRows(self, function, width)


class PartsTable(FileTable):
    """Files with the same columns, as one table.

    Parameters
    ----------
    parts : sequence of FileTable
    """

    def __init__(self, parts: Sequence[FileTable]) -> None:
        first = parts[0]
        for part in parts:
            if set(part.names) != set(first.names):
                odd = sorted(set(part.names) ^ set(first.names))
                raise ValueError(
                    f"{part.path} has other columns than {first.path}: one of them lacks "
                    f"{', '.join(map(repr, odd))}."
                )
        self.parts, self.names, self.path = list(parts), first.names, first.path
        self._ends = np.cumsum([part.n_rows for part in parts])
        self.n_rows = int(self._ends[-1])

    def frames(self, start: int) -> Iterator[Any]:
        """The rows from ``start`` on, part by part."""
        place = int(np.searchsorted(self._ends, start, side="right"))
        starts = chain([start - int(self._ends[place - 1] if place else 0)], iter(int, 1))
        return chain.from_iterable(
            part.frames(first) for part, first in zip(self.parts[place:], starts, strict=False)
        )


class EncodedRows(StreamRows):
    """Rows of numbers that are made of the frames of a table.

    Parameters
    ----------
    table : FileTable
    function : callable
        Makes an array of a frame, row by row.
    width : int
        The number of its columns.
    """

    def __init__(
        self, table: FileTable, function: Callable[[Any], NDArray[np.float64]], width: int
    ) -> None:
        self.table, self.function = table, function
        self.path, self.shape = table.path, (table.n_rows, width)
        self.dtype = np.dtype(np.float64)

    def batches(self, start: int) -> Iterator[NDArray[Any]]:
        """The rows from ``start`` on."""
        return map(self.function, self.table.frames(start))


def open_table(X: Any, columns: Sequence[str] | None = None) -> BlockTable | None:
    """Open a table that is read in parts; None for what has no columns of other than numbers."""
    if isinstance(X, BlockTable):
        return X
    if isinstance(X, str | os.PathLike):
        from maxmargin.blocks.csv_table import CsvTable
        from maxmargin.blocks.opening import files_of
        from maxmargin.blocks.parquet import ParquetTable

        readers: dict[str, Callable[..., FileTable]] = {
            ".parquet": ParquetTable,
            ".pq": ParquetTable,
        }
        readers |= {".csv": CsvTable, ".tsv": CsvTable, ".txt": CsvTable}
        files = files_of(os.fspath(X))
        ends = [os.path.splitext(file)[1].lower() for file in files]
        if not readers.keys() >= set(ends):
            return None
        parts = [readers[end](file, columns) for end, file in zip(ends, files, strict=True)]
        return parts[0] if len(parts) == 1 else PartsTable(parts)
    if hasattr(X, "map_partitions"):
        from maxmargin.blocks.dask_table import DaskTable

        return DaskTable(X, columns)
    return None


def height(frame: Any) -> int:
    """The number of rows of a frame or a dict of columns."""
    return len(next(iter(frame.values()), ())) if isinstance(frame, dict) else len(frame)
