"""What may explain figures that are missed: ``python benchmarks/papers/cpm3c/causes.py``.

Writes ``causes.csv``: majority accuracy under one change at a time, on the sets whose published
figure is missed without labels.
"""

import os
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

os.environ |= {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

import numpy as np
from methods import SMALL_GRID, score, tuned
from report import TRUTH, write_tables
from scipy.sparse import issparse
from sets import NAMED
from shared import machine, table
from sklearn.preprocessing import MaxAbsScaler, StandardScaler, normalize
from threadpoolctl import threadpool_limits

from maxmargin import CuttingPlaneClustering

SETS = ("Dig 3-8", "Dig 8-9", "Satellite 1-2", "Text-2", "Dig 0689", "Dig 1279")
SEEDS = 3
STARTS = 20

#: Parameters other than the defaults.
PARAMETERS: dict[str, dict[str, Any]] = {
    "defaults": {},
    "alpha = 0.01": {"alpha": 0.01},
    "alpha = 0.1": {"alpha": 0.1},
    "alpha = 0.3": {"alpha": 0.3},
    "balance = 0.03": {"balance": 0.03},
    "balance = 0.1": {"balance": 0.1},
    "min_size = 0.9": {"min_size": 0.9},
    "tol = 0.001, max_iter = 1000": {"tol": 0.001, "max_iter": 1000},
    "n_init = 20": {"n_init": 20},
    "optimizer = cccp": {"optimizer": "cccp"},
    "optimizer = alternation, init = mixed": {"optimizer": "alternation", "init": "mixed"},
    "optimizer = alternation, init = rls": {"optimizer": "alternation", "init": "rls"},
    "kernel = rbf": {"kernel": "rbf"},
    "kernel = auto": {"kernel": "auto"},
}
#: Other scalings of the features; the estimator centres and divides by one number.
SCALINGS: dict[str, Callable[[Any], Any]] = {
    "each feature standardised": lambda X: StandardScaler(with_mean=not issparse(X)).fit_transform(
        X
    ),
    "each feature divided by its largest": lambda X: MaxAbsScaler().fit_transform(X),
    "rows of unit length": normalize,
}


Found = tuple[float, float | None]  # majority accuracy and objective


def mean(X: Any, y: Any, **parameters: Any) -> Found:
    k = len(np.unique(y))
    models = [
        CuttingPlaneClustering(k, random_state=seed, **parameters).fit(X) for seed in range(SEEDS)
    ]
    majority = np.mean([score(y, model.labels_)["majority"] for model in models])
    return float(majority), float(np.mean([model.objective_ for model in models]))


def best_start(X: Any, y: Any) -> Found:
    """The best of single starts by the true labels."""
    k = len(np.unique(y))
    found = []
    for seed in range(STARTS):
        init = ("k-means++", "random")[seed % 2]
        model = CuttingPlaneClustering(k, init=init, n_init=1, random_state=seed).fit(X)
        found.append((score(y, model.labels_)["majority"], model.objective_))
    return max(found)


def causes(X: Any, y: Any) -> Iterator[tuple[str, Found]]:
    for name, parameters in PARAMETERS.items():
        yield name, mean(X, y, **parameters)
    yield TRUTH, mean(X, y, optimizer="alternation", init=y)
    yield f"best of {STARTS} starts by the labels", best_start(X, y)
    for name, scale in SCALINGS.items():
        if issparse(X) and scale is normalize:
            continue  # they are of unit length
        yield name, mean(scale(X), y)
        letter = tuned(scale(X), y, SMALL_GRID, 2)
        yield f"letter, tuned (6 cells, 2 starts), {name}", (letter["majority"], None)


def main() -> None:
    rows = []
    for dataset in SETS:
        for cause, (majority, objective) in causes(*NAMED[dataset]()):
            rows.append({"dataset": dataset, "cause": cause, "majority": f"{majority:.3f}"})
            rows[-1]["objective"] = "" if objective is None else f"{objective:.5f}"
            rows[-1] |= machine.describe()
            print(dataset, cause, rows[-1]["majority"], flush=True)
        table.write_csv(HERE / "causes.csv", rows)
    write_tables()


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    with threadpool_limits(1):
        main()
