"""Tables 1 and 2 and Figures 1 and 2 of EvoMMC."""

import re
import time
from collections.abc import Callable
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import make_moons
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC

from benchmarks.datasets.papers import EVOMMC, EVOMMC_PAIRS, balance
from benchmarks.datasets.stored import Data, some
from benchmarks.methods import rivals
from benchmarks.methods.evolutionary import (
    GRID,
    Cell,
    Outcome,
    box_diagonal,
    cell_name,
    estimator,
    evommc,
    fastevommc,
    kmeans,
    tune,
)
from benchmarks.runner.measure import Row, timed
from benchmarks.runner.study import Part, Results, Study
from benchmarks.studies.evommc import tables
from maxmargin import RLSClustering
from maxmargin.search import Evolutionary

METHODS = tables.METHODS
SCOUT, REPEATS = 5, 10
#: The cell is chosen by fewer where a run takes a second.
SCOUTS = {
    (data, method): scout
    for data in ("Letter A-B", "Satellite 1-2")
    for method, scout in (("EvoMMC", 1), ("FastEvoMMC", 2))
}
MNIST_GRID = tuple(cell for cell in GRID if cell[0] == 2)
MNIST_ROWS = 1000  # of EvoMMC, as in the paper
SETS = EVOMMC | EVOMMC_PAIRS


def rows_of(dataset: str, method: str) -> Data:
    X, y = SETS[dataset]()
    few = dataset.startswith("MNIST") and method == "EvoMMC"
    X, y = some((X, y), MNIST_ROWS) if few else (X, y)
    return X.astype(np.float64), y


def share_of(dataset: str, method: str) -> float | None:
    """Of the rows that are landmarks."""
    return None if method == "EvoMMC" else 0.01 if dataset.startswith("MNIST") else 0.1


def errors_of(oracle: Outcome, blind: Outcome, cells: tuple[str, str]) -> Row:
    errors, picked = oracle.oracle, blind.picked[0]
    return {
        "oracle_error": errors.mean(),
        "oracle_std": errors.std(),
        "oracle_cell": cells[0],
        "no_labels_error": picked.mean(),
        "no_labels_std": picked.std(),
        "no_labels_cell": cells[1],
        "repeats": len(errors),
    }


def compare(dataset: str, method: str, scout: int = 1, repeats: int = 0) -> tuple[Row, Cell | None]:
    """The row of a method on a data set, and its oracle cell."""
    X, y = rows_of(dataset, method)
    l = balance(y)  # noqa: E741
    facts = {"n": len(y), "l/n": l}
    if method == "KM":
        outcome = kmeans(X, y, max(repeats, 1))
        return facts | errors_of(outcome, outcome, ("", "")), None
    share = share_of(dataset, method)
    run = evommc(X, y, l) if share is None else fastevommc(X, y, l, share)
    grid = MNIST_GRID if dataset.startswith("MNIST") else GRID
    cell, oracle, blind_cell, blind = tune(run, scout, repeats, grid)
    return facts | errors_of(oracle, blind, (cell_name(cell), cell_name(blind_cell))), cell


def timing(dataset: str, method: str, cell: Cell, runs: int) -> Row:
    """The CPU seconds and generations of a single fit, on average."""
    X, y = rows_of(dataset, "")
    share, seconds, generations = share_of(dataset, method), [], []
    for seed in range(runs):
        model = estimator(X, cell, balance(y), seed, share)
        seconds.append(timed(model.fit, X)[1]["cpu_seconds"])
        generations.append(model.n_iter_)
    return {
        "fit_cpu_seconds": np.mean(seconds),
        "fit_generations": round(np.mean(generations)),
        "fit_runs": runs,
    }


def named(dataset: str, method: str) -> Row:
    row, cell = compare(dataset, method, SCOUTS.get((dataset, method), SCOUT), REPEATS)
    return row | (timing(dataset, method, cell, 10) if cell else {})


def mnist_times(dataset: str, method: str) -> Row:
    cell = (2, 1)
    return {"oracle_cell": cell_name(cell)} | timing(dataset, method, cell, 3)


# -- Figure 1: time of a run against n -----------------------------------------------------

SIZES, SVM_LIMIT, RUNS = (100, 200, 400, 800, 1600, 3200), 800, 3


def cpu(work: Callable[[], Any], least: float = 0.1) -> float:
    """The CPU seconds of one call, repeated until they can be measured."""
    began, calls = time.process_time(), 0
    while (spent := time.process_time() - began) < least:
        work()
        calls += 1
    return spent / calls


def one_size(n: int) -> list[Row]:
    """The seconds of a run by four ways to evaluate a labelling."""
    X, _ = make_moons(n, noise=0.1, random_state=0)
    gamma, seconds = 1 / box_diagonal(X) ** 2, {}
    for method, fast in (("FastEvoMMC", True), ("EvoMMC", False)):
        fits, generations = [], []
        for seed in range(RUNS):
            model = RLSClustering(
                2, gamma=gamma, alpha=1 / (1000 * n), search=Evolutionary(1, 1), polish=False,
                min_size=0.97, n_init=1, random_state=seed,
                approximation="nystroem" if fast else None, n_components=max(1, n // 10),
            )  # fmt: skip
            fits.append(timed(model.fit, X)[1]["cpu_seconds"])
            generations.append(model.n_iter_)
        seconds[method] = float(np.mean(fits))
    K = rbf_kernel(X, gamma=gamma)
    evaluations = float(np.mean(generations))  # μ = ν = 1: one evaluation in a generation
    R = K @ np.linalg.inv(K + 1e-3 * np.eye(n))
    signs = 2.0 * model.labels_ - 1
    seconds["n2"] = evaluations * cpu(lambda: signs @ R @ signs)
    if n <= SVM_LIMIT:
        random = np.random.default_rng(0).permutation(signs)
        svm = SVC(C=500, kernel="precomputed")
        each = [cpu(lambda y=y: svm.fit(K, y)) for y in (signs, random)]
        seconds["SVM"] = evaluations * float(np.mean(each))
    return [
        {"method": method, "seconds": value, "evaluations": round(evaluations)}
        for method, value in seconds.items()
    ]


# -- Figure 2: restarts against error ------------------------------------------------------

POOL, MOST = 40, 20


def expected_best(errors: NDArray, m: int) -> float:
    """The mean of the smallest of m errors over all choices of m runs of the pool."""
    ordered, size = np.sort(errors), len(errors)
    return float(sum(e * comb(size - 1 - i, m - 1) for i, e in enumerate(ordered)) / comb(size, m))


def restarts(dataset: str, method: str) -> list[Row]:
    """The error of the best of 1 to 20 runs at the cell of the table."""
    row = Results(STUDY.folder).by("results", "dataset", "method")[dataset, method]
    cell = tuple(map(int, re.findall(r"\((\d+)n\) σ=(\d)", row["oracle_cell"])[0]))
    X, y = rows_of(dataset, method)
    l = balance(y)  # noqa: E741
    run = evommc(X, y, l) if method == "EvoMMC" else fastevommc(X, y, l, 0.1)
    errors = run(cell, range(2000, 2000 + POOL)).error
    return [{"restarts": m, "error": expected_best(errors, m)} for m in range(1, MOST + 1)]


STUDY = Study(
    "Tables 1 and 2 and Figures 1 and 2 of EvoMMC",
    parts=(
        Part(
            "results",
            {"dataset": tuple(EVOMMC), "method": METHODS},
            named,
            quick={"dataset": ("UCI digits 3-8",), "method": ("KM", "FastEvoMMC")},
        ),
        Part(
            "pairs",
            {"dataset": tuple(EVOMMC_PAIRS), "method": METHODS},
            lambda dataset, method: compare(dataset, method)[0],
            quick={"dataset": tuple(EVOMMC_PAIRS)[:1]},
        ),
        Part(
            "mnist_times",
            {"dataset": ("MNIST digits 1-2", "MNIST digits 1-7"), "method": ("FastEvoMMC",)},
            mnist_times,
            quick={"dataset": ()},
        ),
        tables.RIVALS.part(EVOMMC, lambda: Results(STUDY.folder), "UCI digits 3-8"),
        tables.RIVALS.part(
            EVOMMC_PAIRS, lambda: Results(STUDY.folder), "UCI digits 3-8", rivals.PAIRS
        ),
        Part("figure1", {"n": SIZES}, one_size, quick={"n": SIZES[:2]}),
        Part(
            "figure2",
            {"dataset": tables.RESTART_SETS, "method": METHODS[1:]},
            restarts,
            quick={"dataset": ("UCI digits 3-8",), "method": ("FastEvoMMC",)},
        ),
    ),
    tables=tables.TABLES,
    pictures=tables.PICTURES,
    module=__name__,
)
