"""One fit of one method, in a process of its own: CPU seconds, peak memory, quality.

Called by ``run.py`` as ``python methods.py METHOD N``; prints one line of JSON.
"""

import json
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack
from sklearn.cluster import KMeans, SpectralClustering
from sklearn.datasets import load_digits
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import rbf_kernel

sys.path.insert(0, str(Path(__file__).parents[2]))

from shared.data import load
from shared.memory import peak_memory, reset_peak

from maxmargin import RLSClustering
from maxmargin.search import Evolutionary


def digits_like(n: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """N rows of 64 features in 10 classes: digits drawn with replacement, plus noise."""
    rng = np.random.default_rng(0)
    X, y = load_digits(return_X_y=True)
    rows = rng.integers(len(X), size=n)
    return X[rows] + rng.normal(scale=2.0, size=(n, X.shape[1])), y[rows]


def mnist_pair(_: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Digits 1 and 7 of MNIST: about 15,000 rows; 14,000 of them."""
    X, y = load("mnist")
    rows = np.flatnonzero((y == 1) | (y == 7))[:14_000]
    return X[rows].astype(np.float32) / 255, y[rows]


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


METHODS: dict[str, tuple[Callable, Callable]] = {
    "limit": (digits_like, limit),
    "RLSClustering": (digits_like, lambda X: RLSClustering(10, random_state=0).fit_predict(X)),
    "RLSClustering float32": (
        digits_like,
        lambda X: RLSClustering(10, random_state=0).fit_predict(X.astype(np.float32)),
    ),
    "KMeans(n_init=10)": (
        digits_like,
        lambda X: KMeans(10, n_init=10, random_state=0).fit_predict(X),
    ),
    "Spectral(10-NN)": (
        digits_like,
        lambda X: SpectralClustering(
            10, affinity="nearest_neighbors", n_neighbors=10, random_state=0
        ).fit_predict(X),
    ),
    "FastEvoMMC": (mnist_pair, lambda X: fast_evommc(X, 1)),
    "FastEvoMMC, 10 runs": (mnist_pair, lambda X: fast_evommc(X, 10)),
    "KMeans(n_init=10) on MNIST": (
        mnist_pair,
        lambda X: KMeans(2, n_init=10, random_state=0).fit_predict(X),
    ),
}


def main() -> None:
    name, n = sys.argv[1], int(sys.argv[2])
    data, fit = METHODS[name]
    X, y = data(n)
    warnings.simplefilter("ignore")
    # The first call loads libraries and starts threads: not what is measured.
    fit(X[:200] if data is digits_like else X[:: len(X) // 500])
    reset_peak()
    before = peak_memory()
    began = time.process_time()
    labels = fit(X)
    seconds = time.process_time() - began
    after = peak_memory()
    result = {"method": name, "n": len(X), "d": X.shape[1], "cpu_seconds": seconds}
    if before is not None and after is not None:
        result["peak_over_8n2"] = (after - before) / (8 * len(X) ** 2)
    if labels is not None:
        result["ari"] = adjusted_rand_score(y, labels)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
