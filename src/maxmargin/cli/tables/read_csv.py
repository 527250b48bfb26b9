"""Tables of text: CSV and its relatives, read in portions so that only numbers stay in memory."""

import csv
import io
import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin.blocks.cells import Kind, to_numbers
from maxmargin.cli.tables.dialect import Dialect, check_separator, rows_of, sniff_dialect
from maxmargin.cli.tables.encoding import encoding_of, nul_byte, undecodable
from maxmargin.cli.tables.errors import TableError, quoted
from maxmargin.cli.tables.limits import FileLimits
from maxmargin.cli.tables.source import Source
from maxmargin.cli.tables.table import Column, Table, compact, find_verbatim
from maxmargin.explain.formatting import count

PORTION = 500  # rows: few enough to stay in the processor's cache, twice as fast as 50,000
_SNIFFED = 50  # lines, or fewer that are long
_EXCEL = re.compile(r"sep=.\s*", re.IGNORECASE)
_SNIFFED_CHARACTERS = 100_000


def read_csv(
    source: Source,
    head: bytes,
    limits: FileLimits,
    *,
    header: bool | None = None,
    separator: str | None = None,
    encoding: str | None = None,
    decimal: str = ".",
    verbatim: Sequence[str] = (),
) -> Table:
    """Read a table of text; see `read_table` for the parameters."""
    if decimal not in (".", ","):
        raise TableError(f"--decimal {quoted(decimal)}: give . or , (a point or a comma).")
    encoding = encoding_of(source, head, encoding)
    if separator is not None:
        separator = check_separator(separator)
    try:
        with source.open() as stream:
            first = _first(_lines(source, stream, encoding))
        dialect = sniff_dialect(first, separator=separator, header=header, decimal=decimal)
        del first
        limits.check_columns(source, dialect.width)
        reading = _read(source, encoding, dialect, decimal, verbatim, set())
        # Text that comes after numbers: only a second reading knows how these were written.
        late = {j for j, column in enumerate(reading.columns) if column.mixed}
        if late:
            reading = _read(source, encoding, dialect, decimal, verbatim, late)
    except UnicodeError as error:
        raise undecodable(source, encoding) from error
    return reading.table(source, decimal)


@dataclass
class _Growing:
    """A column on its way: numbers until a cell is text."""

    name: str
    text: bool
    numbers: "array[float]" = field(default_factory=lambda: array("d"))  # grows in place
    words: list[str] = field(default_factory=list)
    kinds: set[Kind] = field(default_factory=set)
    seen: dict[str, str] = field(default_factory=dict)

    @property
    def mixed(self) -> bool:
        """Whether what was read as numbers should have been text."""
        return not self.text and ("text" in self.kinds or {"flag", "number"} <= self.kinds)

    def add(self, cells: Sequence[str], decimal: str) -> None:
        if not self.text:
            values, kind = to_numbers(cells, decimal)
            if kind != "text" or self.kinds:
                self.kinds.add(kind)
                self.numbers.frombytes(values.tobytes())
                return
            self.text = True
        if len(self.seen) < 10_000:  # equal cells share their memory
            cells = [self.seen.setdefault(cell, cell) for cell in cells]
        self.words.extend(cells)

    def column(self) -> Column:
        values = np.array(self.words, dtype=object) if self.text else np.frombuffer(self.numbers)
        return Column(self.name, values)


@dataclass
class _Reading:
    """What one pass over the file has found."""

    columns: list[_Growing]
    lines: list[NDArray[np.int64]]
    header: Sequence[str] | None

    def table(self, source: Source, decimal: str) -> Table:
        lines = np.concatenate(self.lines) if self.lines else np.empty(0, dtype=np.int64)
        n_rows = len(lines)
        if n_rows == 0:
            found = "is a header and no rows" if self.header else "are no rows"
            raise TableError(f"{source.name}: there {found}. Give a file with data.")
        columns = [column.column() for column in self.columns]
        unnamed = self.header is None or not self.header[-1].strip()
        if unnamed and len(columns) > 1 and bool(columns[-1].missing.all()):
            columns.pop()  # a separator at the end of each line
        has_header = self.header is not None
        return Table(
            source.name, tuple(columns), n_rows, has_header, compact(lines), decimal=decimal
        )


def _read(
    source: Source,
    encoding: str,
    dialect: Dialect,
    decimal: str,
    verbatim: Sequence[str],
    late: set[int],
) -> _Reading:
    with source.open() as stream:
        lines = _lines(source, stream, encoding)
        portions = _portions(source, lines, dialect)
        rows, starts = next(portions, ([], np.empty(0, dtype=np.int64)))
        header = None
        if dialect.header and rows:
            header, rows, starts = rows[0], rows[1:], starts[1:]
        reading = _Reading([], [], header)
        titles = header or [""] * dialect.width
        names = [title.strip() or f"column {j}" for j, title in enumerate(titles, 1)]
        texts = find_verbatim(names, verbatim) | late
        reading.columns.extend(_Growing(name, j in texts) for j, name in enumerate(names))
        while rows:
            reading.lines.append(starts)
            for column, cells in zip(reading.columns, zip(*rows, strict=True), strict=True):
                column.add(cells, decimal)
            rows, starts = next(portions, ([], starts))
    return reading


def _lines(source: Source, stream: Any, encoding: str) -> Iterator[str]:
    with io.TextIOWrapper(stream, encoding=encoding, newline="") as text:
        for place, line in enumerate(text, 1):
            if "\0" in line:
                raise nul_byte(source, place)
            # Excel may write its separator first: a blank line then, so that lines stay right.
            yield "\n" if place == 1 and _EXCEL.fullmatch(line) else line


def _first(lines: Iterator[str]) -> list[str]:
    """Enough lines to guess from: few if they are long, but more than the header."""
    found: list[str] = []
    length = 0
    for line in islice(lines, _SNIFFED):
        found.append(line)
        length += len(line)
        if length > _SNIFFED_CHARACTERS and len(found) > 4:
            break
    return found


def _portions(
    source: Source, lines: Iterator[str], dialect: Dialect
) -> Iterator[tuple[list[list[str]], NDArray[np.int64]]]:
    """Rows that are not blank, all of the same width, and the lines on which they begin."""
    reader = rows_of(lines, dialect.separator, dialect.skip_blanks)
    width, end, going = dialect.width, 0, True
    while going:
        rows: list[list[str]] = []
        ends = [end]
        try:
            for row in islice(reader, PORTION):
                rows.append(row)
                ends.append(reader.line_num)
        except csv.Error as error:
            raise _broken(source, ends[-1] + 1, str(error)) from error
        going, end = len(rows) == PORTION, ends[-1]
        starts = np.array(ends[:-1], dtype=np.int64) + 1
        if any(len(row) != width for row in rows):
            kept = [i for i, row in enumerate(rows) if not _is_blank(row, width)]
            rows, starts = [rows[i] for i in kept], starts[kept]
            for i, row in enumerate(rows):
                if len(row) == width + 1 and row[-1] == "":
                    row.pop()  # a separator at the end of the line
                if len(row) != width:
                    raise _ragged(source, int(starts[i]), row, dialect)
        if rows:
            yield rows, starts


def _is_blank(row: list[str], width: int) -> bool:
    """Whether a line is empty; in a single column blanks are a missing value."""
    return not row or (len(row) == 1 < width and not row[0].strip())


def _ragged(source: Source, line: int, row: list[str], dialect: Dialect) -> TableError:
    shown = dialect.separator.join(row)
    return TableError(
        f"{source.name}, line {line}: {count(len(row), 'field')} where {dialect.width} are "
        f"expected: {quoted(shown, 60)}. Correct or remove the line, or name another --separator "
        f"(taken: {quoted(dialect.separator)})."
    )


def _broken(source: Source, line: int, reason: str) -> TableError:
    where = f"{source.name}, line {line}"
    if "field limit" in reason:
        return TableError(
            f"{where}: a field is longer than {csv.field_size_limit():,} characters. Perhaps a "
            f'quote (") is not closed: close it, or write "" for a quote inside a field.'
        )
    if "end of data" in reason:
        return TableError(f'{where}: a quote (") is opened and never closed. Close or remove it.')
    return TableError(
        f'{where}: there is text after a closing quote ("). Write "" for a quote inside a field.'
    )
