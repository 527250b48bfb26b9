"""Why Stoc-RLS and Steep-RLS differ from the paper: starts, order of rows, scaling.

``python benchmarks/papers/umc-rls/starts.py`` writes ``starts.csv`` and its table in the README.
"""

import sys
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from methods import SEARCHES, rls_cells
from sets import load_set
from shared import table
from sklearn.preprocessing import StandardScaler

METHODS = ("Stoc-RLS", "Steep-RLS")


def main() -> None:
    rows = []
    for name in ("Coil 1-4", "Coil 5-8", "Moons"):
        X, y = load_set(name)
        order = np.random.default_rng(0).permutation(len(y))
        variants = {
            "as in the table": (X, y, {}),
            "each label of the start drawn by itself": (X, y, {"independent": True}),
            "rows in random order": (X[order], y[order], {}),
            "standardised": (StandardScaler().fit_transform(X), y, {}),
        }
        for label, (A, b, options) in variants.items():
            row = {"set": name, "variant": label}
            for method in METHODS:
                cells = rls_cells(
                    A, b, SEARCHES[method], lambdas=2.0 ** np.arange(-9, 0, 2), **options
                )
                ari = max((cell[1] for cell in cells), key=np.mean)
                row[method] = f"{ari.mean():.2f} ± {ari.std():.2f}"
            print(row, flush=True)
            rows.append(row)
            table.write_csv(HERE / "starts.csv", rows)
    write_table()


def write_table() -> None:
    rows = table.read_csv(HERE / "starts.csv")
    body = [list(row.values()) for row in rows]
    table.fill(HERE / "README.md", "starts", table.markdown(list(rows[0]), body))


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
