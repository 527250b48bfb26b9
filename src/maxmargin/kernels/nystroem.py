"""The Nyström map: a kernel as explicit features on a few landmarks."""

import numpy as np
from numpy.typing import NDArray

from maxmargin._runtime.interrupts import while_answering
from maxmargin.kernels.definite import warn_indefinite
from maxmargin.kernels.kernel import Kernel, Matrix, row_blocks


class NystroemMap:
    """Φ with ΦΦᵀ = K_nm K_mm⁺ K_mn, equal to K when every row is a landmark.

    scikit-learn's ``Nystroem`` is the same map; here directions that rounding alone
    explains are left out instead of being amplified, and rows are mapped block by block in
    float64, whatever the precision that the features are kept in.

    Parameters
    ----------
    kernel : Kernel
        Fitted to the data.
    landmarks : array or CSR matrix of shape (m, d)
    """

    def __init__(self, kernel: Kernel, landmarks: Matrix) -> None:
        self.kernel = kernel
        eps = np.finfo(np.float64).eps
        given = np.finfo(landmarks.dtype).eps if kernel.precomputed else eps
        self.landmarks = landmarks.astype(np.float64, copy=False)
        K_mm = kernel(self.landmarks, self.landmarks)
        values, vectors = while_answering(np.linalg.eigh, (K_mm + K_mm.T) / 2)
        size = max(values[-1], -values[0])
        if not kernel.surely_psd and values[0] < -max(1e-10, len(values) * given) * size:
            warn_indefinite(values)
        keep = values > given * len(values) * size
        if not keep.any():  # the kernel is zero on the landmarks: so is the map
            keep[-1], values[-1] = True, np.inf
        self.normalization = vectors[:, keep] / np.sqrt(values[keep])

    @property
    def rank(self) -> int:
        """The number of features."""
        return self.normalization.shape[1]

    def transform(self, X: Matrix) -> NDArray[np.floating]:
        """Map rows to features, in the precision of X."""
        features = np.empty((X.shape[0], self.rank), dtype=X.dtype)
        for block in row_blocks(X.shape[0], max(X.shape[1], len(self.normalization))):
            rows = X[block].astype(np.float64, copy=False)
            features[block] = self.kernel(rows, self.landmarks) @ self.normalization
        return features
