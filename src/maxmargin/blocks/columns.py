"""Columns beside rows: what a pass finds out of each row stays where the row is."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin.blocks.remote_column import Piece, RemoteColumn
from maxmargin.blocks.rows import Block, Rows, Sums, of_tiles

#: An array, or what stays elsewhere.
Column = Any


def keep(
    rows: Rows, number: int, function: Callable[..., Any], *columns: Column
) -> tuple[list[Column], Sums]:
    """Make columns of what a pure function returns first, and add up the rest.

    Parameters
    ----------
    rows : Rows
    number : int
        How many columns there are.
    function : callable
        Is called with a block and its parts of the columns, as in ``rows.sum``.

    Returns
    -------
    made : list of columns
        Arrays, or where rows are somewhere else what stays there with them.
    sums : tuple
    """
    made: list[Column] = []
    total: list[Any] = []
    for place, values in rows.each(function, *columns, kept=number):
        parts, values = values[:number], values[number:]
        if not place.start:
            made = [_empty(part, rows) for part in parts]
        for column, part in zip(made, parts, strict=True):
            column[place] = part
        total = _added(total, values)
    return made, tuple(total)


def revise(
    rows: Rows, revised: Sequence[Column], function: Callable[..., Any], *columns: Column
) -> tuple[list[Column], Sums]:
    """Change columns in some of the rows: arrays in place, others where they are.

    The function is called with a block, its parts of the columns, and then of those that are to be
    revised. It returns which rows of the block change, their new values (one line for each column
    that is revised), and what is added up.
    """
    if any(isinstance(column, RemoteColumn) for column in revised):
        there = partial(_revised_there, function, len(columns))
        return keep(rows, len(revised), there, *columns, *revised)
    total: list[Any] = []
    for place, (which, parts, *values) in rows.each(function, *columns, *revised):
        for column, part in zip(revised, parts, strict=True):
            column[place.start + which] = part
        total = _added(total, values)
    return list(revised), tuple(total)


def placed(rows: Rows, column: NDArray[Any]) -> Column:
    """A column where the rows are: it is sent once, and not in every pass."""
    if not rows.remote:
        return column
    (there,), _ = keep(rows, 1, _as_given, column)
    return there


def collected(rows: Rows, function: Callable[[Any], NDArray[Any]]) -> NDArray[Any]:
    """What a pure function says of each row, asked tile by tile: an array for all rows."""
    (column,), _ = keep(rows, 1, partial(of_tiles, function))
    return np.asarray(column)


def _as_given(block: Block, part: NDArray[Any]) -> tuple[NDArray[Any]]:
    return (np.ascontiguousarray(part),)


def _revised_there(
    function: Callable[..., Any], others: int, block: Block, *parts: NDArray[Any]
) -> tuple[Any, ...]:
    which, news, *sums = function(block, *parts)
    revised = [part.copy() for part in parts[others:]]  # what they were may be asked for again
    for part, new in zip(revised, news, strict=True):
        part[which] = new
    return (*revised, *sums)


def _empty(part: Any, rows: Rows) -> Column:
    if isinstance(part, Piece):
        return RemoteColumn(rows.shape[0], rows.micro)
    return np.empty((rows.shape[0], *part.shape[1:]), part.dtype)


def _added(total: list[Any], values: Sequence[Any]) -> list[Any]:
    """In place, where it is not the first."""
    if not total:
        return list(values)
    for i, value in enumerate(values):
        total[i] += value
    return total
