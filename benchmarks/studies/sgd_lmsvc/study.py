"""Table 1 of SGD-LMSVC, the times of its phases, and why some figures cannot be."""

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.preprocessing import scale

from benchmarks.datasets.papers import SGD_LMSVC as SETS
from benchmarks.methods.densities import Density
from benchmarks.methods.domains import (
    DEFAULT,
    GRIDS,
    LETTER,
    METRICS,
    PAPER,
    POWERS,
    SVC,
    best_cell,
    cells,
    fitted,
    mean_and_sd,
    nearest,
    summary,
)
from benchmarks.runner.measure import Row
from benchmarks.runner.study import Part, Results, Study
from benchmarks.studies.sgd_lmsvc import causes, impossible, tables
from maxmargin import SupportVectorClustering
from maxmargin.domain.domain import Domain
from maxmargin.domain.domain_graph import NearestRow
from maxmargin.domain.equilibria import EPSILON, find_equilibria
from maxmargin.solvers import SGD, SMO, LibSVM, OneClassProblem, OneClassSolution, OneClassSolver
from maxmargin.spaces.pairwise import PairwiseDistances

METHODS = (*GRIDS, DEFAULT, tables.DENSITY)
SEEDS = 10


def published(dataset: str, method: str) -> dict[str, float]:
    """The four scores of the paper."""
    found = tables.published(Results(STUDY.folder))
    return {name: found[dataset, PAPER.get(method, method), name] for name in METRICS}


def without_grid(method: str, X: Any, y: Any) -> Row:
    """A method that needs no labels: one fit for each seed."""
    models = [Density()]
    if method == DEFAULT:
        models = [SupportVectorClustering(random_state=seed) for seed in range(SEEDS)]
    runs = [{"cell": "", "weight": 1, **fitted(model, X, y)} for model in models]
    return mean_and_sd([summary([run]) for run in runs]) | {"seeds": len(models)}


def over_grid(dataset: str, method: str, X: Any, y: Any) -> Row:
    """The best of the grid, for each seed; and the cell that is nearest to the published row."""
    parameters = GRIDS[method]
    n_seeds = 1 if isinstance(parameters["solver"], SMO) else SEEDS
    grids = [cells(parameters, seed, X, y) for seed in range(n_seeds)]
    found = mean_and_sd([summary(rows) for rows in grids]) | {"seeds": n_seeds}
    found["cell"] = best_cell(grids[0])["cell"]
    if method in PAPER:
        rows = [row for of_seed in grids for row in of_seed]
        found["near_miss"], one = nearest(rows, published(dataset, method))
        found |= {f"near_{name}": one[name] for name in (*METRICS, "k", "cell")}
    return found


def compare(dataset: str, method: str) -> Row:
    """The row of a method on a data set."""
    X, y = SETS[dataset]()
    X, sizes = scale(X), np.bincount(y)
    facts = {"n": X.shape[0], "d": X.shape[1], "classes": int((sizes > 0).sum())}
    facts["largest_class"] = float(sizes.max() / len(y))
    return facts | (
        over_grid(dataset, method, X, y) if method in GRIDS else without_grid(method, X, y)
    )


# -- time by phases, and how far SGD comes: means over the grid ----------------------------

SOLVERS: dict[str, OneClassSolver] = {
    "exact": SMO(),
    "libsvm": LibSVM(),
    "letter": SGD(min_epochs=0, average=False),
    "usable": SGD(),
}
LARGEST_NU = 0.999  # LIBSVM finds no boundary at 1


def objective(found: OneClassSolution, C: float) -> float:
    """Equation 1, with C in the place of C/N."""
    outside = np.maximum(1 - found.heights, 0).sum()
    return 0.5 * float(found.alpha @ found.heights) + C * float(outside)


def second_phase(X: NDArray, found: OneClassSolution, gamma: float) -> float:
    """The seconds of Algorithm 2."""
    began = time.process_time()
    domain = Domain.of_weights(X, found.alpha, gamma)
    ends = find_equilibria(domain, X, found.heights)
    NearestRow(X[ends.starts], ends.clusters[ends.ends]).labels_of(X)
    return time.process_time() - began


def phases(dataset: str, solver: str) -> Row:
    """Phase 1 finds the domain, phase 2 the clusters; rounds and objective of SGD for three C."""
    X = scale(SETS[dataset]()[0])
    distances, n = PairwiseDistances.of_rows(X), len(X)
    seconds, epochs, ratios = [], {}, {}
    for C in POWERS:
        epochs[C], ratios[C] = [], []
        for gamma in POWERS:
            optimum = SMO().solve(OneClassProblem(distances, gamma, C=C))
            bound = {"nu": min(optimum.nu, LARGEST_NU)} if solver == "libsvm" else {"C": C}
            began = time.process_time()
            found = SOLVERS[solver].solve(OneClassProblem(distances, gamma, **bound))
            first = time.process_time() - began
            seconds.append((first, second_phase(X, found, gamma)))
            epochs[C].append(found.n_iter / n)
            ratios[C].append(objective(found, C) / objective(optimum, C))
    first, second = np.mean(seconds, axis=0)
    row = {"phase_1": first, "phase_2": second, "longest": np.sum(seconds, axis=1).max()}
    if isinstance(SOLVERS[solver], SGD):
        for C in (POWERS[0], 2.0, POWERS[-1]):
            row[f"epochs_{C:g}"] = float(np.median(epochs[C]))
            row[f"ratio_{C:g}"] = float(np.median(ratios[C]))
        row["epochs"] = float(np.median(list(epochs.values())))
    return row


# -- smaller things that the README says ---------------------------------------------------

LARGE = ("Breast Cancer", "D31")  # left out of the boundaries, for their time
#: Gammas, Cs and other parameters of the exact solver with the graph, beyond the grid.
GRAPHS: dict[str, tuple[tuple[float, ...], tuple[float, ...], Row]] = {
    "D31": ((32.0, 64.0, 128.0, 256.0), POWERS[:4], {}),
    "Compound": (POWERS, POWERS[:4], {"min_cluster_size": 1}),
}


def asides() -> Iterator[Row]:
    for dataset in SETS:
        for method in (SVC, LETTER):
            for C in (POWERS[0], 2.0) if dataset not in LARGE else ():
                yield {"what": "boundary", "dataset": dataset, "method": method, "C": C}
    yield from ({"what": "seed", "dataset": "D31", "seed": seed} for seed in range(SEEDS))
    for dataset, (gammas, _, _) in GRAPHS.items():
        yield from ({"what": "graph", "dataset": dataset, "gamma": gamma} for gamma in gammas)


def aside(what: str, dataset: str, **key: Any) -> Row:
    """Rows that Algorithm 2 starts from and equilibria; seeds; cells that the grid has not."""
    X, y = scale(SETS[dataset]()[0]), SETS[dataset]()[1]
    if what == "seed":
        found = fitted(SupportVectorClustering(random_state=key["seed"]), X, y)
        return {"k": found["k"], "ari": found["ari"]}
    if what == "graph":
        _, bounds, extra = GRAPHS[dataset]
        fixed = {"n_landmarks": None, **extra}
        models = {C: SupportVectorClustering(key["gamma"], C=C, **fixed) for C in bounds}
        best, C = max(((fitted(m, X, y), C) for C, m in models.items()), key=lambda r: r[0]["ari"])
        return {"C": C, "k": best["k"], "parameters": str(extra or ""), "ari": best["ari"]}
    models = [
        SupportVectorClustering(gamma, C=key["C"], random_state=0, **GRIDS[key["method"]]).fit(X)
        for gamma in POWERS
    ]
    starts = [np.sum(np.abs(one.decision_function(X)) <= EPSILON) for one in models]
    return {"starts": np.mean(starts), "equilibria": np.mean([len(m.equilibria_) for m in models])}


def verdict(dataset: str, method: str) -> Row:
    """Whether any clustering has the published purity and Rand index."""
    counted = np.bincount(SETS[dataset]()[1])
    wanted = published(dataset, method)
    pair = wanted["purity"], wanted["rand"]
    found = impossible.judge(counted[counted > 0].astype(np.int64), *pair)
    return {"purity": pair[0], "rand": pair[1]} | found


STUDY = Study(
    "Table 1 of SGD-LMSVC, its times, and figures that no clustering has",
    parts=(
        Part(
            "results",
            {"dataset": tuple(SETS), "method": METHODS},
            compare,
            quick={"dataset": ("Iris",), "method": (SVC, DEFAULT, tables.DENSITY)},
        ),
        Part(
            "times",
            {"dataset": tuple(SETS), "solver": tuple(SOLVERS)},
            phases,
            quick={"dataset": ("Iris",)},
        ),
        Part("asides", asides, aside, quick={"dataset": ("Iris",), "C": (2.0,)}),
        Part(
            "causes",
            causes.keys,
            lambda dataset, method, variant: causes.tried(
                dataset, method, variant, published(dataset, method)
            ),
            quick={"dataset": ("Iris",), "method": (SVC,), "variant": ("columns in [0, 1]",)},
        ),
        Part(
            "impossible",
            {"dataset": tuple(SETS), "method": tuple(PAPER.values())},
            verdict,
            quick={"dataset": ("Iris",)},
        ),
    ),
    tables=tables.TABLES,
    module=__name__,
)
