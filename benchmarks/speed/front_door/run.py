"""What the front door costs, next to peers on the same rows, one thread.

    python benchmarks/speed/front_door/run.py

CPU seconds of one fit (the least of a few, methods taking turns) and ARI. Results go to the README
beside this file.
"""

import os
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import numpy as np
from sklearn.cluster import HDBSCAN, KMeans, SpectralClustering
from sklearn.datasets import load_digits, make_blobs, make_moons
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import StandardScaler

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parents[1])]

from shared.machine import one_line
from shared.table import fill, markdown

from maxmargin import MaxMarginClustering

TURNS = 3
#: Methods that need n² or more are left out above this number of rows.
LARGE = 5000

Maker = Callable[[int], Any]
METHODS: dict[str, Maker] = {
    'ours, effort="fast"': lambda k: MaxMarginClustering(k, effort="fast", random_state=0),
    'ours, effort="normal"': lambda k: MaxMarginClustering(k, random_state=0),
    "KMeans(n_init=10)": lambda k: KMeans(k, n_init=10, random_state=0),
    "GaussianMixture(n_init=3)": lambda k: GaussianMixture(k, n_init=3, random_state=0),
    "SpectralClustering(10-NN)": lambda k: SpectralClustering(
        k, affinity="nearest_neighbors", random_state=0
    ),
    "HDBSCAN()": lambda _: HDBSCAN(copy=True),
}
QUADRATIC = ("SpectralClustering(10-NN)", "HDBSCAN()")


def sets() -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    X, y = load_digits(return_X_y=True)
    yield "digits, 1000 × 64, k = 10", X[:1000], y[:1000]
    yield "moons, 1000 × 2, k = 2", *make_moons(1000, noise=0.1, random_state=0)
    for n in (1000, 10_000, 100_000):
        X, y = make_blobs(n, centers=8, n_features=20, cluster_std=4, random_state=0)
        yield f"blobs, {n:,} × 20, k = 8", X, y


def results(X: np.ndarray, y: np.ndarray) -> Iterator[tuple[str, float, float]]:
    rows, k = StandardScaler().fit_transform(X), len(np.unique(y))
    used = [m for m in METHODS if len(X) <= LARGE or m not in QUADRATIC]
    seconds: dict[str, list[float]] = {m: [] for m in used}
    labels = {}
    for _ in range(TURNS if len(X) <= LARGE else 1):
        for method in used:
            began = time.process_time()
            labels[method] = METHODS[method](k).fit_predict(rows)
            seconds[method].append(time.process_time() - began)
    for method in used:
        yield method, min(seconds[method]), adjusted_rand_score(y, labels[method])


def main() -> None:
    warnings.simplefilter("ignore")
    table = []
    for name, X, y in sets():
        found = {method: (seconds, ari) for method, seconds, ari in results(X, y)}
        print(name, found, flush=True)
        unit = found["KMeans(n_init=10)"][0]
        for method, (seconds, ari) in found.items():
            table.append([name, method, f"{seconds:.2f}", f"{seconds / unit:.1f}", f"{ari:.2f}"])
    readme = HERE / "README.md"
    header = ["rows", "method", "CPU s", "÷ KMeans(n_init=10)", "ARI"]
    fill(readme, "costs", markdown(header, table))
    fill(readme, "machine", one_line())


if __name__ == "__main__":
    main()
