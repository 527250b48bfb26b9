"""Many rows: CPU seconds, ARI and memory beside k-means, and beside one pass over the kernel.

    python -m benchmarks.scale.run --out benchmarks/scale/rows.csv --rows 100000 1000000
    python -m benchmarks.scale.run --out benchmarks/scale/sets.csv --sets mnist letter satellite

Set OMP_NUM_THREADS=1 and OPENBLAS_NUM_THREADS=1.
"""

import argparse
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans, MiniBatchKMeans
from sklearn.datasets import make_moons
from sklearn.decomposition import PCA
from sklearn.metrics import adjusted_rand_score
from sklearn.utils import gen_batches

from benchmarks.shared.data import load
from benchmarks.shared.machine import one_line
from benchmarks.shared.memory import peak_memory, reset_peak
from benchmarks.shared.table import write_csv
from maxmargin import MaxMarginClustering
from maxmargin.spaces.metric import gaussian, squared_distances

N_LANDMARKS, BLOCK = 1000, 1024


def mnist_like(n: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Draw rows of MNIST in 50 principal components, with a tenth of their deviation as noise."""
    X, y = load("mnist")
    rng = np.random.default_rng(0)
    X = X.astype(np.float32)
    components = PCA(50, random_state=0, svd_solver="randomized")
    P = components.fit(X[rng.permutation(len(X))[:4000]]).transform(X).astype(np.float32)
    drawn = rng.integers(len(P), size=n)
    noise = 0.1 * P.std(axis=0) * rng.normal(size=(n, 50)).astype(np.float32)
    return P[drawn] + noise, y[drawn]


def shapes(n: int = 100_000) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Draw two moons, a ring and a blob in it."""
    rng, m = np.random.default_rng(0), n // 4
    moons, which = make_moons(2 * m, noise=0.06, random_state=0)
    angle = rng.uniform(0, 2 * np.pi, m)
    ring = np.column_stack([np.cos(angle), np.sin(angle)]) + 0.05 * rng.normal(size=(m, 2))
    blob = 0.2 * rng.normal(size=(m, 2))
    aside = np.array([4, 0])
    X = np.vstack([moons, ring + aside, blob + aside])
    return X, np.concatenate([which, np.full(m, 2), np.full(m, 3)])


def kernel_block(X: NDArray[Any]) -> None:
    """The limit: form the kernel of all rows with the landmarks once, and use it for nothing."""
    for block in gen_batches(len(X), BLOCK):
        gaussian(squared_distances(X[block], X[:N_LANDMARKS], tol=1.0), 0.01)


def methods(k: int, seed: int) -> dict[str, Callable[[NDArray[Any]], Any]]:
    """Return what is compared: a function from rows to labels, or to None."""
    return {
        "KMeans(n_init=1)": KMeans(k, n_init=1, random_state=seed).fit_predict,
        "MiniBatchKMeans": MiniBatchKMeans(k, n_init=3, random_state=seed).fit_predict,
        "one kernel block": kernel_block,
        "MaxMarginClustering": MaxMarginClustering(k, random_state=seed).fit_predict,
    }


def measure(name: str, X: Any, y: Any, seeds: int, only: list[str]) -> Iterator[dict[str, Any]]:
    """Run all methods on one set."""
    k = len(np.unique(y))
    for seed in range(seeds):
        for method, run in methods(k, seed).items():
            if only and method not in only:
                continue
            reset_peak()
            before, start = peak_memory(), time.process_time()
            labels = run(X)
            seconds, after = time.process_time() - start, peak_memory()
            row = {"set": name, "n": len(X), "d": X.shape[1], "k": k, "method": method}
            row |= {"seed": seed, "cpu_s": round(seconds, 2)}
            row["ari"] = "" if labels is None else round(adjusted_rand_score(y, labels), 3)
            row["mb"] = "" if before is None or after is None else round((after - before) / 1e6)
            print(*row.values(), flush=True)
            yield row


def main() -> None:
    """Measure what is asked for, and write it with the machine."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--rows", type=int, nargs="*", default=[])
    parser.add_argument("--sets", nargs="*", default=[])
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=[])
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    found: list[dict[str, Any]] = []
    for n in asked.rows:
        found += measure("MNIST-like", *mnist_like(n), asked.seeds, asked.only)
    for name in asked.sets:
        X, y = shapes() if name == "shapes" else load(name)
        X = X.astype(np.float32) if name == "mnist" else X
        found += measure(name, X, y, asked.seeds, asked.only)
    machine = one_line()
    write_csv(asked.out, [{**row, "machine": machine} for row in found])


if __name__ == "__main__":
    main()
