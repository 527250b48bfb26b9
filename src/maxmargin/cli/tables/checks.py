"""What columns must not hold if they are to be features, told in one error for all of them."""

from collections.abc import Sequence

import numpy as np

from maxmargin.blocks.cells import has_decimal_comma, has_thousands, is_value
from maxmargin.cli.tables.errors import TableError, listed, option, quoted
from maxmargin.cli.tables.table import Column, Table
from maxmargin.explain.formatting import count

SHOWN = 5
LARGEST_CELL = 1e150  # squares of larger values overflow


def refuse_repeated(table: Table, features: Sequence[int]) -> None:
    """Refuse two features of the same name: nobody could tell them apart afterwards."""
    seen: dict[str, int] = {}
    for j in features:
        name = table.name_of(j)
        if name in seen:
            raise TableError(
                f"{table.name}: columns {seen[name] + table.first} and {j + table.first} are both "
                f"named {quoted(name)}. Rename one, or leave it out: --drop {j + table.first}."
            )
        seen[name] = j


def refuse_odd(table: Table, columns: Sequence[Column]) -> None:
    """Refuse columns that are neither numbers nor text."""
    odd = [column for column in columns if column.refusal]
    if odd:
        shown = listed((f"{quoted(c.name)} {c.refusal}" for c in odd), SHOWN)
        raise TableError(f"{table.name}: column {shown}. Ways out: {_drops(odd)}.")


def refuse_text(table: Table, columns: Sequence[Column], fitted: bool = False) -> None:
    """Refuse text where numbers are needed; ``fitted`` says that a model needs them."""
    texts = [column for column in columns if column.is_text]
    if not texts:
        return
    shown = listed((_first_text(table, column) for column in texts), SHOWN)
    if fitted:
        raise TableError(
            f"{table.name}: the model was trained on numbers, and there is text in {shown}. "
            f"Correct the values{_format_hint(texts, table.decimal)}."
        )
    ways = ["--encode onehot", _drops(texts)]
    ids = [column for column in texts[:SHOWN] if len(set(column.values)) == table.n_rows]
    labels = [column for column in texts[:SHOWN] if column not in ids]
    if ids:
        ways.append(f"{option('--id', ids[0].name)} (its values all differ)")
    if labels:
        ways.append(f"{option('--truth', labels[0].name)} if these are known labels")
    if not table.has_header and table.lines is not None:
        ways.append(f"--header if {table.place(0)} holds names")
    raise TableError(
        f"{table.name}: only numbers can be clustered, and there is text in {shown}. "
        f"Ways out: {'; '.join(ways)}{_format_hint(texts, table.decimal)}."
    )


def mistyped(table: Table, columns: Sequence[Column]) -> list[Column]:
    """The columns of text that are meant to be numbers: most are, or with other signs they are."""
    found = []
    for column in columns:
        if column.is_text:
            cells = column.cells()
            few = sum(not is_value(cell, table.decimal) for cell in cells) < len(cells) / 2
            if few or _format_hint([column], table.decimal):
                found.append(column)
    return found


def refuse_missing(table: Table, columns: Sequence[Column], fitted: bool = False) -> None:
    """Refuse missing values where nothing was said about filling them."""
    masks = {column.name: column.missing for column in columns}
    gaps = [column for column in columns if masks[column.name].any()]
    if not gaps:
        return
    shown = listed(
        (
            f"{quoted(c.name)} ({count(int(masks[c.name].sum()), 'value')}, first in "
            f"{table.place(int(masks[c.name].argmax()))})"
            for c in gaps
        ),
        SHOWN,
    )
    ways = (
        "train with --impute median, or fill them" if fitted else f"--impute median; {_drops(gaps)}"
    )
    raise TableError(f"{table.name}: values are missing in column {shown}. Ways out: {ways}.")


def refuse_empty(table: Table, columns: Sequence[Column]) -> None:
    """Refuse columns without a single value: there is nothing to fill them with."""
    empty = [column for column in columns if bool(column.missing.all())]
    if empty:
        shown = listed((quoted(c.name) for c in empty), SHOWN)
        raise TableError(
            f"{table.name}: there is no value at all in column {shown}. Way out: {_drops(empty)}."
        )


def refuse_infinite(table: Table, columns: Sequence[Column]) -> None:
    """Refuse infinite values, and numbers whose squares are infinite."""
    for column in columns:
        if column.values.dtype.kind == "f" and np.any(np.abs(column.values) > LARGEST_CELL):
            huge = np.abs(column.values) > LARGEST_CELL
            row = int(huge.argmax())
            value = column.values[row]
            raise TableError(
                f"{table.name}, {table.place(row)}, column {quoted(column.name)}: the value is "
                f"{value:.6g} (or too large for a number); up to {LARGEST_CELL:g} can be "
                f"clustered. Correct it, or leave it empty and use --impute median, or "
                f"{option('--drop', column.name)}."
            )


def _drops(columns: Sequence[Column]) -> str:
    return " ".join(option("--drop", column.name) for column in columns[:SHOWN])


def _first_text(table: Table, column: Column) -> str:
    """The column, and the first cell that is no number."""
    cells = column.cells()
    rows = [i for i, cell in enumerate(cells) if not is_value(cell, table.decimal)] or [0]
    shown = f"column {quoted(column.name)} ({table.place(rows[0])}: {quoted(cells[rows[0]])}"
    few = len(rows) < len(cells) / 2
    return f"{shown}; {len(rows):,} of {len(cells):,} values are text)" if few else f"{shown})"


def _format_hint(columns: Sequence[Column], decimal: str) -> str:
    """Name the way out for numbers that are written in another manner."""
    for column in columns:
        cells = column.cells()
        if decimal == "." and has_decimal_comma(cells):
            return f"; --decimal , if {quoted(column.name)} has a decimal comma"
        if decimal == "," and all(map(is_value, cells)):
            return f"; --decimal . if {quoted(column.name)} has a decimal point"
        if has_thousands(cells):
            return f"; write the numbers of {quoted(column.name)} without thousands separators"
    return ""
