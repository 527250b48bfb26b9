"""Columns of numbers and text as one dense matrix."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from maxmargin._runtime.memory import require_memory
from maxmargin.cli.tables import checks
from maxmargin.cli.tables.errors import listed, quoted
from maxmargin.cli.tables.feature import Feature
from maxmargin.cli.tables.source import readable
from maxmargin.cli.tables.table import Column, Table
from maxmargin.explain.formatting import count


def learn(
    table: Table, indices: Sequence[int], encode: str | None, impute: str | None
) -> tuple[Feature, ...]:
    """Check the columns of the training data, and learn a recipe for each."""
    checks.refuse_repeated(table, indices)
    columns = [table.column(j) for j in indices]
    checks.refuse_odd(table, columns)
    checks.refuse_infinite(table, columns)
    checks.refuse_empty(table, columns)
    if encode is None:
        checks.refuse_text(table, columns)
    if impute is None:
        checks.refuse_missing(table, columns)
    pairs = zip(columns, indices, strict=True)
    return tuple(Feature.learn(table.name, column, j, impute) for column, j in pairs)


def to_matrix(
    table: Table, features: Sequence[Feature], columns: Sequence[Column], notes: list[str]
) -> tuple[NDArray[np.float64], list[str]]:
    """Turn the column of each feature into numbers; return them and their names."""
    pairs = list(zip(features, columns, strict=True))
    numbers = [column for feature, column in pairs if feature.categories is None]
    checks.refuse_odd(table, columns)
    checks.refuse_text(table, numbers, fitted=True)
    checks.refuse_infinite(table, numbers)
    strict = [c for feature, c in pairs if feature.fill is None and not feature.fills_text]
    checks.refuse_missing(table, strict, fitted=True)
    names = [name for feature in features for name in feature.names]
    with readable(table.name):
        require_memory(8 * table.n_rows * len(names), "The table", "Use fewer columns.")
    X = np.empty((table.n_rows, len(names)))
    start = filled = 0
    for feature, column in pairs:
        stop = start + len(feature.names)
        gaps, unknown = feature.write(column, X[:, start:stop])
        start, filled = stop, filled + gaps
        if unknown:
            notes.append(
                f"{count(unknown, 'value')} of {quoted(feature.name)} did not occur in the "
                f"training data: zero in all its columns."
            )
    if filled:
        notes.append(f"{count(filled, 'missing value')} filled in.")
    constant = [names[j] for j in np.flatnonzero(np.ptp(X, axis=0) == 0)] if len(X) > 1 else []
    if constant:
        notes.append(f"The same value in all rows: {listed(map(quoted, constant))}.")
    return X, names
