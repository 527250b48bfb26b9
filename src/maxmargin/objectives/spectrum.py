"""The quadratic form for many strengths of the regularisation at the price of one."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh

from maxmargin.spaces.metric import Weights
from maxmargin.spaces.quadratic_form import QuadraticForm

#: A share s/(s + λ) below this is rounding, and adds nothing to R.
NEGLIGIBLE = 1e-14


@dataclass(frozen=True)
class Spectrum:
    """The eigenvectors V and eigenvalues s of a kernel matrix; R(λ) = V diag(s/(s + λ)) Vᵀ.

    One λ is cheaper by ``QuadraticForm.from_gram`` (an inverse costs a third to a fifth of an
    eigendecomposition); from about eight λ on the same kernel, this is.

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
    weights: NDArray[np.float64] | float = 1.0

    @classmethod
    def of_gram(cls, K: NDArray[np.floating], weights: Weights = None) -> "Spectrum":
        """Decompose a kernel matrix, of which the lower triangle is read.

        Negative eigenvalues are rounding and become 0. With weights it is W^½KW^½.
        """
        if weights is not None:
            K = K * np.sqrt(weights) * np.sqrt(weights)[:, None]
        values, vectors = eigh(K, driver="evd")
        return cls(vectors, np.clip(values, 0, None), 1.0 if weights is None else weights)

    def form(self, lam: float, dtype: type[np.floating] | np.dtype = np.float64) -> QuadraticForm:
        """R(λ) of the labels."""
        shares = self.values / (self.values + lam)
        kept = shares > NEGLIGIBLE
        Z = self.vectors[:, kept] * np.sqrt(shares[kept])
        if isinstance(self.weights, np.ndarray):
            Z *= np.sqrt(self.weights)[:, None]
        diagonal = np.einsum("ij,ij->i", Z, Z)
        R = Z @ Z.T
        R.flat[:: len(R) + 1] = 0
        return QuadraticForm(R.astype(dtype, copy=False), diagonal, False, lam, None, self.weights)
