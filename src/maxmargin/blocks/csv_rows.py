"""Rows of a text file: an index of its lines first, then any range of them."""

import csv
import io
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin.blocks.rows import NotNumbers, Rows
from maxmargin.blocks.stream import chosen

#: Lines that are parsed at once.
LINES = 4096
CHUNK_BYTES = 2**20
SEPARATORS = ",;\t "


class CsvRows(Rows):
    """The rows of a CSV file of numbers, with a header or without.

    Parameters
    ----------
    path : str
    columns : sequence of str or None
        Those that are read; None for all.
    """

    def __init__(self, path: str, columns: Sequence[str] | None = None) -> None:
        self._lines = CsvLines(path, columns)
        self.path = path
        self.names = self._lines.columns if self._lines.header else None
        self.shape = (self._lines.n_rows, len(self._lines.places))
        self.dtype = np.dtype(np.float64)
        self._kept: tuple[int, Any] = (-1, None)

    def read(self, start: int, stop: int) -> NDArray[Any]:
        """Parse the lines of the range."""
        parts = [np.empty((0, self.shape[1]))]
        while start < stop:
            block, at = start // LINES, start % LINES
            part = self._block(block)[at : at + stop - start]
            parts.append(part)
            start += len(part)
        return parts[1] if len(parts) == 2 else np.concatenate(parts)

    def _block(self, number: int) -> NDArray[np.float64]:
        if self._kept[0] != number:
            self._kept = number, self._parse(number)
        found: NDArray[np.float64] = self._kept[1]
        return found

    def _parse(self, number: int) -> NDArray[np.float64]:
        text, separator = self._lines.text(number), self._lines.separator
        n = min(LINES, self.shape[0] - number * LINES)
        try:
            rows = np.loadtxt(
                io.BytesIO(text),
                delimiter=None if separator == " " else separator,
                ndmin=2,
                quotechar='"',
                comments=None,
                usecols=self._lines.places,
            )
        except ValueError as error:
            raise NotNumbers(
                f"{self.path}, rows {number * LINES} to {number * LINES + n - 1}: {error} Rows in "
                f"blocks must be numbers without gaps."
            ) from error
        if rows.shape != (n, self.shape[1]):
            raise ValueError(
                f"{self.path}, rows {number * LINES} to {number * LINES + n - 1}: expected {n} "
                f"lines of {self.shape[1]} numbers; got {rows.shape[0]} of {rows.shape[1]}. Remove "
                f"empty lines."
            )
        return rows

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_kept": (-1, None)}


class CsvLines:
    """The lines of a CSV file in blocks, and what its first line says of its columns.

    Attributes
    ----------
    separator : str
    header : bool
        Whether the first line holds names; else columns are called 0, 1, ...
    width : int
        The number of columns in the file.
    columns, places : list of str, list of int
        Those that are read.
    n_rows : int
    """

    def __init__(self, path: str, columns: Sequence[str] | None) -> None:
        self.path = path
        with open(path, "rb") as file:
            first = file.readline().decode("utf-8-sig")
        self.separator = max(SEPARATORS, key=first.count)
        cells = next(csv.reader([first.strip()], delimiter=self.separator), [])
        self.header, self.width = not all(map(_is_number, cells)), len(cells)
        if not cells or not any(cell.strip() for cell in cells):
            raise ValueError(f"{path} must begin with a row of names or numbers; its is empty.")
        names = [cell.strip() if self.header else str(i) for i, cell in enumerate(cells)]
        found = chosen({name: i for i, name in enumerate(names)}, columns, path)
        self.columns, self.places = list(found), list(found.values())
        self.n_rows, self._starts = _index(path, skip=int(self.header))

    def text(self, number: int) -> bytes:
        """The lines of a block."""
        first, last = self._starts[number], self._starts[number + 1]
        with open(self.path, "rb") as file:
            file.seek(first)
            return file.read(last - first)


def _index(path: str, skip: int) -> tuple[int, list[int]]:
    """The number of rows, and where every block of them begins, and where the last one ends."""
    starts, lines, at = [], 0, 0
    with open(path, "rb") as file:
        for _ in range(skip):
            at += len(file.readline())
        starts.append(at)
        last = b"\n"
        while chunk := file.read(CHUNK_BYTES):
            ends = np.flatnonzero(np.frombuffer(chunk, np.uint8) == ord("\n"))
            which = np.arange((-lines - 1) % LINES, len(ends), LINES)
            starts.extend((at + ends[which] + 1).tolist())
            lines, at, last = lines + len(ends), at + len(chunk), chunk[-1:]
    if last != b"\n":
        lines += 1
    if starts[-1] != at:
        starts.append(at)
    return lines, starts


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
