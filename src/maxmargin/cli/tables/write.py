"""Write a table: whole or not at all."""

import csv
import gzip
import io
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from maxmargin._runtime.files import replacing
from maxmargin.blocks.cells import number
from maxmargin.cli.tables.errors import TableError, printable
from maxmargin.cli.tables.read_parquet import polars_for
from maxmargin.cli.tables.table import Column, as_cell

_SEPARATORS = {".csv": ",", ".tsv": "\t"}
_PORTION = 10_000  # rows
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")  # how a formula may begin

Values = Sequence[Any] | NDArray[Any] | Column


def check_output(path: str | os.PathLike[str]) -> None:
    """Refuse a path that `write_table` could not write to, before the work begins.

    Examples
    --------
    >>> from maxmargin.cli.tables import check_output
    >>> check_output("labels.xlsx")
    Traceback (most recent call last):
    ...
    maxmargin.cli.tables.errors.TableError: labels.xlsx: the ending says how to write a table, ...
    """
    if os.fspath(path) == "-":
        return
    file = Path(path)
    name = printable(str(file))
    if _ending(file) not in {*_SEPARATORS, ".parquet"}:
        raise TableError(
            f"{name}: the ending says how to write a table, and it must be one of .csv, .tsv, "
            f".csv.gz, .tsv.gz and .parquet; - is standard output."
        )
    check_place(file)
    if _ending(file) == ".parquet":
        polars_for(name)


def check_place(file: Path) -> None:
    """Refuse a file that cannot be where it should be."""
    name = printable(str(file))
    with _writing(name):
        if file.is_dir():
            raise TableError(f"{name}: this is a folder. Give the name of a file.")
        if not file.parent.is_dir():
            raise TableError(
                f"{name}: there is no folder {printable(str(file.parent))}. Create it first."
            )
        if not os.access(file.parent, os.W_OK | os.X_OK):
            raise TableError(f"{name}: the folder cannot be written to. Choose another one.")


def write_table(
    path: str | os.PathLike[str], columns: Mapping[str, Values], *, escape_formulas: bool = False
) -> None:
    r"""Write named columns as CSV, TSV or Parquet, by the ending of the path.

    Text is UTF-8 with a header and ``\n`` at the ends of lines. There, arrays of floats are
    written with 6 significant digits (NaN as an empty cell), and a `Column` as it was read.
    Parquet keeps the types.

    Parameters
    ----------
    path : str or path
        The file (``.csv``, ``.tsv``, with ``.gz`` or not, or ``.parquet``); ``-`` is standard
        output, as CSV.
    columns : mapping of str to sequence or Column
        The columns in order, all of the same length.
    escape_formulas : bool, default=False
        Whether text that a spreadsheet would take for a formula (it begins with =, +, -, @, a
        tab or a line end, and is no number) gets an apostrophe before it; not in Parquet, which
        spreadsheets do not read.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.cli.tables import write_table
    >>> write_table("-", {"id": ["007", "a,b"], "margin": np.array([1 / 3, np.nan])})
    id,margin
    007,0.333333
    "a,b",
    """
    if len({len(_values(column)) for column in columns.values()}) > 1:
        raise ValueError("columns must all have the same length")
    if os.fspath(path) == "-":
        content = io.StringIO()
        _write_text(content, ",", columns, escape_formulas)
        _to_standard_output(content.getvalue())
        return
    check_output(path)
    file = Path(path)
    with _writing(printable(str(file))), replacing(file) as draft:
        if _ending(file) == ".parquet":
            _write_parquet(draft, columns, str(file))
            return
        with draft.open("wb") as raw, _packed(raw, file) as stream:
            text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
            _write_text(text, _SEPARATORS[_ending(file)], columns, escape_formulas)
            text.flush()
            text.detach()


class _Lines:
    """Ends lines with a single character.

    The ``csv`` module quotes a carriage return inside a field only if lines end with one.
    """

    def __init__(self, text: io.TextIOBase) -> None:
        self.text = text

    def write(self, line: str) -> int:
        return self.text.write(line[:-2] + "\n")


def _write_text(
    text: io.TextIOBase, separator: str, columns: Mapping[str, Values], escape: bool
) -> None:
    writer = csv.writer(_Lines(text), delimiter=separator, lineterminator="\r\n")
    writer.writerow(map(_escaped, columns) if escape else columns)
    n_rows = max((len(_values(column)) for column in columns.values()), default=0)
    for start in range(0, n_rows, _PORTION):
        rows = slice(start, start + _PORTION)
        cells = [_cells(column, rows) for column in columns.values()]
        if escape:
            cells = [[_escaped(cell) for cell in column] for column in cells]
        writer.writerows(zip(*cells, strict=True))


def _escaped(cell: str) -> str:
    """Text that no spreadsheet takes for a formula; numbers are as they are."""
    return f"'{cell}" if cell.startswith(_FORMULA) and number(cell) is None else cell


def _values(column: Values) -> Any:
    return column.values if isinstance(column, Column) else column


def _cells(column: Values, rows: slice) -> list[str]:
    values = _values(column)[rows]
    if not isinstance(column, Column) and np.asarray(values).dtype.kind == "f":
        return ["" if value != value else f"{value:.6g}" for value in map(float, values)]
    return [as_cell(value) for value in values]


def _write_parquet(draft: Path, columns: Mapping[str, Values], name: str) -> None:
    pl = polars_for(printable(name))
    series = []
    for title, column in columns.items():
        values = _values(column)
        texts = isinstance(values, np.ndarray) and values.dtype.kind == "O"
        series.append(pl.Series(title, values.tolist() if texts else values))
    pl.DataFrame(series).write_parquet(draft)


def _to_standard_output(content: str) -> None:
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:  # replaced by something that takes text only
        sys.stdout.write(content)
        return
    sys.stdout.flush()
    buffer.write(content.encode("utf-8"))
    buffer.flush()


@contextmanager
def _packed(raw: BinaryIO, file: Path) -> Iterator[BinaryIO]:
    if file.suffix.lower() != ".gz":
        yield raw
        return
    # No name and no time inside: the same table gives the same bytes.
    with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as stream:
        yield cast(BinaryIO, stream)


@contextmanager
def _writing(name: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise TableError(f"{name}: cannot be written ({error.strerror or error}).") from error


def _ending(file: Path) -> str:
    """The ending in lower case, without that of gzip, which Parquet does not take."""
    if file.suffix.lower() != ".gz":
        return file.suffix.lower()
    inner = file.with_suffix("").suffix.lower()
    return inner if inner in _SEPARATORS else ""
