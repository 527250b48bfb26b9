"""Other clusterings of scikit-learn, each with its usual preparation of the data."""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import HDBSCAN, AgglomerativeClustering, KMeans, SpectralClustering
from sklearn.decomposition import TruncatedSVD
from sklearn.mixture import GaussianMixture
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler, normalize

HERE = Path(__file__).parent
sys.path[:0] = [path for path in (str(HERE), str(HERE.parent)) if path not in sys.path]

from sets import Rows, Set

Labels = NDArray[np.integer]


def prepared(data: Set) -> Rows:
    """Columns of unit variance; rows of unit length for text."""
    return normalize(data.X) if data.sparse else StandardScaler().fit_transform(data.X)


def dense(data: Set, seed: int) -> NDArray[np.float64]:
    """The same; of text the first 50 singular directions."""
    X = prepared(data)
    return TruncatedSVD(50, random_state=seed).fit_transform(X) if data.sparse else X


def kmeans(data: Set, seed: int) -> Labels:
    """k-means, 10 starts."""
    return KMeans(data.k, n_init=10, random_state=seed).fit_predict(prepared(data))


def gmm(data: Set, seed: int) -> Labels:
    """A Gaussian mixture, 3 starts, with as free a covariance as the rows can determine."""
    X = dense(data, seed)
    n, d = X.shape
    shape = "full" if 3 * data.k * d <= n else "tied" if 3 * d <= n else "diag"
    mixture = GaussianMixture(data.k, covariance_type=shape, n_init=3, random_state=seed)
    try:
        return mixture.fit_predict(X)
    except ValueError:  # a covariance is not positive definite
        return mixture.set_params(reg_covar=1e-3).fit_predict(X)


def spectral(data: Set, seed: int) -> Labels:
    """Spectral clustering of the graph of 10 neighbours."""
    return SpectralClustering(
        data.k,
        affinity="nearest_neighbors",
        n_neighbors=10,
        assign_labels="kmeans",
        random_state=seed,
    ).fit_predict(prepared(data))


def ward(data: Set, seed: int) -> Labels:
    """Ward's hierarchy."""
    return AgglomerativeClustering(data.k).fit_predict(dense(data, seed))


def hdbscan(data: Set, seed: int) -> Labels:
    """HDBSCAN, which finds k itself; a noise row joins its nearest clustered row."""
    X = dense(data, seed)
    labels = HDBSCAN(min_cluster_size=5, copy=True).fit_predict(X)
    noise = labels < 0
    if noise.all():
        return np.zeros(len(X), np.int64)
    if noise.any():
        nearest = KNeighborsClassifier(1).fit(X[~noise], labels[~noise])
        labels[noise] = nearest.predict(X[noise])
    return labels


PEERS: dict[str, Callable[[Set, int], Labels]] = {
    "k-means": kmeans,
    "GMM": gmm,
    "spectral": spectral,
    "Ward": ward,
    "HDBSCAN": hdbscan,
}
