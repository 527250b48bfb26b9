"""Figures 1 to 3 of MKC: CPU time against single kernels, n, the number of kernels and ε.

``python benchmarks/papers/mkc/figures.py`` writes ``figures.csv`` and three PNG files; rows that
``figures.csv`` holds are not run again, and ``--draw`` runs nothing.
"""

import os
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ |= {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

import numpy as np
from draw import TITLES, draw
from methods import SINGLE, THREE, TO_THE_LETTER, fitted
from report import write_tables
from sets import SETS, some
from shared import machine, table
from shared.data import load
from threadpoolctl import threadpool_limits

from maxmargin import CuttingPlaneClustering, MultipleKernelClustering
from maxmargin.spaces.several import gaussians

PATH = HERE / "figures.csv"
SEEDS = 1
#: The paper to the letter, from one k-means++ start.
LETTER = {**TO_THE_LETTER, "init": "k-means++"}
ONE_LETTER = {**LETTER, "optimizer": "cpm3c"}
ONE_LETTER = {name: v for name, v in ONE_LETTER.items() if name not in ("kernels", "norm")}

FIGURE_1_ROWS = 3096  # of mnist01234
SIZE_SETS = {
    "ringnorm": lambda: load("ringnorm"),
    "letterABCD": SETS["letterABCD"],
    "mnist01234": SETS["mnist01234"],
}
LETTER_ROWS = 10000
SMALLEST = 200
OTHER_SETS = ("ringnorm", "letterAvB", "digits0689")
NUMBERS = (1, 2, 3, 4, 6, 8, 10)
TOLERANCES = (0.3, 0.1, 0.03, 0.01, 0.003)

Task = tuple[dict[str, Any], list[dict[str, Any]], Any, Any]


def several(model: str, kernels: Any, **changes: Any) -> dict[str, Any]:
    """The parameters of MultipleKernelClustering."""
    return {**(LETTER if model == "letter" else {}), "kernels": kernels, **changes}


def singles(model: str) -> list[dict[str, Any]]:
    """Those of CuttingPlaneClustering with each of the paper's kernels."""
    fixed = ONE_LETTER if model == "letter" else {}
    return [{**fixed, **kernel} for kernel in SINGLE.values()]


def widths(X: Any, number: int) -> list[Any]:
    """Gaussian kernels, from a quarter of the median rule's gamma to 16 times it."""
    median = gaussians(X, "median", np.random.default_rng(0))[0].gamma
    factors = np.geomspace(0.25, 16, 10)[:number] if number > 1 else [1.0]
    return [("rbf", {"gamma": float(factor * median)}) for factor in factors]


def tasks(model: str) -> Iterator[Task]:
    """What is measured: the row's name, the parameters of one or more fits, the data."""
    for dataset, source in SETS.items():
        X, y = some(*source(), FIGURE_1_ROWS)
        yield {"figure": "1", "dataset": dataset, "what": "MKC"}, [several(model, THREE)], X, y
        yield {"figure": "1", "dataset": dataset, "what": "singles"}, singles(model), X, y
    for dataset, source in SIZE_SETS.items():
        X, y = source()
        n = len(y)
        while n >= SMALLEST:
            if model == "defaults" or n <= LETTER_ROWS:
                kernels = THREE if model == "letter" else None
                name = {"figure": "2", "dataset": dataset, "what": "n", "x": n}
                yield name, [several(model, kernels)], *some(X, y, n)
            n //= 2
    for dataset in OTHER_SETS:
        X, y = SETS[dataset]()
        for number in NUMBERS:
            name = {"figure": "3", "dataset": dataset, "what": "kernels", "x": number}
            yield name, [several(model, widths(X, number))], X, y
        for tol in TOLERANCES:
            name = {"figure": "3", "dataset": dataset, "what": "tol", "x": tol}
            kernels = THREE if model == "letter" else None
            yield name, [several(model, kernels, tol=tol)], X, y


def run(parameters: list[dict[str, Any]], X: Any, y: Any, seed: int) -> dict[str, float]:
    """The time, accuracy and CCCP steps per cut of one fit, or the sum of the times of several."""
    k, seconds = len(np.unique(y)), 0.0
    for one in parameters:
        kind = MultipleKernelClustering if "kernels" in one else CuttingPlaneClustering
        model = kind(k, random_state=seed, **one)
        found = fitted(model, X, y)
        seconds += found["cpu_seconds"]
    row = {"cpu_seconds": seconds}
    if len(parameters) == 1:
        row["majority"] = found["majority"]
        if one.get("optimizer") == "mkc":  # else alternation counts, too
            row["steps_per_cut"] = model.n_iter_ / model.n_cuts_
    return row


def measure() -> None:
    rows: list[dict[str, Any]] = list(table.read_csv(PATH)) if PATH.is_file() else []
    names = ("model", "figure", "dataset", "what", "x")
    done = {tuple(row[name] for name in names) for row in rows}
    for model in TITLES:
        for name, parameters, X, y in tasks(model):
            row: dict[str, Any] = {"x": "", "model": model, **name}
            row = {key: str(row[key]) for key in names} | {"n": len(y), "seeds": SEEDS}
            if tuple(row[key] for key in names) in done:
                continue
            found = [run(parameters, X, y, seed) for seed in range(SEEDS)]
            for key in found[0]:
                row[key] = f"{np.mean([one[key] for one in found]):.5g}"
            print(*row.values(), flush=True)
            rows.append({**row, **machine.describe()})
            table.write_csv(PATH, rows)


def main() -> None:
    if "--draw" not in sys.argv:
        measure()
    draw(table.read_csv(PATH), HERE)
    write_tables()


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    with threadpool_limits(1):
        main()
