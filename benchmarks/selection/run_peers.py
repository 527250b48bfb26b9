"""The ARI of other clusterings on every set.

    python benchmarks/selection/run_peers.py

One row for each set, method and kind of columns goes to ``peers.csv``; ``seconds`` is the processor
time of one fit. The means of the halves are printed.
"""

import os
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import numpy as np
from sklearn.metrics import adjusted_rand_score

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from peers import COLUMNS, PEERS, cluster
from sets import all_sets, unbalanced
from shared.table import markdown, number, write_csv

SEEDS = (0,)
Row = dict[str, Any]

#: The columns of the printed table.
PARTS: dict[str, Callable[[Row], bool]] = {
    "A": lambda row: row["half"] == "A",
    "B": lambda row: row["half"] == "B",
    "A unbalanced": lambda row: row["half"] == "A" and row["unbalanced"],
    "B unbalanced": lambda row: row["half"] == "B" and row["unbalanced"],
    "all": lambda row: True,
}


def results() -> Iterator[Row]:
    for name, data in all_sets().items():
        for method, columns in product(PEERS, COLUMNS):
            start = time.process_time()
            found = [cluster(method, data, seed, columns) for seed in SEEDS]
            seconds = (time.process_time() - start) / len(SEEDS)
            yield {
                "set": name,
                "half": data.half,
                "family": data.family,
                "k": data.k,
                "unbalanced": int(unbalanced(data)),
                "method": method,
                "columns": columns,
                "ari": round(np.mean([adjusted_rand_score(data.y, y) for y in found]), 4),
                "seconds": round(seconds, 4),
            }
        print(name, flush=True)


def means(rows: list[Row]) -> str:
    """Mean ARI of each method on each part of the sets."""
    table = []
    for method, columns in product(PEERS, COLUMNS):
        own = [row for row in rows if (row["method"], row["columns"]) == (method, columns)]
        chosen = [[row["ari"] for row in own if part(row)] for part in PARTS.values()]
        name = f"{method}, {columns}"
        table.append([name, *(number(np.mean(values), 3) for values in chosen)])
    counts = [sum(map(part, own)) for part in PARTS.values()]
    return markdown(["", *PARTS], [["sets", *counts], *table])


def main() -> None:
    warnings.simplefilter("ignore")
    rows = list(results())
    write_csv(HERE / "peers.csv", rows)
    print(means(rows))


if __name__ == "__main__":
    main()
