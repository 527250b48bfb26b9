"""Table 1 of SGD-LMSVC: ``python benchmarks/papers/sgd-lmsvc/run.py [--quick]``.

Writes ``results.csv`` (one row for each data set and method) and the tables of the README. Rows
that the file holds already are not run again: delete it to start anew. ``--quick`` runs one small
set and prints it.
"""

import argparse
import os
import sys
from pathlib import Path
from typing import Any

os.environ |= {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

import numpy as np
from methods import (
    DEFAULT,
    DENSITY,
    GRIDS,
    PAPER,
    Density,
    best_cell,
    cells,
    fitted,
    mean_and_sd,
    nearest,
    summary,
)
from report import METRICS, published, write_tables
from sets import SETS
from shared import machine, table
from sklearn.preprocessing import scale
from threadpoolctl import threadpool_limits

from maxmargin import SupportVectorClustering

METHODS = (*GRIDS, DEFAULT, DENSITY)
SEEDS = 10


def without_grid(method: str, X: Any, y: Any) -> dict[str, Any]:
    """A method that needs no labels: one fit for each seed."""
    models = [Density()]
    if method == DEFAULT:
        models = [SupportVectorClustering(random_state=seed) for seed in range(SEEDS)]
    runs = [{"cell": "", "weight": 1, **fitted(model, X, y)} for model in models]
    return mean_and_sd([summary([run]) for run in runs]) | {"seeds": len(models)}


def over_grid(dataset: str, method: str, X: Any, y: Any) -> dict[str, Any]:
    """The best of the grid, for each seed; and the cell that is nearest to the published row."""
    parameters = GRIDS[method]
    n_seeds = 1 if parameters["solver"] == "exact" else SEEDS
    grids = [cells(parameters, seed, X, y) for seed in range(n_seeds)]
    found = mean_and_sd([summary(rows) for rows in grids]) | {"seeds": n_seeds}
    found["cell"] = best_cell(grids[0])["cell"]
    if method in PAPER:
        target = {name: published()[dataset, PAPER[method], name] for name in METRICS}
        miss, one = nearest([row for rows in grids for row in rows], target)
        found["near_miss"] = miss
        found |= {f"near_{name}": one[name] for name in (*METRICS, "k", "cell")}
    return found


def compare(dataset: str, method: str, X: Any, y: Any) -> dict[str, Any]:
    """The row of a method on a data set."""
    X = scale(X)
    sizes = np.bincount(y)
    facts = {"n": X.shape[0], "d": X.shape[1], "classes": int((sizes > 0).sum())}
    facts["largest_class"] = float(sizes.max() / len(y))
    found = over_grid(dataset, method, X, y) if method in GRIDS else without_grid(method, X, y)
    row = {"dataset": dataset, "method": method, **facts, **found}
    return {name: f"{v:.5g}" if isinstance(v, float) else v for name, v in row.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="one small set, nothing is written")
    if parser.parse_args().quick:
        for method in METHODS:
            print(compare("Iris", method, *SETS["Iris"]()))
        return
    path = HERE / "results.csv"
    rows: list[dict[str, Any]] = list(table.read_csv(path)) if path.is_file() else []
    done = {(row["dataset"], row["method"]) for row in rows}
    for dataset, source in SETS.items():
        for method in METHODS:
            if (dataset, method) in done:
                continue
            rows.append({**compare(dataset, method, *source()), **machine.describe()})
            print(*list(rows[-1].values())[:12], flush=True)
            table.write_csv(path, rows)
    write_tables()


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
