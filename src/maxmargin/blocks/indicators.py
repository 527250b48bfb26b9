"""Columns of two values, and those that are one category together, of rows that are anywhere."""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin.blocks.rows import Block, Rows, in_blocks

#: The distance of two different values of a category, in standard deviations of a number. Two rows
#: are √2 apart by a number. Values of a category have clean gaps between them, which numbers have
#: only where clusters are: twice as far, and a gap that is only a value is taken for clusters.
APART = np.sqrt(0.5)
#: The most categories that one column is looked for to have.
LONGEST_BLOCK = 200
#: Rows that soon show of most columns that they have many values.
FIRST_ROWS = 64
#: By how much sums of zeros and ones may miss 1.
SUM_ERROR = 1e-6

Column = NDArray[np.floating]


def indicator_scales(X: Any) -> NDArray[np.float64]:
    """What columns of two values are to be divided by; NaN for all others.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.blocks.indicators import indicator_scales
    >>> indicator_scales(np.array([[5.0, 2, 1, 0], [6.0, 2, 0, 1], [7.0, 1, 1, 0]])).round(3)
    array([  nan, 1.414, 2.   , 2.   ])
    """
    rows = in_blocks(X)
    scales = np.full(rows.shape[1], np.nan)
    blocks = indicator_blocks(rows)
    if blocks:
        low, high = rows.extremes()
        for block in blocks:
            # a flag changes in one column, a category in two
            wide = (high - low)[block] * (1 if len(block) == 1 else np.sqrt(2))
            scales[block] = wide / APART
    return scales


def indicator_blocks(X: Any) -> list[NDArray[np.intp]]:
    """The columns of two values; those that are one category together.

    Neighbours are where exactly one of them has its larger value in each row, as zeros and ones
    are that sum to 1, standardised or not. Besides 0 and 1, and in a category, there may be a third
    value, for gaps.
    """
    rows = in_blocks(X)
    low, high = rows.extremes()
    least, most = _values_between(rows, low, high)
    two = (least > most) & (low < high)  # none is between
    three = (least >= most) & (low < high)
    two |= three & (low == 0) & (high == 1)
    widths = _widths(rows, low, high, three)
    blocks, first = [], 0
    while first < len(two):
        width = max(widths.get(first, 0), int(two[first]))
        if width:
            blocks.append(np.arange(first, first + width))
        first += max(width, 1)
    return blocks


def _values_between(rows: Rows, low: Column, high: Column) -> tuple[Column, Column]:
    """The least and the greatest value of each column that is neither its lowest nor its highest.

    Infinite, and the least one above the greatest, where there are none.
    """
    least, most = np.full((2, len(low)), [[np.inf], [-np.inf]])
    for _, (small, large) in rows.each(partial(_between_of, low, high)):
        np.minimum(least, small, out=least)
        np.maximum(most, large, out=most)
    return least, most


def _between_of(low: Column, high: Column, block: Block) -> tuple[Column, Column]:
    rows = block.rows
    least, most = _between(low, high, rows[:FIRST_ROWS])
    few = np.flatnonzero(least >= most)  # most columns have many values, and cost no more
    least[few], most[few] = _between(low[few], high[few], rows[:, few])
    return least, most


def _between(low: Column, high: Column, rows: Column) -> tuple[Column, Column]:
    inside = (rows > low) & (rows < high)
    least = np.where(inside, rows, np.inf).min(axis=0, initial=np.inf)
    return least, np.where(inside, rows, -np.inf).max(axis=0, initial=-np.inf)


def _widths(rows: Rows, low: Column, high: Column, may: NDArray[np.bool_]) -> dict[int, int]:
    """How many columns, from one that may begin a category on, sum to 1 in all rows.

    Rows of the first tile say of nearly all columns that no category begins there.
    """
    first_rows = Block(0, min(rows.step, len(rows)), rows, rows.step)
    where = np.flatnonzero(may)
    if not len(where):
        return {}
    reach, stop = _reach_of(where, low, high, may, first_rows)
    where = where[reach < stop]
    if not len(where):
        return {}
    reach, stop = np.zeros(len(where), np.intp), np.full(len(where), LONGEST_BLOCK + 1)
    for _, (longest, shortest) in rows.each(partial(_reach_of, where, low, high, may)):
        np.maximum(reach, longest, out=reach)
        np.minimum(stop, shortest, out=stop)
    found = reach < stop
    return dict(zip(where[found].tolist(), reach[found].tolist(), strict=True))


def _reach_of(
    where: NDArray[np.intp], low: Column, high: Column, may: NDArray[np.bool_], block: Block
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """With how many columns all rows of a block come to 1, and with how many one is above it."""
    rows = block.rows
    scaled: dict[int, Column] = {}
    reach = np.full(len(where), LONGEST_BLOCK + 1)
    stop = np.full(len(where), LONGEST_BLOCK + 1)
    for i, first in enumerate(where):
        total = np.zeros(len(rows))
        for width, j in enumerate(range(first, first + LONGEST_BLOCK), 1):
            if j == len(may) or not may[j]:
                stop[i] = width
                break
            if j not in scaled:
                scaled[j] = (rows[:, j] - low[j]) / (high[j] - low[j])
            total += scaled[j]
            if total.max() > 1 + SUM_ERROR:
                stop[i] = width
                break
            if reach[i] > width and total.min() > 1 - SUM_ERROR:
                reach[i] = width
    return reach, stop
