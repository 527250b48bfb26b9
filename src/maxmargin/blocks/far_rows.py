"""Rows that are many times as far from the middle as is usual."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin._runtime.units import FAR, middle, outside
from maxmargin.blocks.rows import Block, in_blocks, of_tiles

#: Rows that are named.
NAMED_ROWS = 5


def far_rows(X: Any) -> tuple[int, NDArray[np.intp]]:
    """How many rows are far, and the numbers of the first of them.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.blocks.far_rows import far_rows
    >>> X = np.random.default_rng(0).normal(size=(1000, 2))
    >>> X[[3, 5]] = 1e9
    >>> far_rows(X)
    (2, array([3, 5]))
    """
    offset, usual = middle(X)
    with np.errstate(over="ignore"):
        ask = partial(_far_in_block, partial(outside, offset - FAR * usual, offset + FAR * usual))
    counts, rows = zip(*(found for _, found in in_blocks(X).each(ask)), strict=True)
    return sum(counts), np.concatenate(rows)[:NAMED_ROWS]


def _far_in_block(
    far: Callable[[Any], NDArray[np.bool_]], block: Block
) -> tuple[int, NDArray[np.intp]]:
    (which,) = of_tiles(far, block)
    rows = block.start + np.flatnonzero(which)
    return len(rows), rows[:NAMED_ROWS]
