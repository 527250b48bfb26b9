"""The Nyström map: a kernel as explicit features on a few landmarks."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import gen_batches

from maxmargin._runtime.interrupts import while_answering
from maxmargin._runtime.memory import aligned_rows
from maxmargin.spaces.kernel import Kernel
from maxmargin.spaces.metric import Matrix, Weights
from maxmargin.spaces.psd import check_precomputed, warn_indefinite
from maxmargin.spaces.space import Space


class Nystroem(Space):
    """Φ with ΦΦᵀ = K_nm K_mm⁺ K_mn, equal to K when every row is a landmark (kernel PCA).

    scikit-learn's ``Nystroem`` is the same map; here directions that rounding alone
    explains are left out instead of being amplified, and kernels are computed in float64,
    whatever the precision that the features are kept in.

    Parameters
    ----------
    kernel : Kernel
    n_components : int
        The number of random landmarks. If there are no more rows than that, or the kernel is
        precomputed, every row is one.
    """

    def __init__(self, kernel: Kernel, n_components: int) -> None:
        self.kernel = kernel
        self.n_components = n_components

    def memory(self, X: Matrix) -> int:
        """The features, and small matrices in float64."""
        return self.memory_of(X.shape[0], X.dtype)

    def memory_of(self, n: int, dtype: Any) -> int:
        """The same of n rows in a precision."""
        rank = n if self.kernel.precomputed else min(n, self.n_components)
        return n * rank * np.dtype(dtype).itemsize + 24 * rank**2

    def form_memory(self, n: int, dtype: Any) -> int:
        """What R of n rows takes at its peak: features, a copy of them and one in float64."""
        return 3 * self.memory_of(n, dtype)

    def fit(self, X: Matrix, rng: np.random.Generator, weights: Weights = None) -> "Nystroem":
        """Choose the width of the kernel, draw landmarks and decompose their kernel."""
        n = X.shape[0]
        m = n if self.kernel.precomputed else min(n, self.n_components)
        if self.kernel.precomputed:
            check_precomputed(X)
        self.kernel.fit(X, rng, weights)
        # rows in blocks are read, too, where all of them are landmarks
        self._decompose(X[:] if m == n else X[np.sort(rng.permutation(n)[:m])])
        return self

    def represent(self, X: Matrix) -> Matrix:
        """The features of rows, in the precision of X."""
        features = np.empty((X.shape[0], self.rank), dtype=X.dtype)
        for block in gen_batches(X.shape[0], self.stride(X)):
            rows = X[block].astype(np.float64, copy=False)
            features[block] = self.kernel(rows, self.landmarks) @ self.normalization
        return features

    def values(
        self, X: Matrix, coef: NDArray[np.floating], intercept: Any = 0.0
    ) -> NDArray[np.float64]:
        """The values of linear models, by the kernel with the landmarks: no features are made."""
        weights = self.normalization @ coef
        values = np.empty((X.shape[0], coef.shape[1]))
        for block in gen_batches(X.shape[0], self.stride(X)):
            rows = X[block].astype(np.float64, copy=False)
            values[block] = self.kernel(rows, self.landmarks) @ weights
        return values + intercept

    def stride(self, X: Matrix) -> int:
        """The rows that are looked at together."""
        return aligned_rows(max(X.shape[1], len(self.normalization)))

    @property
    def rank(self) -> int:
        """The number of features."""
        return self.normalization.shape[1]

    def _decompose(self, landmarks: Matrix) -> None:
        kernel, eps = self.kernel, np.finfo(np.float64).eps
        given = np.finfo(landmarks.dtype).eps if kernel.precomputed else eps
        self.landmarks = landmarks.astype(np.float64, copy=False)
        K_mm = kernel(self.landmarks, self.landmarks).astype(np.float64, copy=False)
        values, vectors = while_answering(np.linalg.eigh, (K_mm + K_mm.T) / 2)
        size = max(values[-1], -values[0])
        if not kernel.surely_psd and values[0] < -max(1e-10, len(values) * given) * size:
            warn_indefinite(values)
        keep = values > given * len(values) * size
        if not keep.any():  # the kernel is zero on the landmarks: so is the map
            keep[-1], values[-1] = True, np.inf
        self.normalization = vectors[:, keep] / np.sqrt(values[keep])
