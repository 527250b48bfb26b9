"""Run the front door over the battery, by the battery's own protocol.

    export MAXMARGIN_BATTERY=…                     # the folder of clustering-data-v1
    python -m benchmarks.battery.run --out now.csv --labels labels
    python -m benchmarks.battery.run --only wut sipu/unbalance --rows 1500 --columns raw

Writes one row for each set: the ARI of the answer, and of the best of the answer and its first two
alternatives. With ``--labels`` every fit is kept in that folder and not run again.
"""

import argparse
import os
import time
import warnings
from pathlib import Path
from typing import Any

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import numpy as np

from benchmarks.battery.suite import FAMILIES, MOST_ROWS, BatterySet, battery, score
from benchmarks.shared import ablation
from benchmarks.shared.front_door import offered
from benchmarks.shared.store import Store
from benchmarks.shared.table import markdown, number, write_csv

#: What the user says about the scales of the columns; nothing by default.
COLUMNS = {"default": {}, "standardised": {"standardize": True}, "raw": {"standardize": False}}

Row = dict[str, Any]


def run_name(columns: str, seed: int, rows: int | None = None, digits: int | None = None) -> str:
    """The name of the labels in their folder."""
    some = f"-{rows}-rows" if rows else ""
    return f"ours-{columns}-{seed}{some}" + ("" if digits is None else f"-{digits}-digits")


def measure(data: BatterySet, options: argparse.Namespace, store: Store | None) -> Row:
    """Fit a set with every k that its references ask for, and score it."""
    columns, seed = options.columns, options.seed
    method = run_name(columns, seed, options.rows, options.digits)
    found, began = {}, time.process_time()
    for k in data.numbers:
        kept = store.read(method, data.key, k) if store else None
        found[k] = kept or offered(data.X, k, random_state=seed, **COLUMNS[columns])
        if store and kept is None:
            store.write(method, data.key, k, found[k])
    seconds = time.process_time() - began
    scores = [score(data, lambda k, i=i: found[k][min(i, len(found[k]) - 1)]) for i in range(3)]
    return {
        "family": data.family,
        "set": data.name,
        "rows": len(data.X),
        "k": " ".join(map(str, data.numbers)),
        "ari": round(scores[0], 4),
        "best of 3": round(max(scores), 4),
        "seconds": round(seconds, 2),
    }


def means(rows: list[Row]) -> str:
    """The mean of each family and of all."""
    lines = []
    for family in (*FAMILIES, "all"):
        own = [row for row in rows if family in (row["family"], "all")]
        if own:
            columns = ([float(row[name]) for row in own] for name in ("ari", "best of 3"))
            lines.append([family, len(own), *(number(np.mean(c), 3) for c in columns)])
    return markdown(["family", "sets", "answer", "best of 3"], lines)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", default=(), help="sets, families or family/set")
    parser.add_argument("--rows", type=int, help="see only so many random rows of a set")
    parser.add_argument("--most-rows", type=int, default=MOST_ROWS, help="leave out larger sets")
    parser.add_argument("--digits", type=int, help="round columns to 10**-digits of their range")
    parser.add_argument("--columns", choices=list(COLUMNS), default="default")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, help="the csv of the scores")
    parser.add_argument("--labels", type=Path, help="the folder of the labels")
    ablation.add_arguments(parser)
    return parser.parse_args()


def main() -> None:
    options = arguments()
    ablation.apply(options)
    warnings.simplefilter("ignore")
    store = Store(options.labels) if options.labels else None
    rows = []
    for data in battery(options.only, options.most_rows, options.rows, options.seed):
        data = data if options.digits is None else data.rounded(options.digits)
        rows.append(measure(data, options, store))
        print(*rows[-1].values(), flush=True)
        if options.out:
            write_csv(options.out, rows)
    print(means(rows))


if __name__ == "__main__":
    main()
