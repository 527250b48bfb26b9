"""SupportVectorClustering side by side with DBSCAN, HDBSCAN and mean shift.

    python benchmarks/speed/support_vector/run.py [--quick]

One thread; CPU seconds of ``fit``, the fastest of three. Every set and method has a process of its
own, for the peak of its memory, one after the other. Writes ``results.csv`` (fits), ``seeds.csv``
(other landmarks), ``phase_one.csv`` (phase 1 alone) and the tables of ``README.md``; ``--quick``
runs the smallest set and writes nothing.
"""

import argparse
import json
import os
import subprocess
import sys
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

os.environ |= {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

import phase_one
from methods import DENSITY, LIMIT, METHODS, MOST_ROWS, SHIFT, VARIANTS, score
from report import VARIANT_SET, write_tables
from sets import PLANE_SIZES, SETS, plane
from shared.machine import describe
from shared.table import write_csv
from threadpoolctl import threadpool_limits

from maxmargin import SupportVectorClustering

#: For the search of eps, and three fits within the limit.
PATIENCE = 600
#: Landmarks are drawn where there are more rows; so many draws.
N_LANDMARKS, SEEDS = 2000, 10


def measure(data: str, method: str) -> dict[str, Any]:
    """One method on one set; without its seconds if it took too long."""
    row: dict[str, Any] = {"data": data, "n": int(data.split()[-1]), "method": method}
    patience = LIMIT if method in (DENSITY, SHIFT) else PATIENCE
    try:
        done = subprocess.run(
            [sys.executable, HERE / "methods.py", data, method],
            capture_output=True,
            text=True,
            check=False,
            timeout=patience,
        )
    except subprocess.TimeoutExpired:
        return row | {"parameters": f"more than {patience} s"} | describe()
    if done.returncode != 0:
        raise SystemExit(f"{method}, {data}: {done.stderr.strip().splitlines()[-1]}")
    found = json.loads(done.stdout)
    found |= {name: f"{found[name]:.4f}" for name in ("cpu_seconds", "ari")}
    return row | found | describe()


def by_seed() -> Iterator[dict[str, Any]]:
    """The defaults with other landmarks."""
    for n in PLANE_SIZES:
        X, y = SETS[plane(n)]()
        for seed in range(SEEDS if n > N_LANDMARKS else 1):
            model = SupportVectorClustering(random_state=seed).fit(X)
            ari = f"{score(X, y, model.labels_):.4f}"
            yield {"n": n, "seed": seed, "ari": ari, "k": model.n_clusters_}


def write_all(name: str, rows: Iterable[dict[str, Any]]) -> None:
    written: list[dict[str, Any]] = []
    for row in rows:
        values = {name: f"{v:.6g}" if isinstance(v, float) else v for name, v in row.items()}
        written.append(values | describe())
        print(*values.values(), flush=True)
        write_csv(HERE / name, written)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="one small set, nothing is written")
    quick = parser.parse_args().quick
    jobs = [
        (data, method)
        for data in (list(SETS)[:1] if quick else SETS)
        for method in METHODS
        if int(data.split()[-1]) <= MOST_ROWS.get(method, 10**9)
    ]
    jobs += [(VARIANT_SET, method) for method in VARIANTS if not quick]
    rows: list[dict[str, Any]] = []
    for data, method in jobs:
        rows.append(measure(data, method))
        print(*list(rows[-1].values())[:9], flush=True)
        if not quick:
            write_csv(HERE / "results.csv", rows)
    if quick:
        return
    write_all("seeds.csv", by_seed())
    write_all("phase_one.csv", phase_one.measure())
    write_tables()


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    with threadpool_limits(1):
        main()
