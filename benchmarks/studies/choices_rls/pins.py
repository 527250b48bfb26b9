"""Do a few pinned rows hurt? ARI of the rows that are not pinned, for more and more pins.

On the sets of the selection study where no method is perfect without pins, at most 500 rows of
each, z-scored.
"""

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.metrics import adjusted_rand_score
from sklearn.preprocessing import StandardScaler

from benchmarks.datasets.selection import all_sets
from benchmarks.runner.measure import Row
from benchmarks.runner.study import Part, Results
from benchmarks.runner.table import markdown, mean_of, number, where
from benchmarks.studies.selection.study import PIN_SETS as SETS
from maxmargin import CuttingPlaneClustering, MaxMarginClustering, RLSClustering

PINS, SEEDS, MOST_ROWS = (0, 1, 2, 3, 5, 10), 3, 500
MODELS: dict[str, Callable[[int], Any]] = {
    "rls": lambda k: RLSClustering(k, random_state=0),
    "planes": lambda k: CuttingPlaneClustering(k, random_state=0),
    "door": lambda k: MaxMarginClustering(k, random_state=0),
}


@cache
def some(name: str, most: int = MOST_ROWS) -> tuple[Any, NDArray[np.int64]]:
    """So many rows at most, z-scored if they are dense."""
    X, y = all_sets()[name].X, all_sets()[name].y
    rows = np.sort(np.random.default_rng(0).permutation(len(y))[:most])
    X = X[rows].astype(float)
    X = X if issparse(X) else StandardScaler().fit_transform(X)
    return X, np.unique(np.asarray(y)[rows], return_inverse=True)[1]


def pinned(y: NDArray[np.int64], each: int, seed: int) -> NDArray[np.int64]:
    """More pins keep the fewer; a class keeps at least half of its rows free."""
    rng, pins = np.random.default_rng(seed), np.full(len(y), -1)
    for c in range(y.max() + 1):
        members = rng.permutation(np.flatnonzero(y == c))
        pins[members[: min(each, len(members) // 2)]] = c
    return pins


def measure(method: str, set: str, pins: int, seed: int) -> Row:
    """One fit."""
    X, y = some(set)
    known = pinned(y, pins, seed)
    free = known < 0
    labels = MODELS[method](int(y.max()) + 1).fit(X, known if pins else None).labels_
    return {"ari": adjusted_rand_score(y[free], labels[free])}


def keys() -> Iterator[Row]:
    for name in SETS:
        for each in PINS:
            for seed in range(SEEDS if each else 1):
                yield {"set": name, "pins": each, "seed": seed}


def curve(results: Results, method: str) -> str:
    """The mean, and the largest fall against no pins on any set."""
    rows, lines = results[f"pins-{method}"], []
    means = {(s, p): mean_of(where(rows, set=s, pins=p), "ari") for s in SETS for p in PINS}
    for each in PINS:
        falls = {name: means[name, 0] - means[name, each] for name in SETS}
        worst = max(falls, key=falls.__getitem__)
        mean = np.mean([means[name, each] for name in SETS])
        fall = f"{number(max(falls[worst], 0), 3)} ({worst})" if each else "–"
        lines.append([each, number(mean, 3), fall])
    return markdown(["pins in each class", f"mean ARI, {len(SETS)} sets", "largest fall"], lines)


PARTS = tuple(
    Part(
        f"pins-{method}",
        keys,
        partial(measure, method),
        quick={"set": ("iris",), "pins": (1,), "seed": (0,)},
    )
    for method in MODELS
)
TABLES = {f"pins-{method}": partial(curve, method=method) for method in MODELS}
