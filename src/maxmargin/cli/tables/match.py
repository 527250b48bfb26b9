"""Find the columns of the training data in new data."""

from collections.abc import Sequence

from maxmargin.cli.tables.choose import resolve
from maxmargin.cli.tables.errors import TableError, listed, quoted
from maxmargin.cli.tables.table import Column, Table
from maxmargin.explain.formatting import count
from maxmargin.preprocessing.encodings import ColumnEncoding


def match_columns(
    table: Table,
    features: Sequence[ColumnEncoding],
    places: Sequence[int],
    by_name: bool,
    known: set[str],
    notes: list[str],
) -> list[Column]:
    """The column of each feature: by its name in any order, or by its place without names."""
    if table.matrix is not None:
        raise TableError(
            f"{table.name}: this is a sparse table, and the model was trained on a dense one. "
            f"Give new data as it was at the training."
        )
    if by_name:
        found = {feature.name: table.find(feature.name) for feature in features}
    else:
        n = table.n_columns
        found = {f.name: [j] if j < n else [] for f, j in zip(features, places, strict=True)}
    absent = [name for name, places in found.items() if not places]
    if absent:
        hint = (
            ""
            if table.has_header or not by_name
            else " The file has no names of columns (say --header if it has)."
        )
        raise TableError(
            f"{table.name}: {count(len(absent), 'column')} that the model needs "
            f"{'is' if len(absent) == 1 else 'are'} missing: {listed(map(quoted, absent), 8)}."
            f"{hint} Give new data with the columns of the training."
        )
    for name, places in found.items():
        if len(places) > 1:
            raise TableError(
                f"{table.name}: {len(places)} columns are named {quoted(name)}, which the model "
                f"needs. Rename all but one."
            )
    if by_name:
        extra = [c.name for c in table.columns if c.name not in known and not c.spare]
    else:
        extra = [c.name for c in table.columns[len(known) :] if not c.spare]
    if extra:
        notes.append(
            f"Columns that the training did not have are ignored: {listed(map(quoted, extra))}."
        )
    order = [places[0] for places in found.values()]
    if by_name and order != sorted(order):
        notes.append("The columns are in another order than in the training: names tell them.")
    return [table.column(place) for place in order]


def match_one(
    table: Table, asked: str | None, kept: str | None, by_name: bool, flag: str, notes: list[str]
) -> Column | None:
    """The column that is asked for, or else that of the training if it is there."""
    if asked is not None:
        places = resolve(table, asked, flag)
        if len(places) != 1:
            raise TableError(f"{table.name}: {flag} {quoted(asked)} must name one column.")
    elif kept is None:
        return None
    else:
        places = table.find(kept)
        number = kept.removeprefix("column ")
        if not (places or by_name) and number.isdecimal():  # a place, though it has a name now
            places = [j for j in [int(number) - table.first] if 0 <= j < table.n_columns]
        if len(places) != 1:
            notes.append(f"There is no column {quoted(kept)} ({flag} of the training) in the file.")
            return None
    return table.column(places[0])
