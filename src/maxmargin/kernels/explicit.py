"""A kernel as explicit features: rows themselves, kernel PCA, or its Nyström approximation."""

import numpy as np

from maxmargin._runtime.memory import require_memory
from maxmargin._runtime.validation import check_int
from maxmargin.kernels.definite import check_precomputed
from maxmargin.kernels.feature_map import FeatureMap
from maxmargin.kernels.kernel import LARGEST, Kernel, Matrix, largest_value
from maxmargin.kernels.nystroem import NystroemMap


class ExplicitMap(FeatureMap):
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

    def transform(self, X: Matrix) -> Matrix:
        """The features of rows, old or new."""
        return self.kernel.prepare(X) if self.map is None else self.map.transform(X)
