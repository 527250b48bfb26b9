"""The methods; a row of noise joins its nearest clustered row, whoever found it."""

import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import DBSCAN, HDBSCAN, MeanShift
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import KNeighborsClassifier

from maxmargin import SupportVectorClustering

OURS, PLATEAU = "ours", 'ours, gamma="plateau"'
DENSITY, LARGER = "HDBSCAN(5)", "HDBSCAN(2 % of n)"
DEFAULT_EPS, SHIFT = "DBSCAN(eps=0.5)", "MeanShift(bin_seeding=True)"
#: HDBSCAN sees at most so many rows; the others join the nearest clustered one.
MOST_ROWS = 20_000
#: And MeanShift is left out beyond these.
MOST_OF_SHIFT = 2000


def completed(X: NDArray, rows: NDArray[np.intp], labels: NDArray) -> NDArray:
    """Labels of all rows of X from those of some."""
    found = np.full(len(X), -1)
    found[rows] = labels
    inside = found >= 0
    if not inside.any():
        return np.zeros(len(X), dtype=int)
    if not inside.all():
        near = KNeighborsClassifier(1).fit(X[inside], found[inside])
        found[~inside] = near.predict(X[~inside])
    return found


def ours(X: NDArray, **parameters: Any) -> NDArray:
    return SupportVectorClustering(random_state=0, **parameters).fit(X).labels_


def hdbscan(X: NDArray, share: float) -> NDArray:
    """A smallest cluster of five rows, or of a share of them if that is more."""
    rows = np.arange(len(X))
    if len(X) > MOST_ROWS:
        rows = np.sort(np.random.default_rng(0).choice(len(X), MOST_ROWS, replace=False))
    model = HDBSCAN(min_cluster_size=max(5, round(share * len(rows))), copy=True)
    return completed(X, rows, model.fit_predict(X[rows]))


def dbscan(X: NDArray) -> NDArray:
    return completed(X, np.arange(len(X)), DBSCAN().fit_predict(X))


METHODS: dict[str, Callable[[NDArray], NDArray]] = {
    OURS: ours,
    PLATEAU: lambda X: ours(X, gamma="plateau"),
    DENSITY: lambda X: hdbscan(X, 0),
    LARGER: lambda X: hdbscan(X, 0.02),
    DEFAULT_EPS: dbscan,
    SHIFT: lambda X: MeanShift(bin_seeding=True).fit_predict(X),
}


def scored(cluster: Callable[[NDArray], NDArray], X: NDArray, y: NDArray) -> dict[str, Any]:
    """ARI of the rows that are no noise, the number of clusters, CPU seconds, warnings."""
    began = time.process_time()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        labels = cluster(X)
    seconds = time.process_time() - began
    known = y >= 0
    return {
        "ari": f"{adjusted_rand_score(y[known], labels[known]):.4f}",
        "k": len(np.unique(labels)),
        "cpu_seconds": f"{seconds:.3f}",
        "warnings": " / ".join(str(one.message)[:60] for one in caught),
    }
