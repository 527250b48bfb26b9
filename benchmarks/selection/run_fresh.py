"""The front door and its peers on real sets that no constant was chosen on.

    python benchmarks/selection/run_fresh.py

Random groups of classes of the large real sets (digits, letter, mnist, usps, coil20, satellite),
random numbers of rows of each: none of these draws was looked at while anything was chosen. One
row for each draw and method goes to ``fresh.csv``.
"""

import os
import sys
import warnings
from collections.abc import Iterator
from itertools import product
from pathlib import Path

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import numpy as np
from sklearn.datasets import load_digits
from sklearn.metrics import adjusted_rand_score

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from peers import COLUMNS, PEERS, cluster
from sets import Set, unbalanced
from shared.data import load
from shared.table import write_csv

from maxmargin import MaxMarginClustering

DRAWS = 10  # of each source
SOURCES = ("digits", "letter", "mnist", "usps", "coil20", "satellite")
OURS = "MaxMarginClustering"


def draws() -> Iterator[tuple[str, Set]]:
    for number, source in enumerate(SOURCES):
        X, y = load_digits(return_X_y=True) if source == "digits" else load(source)
        for draw in range(DRAWS):
            rng = np.random.default_rng([2026, number, draw])
            k = int(rng.integers(2, min(7, len(np.unique(y)) + 1)))
            classes = rng.choice(np.unique(y), k, replace=False)
            sizes = rng.integers(20, 120, size=k)
            rows = np.concatenate(
                [
                    rng.permutation(np.flatnonzero(y == c))[:size]
                    for c, size in zip(classes, sizes, strict=True)
                ]
            )
            labels = np.unique(y[rows], return_inverse=True)[1]
            data = Set(X[rows].astype(np.float64), labels, k, source, "fresh", False)
            yield f"{source} {'-'.join(map(str, np.sort(classes)))}", data


def main() -> None:
    warnings.simplefilter("ignore")
    found = []
    for name, data in draws():
        model = MaxMarginClustering(data.k, random_state=0).fit(data.X)
        offered = [model.labels_, *(a.labels for a in model.alternatives_[:2])]
        ours = [adjusted_rand_score(data.y, labels) for labels in offered]
        scores = {(OURS, ""): ours[0], ("best of 3 offered", ""): max(ours)}
        for method, columns in product(PEERS, COLUMNS):
            labels = cluster(method, data, 0, columns)
            scores[method, columns] = adjusted_rand_score(data.y, labels)
        for (method, columns), ari in scores.items():
            found.append(
                {
                    "set": name,
                    "source": data.family,
                    "k": data.k,
                    "unbalanced": int(unbalanced(data)),
                    "method": method,
                    "columns": columns,
                    "ari": round(float(ari), 4),
                }
            )
        print(name, {m: round(ari, 2) for m, ari in scores.items()}, flush=True)
    write_csv(HERE / "fresh.csv", found)
    for key in dict.fromkeys((row["method"], row["columns"]) for row in found):
        own = [r["ari"] for r in found if (r["method"], r["columns"]) == key]
        print(f"{' '.join(key):36s} {np.mean(own):.3f}")


if __name__ == "__main__":
    main()
