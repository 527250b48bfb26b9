"""Rows in memory: an array or a CSR matrix, never copied as a whole."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.utils.parallel import Parallel, delayed

from maxmargin.blocks.rows import Block, Rows, Sums, csr_rows


class MemoryRows(Rows):
    """The rows of a matrix.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d)
    n_jobs : int or None
        Blocks at the same time; the sums do not depend on it.
    """

    def __init__(self, X: Any, n_jobs: int | None = None) -> None:
        self.X = X
        self.n_jobs = n_jobs
        self.shape = X.shape
        self.dtype = X.dtype
        self.width = max(1.0, X.nnz / X.shape[0] if issparse(X) else X.shape[1])

    def _blocks(self) -> Iterator[Block]:
        n, micro = self.shape[0], self.micro
        for start in range(0, n, micro):
            stop = min(start + micro, n)
            whole = stop - start == n
            if issparse(self.X):
                rows = self.X if whole else csr_rows(self.X, start, stop)
            else:
                rows = self.X[start:stop]
            yield Block(start, stop, rows, self.step)

    def sum(self, partial: Callable[[Block], Sums]) -> Sums:
        """Add up ``partial(block)`` over all micro-blocks, in their order."""
        if self.n_jobs in (None, 1) or self.shape[0] <= self.micro:
            parts: Any = map(partial, self._blocks())
        else:
            parts = Parallel(n_jobs=self.n_jobs, require="sharedmem", return_as="generator")(
                delayed(partial)(block) for block in self._blocks()
            )
        total: list[Any] | None = None
        for part in parts:
            if total is None:
                total = list(part)
            else:
                for i, value in enumerate(part):
                    total[i] += value
        assert total is not None, "there is at least one row"
        return tuple(total)

    def take(self, rows: NDArray[np.intp]) -> Rows:
        """Some of the rows."""
        return MemoryRows(self.X[rows])
