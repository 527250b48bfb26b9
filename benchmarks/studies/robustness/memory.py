"""Planned and measured memory of every estimator, each fit in a process of its own.

What is measured is the resident memory at its peak above that before the fit, when data and modules
are there; planned is what ``fit`` asks for before it.
"""

import json

import numpy as np

import maxmargin
from benchmarks.runner.measure import timed
from maxmargin._runtime.memory_plan import planned_memory

CUTS, DOOR, RLS = "CuttingPlaneClustering", "MaxMarginClustering", "RLSClustering"
DOMAIN, KERNELS = "SupportVectorClustering", "MultipleKernelClustering"
NYSTROEM = {"approximation": "nystroem", "n_init": 1}
#: The estimator, rows, columns, bytes of a number, and parameters: those that gave the constants.
FIRST = [
    *(
        (CUTS, n, d, 8, {"n_clusters": k})
        for n in (100_000, 400_000)
        for d in (10, 40)
        for k in (2, 8)
    ),
    (CUTS, 400_000, 40, 4, {"n_clusters": 4}),
    *(
        (CUTS, n, 10, 8, {"n_clusters": 3, "kernel": "rbf", "n_components": r})
        for n in (30_000, 100_000)
        for r in (50, 200)
    ),
    (CUTS, 100_000, 10, 4, {"n_clusters": 3, "kernel": "rbf"}),
    *((DOOR, n, 10, 8, {"n_clusters": 4, "effort": "fast"}) for n in (1000, 50_000, 400_000)),
    *((DOOR, n, 10, 8, {"n_clusters": 4}) for n in (2000, 100_000, 300_000)),
    (DOOR, 200_000, 50, 4, {"n_clusters": 10, "effort": "fast"}),
    *((RLS, n, 10, 8, {"n_clusters": 3, "n_init": 1}) for n in (1500, 3000, 5000)),
    (RLS, 4000, 10, 4, {"n_clusters": 3, "n_init": 1}),
    *(
        (RLS, n, 10, 8, {"n_clusters": 3, "n_components": r, **NYSTROEM})
        for n, r in ((4000, 400), (8000, 200))
    ),
    *(
        (DOMAIN, n, 10, 8, {"n_landmarks": m})
        for n, m in ((3000, 1500), (200_000, 1500), (400_000, 2500))
    ),
    (DOMAIN, 3000, 10, 8, {"n_landmarks": None}),
    *((KERNELS, n, 10, 8, {"n_clusters": 3, "n_init": 1}) for n in (20_000, 60_000)),
    (KERNELS, 60_000, 10, 4, {"n_clusters": 3, "n_init": 1, "n_components": 50}),
]
#: These were new when they were measured (27 of 34 within .6 to 1.2 times the plan, the others from
#: .21 to 5.73), and then changed the laws.
FITTED = [
    *FIRST,
    *((CUTS, n, d, 8, {"n_clusters": k}) for n, d, k in ((250_000, 25, 3), (150_000, 5, 12))),
    (CUTS, 700_000, 8, 4, {"n_clusters": 5}),
    (CUTS, 60_000, 120, 8, {"n_clusters": 6}),
    (CUTS, 200_000, 15, 8, {"n_clusters": 4, "min_size": 0.5}),
    (CUTS, 120_000, 20, 8, {"n_clusters": 20, "n_init": 1}),
    (CUTS, 50_000, 30, 8, {"n_clusters": 5, "kernel": "rbf", "n_components": 300}),
    (CUTS, 80_000, 6, 4, {"n_clusters": 2, "kernel": "rbf", "n_components": 128}),
    (CUTS, 70_000, 12, 8, {"n_clusters": 9, "kernel": "laplacian", "n_components": 80}),
    (CUTS, 40_000, 12, 8, {"n_clusters": 3, "kernel": "rbf", "init_size": 8000}),
    (DOOR, 1700, 30, 8, {"n_clusters": 5}),
    (DOOR, 15_000, 8, 8, {"n_clusters": 3}),
    (DOOR, 60_000, 25, 4, {"n_clusters": 6}),
    (DOOR, 150_000, 40, 8, {"n_clusters": 8}),
    (DOOR, 40_000, 150, 8, {"n_clusters": 3}),
    (DOOR, 80_000, 60, 4, {"n_clusters": 3, "effort": "fast"}),
    (DOOR, 500_000, 6, 8, {"n_clusters": 12, "effort": "fast"}),
    (DOOR, 3500, 12, 8, {"n_clusters": 4, "effort": "thorough"}),
    (DOOR, 30_000, 12, 8, {"n_clusters": None}),
    (DOOR, 100_000, 10, 8, {"n_clusters": 5, "min_size": 0.9}),
    (RLS, 2200, 40, 8, {"n_clusters": 6, "n_init": 2}),
    (RLS, 3500, 5, 4, {"n_clusters": 2, "n_init": 1}),
    (RLS, 2500, 20, 8, {"n_clusters": 4, "n_init": 1, "search": "steepest"}),
    (RLS, 6000, 20, 8, {"n_clusters": 3, "n_init": 1, "kernel": "linear"}),
    (RLS, 10_000, 8, 8, {"n_clusters": 4, "n_components": 300, **NYSTROEM}),
    (RLS, 6000, 30, 4, {"n_clusters": 3, "n_components": 500, **NYSTROEM}),
    (DOMAIN, 50_000, 20, 8, {"n_landmarks": 1000}),
    (DOMAIN, 150_000, 5, 4, {"n_landmarks": 3000}),
    (DOMAIN, 2200, 30, 8, {"n_landmarks": None}),
    (DOMAIN, 80_000, 8, 8, {"n_landmarks": 1800, "outlier_fraction": 0.02}),
    (KERNELS, 30_000, 25, 8, {"n_clusters": 4, "n_init": 1, "n_components": 80}),
    (KERNELS, 15_000, 6, 8, {"n_clusters": 2, "n_init": 1, "n_components": 200}),
    (KERNELS, 40_000, 8, 4, {"n_clusters": 5, "n_init": 1, "kernels": ["linear", "rbf"]}),
    (KERNELS, 25_000, 40, 8, {"n_clusters": 3, "n_init": 1, "kernels": ["rbf"]}),
]
#: Measured once: 29 of 31 within .6 to 1.2 times the plan, the others .59 (single precision with a
#: kernel) and 1.41 (a domain in 30 columns); each of them changed one constant since.
NEW = [
    (CUTS, 300_000, 12, 8, {"n_clusters": 4}),
    (CUTS, 90_000, 4, 8, {"n_clusters": 15, "n_components": 100}),
    (CUTS, 500_000, 20, 4, {"n_clusters": 2}),
    (CUTS, 100_000, 60, 8, {"n_clusters": 10, "init_size": 3000}),
    (CUTS, 60_000, 9, 4, {"n_clusters": 4, "kernel": "rbf", "n_components": 150}),
    (CUTS, 110_000, 14, 8, {"n_clusters": 6, "kernel": "laplacian", "n_components": 60}),
    (CUTS, 35_000, 22, 8, {"n_clusters": 3, "kernel": "poly", "n_components": 250}),
    (DOOR, 1300, 10, 8, {"n_clusters": 3}),
    (DOOR, 6000, 20, 8, {"n_clusters": 4, "effort": "fast"}),
    (DOOR, 12_000, 15, 4, {"n_clusters": 5}),
    (DOOR, 18_000, 40, 8, {"n_clusters": 9}),
    (DOOR, 90_000, 16, 8, {"n_clusters": 10}),
    (DOOR, 250_000, 20, 4, {"n_clusters": 3}),
    (DOOR, 300_000, 8, 8, {"n_clusters": 15, "effort": "fast"}),
    (DOOR, 120_000, 30, 4, {"n_clusters": 4, "effort": "fast", "min_size": 0.8}),
    (DOOR, 50_000, 200, 4, {"n_clusters": 5}),
    (RLS, 1800, 15, 8, {"n_clusters": 5, "n_init": 1}),
    (RLS, 4500, 8, 4, {"n_clusters": 3, "n_init": 1}),
    (RLS, 2800, 12, 8, {"n_clusters": 2, "n_init": 1, "search": "evolutionary"}),
    (RLS, 12_000, 40, 8, {"n_clusters": 2, "n_init": 1, "kernel": "linear"}),
    (RLS, 7000, 10, 8, {"n_clusters": 5, "n_components": 250, **NYSTROEM}),
    (RLS, 12_000, 12, 4, {"n_clusters": 3, "n_components": 400, **NYSTROEM}),
    (DOMAIN, 100_000, 30, 8, {"n_landmarks": 1200}),
    (DOMAIN, 60_000, 10, 4, {"n_landmarks": 2200}),
    (DOMAIN, 2800, 6, 8, {"n_landmarks": None}),
    (DOMAIN, 300_000, 4, 8, {"n_landmarks": 2000}),
    (KERNELS, 20_000, 15, 8, {"n_clusters": 3, "n_init": 1, "n_components": 120}),
    (KERNELS, 50_000, 12, 4, {"n_clusters": 4, "n_init": 1, "n_components": 60}),
    (KERNELS, 30_000, 30, 8, {"n_clusters": 2, "n_init": 1, "kernels": ["rbf", "laplacian"]}),
    (KERNELS, 35_000, 20, 8, {"n_clusters": 3, "n_init": 1, "kernels": ["linear", "rbf", "rbf"]}),
    (KERNELS, 60_000, 10, 4, {"n_clusters": 2, "n_init": 1, "kernels": ["laplacian"]}),
]

#: Measured once after that: .80 to 1.03, and 1.47 for the Laplacian kernel in single precision,
#: which works in double precision inside.
LAST = [
    (DOMAIN, 70_000, 40, 8, {"n_landmarks": 1500}),
    (DOMAIN, 120_000, 12, 4, {"n_landmarks": 1000}),
    (DOMAIN, 40_000, 60, 8, {"n_landmarks": 2000}),
    (CUTS, 90_000, 10, 4, {"n_clusters": 3, "kernel": "rbf", "n_components": 100}),
    (CUTS, 45_000, 18, 4, {"n_clusters": 7, "kernel": "laplacian", "n_components": 220}),
    (CUTS, 75_000, 16, 8, {"n_clusters": 4, "kernel": "rbf", "n_components": 120}),
]

#: New once more, after the law knew that features are there before a start by least squares. That,
#: and not the kernel, was what the last one above had missed: 1.75 with a Gaussian kernel too.
LATEST = [
    (CUTS, 90_000, 18, 4, {"n_clusters": 7, "kernel": "laplacian", "n_components": 60}),
    (CUTS, 90_000, 18, 4, {"n_clusters": 6, "kernel": "rbf", "n_components": 180}),
    (CUTS, 50_000, 25, 8, {"n_clusters": 8, "kernel": "rbf", "n_components": 100}),
    (CUTS, 70_000, 7, 8, {"n_clusters": 12, "kernel": "laplacian", "n_components": 50}),
    (CUTS, 130_000, 11, 4, {"n_clusters": 3, "kernel": "laplacian", "n_components": 90}),
    (CUTS, 250_000, 30, 4, {"n_clusters": 7}),
    (DOOR, 70_000, 30, 8, {"n_clusters": 7}),
    (DOOR, 25_000, 80, 4, {"n_clusters": 4}),
    (DOOR, 12_000, 20, 8, {"n_clusters": 6, "effort": "fast"}),
    (DOOR, 400_000, 12, 4, {"n_clusters": 5}),
    (DOMAIN, 90_000, 25, 8, {"n_landmarks": 1700}),
    (KERNELS, 45_000, 14, 4, {"n_clusters": 6, "n_init": 1, "kernels": ["laplacian", "rbf"]}),
    (RLS, 3200, 14, 8, {"n_clusters": 4, "n_init": 1}),
]
GROUPS = {"first": FIRST, "fitted": FITTED[len(FIRST) :], "new": NEW, "last": LAST}
GROUPS["latest"] = LATEST


def keys():
    """Every case, by its group."""
    for group, cases in GROUPS.items():
        for name, n, d, size, parameters in cases:
            key = {"group": group, "estimator": name, "n": n, "d": d, "bytes": size}
            yield key | {"parameters": json.dumps(parameters)}


def measure(group, estimator, n, d, bytes, parameters):
    """The memory that was planned, and that was taken."""
    kind, how = getattr(maxmargin, estimator), json.loads(parameters)
    rng = np.random.default_rng(0)
    X = np.empty((n, d), np.float32 if bytes == 4 else np.float64)
    for start in range(0, n, 10_000):
        part = X[start : start + 10_000]
        part[:] = rng.normal(size=part.shape) + 6 * rng.integers(0, 3, len(part))[:, None]
    small = {**how, **({"n_landmarks": 100} if "n_landmarks" in how else {})}
    small.pop("init_size", None)
    for few in (150, 3000):
        if few < n / 2:
            kind(**small, random_state=0).fit(X[:few])  # what is imported late
    model = kind(**how, random_state=0)
    planned = planned_memory(model, n, d, bytes)
    _, taken = timed(model.fit, X)
    peak = taken["peak_bytes"]
    return {"planned_mb": planned / 1e6, "peak_mb": peak / 1e6, "ratio": peak / planned}
