"""Clusterings of other libraries: functions of rows, the number of clusters and a seed.

genieclust and lumbermark (AGPL) are optional: they are here if they are installed, no extra of this
project installs them, and nothing of them is part of it.
"""

import importlib
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
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
TAKE_SPARSE = ("k-means", "spectral")


def prepared(X: Any, columns: str = "standardised") -> Any:
    """Columns of unit variance, or raw; rows of unit length for text."""
    if issparse(X):
        return normalize(X)
    return X if columns == "raw" else StandardScaler().fit_transform(X)


def dense(X: Any, seed: int) -> NDArray[np.floating]:
    """The same; of text the first 50 singular directions."""
    return TruncatedSVD(50, random_state=seed).fit_transform(X) if issparse(X) else X


def run(name: str, peer: Peer, X: Any, k: int, seed: int, columns: str = "standardised") -> Labels:
    """A peer's labels, with its usual preparation of the rows."""
    X = prepared(X, columns)
    return peer(X if name in TAKE_SPARSE else dense(X, seed), k, seed)


def kmeans(X: Any, k: int, seed: int) -> Labels:
    """k-means, 10 starts."""
    return KMeans(k, n_init=10, random_state=seed).fit_predict(X)


def gmm(X: NDArray[np.floating], k: int, seed: int) -> Labels:
    """A Gaussian mixture, 3 starts, with as free a covariance as the rows can determine."""
    n, d = X.shape
    shape = "full" if 3 * k * d <= n else "tied" if 3 * d <= n else "diag"
    mixture = GaussianMixture(k, covariance_type=shape, n_init=3, random_state=seed)
    try:
        return mixture.fit_predict(X)
    except ValueError:  # a covariance is not positive definite
        return mixture.set_params(reg_covar=1e-3).fit_predict(X)


def spectral(X: Any, k: int, seed: int) -> Labels:
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
        "k-means": kmeans,
        "GMM": gmm,
        "spectral": spectral,
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
