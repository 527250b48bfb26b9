"""Methods that find the number of clusters; a row of noise joins its nearest clustered row."""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import DBSCAN, HDBSCAN, MeanShift
from sklearn.neighbors import KNeighborsClassifier

from maxmargin import SupportVectorClustering

OURS, PLATEAU = "ours", 'ours, gamma="plateau"'
DENSITY, LARGER = "HDBSCAN(5)", "HDBSCAN(2 % of n)"
DEFAULT_EPS, SHIFT = "DBSCAN(eps=0.5)", "MeanShift(bin_seeding=True)"
#: HDBSCAN sees at most so many rows; the others join the nearest clustered one.
MOST_ROWS = 20_000
#: And MeanShift is left out beyond these.
MOST_OF_SHIFT = 2000


def completed(X: NDArray, labels: NDArray, rows: NDArray[np.intp] | None = None) -> NDArray:
    """Labels of all rows of X, or from those of some: noise joins the nearest clustered row."""
    found = labels.copy()
    if rows is not None:
        found = np.full(len(X), -1)
        found[rows] = labels
    inside = found >= 0
    if not inside.any():
        return np.zeros(len(X), dtype=int)
    if not inside.all():
        near = KNeighborsClassifier(1).fit(X[inside], found[inside])
        found[~inside] = near.predict(X[~inside])
    return found


class Density:
    """HDBSCAN; a smallest cluster of five rows, or of a share of them if that is more."""

    def __init__(self, share: float = 0) -> None:
        self.share = share

    def fit(self, X: NDArray) -> Self:
        """Cluster, then leave no noise."""
        rows = np.arange(len(X))
        if len(X) > MOST_ROWS:
            rows = np.sort(np.random.default_rng(0).choice(len(X), MOST_ROWS, replace=False))
        model = HDBSCAN(min_cluster_size=max(5, round(self.share * len(rows))), copy=True)
        self.labels_ = completed(X, model.fit_predict(X[rows]), rows)
        return self


class Completed:
    """Another clusterer, without noise."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def fit(self, X: NDArray) -> Self:
        """Cluster, then leave no noise."""
        self.labels_ = completed(X, self.model.fit_predict(X))
        return self


METHODS: dict[str, Callable[[], Any]] = {
    OURS: lambda: SupportVectorClustering(random_state=0),
    PLATEAU: lambda: SupportVectorClustering(gamma="plateau", random_state=0),
    DENSITY: Density,
    LARGER: lambda: Density(0.02),
    DEFAULT_EPS: lambda: Completed(DBSCAN()),
    SHIFT: lambda: MeanShift(bin_seeding=True),
}
