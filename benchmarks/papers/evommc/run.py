"""Tables 1 and 2 of EvoMMC: ``python benchmarks/papers/evommc/run.py [--quick]``.

Writes ``results.csv`` (one row for each data set and method), ``pairs.csv`` (one row for each
pair of digits) and the tables of the README. Rows that these files hold already are not run
again: delete the files to start anew. ``--quick`` runs two small sets and writes
``results-quick.csv`` only.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from methods import GRID, Cell, Outcome, cell_name, estimator, evommc, fastevommc, kmeans, tune
from report import average_pairs, write_tables
from sets import NAMED, PAIRS, balance, load_set
from shared import machine, table

METHODS = ("KM", "EvoMMC", "FastEvoMMC")
SCOUT, REPEATS = 5, 10
LARGE = {  # less where a run takes a second
    ("Letter A-B", "EvoMMC"): (1, 3),
    ("Satellite 1-2", "EvoMMC"): (1, 2),
    ("Letter A-B", "FastEvoMMC"): (2, 10),
    ("Satellite 1-2", "FastEvoMMC"): (2, 10),
}
MNIST_GRID = tuple(cell for cell in GRID if cell[0] == 2)
MNIST_ROWS = 1000  # of EvoMMC, as in the paper


def row_of(oracle: Outcome, blind: Outcome, cells: tuple[str, str]) -> dict[str, str]:
    errors, picked = oracle.oracle, blind.picked[0]
    return {
        "oracle_error": f"{errors.mean():.2f}",
        "oracle_std": f"{errors.std():.2f}",
        "oracle_cell": cells[0],
        "no_labels_error": f"{picked.mean():.2f}",
        "no_labels_std": f"{picked.std():.2f}",
        "no_labels_cell": cells[1],
        "repeats": len(errors),
    }


def compare(name: str, method: str, scout: int, repeats: int) -> tuple[dict, Cell | None]:
    """Return the row of a method on a data set, and its oracle cell."""
    mnist = name.startswith("MNIST")
    X, y = load_set(name, MNIST_ROWS if mnist and method == "EvoMMC" else None)
    l = balance(y)  # noqa: E741
    facts = {"n": len(y), "l/n": l}
    if method == "KM":
        outcome = kmeans(X, y, max(repeats, 1))
        return {**facts, **row_of(outcome, outcome, ("", ""))}, None
    share = 0.01 if mnist else 0.1
    run = evommc(X, y, l) if method == "EvoMMC" else fastevommc(X, y, l, share)
    grid = MNIST_GRID if mnist else GRID
    cell, oracle, blind_cell, blind = tune(run, scout, repeats, grid)
    return {**facts, **row_of(oracle, blind, (cell_name(cell), cell_name(blind_cell)))}, cell


def timing(name: str, method: str, cell: Cell, runs: int) -> dict[str, str]:
    """Return the CPU seconds and generations of a single fit, on average."""
    X, y = load_set(name)
    share = None if method == "EvoMMC" else 0.01 if name.startswith("MNIST") else 0.1
    seconds, generations = [], []
    for seed in range(runs):
        model = estimator(X, cell, balance(y), seed, share)
        began = time.process_time()
        model.fit(X)
        seconds.append(time.process_time() - began)
        generations.append(model.n_iter_)
    return {
        "fit_cpu_seconds": f"{np.mean(seconds):.3f}",
        "fit_generations": f"{np.mean(generations):.0f}",
        "fit_runs": runs,
    }


def read(path: Path) -> tuple[list[dict], set[tuple[str, str]]]:
    """Return the rows of a csv file, if there is one, and the data sets and methods in it."""
    rows = table.read_csv(path) if path.is_file() else []
    return rows, {(row["dataset"], row["method"]) for row in rows}


def named_sets(names: tuple[str, ...], output: Path) -> None:
    rows, done = read(output)
    for name in names:
        for method in METHODS:
            if (name, method) in done:
                continue
            scout, repeats = LARGE.get((name, method), (SCOUT, REPEATS))
            row, cell = compare(name, method, scout, repeats)
            times = timing(name, method, cell, 10) if cell else {}
            rows.append({"dataset": name, "method": method, **row, **times, **machine.describe()})
            print(rows[-1], flush=True)
            table.write_csv(output, rows)


def digit_pairs(family: str, method: str, pairs: list[str]) -> None:
    """Add the best of ten runs for each pair of digits to ``pairs.csv``."""
    path = HERE / "pairs.csv"
    rows, done = read(path)
    for pair in pairs:
        name = f"{family} {pair}"
        if (name, method) in done:
            continue
        row, _ = compare(name, method, 1, 0)
        rows.append({"dataset": name, "method": method, **row})
        print(rows[-1], flush=True)
        table.write_csv(path, rows)


def mnist_times(pairs: tuple[str, ...] = ("1-2", "1-7")) -> list[dict]:
    rows = []
    for pair in pairs:
        name = f"MNIST digits {pair}"
        times = timing(name, "FastEvoMMC", (2, 1), 3)
        rows.append({"dataset": name, "method": "FastEvoMMC", "oracle_cell": cell_name((2, 1))})
        rows[-1].update(times, **machine.describe())
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="two small sets only")
    parser.add_argument("--mnist-pairs", type=int, default=45, help="pairs of FastEvoMMC")
    options = parser.parse_args()
    if options.quick:
        output = HERE / "results-quick.csv"
        output.unlink(missing_ok=True)
        named_sets(("UCI digits 3-8", "Ionosphere"), output)
        return
    output = HERE / "results.csv"
    named_sets(NAMED, output)
    for method in METHODS:
        digit_pairs("UCI digits", method, PAIRS)
    digit_pairs("MNIST digits", "FastEvoMMC", PAIRS[: options.mnist_pairs])
    for method in ("EvoMMC", "KM"):
        digit_pairs("MNIST digits", method, PAIRS)
    rows = [row for row in table.read_csv(output) if row["dataset"] in NAMED]
    table.write_csv(output, rows + average_pairs() + mnist_times())
    write_tables()


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
