"""CuttingPlaneClustering side by side with k-means: CPU seconds, ARI and memory.

One thread; every fit has a process of its own, the methods take turns.
"""

from typing import Any

from benchmarks.datasets.documents import SETS
from benchmarks.methods.cutting_planes import FAST
from benchmarks.runner.measure import Row, fit
from benchmarks.runner.study import Part, Study
from benchmarks.studies.speed_cutting_plane.tables import TABLES

SEEDS = 3
#: One round is enough where it takes so long.
LARGE = ("blobs 1000000, k = 2", "blobs 1000000, k = 4", "MNIST")


def measure(data: str, seed: int, method: str) -> Row:
    """CPU seconds and the peak of memory of ``fit`` alone, and what came of it."""
    load, k = SETS[data]
    X, y = load()
    FAST[method](k, 0).fit(X[:500])  # the first call loads libraries: not what is measured
    model: Any = FAST[method](k, seed)
    found = fit(model, X, y)
    cuts = hasattr(model, "n_cuts_")
    return {
        "n": X.shape[0],
        "d": X.shape[1],
        "k": k,
        "dtype": X.dtype.name,
        "cpu_seconds": found["cpu_seconds"],
        "ari": found["ari"],
        "cuts": model.n_cuts_ if cuts else "",
        "passes": model.n_iter_ if cuts else "",
        "peak_bytes": found["peak_bytes"],
    }


STUDY = Study(
    "CuttingPlaneClustering side by side with k-means: CPU seconds, ARI and memory",
    parts=(
        Part(
            "results",
            {"data": tuple(SETS), "seed": range(SEEDS), "method": tuple(FAST)},
            measure,
            quick={"data": tuple(SETS)[:1], "seed": (0,)},
            only=lambda data, seed, method: seed == 0 or data not in LARGE,
            apart=True,
        ),
    ),
    tables=TABLES,
    module=__name__,
)
