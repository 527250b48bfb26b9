"""RLSClustering for its speed: peers, and the limit of the linear algebra."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack
from sklearn.cluster import KMeans, SpectralClustering
from sklearn.metrics.pairwise import rbf_kernel

from maxmargin import RLSClustering
from maxmargin.search import Evolutionary

LIMIT, OURS, SINGLE = "limit", "RLSClustering", "RLSClustering float32"
KMEANS, SPECTRAL = "KMeans(n_init=10)", "Spectral(10-NN)"


def limit(X: NDArray[np.float64]) -> None:
    """The linear algebra that no exact method can avoid: a kernel and its inverse, by LAPACK."""
    K = rbf_kernel(X)
    K.flat[:: len(K) + 1] += 1.0
    factor, _ = lapack.dpotrf(K.T, overwrite_a=1, clean=0)
    lapack.dpotri(factor, overwrite_c=1)


def fast_evommc(X: NDArray[np.float32], n_init: int) -> NDArray[np.int32]:
    """One parent, one child, 140 landmarks; λ, σ and l at a cell of the paper's grid."""
    return RLSClustering(
        2,
        gamma=1 / np.sum(np.square(np.ptp(X, axis=0), dtype=np.float64)),  # σ = 1s
        alpha=1 / (2 * len(X)),
        min_size=0.97,  # l = .03n
        polish=False,
        search=Evolutionary(n_parents=1, n_children=1),
        approximation="nystroem",
        n_components=140,
        n_init=n_init,
        random_state=0,
    ).fit_predict(X)


#: From rows to labels, or to nothing, for ten clusters.
EXACT: dict[str, Callable[[Any], Any]] = {
    LIMIT: limit,
    OURS: lambda X: RLSClustering(10, random_state=0).fit_predict(X),
    SINGLE: lambda X: RLSClustering(10, random_state=0).fit_predict(X.astype(np.float32)),
    KMEANS: lambda X: KMeans(10, n_init=10, random_state=0).fit_predict(X),
    SPECTRAL: lambda X: SpectralClustering(
        10, affinity="nearest_neighbors", n_neighbors=10, random_state=0
    ).fit_predict(X),
}
#: The same for two clusters of many rows.
LARGE: dict[str, Callable[[Any], Any]] = {
    "FastEvoMMC": lambda X: fast_evommc(X, 1),
    "FastEvoMMC, 10 runs": lambda X: fast_evommc(X, 10),
    "KMeans(n_init=10) on MNIST": lambda X: KMeans(2, n_init=10, random_state=0).fit_predict(X),
}
