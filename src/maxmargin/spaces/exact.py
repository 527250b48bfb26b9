"""The kernel itself: all rows against all rows."""

import numpy as np
from numpy.typing import NDArray

from maxmargin.spaces.kernel import Kernel
from maxmargin.spaces.metric import Matrix, Weights
from maxmargin.spaces.psd import check_precomputed
from maxmargin.spaces.quadratic_form import QuadraticForm
from maxmargin.spaces.space import Space

#: Coefficients are residuals divided by λ: below this λ/n all digits of R are needed.
SMALL_ALPHA = 1e-6


def has_digits(kernel: Kernel, lam: float, n: int) -> bool:
    """Whether coefficients for n rows have digits enough: λ is not small for the kernel.

    Values of kernels that are not bounded may be of any size.
    """
    return lam >= SMALL_ALPHA * n and (kernel.knows_distances_only or kernel.name == "cosine")


class ExactKernel(Space):
    """Rows by their kernel with all rows of ``fit``.

    Parameters
    ----------
    kernel : Kernel
    """

    explicit = False

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel

    def memory(self, X: Matrix) -> int:
        """N × n in float64 and in place; a check of definiteness needs a copy."""
        return 8 * X.shape[0] ** 2 * (1 if self.kernel.surely_psd else 2)

    def fit(self, X: Matrix, rng: np.random.Generator, weights: Weights = None) -> "ExactKernel":
        """Choose the width of the kernel, and keep the rows."""
        if self.kernel.precomputed:
            check_precomputed(X)
        self.kernel.fit(X, rng, weights)
        self.basis = None if self.kernel.precomputed else self.kernel.prepare(X)
        self.dropped: NDArray[np.float64] | None = None
        return self

    def represent(self, X: Matrix) -> Matrix:
        """The kernel with the rows of ``fit``; a row of a precomputed one is just that."""
        if self.basis is None:
            return X
        return self.kernel.evaluate(self.kernel.prepare(X), self.basis)

    def form(self, X: Matrix, lam: float, weights: Weights = None) -> QuadraticForm:
        """R = K(K + λI)⁻¹; of an indefinite kernel the negative part is dropped."""
        K, self.dropped = self.kernel.gram(X)
        plain = weights is None and lam >= SMALL_ALPHA * len(K)
        dtype = X.dtype if plain else np.float64  # weights take digits, too
        return QuadraticForm.from_gram(K, lam, weights=weights, dtype=dtype)

    def dual(self, coefficients: NDArray[np.float64]) -> NDArray[np.float64]:
        """Coefficients for the kernel as it is, whose indefinite part R does not know."""
        if self.dropped is not None:  # K times these is the clipped K times the others
            coefficients -= self.dropped @ (self.dropped.T @ coefficients)
            self.dropped = None
        return coefficients
