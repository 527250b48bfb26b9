"""Smaller things that the README says: ``python benchmarks/papers/sgd-lmsvc/asides.py``.

Writes ``asides.csv``: rows that Algorithm 2 starts from and equilibria that it finds; the default
on D31 seed by seed; and cells of ``assignment="graph"`` that the paper's grid does not have.
"""

import os
import sys
import warnings
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

os.environ |= {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

import numpy as np
from methods import GRIDS, LETTER, POWERS, SVC, fitted
from report import write_tables
from sets import SETS
from shared import machine, table
from sklearn.preprocessing import scale
from threadpoolctl import threadpool_limits

from maxmargin import SupportVectorClustering
from maxmargin.domain.equilibria import EPSILON

LARGE = ("Breast Cancer", "D31")  # left out, for their time
SEEDS = 10
#: Data set, gammas, Cs and other parameters of the exact solver with the graph.
GRAPHS: tuple[tuple[str, tuple[float, ...], tuple[float, ...], dict[str, Any]], ...] = (
    ("D31", (32.0, 64.0, 128.0, 256.0), POWERS[:4], {}),
    ("Compound", POWERS, POWERS[:4], {"min_cluster_size": 1}),
)
Row = dict[str, Any]


def boundaries() -> Iterator[Row]:
    """Means over gamma, for a soft and a hard margin."""
    for (dataset, source), method in product(SETS.items(), (SVC, LETTER)):
        if dataset in LARGE:
            continue
        X = scale(source()[0])
        for C in (POWERS[0], 2.0):
            models = [
                SupportVectorClustering(gamma, C=C, random_state=0, **GRIDS[method]).fit(X)
                for gamma in POWERS
            ]
            starts = [np.sum(np.abs(one.decision_function(X)) <= EPSILON) for one in models]
            yield {
                "what": "boundary",
                "dataset": dataset,
                "method": method,
                "C": C,
                "starts": f"{np.mean(starts):.1f}",
                "equilibria": f"{np.mean([len(one.equilibria_) for one in models]):.1f}",
            }


def seeds() -> Iterator[Row]:
    X, y = SETS["D31"]()
    for seed in range(SEEDS):
        found = fitted(SupportVectorClustering(random_state=seed), scale(X), y)
        yield {"what": "seed", "dataset": "D31", "seed": seed, "k": found["k"]} | {
            "ari": f"{found['ari']:.4f}"
        }


def graphs() -> Iterator[Row]:
    """The best ARI for each gamma."""
    for dataset, gammas, bounds, extra in GRAPHS:
        X, y = scale(SETS[dataset]()[0]), SETS[dataset]()[1]
        fixed = {"n_landmarks": None, **extra}
        for gamma in gammas:
            runs = [(fitted(SupportVectorClustering(gamma, C=C, **fixed), X, y), C) for C in bounds]
            best, C = max(runs, key=lambda run: run[0]["ari"])
            row = {"what": "graph", "dataset": dataset, "gamma": gamma, "C": C, "k": best["k"]}
            yield row | {"parameters": str(extra or ""), "ari": f"{best['ari']:.4f}"}


def main() -> None:
    rows: list[Row] = []
    for part in (boundaries, seeds, graphs):
        for row in part():
            rows.append(row | machine.describe())
            print(*row.values(), flush=True)
            table.write_csv(HERE / "asides.csv", rows)
    write_tables()


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    with threadpool_limits(1):
        main()
