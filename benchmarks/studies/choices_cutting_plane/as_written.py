"""CPM3C and CPMMC as they are written: centred or not, from labels or from a constant w⁰.

The best majority accuracy in % over α ∈ {0.01, 0.03, 0.1, 0.3}, balance ∈ {0, 0.1, 0.3}, chosen by
the true labels as in the paper; two seeds where starts are drawn.
"""

from itertools import product

import numpy as np

from benchmarks.datasets.stored import classes, digits, load
from benchmarks.runner.measure import Row
from benchmarks.runner.study import Part, Results
from benchmarks.runner.table import distinct, grid, number, where
from maxmargin import CuttingPlaneClustering
from maxmargin.metrics import purity_score
from maxmargin.solvers import CPM3C, CPMMC

SETS = {
    "digits 3-8": lambda: classes(digits, 3, 8),
    "digits 8-9": lambda: classes(digits, 8, 9),
    "digits 0689": lambda: classes(digits, 0, 6, 8, 9),
    "digits 1279": lambda: classes(digits, 1, 2, 7, 9),
    "letter ABCD": lambda: classes(lambda: load("letter"), 0, 1, 2, 3),
}
WAYS = {
    "CPM3C(centred=False, constant_start=0.01)": CPM3C(None, False, 0.01),
    "CPM3C(centred=False, constant_start=1.0)": CPM3C(None, False, 1.0),
    "CPMMC(constant_start=0.01)": CPMMC(constant_start=0.01),
    "CPM3C(centred=False)": CPM3C(centred=False),
    "CPM3C()": CPM3C(),
}


ALPHAS, BALANCES = (0.01, 0.03, 0.1, 0.3), (0, 0.1, 0.3)


def suits(way: str, set: str) -> bool:
    """Whether a way takes as many classes."""
    return WAYS[way].n_clusters in (None, len(np.unique(SETS[set]()[1])))


def measure(way: str, set: str) -> Row:
    """The best of the grid, and its median."""
    X, y = SETS[set]()
    optimizer, found = WAYS[way], []
    seeds, n_init = ((0,), 1) if optimizer.constant_start else ((0, 1), 6)
    for alpha, balance, seed in product(ALPHAS, BALANCES, seeds):
        model = CuttingPlaneClustering(
            len(np.unique(y)),
            optimizer=optimizer,
            alpha=alpha,
            balance=balance,
            n_init=n_init,
            random_state=seed,
        )
        found.append(100 * purity_score(y, model.fit(X / abs(X).max()).labels_))
    return {"best": max(found), "median": float(np.median(found))}


def table(results: Results) -> str:
    """A line for each way, a column for each set."""
    rows = results["as_written"]

    def cell(way: str, name: str) -> str:
        found = where(rows, way=way, set=name)
        return f"{number(found[0]['best'])} ({number(found[0]['median'], 1)})" if found else "–"

    cells = {name: lambda way, name=name: cell(way, name) for name in distinct(rows, "set")}
    return grid("best of the grid (median)", distinct(rows, "way"), cells)


PARTS = (
    Part(
        "as_written",
        {"way": tuple(WAYS), "set": tuple(SETS)},
        measure,
        quick={"way": ("CPMMC(constant_start=0.01)",), "set": ("digits 3-8",)},
        only=suits,
    ),
)
TABLES = {"as_written": table}
