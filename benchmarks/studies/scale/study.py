"""Many rows: CPU seconds, ARI and memory beside k-means, and beside one pass over the kernel.

HDBSCAN and what takes memory or time with the square of the rows is left out where there are many.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy.sparse import issparse
from sklearn.metrics import adjusted_rand_score

from benchmarks.datasets.generated_rows import CLUSTERS, Generated, truth
from benchmarks.datasets.many_rows import KINDS, real
from benchmarks.methods.many_rows import DENSE, LIMIT, METHODS, MOST_ROWS, SEEDLESS
from benchmarks.runner.measure import Row, timed
from benchmarks.runner.study import Part, Study
from benchmarks.studies.scale import cost_model, tables
from maxmargin import CuttingPlaneClustering, MaxMarginClustering

#: How many rows of each kind are measured, and with how many seeds.
SIZES: dict[str, tuple[tuple[int, ...], int]] = {
    "MNIST-like": ((10_000, 100_000, 1_000_000), 1),
    "blobs": ((10_000, 100_000, 1_000_000), 1),
    "shapes": ((10_000, 100_000, 1_000_000), 1),
    "mnist": ((10_000, 70_000), 5),
    "text": ((10_000, 100_000), 1),
}


def keys() -> Iterator[Row]:
    for kind, (sizes, seeds) in SIZES.items():
        sparse = issparse(KINDS[kind](100)[0])
        for n in sizes:
            for seed in range(seeds):
                for method in METHODS:
                    again = seed > 0 and method in SEEDLESS
                    few = n <= MOST_ROWS.get(method, np.inf)
                    if few and not again and not (sparse and method in DENSE):
                        yield {"set": kind, "n": n, "method": method, "seed": seed}


def measure(set: str, n: int, method: str, seed: int) -> Row:
    """One fit."""
    X, y = KINDS[set](n) if set in KINDS else real(set)
    k = len(np.unique(y))
    if method != LIMIT:
        METHODS[method](2, 0)(X[:200])  # what is imported late
    labels, taken = timed(METHODS[method](k, seed), X)
    peak = taken["peak_bytes"]
    return {
        "d": X.shape[1],
        "k": k,
        "cpu_s": taken["cpu_seconds"],
        "ari": None if labels is None else adjusted_rand_score(y, labels),
        "mb": None if peak is None else round(peak / 1e6),
    }


ESTIMATORS = {cls.__name__: cls for cls in (CuttingPlaneClustering, MaxMarginClustering)}


def out_of_core(estimator: str, n: int) -> Row:
    """Rows that are never in memory, made when they are asked for, which is part of the seconds.

    Labels and margins take 12 bytes for each row of the memory.
    """
    model, rows = ESTIMATORS[estimator](CLUSTERS, random_state=0), Generated(n)
    model.fit(Generated(3000)[:])  # what is imported late
    _, fitting = timed(model.fit, rows)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "labels.npy")
        _, writing = timed(model.predict_to, rows, path)
        labels = np.load(path)
    peaks = [part["peak_bytes"] or 0 for part in (fitting, writing)]
    return {
        "cpu_seconds": fitting["cpu_seconds"],
        "predict_to_seconds": writing["cpu_seconds"],
        "mb": round(max(peaks) / 1e6),
        "ari": adjusted_rand_score(truth(0, n), labels),
    }


def cost_keys() -> Iterator[Row]:
    """Fits that the model of the cost is fitted to, and those that it is checked on."""
    for estimator in ESTIMATORS:
        for n, workers in (*cost_model.GIVEN, *cost_model.CHECKED):
            yield {"estimator": estimator, "n": n, "workers": workers}


def cost(estimator: str, n: int, workers: int) -> Row:
    """What a fit on Dask costs."""
    from benchmarks.studies.scale.cost import measure

    return measure(ESTIMATORS[estimator], n, workers)


STUDY = Study(
    "Many rows: CPU seconds, ARI and memory beside k-means",
    parts=(
        Part(
            "rows",
            keys,
            measure,
            quick={"set": ("shapes",), "n": (10_000,), "method": tuple(METHODS)[:2]},
            apart=True,
        ),
        Part(
            "out_of_core",
            {"estimator": tuple(ESTIMATORS), "n": (2_000_000, 20_000_000)},
            out_of_core,
            quick={"n": (20_000,)},
            apart=True,
        ),
        Part(
            "cost",
            cost_keys,
            cost,
            quick={"estimator": ("CuttingPlaneClustering",), "n": (50_000,)},
            apart=True,
        ),
    ),
    tables=tables.TABLES,
    pictures={"rows.png": tables.draw_rows},
    module=__name__,
)
