"""A text file with columns of any kind, read in parts."""

import csv
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from maxmargin.blocks.cells import MISSING, to_numbers
from maxmargin.blocks.csv_rows import LINES, CsvLines
from maxmargin.blocks.table import FileTable

Cells = dict[str, Sequence[str]]


class CsvTable(FileTable):
    """The columns of a CSV file; one is numbers or flags if all of its cells are.

    Parameters
    ----------
    path : str
    columns : sequence of str or None
        Those that are read; None for all.
    """

    def __init__(self, path: str, columns: Sequence[str] | None = None) -> None:
        self._lines = CsvLines(path, columns)
        self.path, self.n_rows, self.names = path, self._lines.n_rows, self._lines.columns
        found: dict[str, set[str]] = {name: set() for name in self.names}
        for cells in self._cells(0):
            for name, column in cells.items():
                if "text" not in found[name]:
                    found[name].add(to_numbers(column)[1])
        # true and false beside numbers are text, as gaps alone are
        kinds = {name: kind - {"missing"} for name, kind in found.items()}
        self._numeric = {name for name, kind in kinds.items() if kind in ({"number"}, {"flag"})}
        self._flags = {name for name, kind in kinds.items() if kind == {"flag"}}

    def frames(self, start: int) -> Iterator[dict[str, Any]]:
        """The rows from ``start`` on."""
        skip = start % LINES
        for cells in self._cells(start // LINES):
            frame = {name: self._typed(name, column[skip:]) for name, column in cells.items()}
            skip = 0
            yield frame

    def _typed(self, name: str, cells: Sequence[str]) -> Any:
        if name in self._flags:
            words = (None if cell.strip() in MISSING else cell for cell in cells)
            flags = [None if word is None else word.strip().lower() == "true" for word in words]
            return np.array(flags, dtype=object)
        if name in self._numeric:
            return to_numbers(cells)[0]
        return np.array([None if cell.strip() in MISSING else cell for cell in cells], object)

    def _cells(self, block: int) -> Iterator[Cells]:
        """The cells of the columns, from a block of lines on."""
        lines = self._lines
        for number in range(block, -(-self.n_rows // LINES)):
            text = lines.text(number).decode("utf-8-sig").splitlines()
            rows = list(csv.reader(text, delimiter=lines.separator))
            n = min(LINES, self.n_rows - number * LINES)
            odd = [i for i, row in enumerate(rows) if len(row) != lines.width]
            if len(rows) != n or odd:
                at = number * LINES + (odd[0] if odd else min(n, len(rows)))
                raise ValueError(
                    f"{self.path}, row {at}: expected {lines.width} cells in each of {n} lines. "
                    f"Remove empty lines, and breaks of lines inside of cells."
                )
            whole = list(zip(*rows, strict=True))
            yield {name: whole[place] for name, place in zip(self.names, lines.places, strict=True)}
