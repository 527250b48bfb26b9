"""Distances between rows, and the one Gaussian of them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.utils.extmath import row_norms

from maxmargin._runtime.memory import row_blocks

Matrix = Any  # a dense array or a CSR matrix

#: Squared distances below this share of the squared norms are computed from differences.
CANCELLED = 1e-6
#: Columns up to which all of them are.
FEW_COLUMNS = 3
EPS = float(np.finfo(np.float64).eps)
#: Values below e⁻²⁰⁰ are raised to it: smaller ones add nothing, and cost as much as twenty.
LOWEST_EXPONENT = -200.0


def squared_distances(A: Matrix, B: Matrix, tol: float = 0.0) -> NDArray[np.float64]:
    """‖a − b‖² between rows; ``tol`` is an error that does not matter.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.spaces.distances import squared_distances
    >>> squared_distances(np.array([[1e9, 0.0]]), np.array([[1e9, 3.0], [1e9, 0.0]])).tolist()
    [[9.0, 0.0]]
    """
    A, B = (rows.astype(np.float64, copy=False) for rows in (A, B))
    if A.shape[1] <= FEW_COLUMNS and not issparse(A):  # differences are as fast as products
        return sum(np.square(np.subtract.outer(a, b)) for a, b in zip(A.T, B.T, strict=True))
    D = euclidean_distances(A, B, squared=True)
    # ‖a‖² − 2ab + ‖b‖² has lost its digits where rows are much nearer to each other than to the
    # origin: copies must be at 0, and what is near an outlier must not be equal.
    norms_A, norms_B = row_norms(A, squared=True), row_norms(B, squared=True)
    if EPS * (norms_A.max() + norms_B.max()) < tol:
        return D
    i, j = np.nonzero(CANCELLED * (norms_A[:, None] + norms_B) >= D)
    for part in row_blocks(len(i), A.shape[1]):
        D[i[part], j[part]] = row_norms(A[i[part]] - B[j[part]], squared=True)
    return D


def gaussian(
    squared: NDArray[np.float64], gamma: float, *, out: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """exp(−γ d²) of squared distances; ``out=squared`` writes it in their place.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.spaces.distances import gaussian
    >>> gaussian(np.array([0.0, 1.0]), gamma=2.0).round(3).tolist()
    [1.0, 0.135]
    """
    with np.errstate(over="ignore"):  # −inf is raised as well
        exponents = np.multiply(squared, -gamma, out=out)
    np.maximum(exponents, LOWEST_EXPONENT, out=exponents)
    return np.asarray(np.exp(exponents, out=exponents))
