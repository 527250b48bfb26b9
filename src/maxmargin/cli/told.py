"""What ``fit`` is told besides the rows: pairs of them, and weights."""

from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin.cli.errors import UserError
from maxmargin.cli.inputs import TableRows
from maxmargin.cli.links import read_pairs
from maxmargin.cli.tables import TableError
from maxmargin.cli.tables.choose import resolve
from maxmargin.cli.tables.errors import quoted

#: The options by which it is told.
OPTIONS = {"constraints": "--link", "sample_weight": "--weights"}


def read_told(rows: TableRows, link: str | None, weights: str | None) -> dict[str, Any]:
    """The arguments of ``fit`` by their names; None where there is nothing to tell."""
    return {"constraints": read_pairs(link, rows), "sample_weight": read_weights(weights, rows)}


def read_weights(name: str | None, rows: TableRows) -> NDArray[np.float64] | None:
    """The numbers of a column of the table: none is missing, and none is below 0."""
    if name is None:
        return None
    (place,) = resolve(rows.table, name, "--weights")  # it names one: the rows are read already
    table, column = rows.table, rows.table.column(place)
    if column.is_text:
        raise TableError(f"{table.name}: --weights {quoted(name)} must be a column of numbers.")
    weights = np.asarray(column.values, dtype=np.float64)
    wrong = ~(np.isfinite(weights) & (weights >= 0))
    if wrong.any():
        row = int(np.argmax(wrong))
        what = "is missing" if np.isnan(weights[row]) else f"is {weights[row]:g}"
        raise TableError(
            f"{table.name}, {table.place(row)}: --weights must be finite numbers >= 0, and "
            f"{quoted(column.name)} {what}. Correct it; 0 leaves a row out of the fit."
        )
    return weights


def for_fit(estimator: Any, told: dict[str, Any]) -> dict[str, Any]:
    """What there is to tell, also to the last step of a pipeline."""
    steps = getattr(estimator, "steps", None)
    model = steps[-1][1] if steps else estimator
    given = {name: value for name, value in told.items() if value is not None}
    for name in given:
        if name not in signature(model.fit).parameters:
            raise UserError(
                f"{OPTIONS[name]}: {type(model).__name__} takes no {name}; choose another "
                f"--method, such as rls."
            )
    return {f"{steps[-1][0]}__{name}" if steps else name: given[name] for name in given}
