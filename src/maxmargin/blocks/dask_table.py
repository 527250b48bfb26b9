"""A Dask dataframe with columns of any kind: functions go to its partitions."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import dask
import numpy as np
from numpy.typing import NDArray

from maxmargin._core.interrupts import check_interrupt
from maxmargin.blocks.dask_rows import BLOCKS_TOGETHER, DaskRows
from maxmargin.blocks.lost_workers import computed
from maxmargin.blocks.rows import Rows
from maxmargin.blocks.stream import chosen
from maxmargin.blocks.table import BlockTable


class DaskTable(BlockTable):
    """The partitions of a Dask dataframe.

    Parameters
    ----------
    X : dask.dataframe.DataFrame
    columns : sequence of str or None
        Those that are read; None for all.
    """

    def __init__(self, X: Any, columns: Sequence[str] | None = None) -> None:
        X = X if columns is None else X[list(chosen(X.dtypes, columns, "the dataframe"))]
        self.names = [str(name) for name in X.columns]
        self._parts = X.to_delayed()
        lengths = computed([dask.delayed(len)(part) for part in self._parts])
        self._lengths = [int(length) for length in lengths]
        self.n_rows = sum(self._lengths)

    def each(self, function: Callable[[int, Any], Any]) -> Iterator[Any]:
        """Yield ``function(first, frame)`` for each partition with rows, in their order."""
        firsts = np.cumsum([0, *self._lengths])[:-1].tolist()
        shared = dask.delayed(function, pure=False, traverse=False)
        tasks = [
            shared(first, part)
            for first, part, n in zip(firsts, self._parts, self._lengths, strict=True)
            if n
        ]
        for start in range(0, len(tasks), BLOCKS_TOGETHER):
            check_interrupt()
            yield from computed(tasks[start : start + BLOCKS_TOGETHER])

    def rows(self, function: Callable[[Any], NDArray[np.float64]], width: int) -> Rows:
        """The rows of numbers that a function makes of frames, row by row."""
        import dask.array as da

        made = dask.delayed(function, pure=False, traverse=False)
        arrays = [
            da.from_delayed(made(part), shape=(n, width), dtype=np.float64)
            for part, n in zip(self._parts, self._lengths, strict=True)
            if n
        ]
        return DaskRows(da.concatenate(arrays))
