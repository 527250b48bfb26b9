"""How much the choice of 500 rows of USPS 5-8 matters: many subsets, three methods.

``python benchmarks/papers/umc-rls/subsets.py`` writes ``subsets.csv`` and its table in the
README. The published SC .93, GMM .64 and K-means .67 are what the paper's own subset gave.
"""

import sys
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from methods import baseline
from sets import classes, sample
from shared import table
from shared.data import load
from usps import grid_best

DRAWS = 12
COLUMNS = ("SC", "K-means", "UMC-RLS")


def main() -> None:
    X, y = classes(*load("usps"), range(4, 8))
    rows = []
    for seed in range(100, 100 + DRAWS):
        rng = np.random.default_rng(seed)
        equal = [rng.permutation(np.flatnonzero(y == c))[:125] for c in np.unique(y)]
        draws = {
            "random rows": sample(X, y, seed),
            "125 of each class": (X[np.concatenate(equal)], y[np.concatenate(equal)]),
        }
        for kind, (A, b) in draws.items():
            row = {"subset": kind, "seed": seed}
            row |= {method: f"{baseline(method, A, b, 1).mean():.3f}" for method in COLUMNS[:2]}
            row["UMC-RLS"] = f"{grid_best(A, b):.3f}"
            print(row, flush=True)
            rows.append(row)
            table.write_csv(HERE / "subsets.csv", rows)
    write_table()


def write_table() -> None:
    rows = table.read_csv(HERE / "subsets.csv")
    body = []
    for kind in ("random rows", "125 of each class"):
        chosen = [row for row in rows if row["subset"] == kind]
        values = {c: np.array([float(row[c]) for row in chosen]) for c in COLUMNS}
        body.append(
            [kind, len(chosen)]
            + [f"{v.mean():.2f} ({v.min():.2f} … {v.max():.2f})" for v in values.values()]
            + [int(np.sum(values["UMC-RLS"] >= 0.89))]
        )
    header = ["subset", "draws", *COLUMNS, "draws with UMC-RLS ≥ .89"]
    table.fill(HERE / "README.md", "subsets", table.markdown(header, body))


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
