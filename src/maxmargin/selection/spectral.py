"""Spectral starts: the leading eigenvectors of an affinity, cut by k-means."""

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh
from scipy.sparse import csr_array
from scipy.sparse.linalg import ArpackError, eigsh
from sklearn.cluster import KMeans

#: Restarts after which Lanczos gives up: isolated rows make the leading eigenvalues equal. The
#: product with a sparse matrix costs next to nothing.
MAX_RESTARTS = {"dense": 8, "sparse": 200}
#: The share of entries below which a matrix is treated as sparse.
SPARSE = 0.1
#: A start is polished afterwards: four digits are enough.
TOLERANCE = 1e-4
#: Up to here the dense solver is as quick.
SMALL = 200


def leading_vectors(
    affinity: NDArray[np.float64], k: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Return the k leading eigenvectors of D^-½ W D^-½, largest eigenvalue first."""
    n = len(affinity)
    roots = 1 / np.sqrt(np.maximum(affinity.sum(axis=1), 1e-12))
    normalised = affinity * roots[:, None] * roots
    k = min(k, n)
    if n > SMALL and 4 * k < n:
        start = np.sqrt(1 / n) * (1 + 0.1 * rng.standard_normal(n))
        light = normalised.astype(np.float32)
        sparse = np.count_nonzero(light) < SPARSE * n * n
        try:
            values, vectors = eigsh(
                csr_array(light) if sparse else light,
                k,
                v0=start.astype(np.float32),
                tol=TOLERANCE,
                maxiter=MAX_RESTARTS["sparse" if sparse else "dense"],
            )
            return vectors[:, np.argsort(-values)].astype(np.float64)
        except ArpackError:
            pass
    _, vectors = eigh(normalised, subset_by_index=[n - k, n - 1])
    return vectors[:, ::-1]


def spectral_labels(vectors: NDArray[np.float64], k: int, seed: int) -> NDArray[np.int32]:
    """Cut the rows of the first k eigenvectors, scaled to unit length (Ng, Jordan and Weiss).

    k-means may warn of rows that are nearly equal. Filters of warnings belong to all threads:
    whoever starts these silences it.
    """
    V = vectors[:, :k]
    V = V / np.maximum(np.linalg.norm(V, axis=1, keepdims=True), 1e-12)
    if len(np.unique(V.round(9), axis=0)) < k:
        V = V + 1e-6 * np.random.default_rng(seed).standard_normal(V.shape)
    return KMeans(k, n_init=5, random_state=seed).fit_predict(V).astype(np.int32)
