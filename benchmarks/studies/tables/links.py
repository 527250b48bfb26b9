"""The adjusted Rand index against the number of pairs that the user knows.

Pairs of rows drawn at random from sets of scikit-learn, must-links where their classes are the same
and cannot-links otherwise; means of five draws.
"""

from collections.abc import Callable

import numpy as np
from sklearn.datasets import load_iris, load_wine
from sklearn.metrics import adjusted_rand_score

from benchmarks.runner.measure import Row
from benchmarks.runner.study import Part, Results
from benchmarks.runner.table import distinct, grid, number, where
from maxmargin import MaxMarginClustering

SETS: dict[str, Callable] = {"iris": load_iris, "wine": load_wine}
PAIRS, DRAWS = (0, 10, 30, 100), 5
FREE = "rows in no pair"


def measure(set: str, pairs: int) -> Row:
    """The means of all draws; without pairs there is one answer."""
    found = [draw(set, pairs, seed) for seed in range(DRAWS if pairs else 1)]
    return dict(zip(("all rows", FREE), np.mean(found, axis=0), strict=True))


def draw(set: str, pairs: int, seed: int) -> tuple[float, float]:
    """The scores of all rows, and of those in no pair."""
    X, y = SETS[set](return_X_y=True)
    rng = np.random.default_rng(seed)
    known = np.array([rng.choice(len(y), 2, replace=False) for _ in range(pairs)], int)
    known = known.reshape(-1, 2)
    same = y[known[:, 0]] == y[known[:, 1]]
    links = {"must_link": known[same], "cannot_link": known[~same]}
    model = MaxMarginClustering(len(np.unique(y)), random_state=0)
    labels = model.fit(X, constraints=links if pairs else None).labels_
    free = np.setdiff1d(np.arange(len(y)), known)
    return adjusted_rand_score(y, labels), adjusted_rand_score(y[free], labels[free])


def table(results: Results) -> str:
    """A line for each set, a column for each number of pairs."""
    rows = results["links"]
    cells = {
        f"{n} pairs": lambda name, n=n: number(where(rows, set=name, pairs=n)[0][FREE], 3)
        for n in distinct(rows, "pairs")
    }
    return grid("ARI of the rows in no pair", distinct(rows, "set"), cells)


PARTS = (Part("links", {"set": tuple(SETS), "pairs": PAIRS}, measure, quick={"set": ("iris",)}),)
TABLES = {"links": table}
