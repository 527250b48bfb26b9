"""The Nyström map: a kernel as explicit features on a few landmarks."""

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh

from maxmargin.kernels.kernel import Kernel, Matrix


class NystroemMap:
    """Φ with ΦΦᵀ = K_nm K_mm⁺ K_mn, equal to K when every row is a landmark.

    scikit-learn's ``Nystroem`` is the same map; here directions that rounding alone
    explains are left out instead of being amplified, blocks of rows are mapped into one
    array, and data in float32 stays there while the small matrices are in float64.

    Parameters
    ----------
    kernel : Kernel
        Fitted to the data.
    landmarks : array or CSR matrix of shape (m, d)
    """

    def __init__(self, kernel: Kernel, landmarks: Matrix) -> None:
        self.kernel = kernel
        self.landmarks = landmarks
        K_mm = np.asarray(kernel(landmarks, landmarks), dtype=np.float64)
        values, vectors = eigh((K_mm + K_mm.T) / 2)
        eps = np.finfo(landmarks.dtype).eps
        keep = values > eps * len(values) * max(values[-1], 0)
        if not keep.any():
            keep[-1] = True
        self.normalization = vectors[:, keep] / np.sqrt(np.maximum(values[keep], eps))

    @property
    def rank(self) -> int:
        """The number of features."""
        return self.normalization.shape[1]

    def transform(self, X: Matrix) -> NDArray[np.floating]:
        """Map rows to features, in the precision of X."""
        features = np.empty((X.shape[0], self.rank), dtype=X.dtype)
        for block, rows in self.kernel.rows_against(X, self.landmarks):
            features[block] = rows @ self.normalization.astype(rows.dtype, copy=False)
        return features
