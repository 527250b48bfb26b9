"""Columns of numbers and text as one dense matrix, by the encodings of `TableEncoder`."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from maxmargin.cli.tables import checks
from maxmargin.cli.tables.errors import TableError, listed, option, quoted
from maxmargin.cli.tables.source import readable
from maxmargin.cli.tables.table import Column, Table
from maxmargin.explain.formatting import count
from maxmargin.preprocessing.encodings import ColumnEncoding, learn_encoding, write_columns
from maxmargin.preprocessing.frames import RawColumn

#: The most categories of a column: ``auto`` pools the rarest, ``onehot`` refuses more.
MOST_CATEGORIES = {"auto": 30, "onehot": 100}


def learn(
    table: Table, indices: Sequence[int], encode: str | None, impute: str | None
) -> tuple[ColumnEncoding, ...]:
    """Check the columns of the training data, and learn an encoding of each."""
    checks.refuse_repeated(table, indices)
    columns = [table.column(j) for j in indices]
    checks.refuse_odd(table, columns)
    checks.refuse_infinite(table, columns)
    if encode != "auto":
        checks.refuse_empty(table, columns)
    doubtful = columns if encode is None else checks.mistyped(table, columns)
    checks.refuse_text(table, doubtful if encode != "onehot" else [])
    if impute is None:
        checks.refuse_missing(table, columns)
    middle = "mean" if impute == "mean" else "median"
    most = MOST_CATEGORIES.get(encode or "", 2)
    found = tuple(learn_encoding(raw(c), middle, most, strict=encode != "auto") for c in columns)
    many = [column for column in found if column.n_pooled]
    if many and encode == "onehot":
        name, n = many[0].name, len(many[0].categories) + many[0].n_pooled - 1
        raise TableError(
            f"{table.name}: column {quoted(name)} has {n:,} different values, and --encode onehot "
            f"makes a column for each of up to {most}. Ways out: --encode auto, "
            f"{option('--drop', name)} or {option('--id', name)}."
        )
    if all(column.kind == "unusable" for column in found):
        raise TableError(
            f"{table.name}: no column can be used. {' '.join(f'{column}.' for column in found)}"
        )
    return found


def raw(column: Column) -> RawColumn:
    """A column as encodings take it: text without blanks around it, None or NaN where missing."""
    if not column.is_text:
        flag = column.values.dtype.kind == "b"
        return RawColumn(column.name, "flag" if flag else "number", column.values.astype(float))
    texts = np.empty(len(column.values), dtype=object)
    gaps = zip(column.cells(), column.missing, strict=True)
    texts[:] = [None if missing else cell for cell, missing in gaps]
    return RawColumn(column.name, "text", texts)


def to_matrix(
    table: Table,
    encodings: Sequence[ColumnEncoding],
    columns: Sequence[Column],
    fills: bool,
    notes: list[str],
) -> tuple[NDArray[np.float64], list[str]]:
    """Turn the column of each encoding into numbers; return them and their names."""
    used = [pair for pair in zip(encodings, columns, strict=True) if pair[0].kind != "unusable"]
    numbers = [column for encoding, column in used if encoding.kind in ("number", "flag")]
    checks.refuse_odd(table, [column for _, column in used])
    checks.refuse_text(table, numbers, fitted=True)
    checks.refuse_infinite(table, numbers)
    if not fills:
        checks.refuse_missing(table, [column for _, column in used], fitted=True)
    names = [name for encoding in encodings for name in encoding.names]
    with readable(table.name):
        try:
            X, unknown, filled = write_columns([e for e, _ in used], [raw(c) for _, c in used])
        except ValueError as error:  # a date that is none any more
            raise TableError(f"{table.name}: {str(error).removeprefix('X: ')}") from error
    notes += unknown
    if filled:
        notes.append(f"{count(filled, 'missing value')} filled in.")
    constant = [names[j] for j in np.flatnonzero(np.ptp(X, axis=0) == 0)] if len(X) > 1 else []
    if constant:
        notes.append(f"The same value in all rows: {listed(map(quoted, constant))}.")
    return X, names
