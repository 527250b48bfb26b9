"""Rows that are their own features: the linear and the cosine kernel."""

import numpy as np

from maxmargin.spaces.kernel import Kernel, Matrix
from maxmargin.spaces.space import Space


class Features(Space):
    """The columns of the rows, perhaps scaled to unit length.

    Parameters
    ----------
    kernel : Kernel
        Linear or cosine.
    """

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel

    def memory(self, X: Matrix) -> int:
        """A copy of the rows, and small matrices in float64."""
        n, d = X.shape
        return n * d * X.dtype.itemsize + 24 * d**2

    def fit(self, X: Matrix, rng: np.random.Generator) -> "Features":
        """There is nothing to choose."""
        self.kernel.fit(X, rng)
        return self

    def represent(self, X: Matrix) -> Matrix:
        """The rows themselves."""
        return self.kernel.prepare(X)
