"""One-class domains: SupportVectorClustering by default and over the grid of the paper."""

import warnings
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import adjusted_rand_score

from benchmarks.runner.measure import timed
from maxmargin import SupportVectorClustering
from maxmargin.domain import Equilibria
from maxmargin.metrics import compactness_score, davies_bouldin_score, purity_score, rand_score
from maxmargin.solvers import SGD, SMO

LETTER, USABLE, SVC = "SGD to the letter", "SGD, ours", "SVC"
GRAPH, DEFAULT, DENSITY = "exact + graph", "ours, no labels", "HDBSCAN"
#: The methods that the paper compares, by its names.
PAPER = {SVC: "SVC", LETTER: "SGD-LMSVC"}

#: Parameters beside gamma and C.
GRIDS: dict[str, dict[str, Any]] = {
    LETTER: {
        "solver": SGD(theta=0.01, min_epochs=0, average=False),
        "assignment": Equilibria(epsilon=0.01),
        "n_landmarks": None,
    },
    USABLE: {"solver": SGD(), "assignment": Equilibria(), "n_landmarks": None},
    SVC: {"solver": SMO(), "assignment": Equilibria(), "n_landmarks": None},
    GRAPH: {"solver": SMO(), "assignment": "graph", "n_landmarks": None},
}
POWERS = tuple(2.0**power for power in range(-5, 6, 2))
#: With the exact solver each C ≥ 1 is the same hard margin: solved once, and counted three times.
HARD = POWERS.index(2.0)

#: What is best: the largest or the smallest of the grid.
BEST: dict[str, tuple[str, Callable[[Iterable[float]], float]]] = {
    "purity": ("purity", max),
    "rand": ("rand", max),
    "compactness": ("compactness", min),
    "db": ("db", min),
    "db_largest": ("db", max),
    "ari": ("ari", max),
}
METRICS = ("purity", "rand", "compactness", "db")
Scores = dict[str, Any]


def score(X: NDArray, y: NDArray, labels: NDArray) -> Scores:
    """The four scores of the paper and ARI; Davies-Bouldin of one cluster is not defined."""
    k = len(np.unique(labels))
    defined = 1 < k < len(y)
    return {
        "purity": purity_score(y, labels),
        "rand": rand_score(y, labels),
        "compactness": compactness_score(X, labels),
        "db": davies_bouldin_score(X, labels) if defined else np.nan,
        "ari": adjusted_rand_score(y, labels),
        "k": k,
    }


def fitted(model: Any, X: NDArray, y: NDArray) -> Scores:
    """The scores of one fit, its CPU seconds, and whether B_ε was empty."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        _, taken = timed(model.fit, X)
    messages = [str(warning.message) for warning in caught]
    return {
        **score(X, y, model.labels_),
        "seconds": taken["cpu_seconds"],
        "empty": any("no row has abs(f)" in message for message in messages),
        "open": any("did not end" in message for message in messages),
    }


def grid(parameters: dict[str, Any], seed: int) -> Iterator[tuple[str, int, Any]]:
    """The models of the paper's grid: cell, how many cells it stands for, estimator."""
    exact = isinstance(parameters["solver"], SMO)
    for gamma, C in product(POWERS, POWERS[: HARD + 1] if exact else POWERS):
        model = SupportVectorClustering(gamma, C=C, random_state=seed, **parameters)
        weight = len(POWERS) - HARD if exact and C >= 1 else 1
        yield f"gamma={gamma:g} C={C:g}{'+' * (weight > 1)}", weight, model


def cells(parameters: dict[str, Any], seed: int, X: NDArray, y: NDArray) -> list[Scores]:
    """Fit every cell of the grid."""
    return [
        {"cell": cell, "weight": weight, **fitted(model, X, y)}
        for cell, weight, model in grid(parameters, seed)
    ]


def best_cell(rows: list[Scores]) -> Scores:
    """The cell with the best Rand index; of equals the one with the fewest clusters."""
    return max(rows, key=lambda row: (round(row["rand"], 9), -row["k"]))


def summary(rows: list[Scores]) -> Scores:
    """The best of each score for itself, all scores at the best Rand index, and the grid."""
    found: Scores = {}
    for name, (column, best) in BEST.items():
        values = [row[column] for row in rows if not np.isnan(row[column])]
        found[f"best_{name}"] = best(values) if values else np.nan
    one = best_cell(rows)
    found |= {f"at_{name}": one[name] for name in ("purity", "rand", "compactness", "db")}
    found |= {f"at_{name}": one[name] for name in ("ari", "k", "seconds")}
    weights = [row["weight"] for row in rows]
    for name in ("empty", "open", "seconds"):
        found[f"grid_{name}"] = float(np.average([row[name] for row in rows], weights=weights))
    return found


def mean_and_sd(runs: list[Scores]) -> Scores:
    """Over seeds, leaving out what is not defined."""
    found: Scores = {}
    for name in runs[0]:
        values = np.array([run[name] for run in runs], dtype=float)
        values = values[~np.isnan(values)]
        found[name] = float(values.mean()) if len(values) else ""
        if len(runs) > 1:
            found[f"{name}_sd"] = float(values.std()) if len(values) else ""
    return found


def nearest(rows: list[Scores], target: dict[str, float]) -> tuple[float, Scores]:
    """The cell that comes nearest to all published scores at once, and by how much it misses."""

    def distance(row: Scores) -> float:
        return max(
            abs(row[name] - value) if not np.isnan(row[name]) else np.inf
            for name, value in target.items()
        )

    found = min(rows, key=distance)
    return distance(found), found
