"""A kernel as explicit features: rows themselves, kernel PCA, or its Nyström approximation."""

import numpy as np

from maxmargin._runtime.parameters import Integer
from maxmargin.spaces.feature_map import FeatureMap
from maxmargin.spaces.features import Features
from maxmargin.spaces.kernel import LARGEST, Kernel, Matrix, largest_value
from maxmargin.spaces.nystroem import Nystroem
from maxmargin.spaces.space import Space


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
        Integer(1).check("n_components", n_components)
        self.kernel = kernel
        self.space: Space = Features(kernel) if kernel.linear else Nystroem(kernel, n_components)

    def fit(self, X: Matrix, rng: np.random.Generator) -> "ExplicitMap":
        """Choose the width of the kernel and draw the landmarks."""
        if not self.kernel.linear:
            self.space.require_memory(
                X, "the map to features", 'Use fewer n_components, or kernel="linear".'
            )
        elif 0 < largest_value(X) < 1 / LARGEST[X.dtype.itemsize]:
            raise ValueError(
                f"X has values up to {largest_value(X):.3g}, whose squares vanish; rescale its "
                f"columns."
            )
        self.space.fit(X, rng)
        return self

    def transform(self, X: Matrix) -> Matrix:
        """The features of rows, old or new."""
        return self.space.represent(X)
