"""Density methods for their speed: SupportVectorClustering, DBSCAN, HDBSCAN and mean shift."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import DBSCAN, HDBSCAN, MeanShift
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import NearestNeighbors

from benchmarks.methods.densities import completed
from maxmargin import SupportVectorClustering

OURS, SCAN, DENSITY, SHIFT = "SupportVectorClustering", "DBSCAN", "HDBSCAN", "MeanShift"
METHODS = (OURS, SCAN, DENSITY, SHIFT)
#: HDBSCAN and MeanShift are run up to so many rows, and for so many seconds at most.
MOST_ROWS = {DENSITY: 30_000, SHIFT: 3_000}
LIMIT = 120
#: The grids that the true labels choose eps from: in the plane and in 64 dimensions.
EPS = {2: (0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2), 64: (5.0, 6.0, 7.0, 8.0, 9.0)}
#: An eps with more neighbours than this on average is left out, for its memory.
MOST_NEIGHBORS = 1000
#: Fits of ours that say what the time depends on.
VARIANTS: dict[str, dict[str, Any]] = {
    "n_landmarks=1000": {"n_landmarks": 1000},
    "n_landmarks=500": {"n_landmarks": 500},
    "min_cluster_size=0.01": {"min_cluster_size": 0.01},
    "nu=0.5": {"nu": 0.5},
    'solver="libsvm"': {"solver": "libsvm"},
    "gamma=30 (one width, level 0)": {"gamma": 30.0},
}


def score(X: NDArray, y: NDArray, labels: NDArray) -> float:
    """ARI of the rows that are no noise."""
    known = y >= 0
    return float(adjusted_rand_score(y[known], completed(X, labels)[known]))


def best_eps(X: NDArray, y: NDArray) -> float:
    """The radius of the grid with the largest ARI."""
    some = X[np.random.default_rng(0).choice(len(X), min(len(X), 300), replace=False)]
    found: dict[float, float] = {}
    for eps in EPS[X.shape[1]]:
        near = NearestNeighbors(radius=eps).fit(X).radius_neighbors(some, return_distance=False)
        if np.mean([len(one) for one in near]) <= MOST_NEIGHBORS:
            found[eps] = score(X, y, DBSCAN(eps=eps).fit_predict(X))
    return max(found, key=lambda eps: found[eps])


def build(method: str, X: NDArray, y: NDArray) -> tuple[Callable[[], Any], str]:
    """A model, and its parameters."""
    if method == OURS:
        return lambda: SupportVectorClustering(random_state=0), ""
    if method in VARIANTS:
        return lambda: SupportVectorClustering(random_state=0, **VARIANTS[method]), method
    if method == SCAN:
        eps = best_eps(X, y)
        return lambda: DBSCAN(eps=eps), f"eps={eps:g}"
    if method == DENSITY:
        return lambda: HDBSCAN(min_cluster_size=5, copy=True), "min_cluster_size=5"
    return MeanShift, ""
