"""The methods, and the time, memory and ARI of one of them in a process of its own.

Called by ``run.py`` as ``python methods.py SET METHOD``; prints one line of JSON.
"""

import json
import os
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ |= {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np
from numpy.typing import NDArray
from sets import SETS
from shared.memory import peak_memory, reset_peak
from sklearn.cluster import DBSCAN, HDBSCAN, MeanShift
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors

from maxmargin import SupportVectorClustering

OURS, SCAN, DENSITY, SHIFT = "SupportVectorClustering", "DBSCAN", "HDBSCAN", "MeanShift"
METHODS = (OURS, SCAN, DENSITY, SHIFT)
#: HDBSCAN and MeanShift are run up to so many rows, and for so many seconds at most.
MOST_ROWS = {DENSITY: 30_000, SHIFT: 3_000}
LIMIT = 120
#: Repetitions, fewer where they took so many seconds together.
ROUNDS, ENOUGH = 3, 30.0
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


def completed(X: NDArray, labels: NDArray) -> NDArray:
    """Noise joins the nearest clustered row; not timed."""
    inside = labels >= 0
    if not inside.any():
        return np.zeros_like(labels)
    if inside.all():
        return labels
    near = KNeighborsClassifier(1).fit(X[inside], labels[inside])
    return near.predict(X)


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


def main() -> None:
    data, method = sys.argv[1:]
    X, y = SETS[data]()
    make, parameters = build(method, X, y)
    make().fit(X[:300])  # the first call loads libraries: not what is measured
    reset_peak()
    before = peak_memory()
    seconds: list[float] = []
    peak = None
    while len(seconds) < ROUNDS and sum(seconds) < ENOUGH:
        model = make()
        began = time.process_time()
        model.fit(X)
        seconds.append(time.process_time() - began)
        peak = peak or peak_memory()
    row = {"parameters": parameters, "cpu_seconds": min(seconds), "rounds": len(seconds)}
    row |= {
        "ari": score(X, y, model.labels_),
        "k": len(np.unique(model.labels_[model.labels_ >= 0])),
    }
    if before is not None and peak is not None:
        row["peak_bytes"] = peak - before
    print(json.dumps(row))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
