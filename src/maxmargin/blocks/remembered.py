"""Rows of which some were taken once and are kept."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin.blocks.rows import Rows


class RememberedRows(Rows):
    """The same rows; to take some of them again needs no pass.

    Parameters
    ----------
    rows : Rows
    which : ndarray
        The numbers of the rows that are kept.
    """

    def __init__(self, rows: Rows, which: NDArray[np.integer]) -> None:
        self.rows, self.which = rows, np.unique(which)
        self.shape, self.dtype, self.names = rows.shape, rows.dtype, rows.names
        self._extremes = rows._extremes
        self.remote, self.in_memory = rows.remote, rows.in_memory
        self.kept = rows[self.which]

    def read(self, start: int, stop: int) -> Any:
        """Of the rows themselves."""
        return self.rows.read(start, stop)

    def each(
        self, function: Callable[..., Any], *arrays: Any, kept: int = 0
    ) -> Iterator[tuple[slice, Any]]:
        """Of the rows themselves."""
        return self.rows.each(function, *arrays, kept=kept)

    def take(self, which: NDArray[np.integer]) -> Any:
        """What is kept, if all of it is."""
        places = np.minimum(np.searchsorted(self.which, which), len(self.which) - 1)
        if np.array_equal(self.which[places], which):
            return self.kept[places]
        return self.rows.take(which)
