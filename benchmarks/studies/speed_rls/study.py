"""RLSClustering side by side with its peers and with the limit of the linear algebra.

Every fit runs in a process of its own with one thread, three times; the tables show the
smallest CPU time.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

from benchmarks.datasets.stored import digits, load
from benchmarks.methods.speed_rls import EXACT, KMEANS, LARGE, LIMIT, OURS, SINGLE, SPECTRAL
from benchmarks.runner import machine
from benchmarks.runner.measure import Row, timed
from benchmarks.runner.study import Part, Results, Study
from benchmarks.runner.table import distinct, markdown, number, where
from maxmargin import RLSClustering, rls_path

SIZES, TURNS = (500, 1000, 2000, 4000, 8000), 3


def digits_like(n: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """N rows of 64 features in 10 classes: digits drawn with replacement, plus noise."""
    rng = np.random.default_rng(0)
    X, y = digits()
    rows = rng.integers(len(X), size=n)
    return X[rows] + rng.normal(scale=2.0, size=(n, X.shape[1])), y[rows]


def mnist_pair(n: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """So many of the digits 1 and 7 of MNIST."""
    X, y = load("mnist")
    rows = np.flatnonzero((y == 1) | (y == 7))[:n]
    return X[rows].astype(np.float32) / 255, y[rows]


def measure(method: str, n: int, turn: int) -> Row:
    """One fit."""
    X, y = digits_like(n) if method in EXACT else mnist_pair(n)
    run = (EXACT | LARGE)[method]
    # The first call loads libraries and starts threads: not what is measured.
    run(X[:200] if method in EXACT else X[:: len(X) // 500])
    labels, taken = timed(run, X)
    row: Row = {"d": X.shape[1], "cpu_seconds": taken["cpu_seconds"]}
    if taken["peak_bytes"] is not None:
        row["peak_over_8n2"] = taken["peak_bytes"] / (8 * len(X) ** 2)
    return row | ({} if labels is None else {"ari": adjusted_rand_score(y, labels)})


def best(results: Results, n: Any) -> dict[str, Any]:
    """The turn with the smallest CPU time of each method."""
    rows = where(results["results"], n=n)
    of = {m: where(rows, method=m) for m in distinct(rows, "method")}
    return {m: min(some, key=lambda row: float(row["cpu_seconds"])) for m, some in of.items()}


def exact_table(results: Results) -> str:
    """Ratios at each size; every speed stands beside the quality of both sides."""
    lines = []
    for n in SIZES:
        of = best(results, n)
        seconds = {m: float(of[m]["cpu_seconds"]) for m in EXACT}
        lines.append([n, number(seconds[OURS], 3)])
        lines[-1] += [number(seconds[OURS] / seconds[m]) for m in (LIMIT, KMEANS, SPECTRAL)]
        lines[-1] += [number(of[m]["peak_over_8n2"]) for m in (OURS, SINGLE)]
        lines[-1] += [number(of[m]["ari"]) for m in (OURS, KMEANS, SPECTRAL)]
    header = ["n", "CPU s", "÷ limit", "÷ KMeans", "÷ Spectral", "peak ÷ 8n²"]
    header += ["float32: peak ÷ 8n²", "ARI", "ARI KMeans", "ARI Spectral"]
    return markdown(header, lines)


def large_table(results: Results) -> str:
    """FastEvoMMC on MNIST."""
    (n,) = distinct(where(results["results"], method=list(LARGE)), "n")
    of = best(results, n)
    seconds = {m: float(of[m]["cpu_seconds"]) for m in LARGE}
    base = seconds["KMeans(n_init=10) on MNIST"]
    lines = [
        [m, f"{n} × {of[m]['d']}", number(s), number(s / base), number(of[m]["ari"])]
        for m, s in seconds.items()
    ]
    return markdown(["method", "rows × features", "CPU s", "÷ KMeans(n_init=10)", "ARI"], lines)


def keys() -> list[Row]:
    """The methods take turns."""
    exact = [(n, turn, method) for n in SIZES for turn in range(TURNS) for method in EXACT]
    large = [(14_000, turn, method) for turn in range(TURNS) for method in LARGE]
    return [{"method": method, "n": n, "turn": turn} for n, turn, method in exact + large]


def path(n: int, alphas: int) -> Row:
    """Many alphas by one eigendecomposition (``rls_path``) against a fit for each."""
    X, _ = make_blobs(n, 8, centers=4, cluster_std=3.0, random_state=0)
    grid, how = np.logspace(-6, -1, alphas), {"n_clusters": 4, "random_state": 0}
    refits, slow = timed(lambda: [RLSClustering(alpha=a, **how).fit(X) for a in grid])
    found, quick = timed(lambda: rls_path(X, alphas=grid, **how))
    same = sum(np.array_equal(a.labels_, b.labels_) for a, b in zip(refits, found, strict=True))
    seconds = {"refit_seconds": slow["cpu_seconds"], "path_seconds": quick["cpu_seconds"]}
    return seconds | {"same": f"{same}/{alphas}"}


def path_table(results: Results) -> str:
    """Both in the same run, and how many of the models have the same labels."""
    lines = []
    for row in results["path"]:
        slow, quick = float(row["refit_seconds"]), float(row["path_seconds"])
        ratio = number(slow / quick)
        lines.append([row["n"], row["alphas"], number(slow), number(quick), ratio, row["same"]])
    header = ["rows", "alphas", "refits, s", "path, s", "refits / path", "same labels"]
    return markdown(header, lines)


STUDY = Study(
    "RLSClustering side by side with its peers and with the limit of the linear algebra",
    parts=(
        Part("results", keys, measure, quick={"n": (500,), "turn": (0,)}, apart=True),
        Part(
            "path",
            {"n": (500, 1000, 2000), "alphas": (4, 8, 16, 32)},
            path,
            quick={"n": (500,), "alphas": (4,)},
        ),
    ),
    tables={
        "exact": exact_table,
        "large": large_table,
        "path": path_table,
        "machine": lambda results: machine.lines(results["results"]),
    },
    module=__name__,
)
