"""Matrices of distances that are none: not square, not whole, not symmetric."""

from typing import Any

import numpy as np
from scipy.sparse import issparse


def check_distances(X: Any) -> None:
    """Raise a ValueError if X, dense or sparse, is no matrix of distances."""
    n = X.shape[0]
    if X.shape != (n, n):
        raise ValueError(
            f'metric="precomputed" needs a square matrix of distances; got shape {X.shape}.'
        )
    if issparse(X) and X.nnz - np.count_nonzero(X.diagonal()) < n * (n - 1):
        raise ValueError(
            'metric="precomputed" needs all distances: what a sparse matrix does not hold would '
            "be a distance of 0. Use a dense matrix."
        )
    D = X.toarray() if issparse(X) else X
    scale = float(np.max(np.abs(D), initial=0.0))
    if D.min(initial=0.0) < 0:
        raise ValueError(
            f'metric="precomputed" needs distances >= 0; got {D.min():.3g}. A kernel K becomes '
            f"the distances sqrt(K_ii + K_jj - 2 K_ij)."
        )
    if np.abs(D.diagonal()).max(initial=0.0) > 1e-6 * scale:
        raise ValueError(
            f'metric="precomputed" needs distances, with 0 on the diagonal; got '
            f"{np.abs(D.diagonal()).max():.3g}. A kernel K becomes the distances "
            f"sqrt(K_ii + K_jj - 2 K_ij)."
        )
    if np.abs(D - D.T).max(initial=0.0) > 1e-6 * scale:
        raise ValueError('metric="precomputed" needs a symmetric matrix; use (X + X.T) / 2.')
