"""What the front door costs, next to peers on the same rows, one thread.

CPU seconds of one fit, the least of three turns of all methods, and ARI.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn.cluster import HDBSCAN, KMeans, SpectralClustering
from sklearn.datasets import load_digits, make_blobs, make_moons
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import StandardScaler

from benchmarks.runner import machine
from benchmarks.runner.measure import Row, only_ari, timed
from benchmarks.runner.study import Part, Results, Study
from benchmarks.runner.table import distinct, markdown, where
from maxmargin import MaxMarginClustering

TURNS = 3
#: Methods that need n² or more are left out above this number of rows, and one turn is made.
LARGE = 5000
KMEANS = "KMeans(n_init=10)"
METHODS: dict[str, Callable[[int], Any]] = {
    'ours, effort="fast"': lambda k: MaxMarginClustering(k, effort="fast", random_state=0),
    'ours, effort="normal"': lambda k: MaxMarginClustering(k, random_state=0),
    "ours, number chosen": lambda k: MaxMarginClustering(random_state=0),
    KMEANS: lambda k: KMeans(k, n_init=10, random_state=0),
    "GaussianMixture(n_init=3)": lambda k: GaussianMixture(k, n_init=3, random_state=0),
    "SpectralClustering(10-NN)": lambda k: SpectralClustering(
        k, affinity="nearest_neighbors", random_state=0
    ),
    "HDBSCAN()": lambda _: HDBSCAN(copy=True),
}
QUADRATIC = ("SpectralClustering(10-NN)", "HDBSCAN()")


def digits() -> Any:
    X, y = load_digits(return_X_y=True)
    return X[:1000], y[:1000]


def blobs(n: int) -> Callable[[], Any]:
    return lambda: make_blobs(n, centers=8, n_features=20, cluster_std=4, random_state=0)


SETS: dict[str, tuple[int, Callable[[], Any]]] = {
    "digits, 1000 × 64, k = 10": (1000, digits),
    "moons, 1000 × 2, k = 2": (1000, lambda: make_moons(1000, noise=0.1, random_state=0)),
    **{f"blobs, {n:,} × 20, k = 8": (n, blobs(n)) for n in (1000, 10_000, 100_000)},
}


def keys() -> Iterator[Row]:
    """The methods take turns."""
    for name, (n, _) in SETS.items():
        for turn in range(TURNS if n <= LARGE else 1):
            for method in METHODS:
                if n <= LARGE or method not in QUADRATIC:
                    yield {"set": name, "turn": turn, "method": method}


def measure(set: str, turn: int, method: str) -> Row:
    """One fit."""
    X, y = SETS[set][1]()
    model = METHODS[method](len(np.unique(y)))
    labels, taken = timed(model.fit_predict, StandardScaler().fit_transform(X))
    return only_ari(y, labels) | taken


def cost_table(results: Results) -> str:
    """Seconds, as multiples of k-means too, and the quality beside them."""
    lines = []
    for name in distinct(results["costs"], "set"):
        rows = where(results["costs"], set=name)
        least = {
            m: min(float(row["cpu_seconds"]) for row in where(rows, method=m))
            for m in distinct(rows, "method")
        }
        for method, seconds in least.items():
            ari = float(where(rows, method=method)[0]["ari"])
            ratio = f"{seconds / least[KMEANS]:.1f}"
            lines.append([name, method, f"{seconds:.2f}", ratio, f"{ari:.2f}"])
    return markdown(["rows", "method", "CPU s", "÷ KMeans(n_init=10)", "ARI"], lines)


STUDY = Study(
    "What the front door costs, next to peers on the same rows",
    parts=(Part("costs", keys, measure, quick={"set": tuple(SETS)[1:2], "turn": (0,)}),),
    tables={"costs": cost_table, "machine": lambda results: machine.lines(results["costs"])},
    module=__name__,
)
