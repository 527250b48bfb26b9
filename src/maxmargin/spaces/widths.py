"""Rules that choose gamma from the data, by name."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.metrics import pairwise_distances
from sklearn.metrics.pairwise import additive_chi2_kernel
from sklearn.utils import gen_batches

from maxmargin.spaces.distances import Matrix
from maxmargin.spaces.neighbors import SCALE_NEIGHBOR

#: Rows that a rule looks at; more rows change the answer by less than the rule's own error.
SAMPLE = 1000

RULES = ("median", "neighbors", "scale")


def gamma_by_rule(rule: str, kernel: str, X: Matrix, rng: np.random.Generator) -> float:
    """Choose gamma.

    ``"neighbors"`` takes the median distance of a row to its 7th neighbour as the width σ,
    ``"median"`` the median distance between two rows; zeros (duplicate rows) do not count.
    gamma is 1/(2σ²) where the kernel squares distances or products (rbf, poly, sigmoid) and
    1/σ where it does not (laplacian: city-block distance; chi2: its own distance).
    ``"scale"`` is scikit-learn's 1/(n_features · variance of X).
    """
    if rule == "scale":
        if issparse(X):
            variance = float(X.multiply(X).mean() - X.mean() ** 2)
        else:
            variance = float(np.var(X, dtype=np.float64))
        return 1 / (X.shape[1] * variance) if variance > 0 else 1.0
    rows = rng.permutation(X.shape[0])[:SAMPLE]
    if rule == "median":
        distances = _distances(X[rows], X[rows], kernel)
    else:
        neighbor = min(SCALE_NEIGHBOR, X.shape[0] - 1)
        batches = (rows[batch] for batch in gen_batches(len(rows), 100))
        distances = np.concatenate(
            [
                np.partition(_distances(X[b], X, kernel), neighbor, axis=1)[:, neighbor]
                for b in batches
            ]
        )
    sigma = _median_above_zero(distances)
    return 1 / sigma if kernel in ("laplacian", "chi2") else 1 / (2 * sigma**2)


def _distances(A: Matrix, B: Matrix, kernel: str) -> NDArray[np.floating]:
    """The distance that the kernel sees."""
    if kernel == "chi2":
        return -additive_chi2_kernel(A, B)
    return pairwise_distances(A, B, metric="manhattan" if kernel == "laplacian" else "euclidean")


def _median_above_zero(distances: NDArray[np.floating]) -> float:
    """Without any distance above zero every width gives the same kernel: take 1.

    Rounding leaves the distance of equal rows near 1e-8 of their size instead of at 0.
    """
    positive = distances[distances > 1e-7 * distances.max()]
    return float(np.median(positive, overwrite_input=True)) if len(positive) else 1.0
