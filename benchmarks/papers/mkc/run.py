"""Tables 1 to 3 of MKC: ``python benchmarks/papers/mkc/run.py [--quick]``.

Writes ``results.csv`` (one row for each data set and method) and the tables of the README. Rows
that the file holds already are not run again: delete it to start anew. ``--quick`` runs one small
set and prints it.
"""

import argparse
import os
import sys
import warnings
from pathlib import Path
from typing import Any

os.environ |= {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

import numpy as np
from methods import (
    GRID,
    KMEANS,
    LEAST_GRID,
    LETTER,
    LOWEST,
    OURS,
    SINGLE,
    SMALL_GRID,
    SPECTRAL,
    SUBSET,
    UNIFORM,
    seeds,
    tuned,
)
from report import write_tables
from sets import SETS, SUBSETS, some
from shared import machine, table
from threadpoolctl import threadpool_limits

METHODS = (OURS, LOWEST, UNIFORM, *SINGLE, KMEANS, SPECTRAL, SUBSET, LETTER)
SEEDS = 5
SPECTRAL_ROWS = 4000
#: Where one run to the letter takes seconds: fewer cells, and two starts.
FEWER_CELLS = {"svmguide1-a": LEAST_GRID, "letterABCD": SMALL_GRID, "mnist01234": LEAST_GRID}
LETTER_ROWS = 5000


def has(dataset: str, method: str, n: int) -> bool:
    """Whether a method is run on a data set."""
    if method == SUBSET:
        return dataset in SUBSETS
    return method != SPECTRAL or n <= SPECTRAL_ROWS


def compare(dataset: str, method: str, X: Any, y: Any) -> dict[str, Any]:
    """The row of a method on a data set."""
    if method == LETTER:
        X, y = some(X, y, LETTER_ROWS)
        cells = FEWER_CELLS.get(dataset)
        found = tuned(X, y, GRID) if cells is None else tuned(X, y, cells, 2)
    else:
        found = seeds(method, X, y, SEEDS, SUBSETS.get(dataset, 0))
    facts = {"n": X.shape[0], "d": X.shape[1], "k": len(np.unique(y))}
    facts["largest_class"] = 100 * np.bincount(y).max() / len(y)
    row = {"dataset": dataset, "method": method, **facts, **found}
    return {name: f"{v:.5g}" if isinstance(v, float) else v for name, v in row.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="one small set, nothing is written")
    if parser.parse_args().quick:
        X, y = SETS["digits2v7"]()
        for method in METHODS:
            if has("digits2v7", method, len(y)):
                print(compare("digits2v7", method, X, y))
        return
    path = HERE / "results.csv"
    rows: list[dict[str, Any]] = list(table.read_csv(path)) if path.is_file() else []
    done = {(row["dataset"], row["method"]) for row in rows}
    for method in METHODS:
        for dataset, source in SETS.items():
            if (dataset, method) in done or not has(dataset, method, len(source()[1])):
                continue
            rows.append({**compare(dataset, method, *source()), **machine.describe()})
            print(*list(rows[-1].values())[:10], flush=True)
            table.write_csv(path, rows)
    write_tables()


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    with threadpool_limits(1):
        main()
