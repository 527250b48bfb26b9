"""CuttingPlaneClustering side by side with k-means: CPU seconds, ARI and memory.

    python benchmarks/speed/cutting_plane/run.py [--quick]

One thread; the methods take turns on the same data in the same process, with a new seed in each
round. Peaks of memory are measured in a process for each fit. Writes ``results.csv`` after every
round and the tables of ``README.md``; ``--quick`` makes one round on small sets and writes
nothing.
"""

import argparse
import json
import os
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

os.environ |= {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from methods import KMEANS, METHODS, MINI_BATCH, OURS, fit, warm_up
from report import write_tables
from sets import SETS
from shared.machine import describe
from shared.table import write_csv
from threadpoolctl import threadpool_limits

#: Rounds are made until all methods together took so many CPU seconds, three at most.
ENOUGH = 12.0
MAX_ROUNDS = 3
MEMORY_SETS = ("blobs 1000000, k = 2", "blobs 1000000, k = 4", "text-like", "MNIST")
#: The others are measured on one set: their memory is that of their copy of X.
PEERS = (KMEANS, MINI_BATCH)


def measure(name: str, max_rounds: int) -> list[dict[str, Any]]:
    """All methods in turn, round by round."""
    load, k = SETS[name]
    X, y = load()
    warm_up(X, k)
    rows: list[dict[str, Any]] = []
    for seed in range(max_rounds):
        for method in METHODS:
            rows.append({"data": name, "n": X.shape[0], "d": X.shape[1], "k": k})
            rows[-1] |= {"dtype": X.dtype.name, **fit(method, X, y, k, seed), **describe()}
            print(*list(rows[-1].values())[:10], flush=True)
        if sum(float(row["cpu_seconds"]) for row in rows) > ENOUGH:
            break
    return rows


def memory(name: str, method: str) -> int:
    """The peak of one fit beyond what the process had with its data, in bytes."""
    done = subprocess.run(
        [sys.executable, HERE / "methods.py", name, method],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise SystemExit(f"{method}, {name}: {done.stderr.strip().splitlines()[-1]}")
    return int(json.loads(done.stdout)["peak_bytes"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small sets, nothing is written")
    quick = parser.parse_args().quick
    rows: list[dict[str, Any]] = []
    for name in list(SETS)[:2] if quick else SETS:
        rows += measure(name, 1 if quick else MAX_ROUNDS)
        if not quick:
            write_csv(HERE / "results.csv", rows)
    if quick:
        return
    for name in MEMORY_SETS:
        for method in (OURS, *PEERS) if name == MEMORY_SETS[1] else (OURS,):
            peak = memory(name, method)
            print(name, method, f"{peak / 2**20:.0f} MB", flush=True)
            for row in rows:
                if (row["data"], row["method"]) == (name, method):
                    row["peak_bytes"] = peak
            write_csv(HERE / "results.csv", rows)
    write_tables()


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    with threadpool_limits(1):
        main()
