"""The Gaussian kernel between all pairs of a set of rows, at any width."""

import numpy as np
from numpy.typing import NDArray

from maxmargin._core.interrupts import check_interrupt
from maxmargin._runtime.memory import row_blocks
from maxmargin.spaces.metric import gaussian, squared_distances

#: Rows up to which all distances are kept: 128 MiB.
MOST_KEPT_ROWS = 4096


class SquaredDistances:
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
    >>> from maxmargin.spaces.gaussian import SquaredDistances
    >>> SquaredDistances(np.array([[0.0], [1.0], [3.0]])).to_all([2]).tolist()
    [[9.0, 4.0, 0.0]]
    """

    def __init__(self, X: NDArray[np.floating]) -> None:
        rows = np.asarray(X, dtype=np.float64)
        # Distances do not change when all rows are shifted; far from 0 they lose digits.
        self.offset = rows.mean(axis=0)
        self.rows = np.ascontiguousarray(rows - self.offset)
        few = self.n <= MOST_KEPT_ROWS
        self.full = squared_distances(self.rows, self.rows) if few else None

    @property
    def n(self) -> int:
        """The number of rows."""
        return len(self.rows)

    def to_all(self, which: NDArray[np.intp]) -> NDArray[np.float64]:
        """Squared distances of some rows to all of them."""
        if self.full is not None:
            return self.full[which]
        return squared_distances(self.rows[which], self.rows)


class GaussianKernelRows:
    """Rows of the kernel matrix of one width, kept where they fit.

    Parameters
    ----------
    distances : SquaredDistances
    gamma : float

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.spaces.gaussian import GaussianKernelRows, SquaredDistances
    >>> distances = SquaredDistances(np.array([[0.0], [1.0], [3.0]]))
    >>> kernel = GaussianKernelRows(distances, gamma=1.0)
    >>> kernel.row(0).round(2).tolist()
    [1.0, 0.37, 0.0]
    >>> kernel.sums(np.ones(3)).round(2).tolist()
    [1.37, 1.39, 1.02]
    """

    def __init__(self, distances: SquaredDistances, gamma: float) -> None:
        self.distances = distances
        self.gamma = gamma
        self.full = None if distances.full is None else gaussian(distances.full, gamma)

    @property
    def n(self) -> int:
        """The number of rows."""
        return self.distances.n

    def row(self, i: int) -> NDArray[np.float64]:
        """The kernel between one row and all of them."""
        return self.rows(np.array([i]))[0] if self.full is None else self.full[i]

    def rows(self, which: NDArray[np.intp]) -> NDArray[np.float64]:
        """The kernel between some rows and all of them."""
        if self.full is not None:
            return self.full[which]
        squared = self.distances.to_all(which)
        return gaussian(squared, self.gamma, out=squared)

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
