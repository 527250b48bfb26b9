"""How a text table is written: its separator, its width, whether it begins with names."""

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from maxmargin.blocks.cells import MISSING, has_decimal_comma, is_value
from maxmargin.cli.tables.errors import TableError, quoted

SPACES = " "  # stands for any run of blanks and tabs
_CANDIDATES = (",", ";", "\t", "|", SPACES)
_WORDS = {"tab": "\t", "\\t": "\t", "space": SPACES, "whitespace": SPACES, "\\s+": SPACES}


@dataclass(frozen=True)
class Dialect:
    """The rules by which lines become rows.

    Attributes
    ----------
    separator : str
        What stands between two fields; a blank means any run of blanks and tabs.
    width : int
        How many fields a row has.
    header : bool
        Whether the first row holds the names.
    skip_blanks : bool
        Whether blanks after a separator are skipped, as quotes after them need.
    """

    separator: str
    width: int
    header: bool
    skip_blanks: bool = False


def rows_of(
    lines: Iterable[str], separator: str, skip_blanks: bool = False, strict: bool = True
) -> Any:
    r"""Read rows with the ``csv`` module.

    Examples
    --------
    >>> from maxmargin.cli.tables.dialect import rows_of
    >>> list(rows_of(["  1 2   3 \n"], " "))
    [['1', '2', '3']]
    """
    if separator == SPACES:
        lines = (line.replace("\t", " ").rstrip() + "\n" for line in lines)
        skip_blanks = True
    return csv.reader(lines, delimiter=separator, skipinitialspace=skip_blanks, strict=strict)


def check_separator(separator: str) -> str:
    """Return the separator as a single character; words such as ``tab`` are understood."""
    found = _WORDS.get(separator.lower(), separator)
    if len(found) != 1 or found in '"\r\n\0':
        raise TableError(
            f"--separator {quoted(separator)}: give a single character, or one of tab and space."
        )
    return found


def sniff_dialect(
    lines: Sequence[str],
    *,
    separator: str | None = None,
    header: bool | None = None,
    decimal: str = ".",
) -> Dialect:
    """Guess from the first lines what was not said.

    The separator is the one that cuts most lines into the same number of fields (more than
    one); among equals the one that leaves most numbers. There is a header if some column has
    text in the first row and numbers below it, or if all of the first row is text.

    Examples
    --------
    >>> from maxmargin.cli.tables.dialect import sniff_dialect
    >>> sniff_dialect(["x;y", "0,5;1,5", "2,5;3,0"])
    Dialect(separator=';', width=2, header=True, skip_blanks=False)
    """
    candidates: tuple[str, ...] = _CANDIDATES if separator is None else (separator,)
    if separator is None and not any('"' in line for line in lines):  # nothing hides a comma
        candidates = tuple(candidate for candidate in candidates if candidate != decimal)
    guesses = [_Guess.of(lines, candidate, decimal) for candidate in candidates]
    best = max(guesses, key=lambda guess: guess.score)  # the first of equals
    if separator is None and best.score[0] < 0.5:
        best = _Guess.of(lines, "," if decimal != "," else ";", decimal)  # one column
    rows = best.rows
    has_header = _has_header(rows, decimal) if header is None else header
    width = best.width
    if rows and len(rows[0]) < width and has_header and all(r[-1] == "" for r in rows[1:]):
        width = len(rows[0])  # a separator at the end of each line but the header
    return Dialect(best.separator, width, has_header, best.skip_blanks)


@dataclass(frozen=True)
class _Guess:
    """What the first lines look like with one separator."""

    separator: str
    rows: list[list[str]]
    width: int
    score: tuple[float, float]
    skip_blanks: bool

    @classmethod
    def of(cls, lines: Sequence[str], separator: str, decimal: str) -> "_Guess":
        skip_blanks = any(f'{separator} "' in line for line in lines)
        rows = list(_parsed(lines, separator, skip_blanks))
        if not rows:
            return cls(separator, rows, 1, (0.0, 0.0), skip_blanks)
        widths = Counter(map(len, rows))
        width = max(widths, key=lambda w: (widths[w], w == len(rows[0])))
        even = widths[width] / len(rows) if width > 1 else 0.0
        cells = [cell for row in rows for cell in row]
        values = sum(is_value(cell, decimal) or has_decimal_comma([cell]) for cell in cells)
        return cls(separator, rows, width, (even, values / len(cells)), skip_blanks)


def _parsed(lines: Sequence[str], separator: str, skip_blanks: bool) -> Iterator[list[str]]:
    """The rows that are not blank, as far as they can be read."""
    try:
        for row in rows_of(lines, separator, skip_blanks, strict=False):
            if len(row) > 1 or any(cell.strip() for cell in row):
                yield row
    except csv.Error:
        return


def _has_header(rows: Sequence[Sequence[str]], decimal: str) -> bool:
    """Whether the first row names what is below."""
    if not rows:
        return False
    texts = [j for j, cell in enumerate(rows[0]) if not is_value(cell, decimal)]
    for j in texts:
        below = [row[j] for row in rows[1:] if j < len(row) and row[j].strip() not in MISSING]
        if below and all(is_value(c, decimal) or has_decimal_comma([c]) for c in below):
            return not has_decimal_comma([rows[0][j]])
    named = [cell for cell in rows[0] if cell.strip()]
    return bool(named) and len(texts) == len(named)
