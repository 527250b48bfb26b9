"""A kernel as explicit features: rows themselves, kernel PCA, or its Nyström approximation."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from maxmargin._runtime.memory import require_memory
from maxmargin._runtime.validation import check_int
from maxmargin.kernels.definite import check_precomputed
from maxmargin.kernels.kernel import LARGEST, Kernel, Matrix, largest_value
from maxmargin.kernels.nystroem import NystroemMap


class ExplicitMap:
    """Features whose products are the kernel, or near it.

    Parameters
    ----------
    kernel : Kernel
        Linear and cosine kernels map rows to themselves. All others need landmarks.
    n_components : int
        The number of random landmarks. If there are no more rows than that, or the kernel is
        precomputed, every row is one and the map is exact: kernel PCA.
    """

    def __init__(self, kernel: Kernel, n_components: int) -> None:
        check_int("n_components", n_components, low=1)
        self.kernel = kernel
        self.n_components = n_components
        self.map: NystroemMap | None = None
        self.columns: NDArray[np.integer] | None = None

    def fit(self, X: Matrix, rng: np.random.Generator) -> "ExplicitMap":
        """Choose the width of the kernel and draw the landmarks."""
        n = X.shape[0]
        if self.kernel.precomputed:
            check_precomputed(X)
        self.kernel.fit(X, rng)
        if self.kernel.linear:
            if 0 < largest_value(X) < 1 / LARGEST[X.dtype.itemsize]:
                raise ValueError(
                    f"X has values up to {largest_value(X):.3g}, whose squares vanish; rescale "
                    f"its columns."
                )
            return self
        rank = n if self.kernel.precomputed else min(n, self.n_components)
        require_memory(
            n * rank * X.dtype.itemsize + 24 * rank**2,
            f"the map of {n} rows to {rank} features",
            'Use fewer n_components, or kernel="linear".',
        )
        landmarks = X if rank == n else X[np.sort(rng.permutation(n)[:rank])]
        self.map = NystroemMap(self.kernel, landmarks)
        return self

    def filled(self, features: Matrix) -> Matrix:
        """The columns of sparse features that have entries, if those are less than half.

        Hashed text has a million columns and uses a few of them; hyperplanes are dense.
        """
        self.columns = None
        if issparse(features):
            columns = np.flatnonzero(np.bincount(features.indices, minlength=features.shape[1]))
            if 0 < 2 * len(columns) < features.shape[1]:
                self.columns, self.n_columns = columns, features.shape[1]
                return features[:, columns]
        return features

    def in_all_columns(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Weights (k × filled columns) with zeros for the columns that had no entries."""
        if self.columns is None:
            return weights
        wide = np.zeros((len(weights), self.n_columns))
        wide[:, self.columns] = weights
        return wide

    def transform(self, X: Matrix) -> Matrix:
        """The features of rows, old or new."""
        return self.kernel.prepare(X) if self.map is None else self.map.transform(X)
