"""The principal coordinates of rows, from nothing but their distances."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

from maxmargin._runtime.validation import check_int

N_COMPONENTS = 10
DENSE = 100  # rows up to which a full decomposition is as fast


def principal_coordinates(
    D: NDArray[np.floating], n_components: int = N_COMPONENTS
) -> NDArray[np.float64]:
    """Compute the first principal coordinates of rows from their squared distances.

    Classical scaling: those of a principal component analysis where D is Euclidean.
    Directions of negative squared length, which other distances have, are left at 0.

    Parameters
    ----------
    D : array of shape (n, n)
        Squared distances.
    n_components : int, default=10

    Returns
    -------
    array of shape (n, min(n_components, n))

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.spaces.coordinates import principal_coordinates
    >>> abs(principal_coordinates(np.array([[0.0, 25.0], [25.0, 0.0]]), 1)).tolist()
    [[2.5], [2.5]]
    """
    n = len(D)
    wanted = min(check_int("n_components", n_components, low=1), n)
    if n <= max(DENSE, 2 * wanted):
        return _scaling(-_centre(_centre(np.asarray(D, dtype=np.float64)).T) / 2, wanted)
    gram = LinearOperator(
        (n, n), lambda v: -_centre(D @ _centre(v.ravel().astype(D.dtype))) / 2, dtype=np.float64
    )
    start = _centre(np.random.default_rng(0).normal(size=n))
    if not np.linalg.norm(gram @ start) > 0:  # all rows are equal
        return np.zeros((n, wanted))
    try:
        values, vectors = eigsh(gram, k=wanted, which="LA", v0=start)
    except ArpackError:  # leading variances that are equal
        return _scaling(-_centre(_centre(np.asarray(D, dtype=np.float64)).T) / 2, wanted)
    order = np.argsort(-values)
    return np.asarray(vectors[:, order] * np.sqrt(values[order].clip(0)))


def _centre(A: NDArray[np.float64]) -> NDArray[np.float64]:
    """Subtract the mean of each column."""
    return np.asarray(A - A.mean(axis=0))


def _scaling(gram: NDArray[np.float64], wanted: int) -> NDArray[np.float64]:
    """Coordinates with the given products, largest variance first."""
    values, vectors = np.linalg.eigh((gram + gram.T) / 2)
    largest = slice(None, -wanted - 1, -1)
    return np.asarray(vectors[:, largest] * np.sqrt(values[largest].clip(0)))
