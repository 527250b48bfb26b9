"""Tables 2, 3 and 4 of CPM3C: ``python benchmarks/papers/cpm3c/run.py [--quick]``.

Writes ``results.csv`` (one row for each data set and method), ``pairs.csv`` (one for each pair of
digits) and the tables of the README. Rows that these files hold already are not run again: delete
the files to start anew. ``--quick`` runs one small set and prints it.
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
from methods import GRID, KMEANS, LETTER, OURS, SMALL_GRID, STARTS, UNTUNED, seeds, tuned
from report import write_tables
from sets import FAMILIES, NAMED, PAIRS, classes
from shared import machine, table
from threadpoolctl import threadpool_limits

METHODS = (OURS, LETTER, UNTUNED, KMEANS)
SEEDS, MNIST_SEEDS = 5, 2
STARTS_OF_A_PAIR = 2
LARGE = ("WK-CL", "WK-TX", "WK-WT", "WK-WC", "20-news")  # tuned on the small grid, as is MNIST


def compare(dataset: str, method: str, X: Any, y: Any) -> dict[str, Any]:
    """The row of a method on a data set."""
    mnist = dataset.startswith("MNIST")
    if method == LETTER:
        grid = SMALL_GRID if mnist or dataset in LARGE else GRID
        found = tuned(X, y, grid, len(STARTS) if dataset in NAMED else STARTS_OF_A_PAIR)
    else:
        n_seeds = MNIST_SEEDS if mnist else SEEDS
        found = seeds(method, X, y, n_seeds) | {"seeds": n_seeds}
    facts = {"n": X.shape[0], "d": X.shape[1], "k": len(np.unique(y))}
    facts["largest_class"] = 100 * np.bincount(y).max() / len(y)
    row = {"dataset": dataset, "method": method, **facts, **found}
    return {name: f"{v:.5g}" if isinstance(v, float) else v for name, v in row.items()}


def add(path: Path, dataset: str, source: Any) -> None:
    """Add what the file does not hold yet, row by row."""
    rows: list[dict[str, Any]] = list(table.read_csv(path)) if path.is_file() else []
    done = {(row["dataset"], row["method"]) for row in rows}
    X = y = None
    for method in METHODS:
        if (dataset, method) in done:
            continue
        if X is None:
            X, y = source()
        rows.append({**compare(dataset, method, X, y), **machine.describe()})
        print(*list(rows[-1].values())[:12], flush=True)
        table.write_csv(path, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="one small set, nothing is written")
    if parser.parse_args().quick:
        for method in METHODS:
            print(compare("Dig 3-8", method, *NAMED["Dig 3-8"]()))
        return
    for dataset, source in NAMED.items():
        add(HERE / "results.csv", dataset, source)
    for family, source in FAMILIES.items():
        for a, b in PAIRS:
            name = f"{family.split()[0]} {a}-{b}"
            add(HERE / "pairs.csv", name, lambda source=source, a=a, b=b: classes(source, a, b))
    write_tables()


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    with threadpool_limits(1):
        main()
