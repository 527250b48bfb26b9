"""Pairs of rows from a file: which belong together, and which do not."""

from typing import Any

from maxmargin.cli.inputs import TableRows
from maxmargin.cli.tables import TableError, read_table

#: The words for both kinds of pairs.
PAIR_KINDS = {"must": "must_link", "cannot": "cannot_link"}


def read_pairs(path: str | None, rows: TableRows) -> dict[str, list[tuple[int, int]]] | None:
    """Read a table of two rows, by id or number from 1, and ``must`` or ``cannot``."""
    if path is None:
        return None
    table = read_table(path, verbatim=["1", "2", "3"])
    if table.n_columns != 3:
        raise TableError(
            f"{table.name}: --link needs three columns: two rows, and must or cannot; got "
            f"{table.n_columns}."
        )
    places: dict[str, int] = {}
    for row, name in enumerate(rows.ids.cells()):
        if places.setdefault(name, row) != row:
            raise TableError(
                f"{rows.table.name}: --link needs different names of rows, and {name!r} is there "
                f"twice. Name another column with --id."
            )
    found: dict[str, list[Any]] = {kind: [] for kind in PAIR_KINDS.values()}
    for i, (a, b, kind) in enumerate(zip(*(c.cells() for c in table.columns), strict=True)):
        wrong = [name for name in (a, b) if name not in places]
        if wrong or kind not in PAIR_KINDS:
            what = f"there is no row {wrong[0]!r}" if wrong else f"{kind!r} is not must or cannot"
            raise TableError(f"{table.name}, {table.place(i)}: {what}. Correct it.")
        found[PAIR_KINDS[kind]].append((places[a], places[b]))
    return found
