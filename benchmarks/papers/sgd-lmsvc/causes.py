"""What may explain figures that are missed: ``python benchmarks/papers/sgd-lmsvc/causes.py``.

Writes ``causes.csv``: the best of the grid under one change at a time, and how near one cell comes
to all four published scores. Rows that the file holds are not run again.
"""

import os
import sys
import warnings
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import patch

os.environ |= {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

import numpy as np
from methods import GRIDS, LETTER, PAPER, SVC, Scores, grid, nearest, score, summary
from numpy.typing import NDArray
from report import METRICS, published, write_tables
from sets import SETS
from shared import machine, table
from sklearn.neighbors import NearestNeighbors
from sklearn.preprocessing import minmax_scale, scale
from threadpoolctl import threadpool_limits

from maxmargin.domain import Equilibria, equilibria
from maxmargin.solvers import SGD

PATH = HERE / "causes.csv"
MISSED = ("Aggregation", "Glass", "Iris", "Jain", "Pathbased", "Spiral")
SEEDS = 2  # of SGD
AS_IS, SYMMETRIC = "as in Table 1", "columns in [−1, 1]"
CLASSIFIER = "no clustering: a 1-NN classifier, leave one out"
Scoring = Callable[[NDArray, NDArray, Any], Scores]


# -- other definitions of compactness, and other rows that count --------------------------


def deviations(X: NDArray, labels: NDArray) -> tuple[NDArray, NDArray]:
    """The cluster of each row, and its squared distance to the mean."""
    _, which, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    means = np.array([X[which == place].mean(axis=0) for place in range(len(sizes))])
    return which, ((X - means[which]) ** 2).sum(axis=1)


def of_clusters(which: NDArray, values: NDArray) -> NDArray:
    return np.bincount(which, values) / np.bincount(which)


COMPACTNESS: dict[str, Callable[[NDArray, NDArray, NDArray], float]] = {
    "compactness: mean of squares": lambda X, which, squares: squares.mean(),
    "compactness: root mean square": lambda X, which, squares: np.sqrt(squares.mean()),
    "compactness: mean over clusters": lambda X, which, squares: of_clusters(
        which, np.sqrt(squares)
    ).mean(),
    "compactness: mean over clusters of squares": lambda X, which, squares: of_clusters(
        which, squares
    ).mean(),
    "compactness: deviation of clusters / of all": lambda X, which, squares: (
        np.sqrt(of_clusters(which, squares)).mean() / np.sqrt(X.var(axis=0).sum())
    ),
}


def with_compactness(name: str, X: NDArray, y: NDArray, model: Any) -> Scores:
    found = score(X, y, model.labels_)
    return found | {"compactness": float(COMPACTNESS[name](X, *deviations(X, model.labels_)))}


def by_definition(X: NDArray, y: NDArray, model: Any) -> Scores:
    return score(X, y, model.labels_)


def on_boundary(X: NDArray, y: NDArray, model: Any) -> Scores:
    """Rows outside of B_ε have no cluster: they count as errors of purity, and else not."""
    rows = np.abs(model.decision_function(X)) <= model.assignment.epsilon
    if rows.sum() < 2:
        return dict.fromkeys((*METRICS, "ari", "k"), np.nan) | {"rand": 0.0, "purity": 0.0, "k": 0}
    found = score(X[rows], y[rows], model.labels_[rows])
    return found | {"purity": found["purity"] * float(rows.mean())}


SCORINGS: dict[str, Scoring] = {
    AS_IS: by_definition,
    **{name: partial(with_compactness, name) for name in COMPACTNESS},
    "rows outside of B_ε have no cluster": on_boundary,
}


# -- other data, parameters and tolerances -------------------------------------------------


def smaller_C(model: Any, n: int) -> None:
    model.set_params(C=model.C / n)


def sphere(model: Any, n: int) -> None:
    """C bounds weights that sum to 1, as those of a hypersphere do."""
    if model.C < 1:
        model.set_params(C=None, nu=min(1 / (n * model.C), 0.999))


def apart(domain: Any, points: NDArray) -> NDArray[np.intp]:
    return np.arange(len(points))


def both(change: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {LETTER: change, SVC: change}


#: For each method: what differs. "data", "set" (parameters), "each" (model), "patch" (constants).
VARIANTS: dict[str, dict[str, dict[str, Any]]] = {
    AS_IS: both({}),
    "columns as they come": both({"data": np.asarray}),
    "columns in [0, 1]": both({"data": minmax_scale}),
    SYMMETRIC: both({"data": lambda X: minmax_scale(X, (-1, 1))}),
    "epsilon = 0.001": both({"set": {"assignment": Equilibria(0.001)}}),
    "epsilon = 0.1": both({"set": {"assignment": Equilibria(0.1)}}),
    "equilibria are one within 0.001/√γ": both({"patch": {"SAME_PEAK": 0.001}}),
    "equilibria are one within 1/√γ": both({"patch": {"SAME_PEAK": 1.0}}),
    "each equilibrium is a cluster": both({"patch": {"_connected": apart}}),
    "theta = 0.001": {LETTER: {"set": {"solver": SGD(0.001, 0, False)}}},
    "C in the place of C × N": {LETTER: {"each": smaller_C}},
    "C of the hypersphere, ν = 1/(nC)": {SVC: {"each": sphere}},
    CLASSIFIER: both({"classifier": True}),
}


def classified(X: NDArray, y: NDArray) -> list[Scores]:
    """The class of the nearest other row, as if it were a cluster."""
    near = NearestNeighbors(n_neighbors=1).fit(X).kneighbors(return_distance=False)[:, 0]
    extra = {"empty": False, "open": False, "seconds": 0.0}
    return [{"cell": "", "weight": 1, **score(X, y, y[near]), **extra}]


def fits(method: str, change: dict[str, Any], X: NDArray, seed: int) -> list[tuple[str, int, Any]]:
    """The fitted models of the grid."""
    with ExitStack() as stack:
        for name, value in change.get("patch", {}).items():
            stack.enter_context(patch.object(equilibria, name, value))
        found = list(grid(GRIDS[method] | change.get("set", {}), seed))
        for _, _, model in found:
            change.get("each", lambda model, n: None)(model, len(X))
            model.fit(X)
    return found


def scored(models: list[tuple[str, int, Any]], scoring: Scoring, X: Any, y: Any) -> list[Scores]:
    extra = {"empty": False, "open": False, "seconds": 0.0}
    return [
        {"cell": cell, "weight": weight, **scoring(X, y, model), **extra}
        for cell, weight, model in models
    ]


def row_of(target: dict[str, float], grids: list[list[Scores]]) -> dict[str, str]:
    """The mean over seeds of the best, the best of all, and the nearest cell."""
    bests = [summary(rows) for rows in grids]
    found = {
        name: float(np.nanmean([one[f"best_{name}"] for one in bests]))
        for name in (*METRICS, "db_largest", "ari")
    }
    found["lowest_purity"] = min(row["purity"] for rows in grids for row in rows)
    found["luckiest_rand"] = max(one["best_rand"] for one in bests)
    found["near_miss"], _ = nearest([row for rows in grids for row in rows], target)
    return {name: f"{value:.4f}" for name, value in found.items()}


def tried(dataset: str, method: str, variant: str) -> list[dict[str, Any]]:
    """The rows of one change; without a change, those of all scorings."""
    change = VARIANTS[variant][method]
    X, y = SETS[dataset]()
    X = change.get("data", scale)(X)
    target = {name: published()[dataset, PAPER[method], name] for name in METRICS}
    if variant == CLASSIFIER:
        row = {"dataset": dataset, "method": method, "variant": variant}
        return [row | row_of(target, [classified(X, y)]) | machine.describe()]
    seeds = range(SEEDS if method == LETTER else 1)
    models = [fits(method, change, X, seed) for seed in seeds]
    rows = []
    for name, scoring in SCORINGS.items():
        if change and name != AS_IS:
            continue
        grids = [scored(one, scoring, X, y) for one in models]
        row = {"dataset": dataset, "method": method, "variant": variant if change else name}
        rows.append(row | row_of(target, grids) | machine.describe())
    return rows


def main() -> None:
    rows: list[dict[str, Any]] = list(table.read_csv(PATH)) if PATH.is_file() else []
    done = {(row["dataset"], row["method"], row["variant"]) for row in rows}
    order = [*MISSED, *(name for name in SETS if name not in MISSED)]
    for dataset, (variant, changes) in product(order, VARIANTS.items()):
        if dataset not in MISSED and variant not in (AS_IS, SYMMETRIC, CLASSIFIER):
            continue
        for method in changes:
            if (dataset, method, variant) not in done:
                rows += tried(dataset, method, variant)
                print(*list(rows[-1].values())[:12], flush=True)
                table.write_csv(PATH, rows)
    write_tables()


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    with threadpool_limits(1):
        main()
