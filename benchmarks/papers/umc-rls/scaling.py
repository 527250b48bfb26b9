"""Which scaling of the features the paper used: the tables do not say, the figures may.

``python benchmarks/papers/umc-rls/scaling.py`` writes ``scaling.csv`` and its table in the
README. USPS has a study of its own in ``usps.py``.
"""

import sys
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from methods import BASELINES, baseline
from sets import load_set
from shared import table
from sklearn.preprocessing import MinMaxScaler, StandardScaler, normalize
from usps import grid_best

SCALINGS = {
    "raw": lambda X: X,
    "standardised": lambda X: StandardScaler().fit_transform(X),
    "each feature to [0, 1]": lambda X: MinMaxScaler().fit_transform(X),
    "rows of unit length": normalize,
}
SEEDS = {"Letter": 5, "Moons": 5}  # several subsets or draws; the others are complete


def main() -> None:
    published = {
        (row["dataset"], row["method"]): row["value"]
        for row in table.read_csv(HERE / "published.csv")
        if row["table"] == "1"
    }
    rows = []
    for name in ("Coil 1-4", "Coil 5-8", "Iris", "Letter", "Moons"):
        paper = {method: published[name, method] for method in (*BASELINES, "UMC-RLS")}
        rows.append({"set": name, "scaling": "published", **paper})
        draws = [load_set(name, seed) for seed in range(SEEDS.get(name, 1))]
        for label, scale in SCALINGS.items():
            scaled = [(scale(X), y) for X, y in draws]
            row = {"set": name, "scaling": label}
            for method in BASELINES:
                row[method] = (
                    f"{np.mean([baseline(method, X, y, 3).mean() for X, y in scaled]):.2f}"
                )
            row["UMC-RLS"] = f"{np.mean([grid_best(X, y) for X, y in scaled]):.2f}"
            print(row, flush=True)
            rows.append(row)
            table.write_csv(HERE / "scaling.csv", rows)
    write_table()


def write_table() -> None:
    rows = table.read_csv(HERE / "scaling.csv")
    body = [list(row.values()) for row in rows]
    table.fill(HERE / "README.md", "scaling", table.markdown(list(rows[0]), body))


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
