"""Do a few pinned rows hurt? ``python benchmarks/choices/rls/pins.py [rls | planes | door]``.

ARI of the rows that are not pinned for 0, 1, 2, 3, 5 and 10 pinned rows in each class, on the sets
of ``benchmarks/selection/run_pins.py`` (500 rows at most, z-scored), three draws of pins. Writes
``pins-<method>.csv`` and prints the curve, with the largest fall against no pins on any set.
"""

import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.metrics import adjusted_rand_score
from sklearn.preprocessing import StandardScaler

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "selection"), str(HERE.parents[1])]

from run_pins import SETS
from sets import all_sets
from shared.table import markdown, number, read_csv, write_csv

from maxmargin import CuttingPlaneClustering, MaxMarginClustering, RLSClustering

PINS = (0, 1, 2, 3, 5, 10)
SEEDS = 3
MOST_ROWS = 500
MODELS: dict[str, Callable[[int], Any]] = {
    "rls": lambda k: RLSClustering(k, random_state=0),
    "planes": lambda k: CuttingPlaneClustering(k, random_state=0),
    "door": lambda k: MaxMarginClustering(k, random_state=0),
}


def some(X: Any, y: NDArray[np.int64]) -> tuple[Any, NDArray[np.int64]]:
    rows = np.sort(np.random.default_rng(0).permutation(len(y))[:MOST_ROWS])
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


def measure(method: str) -> list[dict[str, Any]]:
    rows, sets = [], all_sets()
    for name in SETS:
        X, y = some(sets[name].X, sets[name].y)
        model = MODELS[method](int(y.max()) + 1)
        for each in PINS:
            for seed in range(SEEDS if each else 1):
                pins = pinned(y, each, seed)
                free = pins < 0
                labels = model.fit(X, pins if each else None).labels_
                ari = round(float(adjusted_rand_score(y[free], labels[free])), 4)
                rows.append({"set": name, "pins": each, "seed": seed, "ari": ari})
        print(name, *(row["ari"] for row in rows if row["set"] == name), flush=True)
    return rows


def curve(method: str) -> str:
    rows = read_csv(HERE / f"pins-{method}.csv")
    means = {
        (name, each): np.mean(
            [float(r["ari"]) for r in rows if r["set"] == name and r["pins"] == str(each)]
        )
        for name in SETS
        for each in PINS
    }
    table = []
    for each in PINS:
        falls = {name: means[name, 0] - means[name, each] for name in SETS}
        worst = max(falls, key=falls.__getitem__)
        mean = np.mean([means[name, each] for name in SETS])
        table.append([each, number(mean, 3), f"{number(max(falls[worst], 0), 3)} ({worst})"])
    return markdown(["pins in each class", f"mean ARI, {len(SETS)} sets", "largest fall"], table)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    chosen = sys.argv[1] if len(sys.argv) > 1 else "rls"
    write_csv(HERE / f"pins-{chosen}.csv", measure(chosen))
    print(curve(chosen))
