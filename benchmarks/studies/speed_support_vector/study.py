"""SupportVectorClustering side by side with DBSCAN, HDBSCAN and mean shift.

One thread; CPU seconds of ``fit``, the fastest of three. Every set and method has a process of its
own, for the peak of its memory.
"""

import numpy as np

from benchmarks.datasets.plane_and_high import PLANE_SIZES, SETS, plane
from benchmarks.methods.speed_densities import METHODS, MOST_ROWS, VARIANTS, build, score
from benchmarks.runner.measure import Row, fastest
from benchmarks.runner.study import Part, Study
from benchmarks.studies.speed_support_vector import phase_one
from benchmarks.studies.speed_support_vector.tables import TABLES, VARIANT_SET
from maxmargin import SupportVectorClustering

#: Seconds for the search of eps, and three fits.
PATIENCE = 600
#: Landmarks are drawn where there are more rows; so many draws.
N_LANDMARKS, SEEDS = 2000, 10


def keys() -> list[Row]:
    sizes = {data: int(data.split()[-1]) for data in SETS}
    jobs = [(d, m) for d in SETS for m in METHODS if sizes[d] <= MOST_ROWS.get(m, np.inf)]
    jobs += [(VARIANT_SET, method) for method in VARIANTS]
    return [{"data": data, "n": sizes[data], "method": method} for data, method in jobs]


def measure(data: str, n: int, method: str) -> Row:
    """One method on one set."""
    X, y = SETS[data]()
    make, parameters = build(method, X, y)
    make().fit(X[:300])  # the first call loads libraries: not what is measured
    model, taken = fastest(lambda: make().fit(X), enough=30.0)
    found = len(np.unique(model.labels_[model.labels_ >= 0]))
    row = {"parameters": parameters, "ari": score(X, y, model.labels_), "k": found}
    return row | taken


def by_seed(n: int, seed: int) -> Row:
    """The defaults with other landmarks."""
    X, y = SETS[plane(n)]()
    model = SupportVectorClustering(random_state=seed).fit(X)
    return {"ari": score(X, y, model.labels_), "k": model.n_clusters_}


STUDY = Study(
    "SupportVectorClustering side by side with DBSCAN, HDBSCAN and mean shift",
    parts=(
        Part("results", keys, measure, quick={"n": (1000,)}, apart=True, patience=PATIENCE),
        Part(
            "seeds",
            {"n": PLANE_SIZES, "seed": range(SEEDS)},
            by_seed,
            quick={"n": PLANE_SIZES[:1]},
            only=lambda n, seed: seed == 0 or n > N_LANDMARKS,
        ),
        Part(
            "phase_one",
            {"n": phase_one.SIZES, "width": phase_one.WIDTHS, "nu": phase_one.NUS},
            phase_one.measure,
            quick={"n": phase_one.SIZES[:1]},
        ),
    ),
    tables=TABLES,
    module=__name__,
)
