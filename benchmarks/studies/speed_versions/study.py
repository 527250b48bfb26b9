"""Two versions of the library side by side: CPU seconds of the same fits, in turns.

Only public names are used, so that any version can be measured: ``compare`` runs it with two
commits, and what it keeps are the rows of this study.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.datasets import load_digits, make_blobs, make_moons

from benchmarks.runner import machine
from benchmarks.runner.measure import Row, scores, timed
from benchmarks.runner.study import Part, Results, Study
from benchmarks.runner.table import distinct, markdown, where
from maxmargin import (
    CuttingPlaneClustering,
    MaxMarginClustering,
    MultipleKernelClustering,
    RLSClustering,
    SupportVectorClustering,
)


def digits(n: int, k: int = 10) -> Any:
    """N noisy digits drawn with replacement, those of the first k classes."""
    rng = np.random.default_rng(0)
    X, y = load_digits(return_X_y=True)
    rows = rng.integers(len(X), size=n)
    X, y = X[rows] + rng.normal(scale=2.0, size=(n, X.shape[1])), y[rows]
    return X[y < k], y[y < k]


def blobs(n: int) -> Any:
    return make_blobs(n, 20, centers=4, cluster_std=4.0, random_state=0)


FITS: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "RLS, 2000 × 64, k = 10": (lambda: digits(2000), lambda: RLSClustering(10, random_state=0)),
    "RLS, 4000 × 64, k = 10": (lambda: digits(4000), lambda: RLSClustering(10, random_state=0)),
    "cutting plane, 20,000 × 20, k = 4": (
        lambda: blobs(20_000),
        lambda: CuttingPlaneClustering(4, random_state=0),
    ),
    "cutting plane, 100,000 × 20, k = 4": (
        lambda: blobs(100_000),
        lambda: CuttingPlaneClustering(4, random_state=0),
    ),
    'cutting plane, kernel="rbf", 1000 × 64, k = 10': (
        lambda: digits(1000),
        lambda: CuttingPlaneClustering(10, kernel="rbf", random_state=0),
    ),
    "MKC, 232 × 64, k = 4": (
        lambda: digits(600, 4),
        lambda: MultipleKernelClustering(4, random_state=0),
    ),
    "MKC, 1204 × 64, k = 4": (
        lambda: digits(3000, 4),
        lambda: MultipleKernelClustering(4, random_state=0),
    ),
    "SVC, 1800 × 2": (
        lambda: make_moons(1800, noise=0.08, random_state=0),
        lambda: SupportVectorClustering(random_state=0),
    ),
    "front door, 1000 × 2, k = 2": (
        lambda: make_moons(1000, noise=0.08, random_state=0),
        lambda: MaxMarginClustering(2, random_state=0),
    ),
}


def measure(fit: str) -> Row:
    """One fit, after another one of a few rows that loads libraries."""
    rows, make = FITS[fit]
    X, y = rows()
    make().fit(X[:200])
    model, taken = timed(lambda: make().fit(X))
    return {"cpu_seconds": taken["cpu_seconds"], "ari": scores(y, model.labels_)["ari"]}


def table(results: Results) -> str:
    """The medians of all turns of both versions."""
    rows, lines = results["results"], []
    commits = distinct(rows, "commit")
    for fit in distinct(rows, "fit"):
        turns = [where(rows, fit=fit, commit=commit) for commit in commits]
        seconds = [np.array([float(row["cpu_seconds"]) for row in side]) for side in turns]
        middle = [float(np.median(side)) for side in seconds]
        least = [float(side.min()) for side in seconds]
        ari = " / ".join(f"{float(side[0]['ari']):.2f}" for side in turns)
        lines.append([fit, *(f"{m:.3f}" for m in middle), f"{middle[1] / middle[0]:.2f}"])
        lines[-1] += [f"{least[1] / least[0]:.2f}", len(seconds[0]), ari]
    header = ["fit", *(f"{c}, CPU s" for c in commits), "ratio", "ratio of the least"]
    return markdown([*header, "turns", "ARI"], lines)


STUDY = Study(
    "Two versions of the library side by side: CPU seconds of the same fits, in turns",
    parts=(
        Part(
            "results", {"fit": tuple(FITS)}, measure, quick={"fit": ("SVC, 1800 × 2",)}, apart=True
        ),
    ),
    tables={"versions": table, "machine": lambda results: machine.lines(results["results"])},
    module=__name__,
)
