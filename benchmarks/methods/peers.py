"""Clusterings of other libraries: functions of rows, the number of clusters and a seed.

Each runs its documented defaults. Where a kinder setting is usual, it is a peer of its own, and a
table that asks for the best peer counts both.

genieclust and lumbermark (AGPL) are optional: they are here if they are installed, no extra of this
project installs them, and nothing of them is part of it.
"""

import importlib
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.linalg import LinAlgError
from numpy.typing import NDArray
from scipy.sparse import issparse
from scipy.sparse.linalg import ArpackError
from sklearn.cluster import HDBSCAN, AgglomerativeClustering, KMeans, SpectralClustering
from sklearn.decomposition import TruncatedSVD
from sklearn.mixture import GaussianMixture
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler, normalize

Labels = NDArray[np.integer]
Peer = Callable[[Any, int, int], Labels]

#: Peers that are run if they are installed: class → package.
OPTIONAL = {"Genie": "genieclust", "Lumbermark": "lumbermark"}
#: Peers that find the number of clusters themselves.
CHOOSE_K = ("HDBSCAN",)
#: Peers that take sparse rows as they are.
TAKE_SPARSE = (
    *("k-means (defaults)", "k-means (10 starts)"),
    *("spectral (defaults)", "spectral (10-NN graph)"),
)
#: Peers that take time with the cube of the rows, and how many rows they are given at most.
SLOW, MOST_ROWS_OF_SLOW = ("spectral (defaults)",), 3500


def prepared(X: Any, columns: str = "standardised") -> Any:
    """Columns of unit variance, or raw; rows of unit length for text."""
    if issparse(X):
        return normalize(X)
    return X if columns == "raw" else StandardScaler().fit_transform(X)


def dense(X: Any, seed: int) -> NDArray[np.floating]:
    """The same; of text the first 50 singular directions."""
    return TruncatedSVD(50, random_state=seed).fit_transform(X) if issparse(X) else X


def run(name: str, peer: Peer, X: Any, k: int, seed: int, columns: str = "standardised") -> Labels:
    """A peer's labels, with its usual preparation of the rows; one cluster where it fails."""
    X = prepared(X, columns)
    try:
        return peer(X if name in TAKE_SPARSE else dense(X, seed), k, seed)
    except (ValueError, LinAlgError, ArpackError) as error:  # a singular covariance, an empty graph
        print(f"{name}, {columns} columns: {type(error).__name__}, counted as one cluster.")
        return np.zeros(X.shape[0], np.int64)


def kmeans(X: Any, k: int, seed: int) -> Labels:
    """k-means as it comes: one start."""
    return KMeans(k, random_state=seed).fit_predict(X)


def kmeans_10_starts(X: Any, k: int, seed: int) -> Labels:
    """k-means, 10 starts."""
    return KMeans(k, n_init=10, random_state=seed).fit_predict(X)


def gmm(X: NDArray[np.floating], k: int, seed: int) -> Labels:
    """A Gaussian mixture as it comes: one start, full covariances."""
    return GaussianMixture(k, random_state=seed).fit_predict(X)


def gmm_3_starts(X: NDArray[np.floating], k: int, seed: int) -> Labels:
    """A Gaussian mixture, 3 starts, with as free a covariance as the rows can determine."""
    n, d = X.shape
    shape = "full" if 3 * k * d <= n else "tied" if 3 * d <= n else "diag"
    mixture = GaussianMixture(k, covariance_type=shape, n_init=3, random_state=seed)
    try:
        return mixture.fit_predict(X)
    except ValueError:  # a covariance is not positive definite
        return mixture.set_params(reg_covar=1e-3).fit_predict(X)


def spectral(X: Any, k: int, seed: int) -> Labels:
    """Spectral clustering as it comes: a Gaussian kernel of width 1."""
    return SpectralClustering(k, random_state=seed).fit_predict(X)


def spectral_graph(X: Any, k: int, seed: int) -> Labels:
    """Spectral clustering of the graph of 10 neighbours."""
    return SpectralClustering(
        k, affinity="nearest_neighbors", n_neighbors=10, assign_labels="kmeans", random_state=seed
    ).fit_predict(X)


def ward(X: NDArray[np.floating], k: int, seed: int) -> Labels:
    """Ward's hierarchy."""
    return AgglomerativeClustering(k).fit_predict(X)


def hdbscan(X: NDArray[np.floating], k: int, seed: int) -> Labels:
    """HDBSCAN, which finds k itself; a noise row joins its nearest clustered row."""
    labels = HDBSCAN(min_cluster_size=5, copy=True).fit_predict(X)
    noise = labels < 0
    if noise.all():
        return np.zeros(len(X), np.int64)
    if noise.any():
        nearest = KNeighborsClassifier(1).fit(X[~noise], labels[~noise])
        labels[noise] = nearest.predict(X[noise])
    return labels


def optional(name: str) -> Peer | None:
    """A peer with its documented defaults, or None and a line that says how to have it."""
    package = OPTIONAL[name]
    try:
        estimator = getattr(importlib.import_module(package), name)
    except ImportError:
        print(f"{name} is left out: `pip install {package}` (AGPL; an optional peer) brings it.")
        return None
    return lambda X, k, seed: estimator(n_clusters=k).fit_predict(X)


def peers() -> dict[str, Peer]:
    """The peers by name, those of scikit-learn first."""
    found = {name: optional(name) for name in OPTIONAL}
    return {
        "k-means (defaults)": kmeans,
        "k-means (10 starts)": kmeans_10_starts,
        "GMM (defaults)": gmm,
        "GMM (3 starts)": gmm_3_starts,
        "spectral (defaults)": spectral,
        "spectral (10-NN graph)": spectral_graph,
        "Ward": ward,
        "HDBSCAN": hdbscan,
    } | {name: peer for name, peer in found.items() if peer is not None}


def versions() -> str:
    """The versions of the optional peers that are installed."""
    found = []
    for package in OPTIONAL.values():
        try:
            found.append(f"{package} {version(package)}")
        except ImportError:
            found.append(f"{package} not installed")
    return ", ".join(found)
