"""What the front door costs, next to peers on the same rows, one thread.

CPU seconds of one fit, the least of three turns of all methods, and ARI; beside them LAPACK's
eigenvalues of a fixed matrix of 1000 rows, in the same turn. And where the time goes, by stages.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy.linalg import eigh
from sklearn.cluster import HDBSCAN, KMeans, SpectralClustering
from sklearn.datasets import load_digits, make_blobs, make_moons
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import StandardScaler

from benchmarks.runner import machine
from benchmarks.runner.measure import Row, only_ari, timed
from benchmarks.runner.stages import timed_stages
from benchmarks.runner.study import Part, Results, Study
from benchmarks.runner.table import distinct, markdown, where
from benchmarks.studies.speed_front_door.stages import STAGES
from maxmargin import MaxMarginClustering

TURNS = 3
#: Methods that need n² or more are left out above this number of rows, and one turn is made.
LARGE = 5000
KMEANS = "KMeans(n_init=10)"
YARDSTICK = "eigh of 1000 × 1000"
OURS: dict[str, Callable[[int], Any]] = {
    'ours, effort="fast"': lambda k: MaxMarginClustering(k, effort="fast", random_state=0),
    'ours, effort="normal"': lambda k: MaxMarginClustering(k, random_state=0),
    "ours, number chosen": lambda k: MaxMarginClustering(random_state=0),
}
METHODS: dict[str, Callable[[int], Any]] = {
    **OURS,
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
            for method in (YARDSTICK, *METHODS):
                if n <= LARGE or method not in QUADRATIC:
                    yield {"set": name, "turn": turn, "method": method}


def fixed_matrix() -> Any:
    """Whose eigenvalues LAPACK finds in the same time whatever the data is."""
    R = np.random.default_rng(0).normal(size=(1000, 1000))
    return R @ R.T + 1000 * np.eye(1000)


def measure(set: str, turn: int, method: str) -> Row:
    """One fit; the first call loads libraries."""
    if method == YARDSTICK:
        eigh(np.eye(2))
        return timed(eigh, fixed_matrix())[1]
    X, y = SETS[set][1]()
    model, X = METHODS[method](len(np.unique(y))), StandardScaler().fit_transform(X)
    if len(X) <= LARGE:
        model.fit(X[:: max(1, len(X) // 200)])
    labels, taken = timed(model.fit_predict, X)
    return only_ari(y, labels) | taken


def measure_stages(set: str, method: str) -> Iterator[Row]:
    """CPU seconds of every stage, of the quickest of three fits."""
    X, y = SETS[set][1]()
    X, best = StandardScaler().fit_transform(X), None
    for _ in range(TURNS):
        model = OURS[method](len(np.unique(y)))
        with timed_stages(STAGES) as spent:
            total = timed(model.fit, X)[1]["cpu_seconds"]
        if best is None or total < sum(best.values()):
            best = {stage: spent.get(stage, 0.0) for stage in STAGES}
            best["everything else"] = total - sum(best.values())
    yield from ({"stage": stage, "cpu_seconds": seconds} for stage, seconds in best.items())


def cost_table(results: Results) -> str:
    """Seconds, as multiples of k-means and of the yardstick too, and the quality beside them."""
    lines = []
    for name in distinct(results["costs"], "set"):
        rows = where(results["costs"], set=name)
        least = {
            m: min(float(row["cpu_seconds"]) for row in where(rows, method=m))
            for m in distinct(rows, "method")
        }
        yardstick = least.pop(YARDSTICK)
        for method, seconds in least.items():
            ari = float(where(rows, method=method)[0]["ari"])
            ratios = [f"{seconds / least[KMEANS]:.1f}", f"{seconds / yardstick:.1f}"]
            lines.append([name, method, f"{seconds:.2f}", *ratios, f"{ari:.2f}"])
    return markdown(
        ["rows", "method", "CPU s", "÷ KMeans(n_init=10)", f"÷ {YARDSTICK}", "ARI"], lines
    )


def stage_table(results: Results) -> str:
    """Milliseconds of every stage."""
    rows = results["stages"]
    lines = []
    for name in distinct(rows, "set"):
        for method in distinct(rows, "method"):
            some = where(rows, set=name, method=method)
            taken = [1000 * float(row["cpu_seconds"]) for row in some]
            lines.append([name, method.removeprefix("ours, "), *(f"{t:.0f}" for t in taken)])
            lines[-1].append(f"{sum(taken):.0f}")
    return markdown(["rows", "", *distinct(rows, "stage"), "in all"], lines)


SMALL = [name for name, (n, _) in SETS.items() if n <= LARGE]
STUDY = Study(
    "What the front door costs, next to peers on the same rows",
    parts=(
        Part("costs", keys, measure, quick={"set": tuple(SETS)[1:2], "turn": (0,)}),
        Part(
            "stages",
            {"set": SMALL, "method": tuple(OURS)},
            measure_stages,
            quick={"set": SMALL[1:2], "method": tuple(OURS)[:1]},
        ),
    ),
    tables={
        "costs": cost_table,
        "stages": stage_table,
        "machine": lambda results: machine.lines(results["costs"]),
    },
    module=__name__,
)
