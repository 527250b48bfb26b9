"""The number of clusters of mixed tables: generated ones, of which it is known.

    python benchmarks/selection/run_number_tables.py [first] [last]

Prints, for each family of ``benchmarks/tables/generators.py``, the mean ARI with the number chosen
and with it given, and how often it is exact. The seeds 600 to 602 were not chosen on.
"""

import os
import sys
import warnings
from collections import defaultdict
from pathlib import Path

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import numpy as np
from sklearn.metrics import adjusted_rand_score

sys.path[:0] = [str(Path(__file__).parents[1])]

from shared.table import markdown, number
from tables.generators import tables

from maxmargin import MaxMarginClustering

FIRST, LAST = 600, 603


def main() -> None:
    warnings.simplefilter("ignore")
    first, last = map(int, sys.argv[1:3]) if len(sys.argv) > 2 else (FIRST, LAST)
    found: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    for family, X, y, k in tables(first, last):
        chosen = MaxMarginClustering(random_state=0).fit(X)
        given = MaxMarginClustering(k, random_state=0).fit_predict(X)
        ari = adjusted_rand_score(y, chosen.labels_), adjusted_rand_score(y, given)
        found[family].append((*ari, chosen.n_clusters_ == k, chosen.k_confidence_))
    found["all"] = [line for lines in list(found.values()) for line in lines]
    lines = [
        [family, len(rows), *(number(mean) for mean in np.mean(rows, axis=0))]
        for family, rows in found.items()
    ]
    header = ["tables", "n", "ARI", "with k given", "exact", "k_confidence_"]
    print(markdown(header, lines))


if __name__ == "__main__":
    main()
