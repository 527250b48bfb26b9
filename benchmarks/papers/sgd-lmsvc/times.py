"""Time by phases, and how far SGD comes: ``python benchmarks/papers/sgd-lmsvc/times.py``.

Writes ``times.csv``: one row for each data set and solver, means over the paper's grid. Phase 1
finds the domain, phase 2 the clusters by Algorithm 2. Rows that the file holds are not run again.
"""

import os
import sys
import time
import warnings
from itertools import product
from pathlib import Path
from typing import Any

os.environ |= {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

import numpy as np
from methods import POWERS
from numpy.typing import NDArray
from report import write_tables
from sets import SETS
from shared import machine, table
from sklearn.preprocessing import scale
from threadpoolctl import threadpool_limits

from maxmargin.assignment.equilibria import find_equilibria
from maxmargin.assignment.nearest import NearestRow
from maxmargin.estimators.phase_one import PhaseOne
from maxmargin.objectives.domain import Domain
from maxmargin.solvers.one_class import OneClass
from maxmargin.spaces.pairs import Pairs

#: Solver, min_epochs and average.
SOLVERS: dict[str, tuple[str, float, bool]] = {
    "exact": ("exact", 0.0, False),
    "libsvm": ("libsvm", 0.0, False),
    "letter": ("sgd", 0.0, False),
    "usable": ("sgd", 10.0, True),
}
TOL, MAX_ITER, THETA = 1e-4, 10_000_000, 0.01
LARGEST_NU = 0.999  # LIBSVM finds no boundary at 1


def objective(found: OneClass, C: float) -> float:
    """Equation 1, with C in the place of C/N."""
    outside = np.maximum(1 - found.heights, 0).sum()
    return 0.5 * float(found.alpha @ found.heights) + C * float(outside)


def second_phase(X: NDArray, found: OneClass, gamma: float) -> float:
    """The seconds of Algorithm 2."""
    began = time.process_time()
    inside = np.flatnonzero(found.alpha)
    domain = Domain(X[inside], found.alpha[inside], gamma)
    ends = find_equilibria(domain, X, found.heights)
    NearestRow(X[ends.starts], ends.clusters[ends.ends]).labels_of(X)
    return time.process_time() - began


def measure(X: NDArray, solver: str) -> dict[str, Any]:
    """Means over the grid; rounds and objective of SGD for three values of C."""
    pairs, n = Pairs(X), len(X)
    name, min_epochs, average = SOLVERS[solver]
    seconds, epochs, ratios = [], {}, {}
    for C in POWERS:
        epochs[C], ratios[C] = [], []
        for gamma in POWERS:
            exact = PhaseOne(pairs, None, C, "exact", TOL, MAX_ITER, THETA, 0, False, 0)
            optimum = exact(gamma)
            bounds = (min(optimum.nu, LARGEST_NU), None) if solver == "libsvm" else (None, C)
            phase = PhaseOne(
                *(pairs, *bounds, name, TOL, MAX_ITER, THETA, min_epochs, average, 0),
            )
            began = time.process_time()
            found = phase(gamma)
            first = time.process_time() - began
            seconds.append((first, second_phase(X, found, gamma)))
            epochs[C].append(found.n_iter / n)
            ratios[C].append(objective(found, C) / objective(optimum, C))
    row: dict[str, Any] = {"phase_1": np.mean(seconds, axis=0)[0]}
    row |= {"phase_2": np.mean(seconds, axis=0)[1], "longest": np.sum(seconds, axis=1).max()}
    if name == "sgd":
        for C in (POWERS[0], 2.0, POWERS[-1]):
            row[f"epochs_{C:g}"] = float(np.median(epochs[C]))
            row[f"ratio_{C:g}"] = float(np.median(ratios[C]))
        row["epochs"] = float(np.median(list(epochs.values())))
    return row


def main() -> None:
    path = HERE / "times.csv"
    rows: list[dict[str, Any]] = list(table.read_csv(path)) if path.is_file() else []
    done = {(row["dataset"], row["solver"]) for row in rows}
    for (dataset, source), solver in product(SETS.items(), SOLVERS):
        if (dataset, solver) in done:
            continue
        found = measure(scale(source()[0]), solver)
        row = {name: f"{float(value):.4g}" for name, value in found.items()}
        rows.append({"dataset": dataset, "solver": solver, **row, **machine.describe()})
        print(*list(rows[-1].values())[:5], flush=True)
        table.write_csv(path, rows)
    write_tables()


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    with threadpool_limits(1):
        main()
