"""Kernel matrices that are none: not square, not symmetric, not positive semidefinite."""

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cholesky
from sklearn.utils import gen_batches

from maxmargin._runtime.interrupts import while_answering
from maxmargin._runtime.warnings import warn_user


def check_precomputed(K: NDArray[np.floating]) -> None:
    """Raise if K cannot be a kernel matrix."""
    if K.ndim != 2 or K.shape[0] != K.shape[1]:
        raise ValueError(
            f"with kernel='precomputed', X must be the square kernel matrix; got shape {K.shape}."
        )
    check_symmetric(K, "with kernel='precomputed', X must be symmetric", K.T)


def check_symmetric(K: NDArray[np.floating], what: str, transposed: NDArray[np.floating]) -> None:
    """Raise if K and its transpose differ by more than rounding."""
    tolerance = 1e-6 if K.dtype == np.float32 else 1e-10
    worst = size = 0.0
    for rows in gen_batches(len(K), 256):
        worst = max(worst, float(np.abs(K[rows] - transposed[rows]).max()))
        size = max(size, float(np.abs(K[rows]).max()))
    if worst > tolerance * max(size, np.finfo(np.float64).tiny):
        raise ValueError(
            f"{what}; it and its transpose differ by up to {worst:.3g}. Use half the sum of both "
            f"if that is what you mean."
        )


def clip_negative(
    K: NDArray[np.float64], eps: float
) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
    """Return K, or its nearest positive semidefinite matrix with a warning."""
    K, negative, values = nearest_psd(K, eps)
    if values is not None:
        warn_indefinite(values)
    return K, negative


def nearest_psd(
    K: NDArray[np.float64], eps: float
) -> tuple[NDArray[np.float64], NDArray[np.float64] | None, NDArray[np.float64] | None]:
    """Return K, or its nearest positive semidefinite matrix.

    A Cholesky factorisation of K + tI succeeds if no eigenvalue is below −t; t is what
    rounding explains. Only if it fails are the eigenvalues computed. The other values are
    None, or the eigenvectors that were dropped and all eigenvalues.
    """
    n = len(K)
    tolerance = 100 * n * eps * max(float(np.abs(K).max()), np.finfo(np.float64).tiny)
    shifted = K.copy()
    shifted.flat[:: n + 1] += tolerance
    try:
        cholesky(shifted.T, lower=False, overwrite_a=True, check_finite=False)
    except LinAlgError:
        del shifted
    else:
        return K, None, None
    values, vectors = while_answering(np.linalg.eigh, K)
    negative = vectors[:, values < 0].copy()
    vectors *= np.sqrt(np.clip(values, 0, None))
    return vectors @ vectors.T, negative, values


def warn_indefinite(values: NDArray[np.float64]) -> None:
    """Say that negative eigenvalues are set to 0; ``values`` are in ascending order."""
    warn_user(
        f"the kernel matrix is not positive semidefinite: its smallest eigenvalue is "
        f"{values[0]:.3g} (the largest is {values[-1]:.3g}). Negative eigenvalues are set to 0."
    )
