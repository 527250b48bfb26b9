"""The quadratic form for many strengths of the regularisation at the price of one."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh, svd

from maxmargin.spaces.quadratic_form import QuadraticForm


@dataclass(frozen=True)
class Spectrum:
    """The eigenvectors V and eigenvalues s of a kernel matrix; R(λ) = V diag(s/(s + λ)) Vᵀ.

    One λ is cheaper by ``QuadraticForm.from_gram`` (an inverse costs a third to a fifth of an
    eigendecomposition); from about four λ on the same kernel, this is.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.objectives.spectrum import Spectrum
    >>> from maxmargin.spaces.quadratic_form import QuadraticForm
    >>> X = np.array([[0.0], [0.1], [1.0], [1.2]])
    >>> K = np.exp(-((X - X.T) ** 2))
    >>> spectrum = Spectrum.of_gram(K)
    >>> labels = np.array([0, 0, 1, 1], dtype=np.int32)
    >>> for lam in (0.1, 1.0):
    ...     path = spectrum.form(lam).value(labels, 2)
    ...     alone = QuadraticForm.from_gram(K.copy(), lam).value(labels, 2)
    ...     print(f"{path:.6f} {alone:.6f}")
    3.771597 3.771597
    2.576759 2.576759
    """

    vectors: NDArray[np.floating]
    values: NDArray[np.float64]

    @classmethod
    def of_gram(cls, K: NDArray[np.floating]) -> "Spectrum":
        """Decompose a kernel matrix; negative eigenvalues are rounding and become 0."""
        values, vectors = eigh(K)
        return cls(vectors, np.clip(values, 0, None))

    @classmethod
    def of_features(cls, features: NDArray[np.floating]) -> "Spectrum":
        """Decompose ΦΦᵀ through Φ: no n × n array."""
        vectors, singular, _ = svd(features, full_matrices=False)
        return cls(vectors, np.square(singular))

    def form(self, lam: float) -> QuadraticForm:
        """R(λ): hollow if the spectrum is complete, as a factor V √(s/(s + λ)) if not."""
        Z = self.vectors * np.sqrt(self.values / (self.values + lam))
        diagonal = np.einsum("ij,ij->i", Z, Z)
        if Z.shape[1] < Z.shape[0]:
            return QuadraticForm(np.ascontiguousarray(Z), diagonal, True, lam)
        R = Z @ Z.T
        R.flat[:: len(R) + 1] = 0
        return QuadraticForm(R, diagonal, False, lam)
