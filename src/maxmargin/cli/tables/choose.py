"""Which columns are meant, by name or by number."""

import csv
import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from maxmargin.cli.tables.errors import TableError, listed, option, quoted
from maxmargin.cli.tables.table import Table

_RANGE = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")


@dataclass(frozen=True)
class ColumnChoice:
    """Indices of columns from 0: the features, and what goes beside them."""

    features: Sequence[int]
    id: int | None
    truth: int | None


def resolve(table: Table, item: str, flag: str) -> list[int]:
    """The indices of the columns that an item of an option means.

    An item is a name; else a number from 1, or a range of them; else several items with commas
    between them (in quotes if a name has a comma itself).

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.cli.tables import Column, Table
    >>> from maxmargin.cli.tables.choose import resolve
    >>> table = Table("a.csv", tuple(Column(n, np.ones(2)) for n in ("x", "y", "a,b")), 2)
    >>> [resolve(table, item, "--drop") for item in ("y", "1-2", "a,b", 'x,"a,b"')]
    [[1], [0, 1], [2], [0, 2]]
    """
    found = table.find(item) or table.find(item.strip())
    if len(found) > 1:
        places = listed((str(j + table.first) for j in found), limit=8)
        raise TableError(
            f"{table.name}: {flag} {quoted(item)} is the name of several columns ({places}). "
            f"Give the number instead, such as {flag} {found[-1] + table.first}."
        )
    if found:
        return found
    numbers = _RANGE.fullmatch(item.strip())
    if numbers:
        return _numbered(table, item, flag, int(numbers[1]), int(numbers[2] or numbers[1]))
    if "," in item:
        parts = next(csv.reader([item], skipinitialspace=True), [])
        if parts != [item]:
            return [j for part in parts if part.strip() for j in resolve(table, part, flag)]
    raise _unknown(table, item, flag)


def choose(
    table: Table,
    columns: Sequence[str] | None,
    drop: Sequence[str],
    id: str | None,
    truth: str | None,
    weights: str | None = None,
) -> ColumnChoice:
    """Choose the features: all columns or ``columns``, without ``drop``, id, truth and weights."""
    flags = {"--id": id, "--truth": truth, "--weights": weights}
    beside = {flag: _single(table, item, flag) for flag, item in flags.items()}
    dropped = {j for item in drop for j in resolve(table, item, "--drop")}
    if columns:
        asked = dict.fromkeys(j for item in columns for j in resolve(table, item, "--columns"))
        for flag, j in beside.items():
            if j is not None and j in asked:
                raise TableError(
                    f"{table.name}: column {quoted(table.name_of(j))} is both in --columns and "
                    f"{flag}. A feature cannot be either: leave it out of one."
                )
        features: Sequence[int] = [j for j in asked if j not in dropped]
    else:
        left_out = dropped | {j for j in beside.values() if j is not None}
        features = [
            j
            for j in range(table.n_columns)
            if j not in left_out and (j < table.n_sparse or not table.column(j).spare)
        ]
    if not features:
        raise TableError(
            f"{table.name}: no column is left to cluster by. Name some with --columns, or drop "
            f"fewer; the file has {_names(table)}."
        )
    return ColumnChoice(features, beside["--id"], beside["--truth"])


def _single(table: Table, item: str | None, flag: str) -> int | None:
    if item is None:
        return None
    found = resolve(table, item, flag)
    if len(found) != 1:
        raise TableError(f"{table.name}: {flag} {quoted(item)} must name one column.")
    return found[0]


def _numbered(table: Table, item: str, flag: str, first: int, last: int) -> list[int]:
    top = table.n_columns - 1 + table.first
    if not table.first <= first <= last <= top:
        raise TableError(
            f"{table.name}: {flag} {item}: no column has this name, and the numbers of the columns "
            f"go from {table.first} to {top}."
        )
    return list(range(first - table.first, last - table.first + 1))


def _unknown(table: Table, item: str, flag: str) -> TableError:
    names = [column.name for column in table.columns]
    close = difflib.get_close_matches(item, names, n=3, cutoff=0.6)
    lower = [name for name in names if name.lower() == item.strip().lower()]
    hint = f" Did you mean {option(flag, (lower or close)[0])}?" if lower or close else ""
    return TableError(
        f"{table.name}: {flag} {quoted(item)}: there is no such column.{hint} The file has "
        f"{_names(table)}."
    )


def _names(table: Table) -> str:
    first = [table.name_of(j) for j in range(min(table.n_columns, 8))]
    rest = table.n_columns - len(first)
    return ", ".join(map(quoted, first)) + (f" and {rest:,} more columns" if rest else "")
