"""Why USPS differs from the paper: causes one by one, with the baselines as fingerprints.

``python benchmarks/papers/umc-rls/usps.py`` writes ``usps.csv`` and its table in the README.
The paper's SC, GMM and K-means on the same rows tell which rows it may have used.
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from methods import BASELINES, baseline, rls_cells
from sets import classes, sample
from shared import table
from shared.data import load
from sklearn.preprocessing import StandardScaler, normalize

from maxmargin.search import Shaking

TRAIN = 7291  # rows 0 … 7290 are USPS's training part
SEEDS = 5
PUBLISHED = {
    "USPS 1-4": {"SC": 0.66, "GMM": 0.48, "K-means": 0.61, "UMC-RLS": 0.85},
    "USPS 5-8": {"SC": 0.93, "GMM": 0.64, "K-means": 0.67, "UMC-RLS": 0.91},
}
Data = tuple[NDArray[np.float64], NDArray[np.int64]]


def random_rows(X: NDArray, y: NDArray) -> list[Data]:
    return [sample(X, y, seed) for seed in range(SEEDS)]


def equal_classes(X: NDArray, y: NDArray) -> list[Data]:
    """Draw 125 rows of each class."""
    draws = []
    for seed in range(SEEDS):
        rng = np.random.default_rng(seed)
        rows = [rng.permutation(np.flatnonzero(y == c))[:125] for c in np.unique(y)]
        draws.append((X[np.concatenate(rows)], y[np.concatenate(rows)]))
    return draws


def causes(name: str) -> Iterator[tuple[str, list[Data], dict]]:
    """Yield a cause, the data sets that show it, and parameters of the grid."""
    X, y = load("usps")
    first = int(name.split()[1][0])
    digits = range(first - 1, first + 3)  # the classes first … first + 3, counted from 1
    kept, c = classes(X, y, digits)
    scaled: dict[str, Callable[[NDArray], NDArray]] = {
        "pixels standardised": lambda A: StandardScaler().fit_transform(A),
        "rows of unit length": normalize,
        "pixels in [−1, 1], rows of unit length": lambda A: normalize(2 * A - 1),
    }
    yield f"digits {digits[0]}–{digits[-1]}, random rows", random_rows(kept, c), {}
    yield "the same, 125 of each class", equal_classes(kept, c), {}
    other = classes(X, y, range(first, first + 4))
    yield f"digits {first}–{first + 3}, random rows", random_rows(*other), {}
    yield "the same, 125 of each class", equal_classes(*other), {}
    train = classes(X[:TRAIN], y[:TRAIN], digits)
    test = classes(X[TRAIN:], y[TRAIN:], digits)
    head = f"digits {digits[0]}–{digits[-1]}, "
    yield head + "first 500 of the training part", [(train[0][:500], train[1][:500])], {}
    yield head + "first 500 of the test part", [(test[0][:500], test[1][:500])], {}
    yield head + "random rows of the test part", random_rows(*test), {}
    for label, scale in scaled.items():
        yield head + label, [(scale(A), b) for A, b in random_rows(kept, c)], {}
    yield head + "kernel exp(−d²/σ²)", random_rows(kept, c), {"factor": 1.0}
    yield head + "21 rounds", random_rows(kept, c), {"search": Shaking(rounds=21)}
    yield head + "polished", random_rows(kept, c), {"polish": True}


def grid_best(X: NDArray, y: NDArray, search: Shaking | None = None, **options: float) -> float:
    """Return UMC-RLS at its oracle cell, with every other λ and five runs in each cell."""
    lambdas = 2.0 ** np.arange(-9, 0, 2)
    cells = rls_cells(X, y, search or Shaking(), runs=5, lambdas=lambdas, **options)
    return max(ari.mean() for _, ari, _ in cells)


def main() -> None:
    rows = []
    for name, paper in PUBLISHED.items():
        rows.append(
            {"set": name, "cause": "published", **{m: f"{v:.2f}" for m, v in paper.items()}}
        )
        rows[-1]["UMC-RLS range"] = "–"
        for cause, draws, options in causes(name):
            row = {"set": name, "cause": cause}
            for method in BASELINES:
                row[method] = f"{np.mean([baseline(method, X, y, 2).mean() for X, y in draws]):.2f}"
            best = np.array([grid_best(X, y, **options) for X, y in draws])
            row["UMC-RLS"] = f"{best.mean():.2f}"
            row["UMC-RLS range"] = f"{best.min():.2f} … {best.max():.2f}" if len(best) > 1 else "–"
            print(row, flush=True)
            rows.append(row)
            table.write_csv(HERE / "usps.csv", rows)
    write_table()


def write_table() -> None:
    rows = table.read_csv(HERE / "usps.csv")
    body = [list(row.values()) for row in rows]
    table.fill(HERE / "README.md", "usps", table.markdown(list(rows[0]), body))


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
