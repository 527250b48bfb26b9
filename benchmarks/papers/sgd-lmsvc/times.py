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

from maxmargin.domain.domain import Domain
from maxmargin.domain.domain_graph import NearestRow
from maxmargin.domain.equilibria import find_equilibria
from maxmargin.solvers import SGD, SMO, LibSVM, OneClassProblem, OneClassSolution, OneClassSolver
from maxmargin.spaces.pairwise import PairwiseDistances

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


def measure(X: NDArray, solver: str) -> dict[str, Any]:
    """Means over the grid; rounds and objective of SGD for three values of C."""
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
    row: dict[str, Any] = {"phase_1": np.mean(seconds, axis=0)[0]}
    row |= {"phase_2": np.mean(seconds, axis=0)[1], "longest": np.sum(seconds, axis=1).max()}
    if isinstance(SOLVERS[solver], SGD):
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
