"""The rows of a file, ready to be clustered."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from maxmargin.cli.tables import Column, Preparation, Prepared, Table, TableError, read_table

#: Where a model file says how the columns of its table became numbers.
RECIPE = "columns of the table"


@dataclass(frozen=True, eq=False)
class TableRows:
    """Rows of a table as numbers.

    ``table`` is as it was read; ``preparation`` says how its columns became numbers, for new
    tables too; ``prepared`` are the numbers, and the columns beside them.
    """

    table: Table
    preparation: Preparation
    prepared: Prepared

    @property
    def X(self) -> Any:
        """The numbers, dense or sparse."""
        return self.prepared.X

    @property
    def names(self) -> list[str]:
        """The names of the columns of X."""
        return self.prepared.names

    @property
    def ids(self) -> Column:
        """What names the rows: a column of the table, else their numbers from 1."""
        if self.prepared.id is not None:
            return self.prepared.id
        return Column("row", np.arange(1, self.table.n_rows + 1))

    @property
    def truth(self) -> list[Any] | None:
        """The known labels, with None for unknown ones; None without a column of labels."""
        column = self.prepared.truth
        if column is None:
            return None
        return [
            None if missing else value
            for value, missing in zip(column.values, column.missing, strict=True)
        ]


def read_rows(
    data: str,
    *,
    columns: tuple[str, ...],
    drop: tuple[str, ...],
    id_: str | None,
    truth: str | None,
    encode: str | None,
    impute: str | None,
    weights: str | None = None,
    **reading: Any,
) -> TableRows:
    """Read a table and make numbers of its columns; ``reading`` says how the file is read."""
    table = read_table(data, verbatim=[name for name in (id_, truth) if name], **reading)
    how: dict[str, Any] = {"id": id_, "truth": truth, "encode": encode, "impute": impute}
    preparation = Preparation.fit(table, columns=columns or None, drop=drop, weights=weights, **how)
    prepared = preparation.transform(table)
    prepared.notes[:0] = preparation.done
    return TableRows(table, preparation, prepared)


def read_rows_like(
    estimator: Any, metadata: dict[str, Any], data: str, id_: str | None, **reading: Any
) -> TableRows:
    """Read new rows in the way in which the model got its own.

    ``metadata`` is what the file of the model says of itself. A model that was not saved by a
    command has no recipe: all columns of the table are its columns.
    """
    notes = metadata.get("metadata")  # whoever saves a model in Python may have notes of any kind
    recipe = notes.get(RECIPE) if isinstance(notes, dict) else None
    preparation = None if recipe is None else Preparation.from_json(recipe)
    known = preparation.verbatim if preparation else ()
    table = read_table(data, verbatim=[*known, *([id_] if id_ else [])], **reading)
    if preparation is None:
        names = getattr(estimator, "feature_names_in_", None)
        preparation = Preparation.fit(table, columns=names, id=id_)
    prepared = preparation.transform(table, id=id_)
    wanted = getattr(estimator, "n_features_in_", prepared.X.shape[1])
    if prepared.X.shape[1] != wanted:
        raise TableError(
            f"{table.name}: the model has {wanted} columns, the table {prepared.X.shape[1]} that "
            f"are no id; give a file with those of the model."
        )
    return TableRows(table, preparation, prepared)
