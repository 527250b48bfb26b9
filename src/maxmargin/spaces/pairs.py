"""The Gaussian kernel between all pairs of a set of rows, at any width."""

import numpy as np
from numpy.typing import NDArray

from maxmargin._core.interrupts import check_interrupt
from maxmargin.spaces.kernel import row_blocks
from maxmargin.spaces.metric import squared_distances

#: Rows up to which all distances are kept: 128 MiB.
FULL = 4096
#: Values below e⁻²⁰⁰ are raised to it: smaller ones add nothing, and cost as much as twenty.
LOWEST = -200.0
#: Different rows up to which copies of them count.
FEW_KINDS = 20


def gaussian(squared: NDArray[np.float64], gamma: float) -> NDArray[np.float64]:
    """exp(−γ d²) of squared distances."""
    with np.errstate(over="ignore"):  # −inf is raised as well
        exponents = -gamma * squared
    np.maximum(exponents, LOWEST, out=exponents)
    return np.asarray(np.exp(exponents, out=exponents))


class Pairs:
    """Squared distances between rows: kept where they fit, else made when they are asked for.

    Parameters
    ----------
    X : array of shape (n, d)

    Attributes
    ----------
    rows, offset : arrays of shape (n, d) and (d,)
        The rows around their mean, and that mean.
    full : array of shape (n, n) or None
        All squared distances, where they fit.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.spaces.pairs import Pairs
    >>> pairs = Pairs(np.array([[0.0], [1.0], [3.0]]))
    >>> pairs.squared([2]).tolist()
    [[9.0, 4.0, 0.0]]
    """

    def __init__(self, X: NDArray[np.floating]) -> None:
        rows = np.asarray(X, dtype=np.float64)
        # Distances do not change when all rows are shifted; far from 0 they lose digits.
        self.offset = rows.mean(axis=0)
        self.rows = np.ascontiguousarray(rows - self.offset)
        self.full = squared_distances(self.rows, self.rows) if self.n <= FULL else None

    @property
    def n(self) -> int:
        """The number of rows."""
        return len(self.rows)

    def squared(self, which: NDArray[np.intp]) -> NDArray[np.float64]:
        """Squared distances of some rows to all of them."""
        if self.full is not None:
            return self.full[which]
        return squared_distances(self.rows[which], self.rows)


class GaussianRows:
    """Rows of the kernel matrix of one width, kept where they fit.

    Parameters
    ----------
    pairs : Pairs
    gamma : float

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.spaces.pairs import GaussianRows, Pairs
    >>> kernel = GaussianRows(Pairs(np.array([[0.0], [1.0], [3.0]])), gamma=1.0)
    >>> kernel.row(0).round(2).tolist()
    [1.0, 0.37, 0.0]
    >>> kernel.sums(np.ones(3)).round(2).tolist()
    [1.37, 1.39, 1.02]
    """

    def __init__(self, pairs: Pairs, gamma: float) -> None:
        self.pairs = pairs
        self.gamma = gamma
        self.full = None if pairs.full is None else gaussian(pairs.full, gamma)

    @property
    def n(self) -> int:
        """The number of rows."""
        return self.pairs.n

    def row(self, i: int) -> NDArray[np.float64]:
        """The kernel between one row and all of them."""
        return self.rows(np.array([i]))[0] if self.full is None else self.full[i]

    def rows(self, which: NDArray[np.intp]) -> NDArray[np.float64]:
        """The kernel between some rows and all of them."""
        if self.full is not None:
            return self.full[which]
        return gaussian(self.pairs.squared(which), self.gamma)

    def sums(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Σ_i weights_i k(x_i, x) at every row; rows without weight cost nothing."""
        if self.full is not None:
            return self.full @ weights
        sums = np.zeros(self.n)
        heavy = np.flatnonzero(weights)
        for block in row_blocks(len(heavy), self.n):
            check_interrupt()
            sums += weights[heavy[block]] @ self.rows(heavy[block])
        return sums


def distinct_rows(X: NDArray[np.floating], some: NDArray[np.intp]) -> NDArray[np.intp]:
    """Keep one row of each kind: copies fill the lists of neighbours, and join nothing.

    Where only few kinds are left, their copies are all there is to tell clusters by.
    """
    rows = np.ascontiguousarray(X[some] + 0.0)  # −0 is 0
    as_bytes = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).ravel()
    _, first = np.unique(as_bytes, return_index=True)
    return some[np.sort(first)] if len(first) >= FEW_KINDS else some
