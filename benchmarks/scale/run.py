"""Many rows: CPU seconds, ARI and memory beside k-means, and beside one pass over the kernel.

    python -m benchmarks.scale.run --kinds MNIST-like blobs shapes --rows 10000 100000 1000000
    python -m benchmarks.scale.run --kinds mnist --rows 10000 70000 --seeds 5
    python -m benchmarks.scale.report

Every fit is a process of its own, with one thread; only the fit is timed. What rows.csv has is not
measured again: delete a line to do so. HDBSCAN and what takes memory or time with the square of the
rows is left out where there are many.
"""

import argparse
import json
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import numpy as np
from scipy.sparse import issparse
from sklearn.cluster import HDBSCAN, KMeans, MiniBatchKMeans
from sklearn.metrics import adjusted_rand_score
from sklearn.utils import gen_batches

from benchmarks.scale.rows import KINDS, real
from benchmarks.shared.machine import one_line
from benchmarks.shared.memory import peak_memory, reset_peak
from benchmarks.shared.table import read_csv, write_csv
from maxmargin import CuttingPlaneClustering, MaxMarginClustering
from maxmargin.spaces.metric import gaussian, squared_distances

RESULTS = Path(__file__).with_name("rows.csv")
N_LANDMARKS, BLOCK = 1000, 1024
OURS = "MaxMarginClustering"
#: Methods that are left out with more rows: they would take hours.
MOST_ROWS = {"HDBSCAN": 30_000}


def kernel_block(X: Any) -> None:
    """The limit: form the kernel of all rows with the landmarks once, and use it for nothing."""
    for block in gen_batches(len(X), BLOCK):
        gaussian(squared_distances(X[block], X[:N_LANDMARKS], tol=1.0), 0.01)


def methods(k: int, seed: int) -> dict[str, Callable[[Any], Any]]:
    """Return what is compared: a function from rows to labels, or to None."""
    return {
        "KMeans(n_init=1)": KMeans(k, n_init=1, random_state=seed).fit_predict,
        "MiniBatchKMeans": MiniBatchKMeans(k, random_state=seed).fit_predict,
        "MiniBatchKMeans(batch_size=10240)": MiniBatchKMeans(
            k, batch_size=10_240, random_state=seed
        ).fit_predict,
        "HDBSCAN": HDBSCAN(copy=True).fit_predict,
        "one kernel block": kernel_block,
        "CuttingPlaneClustering": CuttingPlaneClustering(k, random_state=seed).fit_predict,
        OURS: MaxMarginClustering(k, random_state=seed).fit_predict,
    }


def measure(kind: str, n: int, method: str, seed: int) -> dict[str, Any]:
    """Fit in this process."""
    X, y = KINDS[kind](n) if n else real(kind)
    k = len(np.unique(y))
    run = methods(k, seed)[method]
    if method != "one kernel block":
        methods(2, 0)[method](X[:200])  # what is imported late
    reset_peak()
    before, start = peak_memory(), time.process_time()
    labels = run(X)
    seconds, after = time.process_time() - start, peak_memory()
    row: dict[str, Any] = {"set": kind, "n": X.shape[0], "d": X.shape[1], "k": k}
    row |= {"method": method, "seed": seed, "cpu_s": round(seconds, 2)}
    row["ari"] = "" if labels is None else round(adjusted_rand_score(y, labels), 3)
    row["mb"] = "" if before is None or after is None else round((after - before) / 1e6)
    return row | {"machine": one_line()}


def apart(*asked: Any) -> dict[str, Any] | None:
    """The same in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.scale.run", "--one", json.dumps(asked)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        print(*asked, "failed:", done.stderr.strip().splitlines()[-1:], flush=True)
        return None
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    """Measure what is asked for, and keep it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kinds", nargs="*", default=list(KINDS), help="or sets of the papers")
    parser.add_argument("--rows", type=int, nargs="*", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--methods", nargs="*", default=list(methods(2, 0)))
    parser.add_argument("--one", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    if asked.one:
        print(json.dumps(measure(*json.loads(asked.one))))
        return
    found: list[dict[str, Any]] = read_csv(RESULTS) if RESULTS.exists() else []
    known = {(row["set"], row["n"], row["method"], row["seed"]) for row in found}
    for kind in asked.kinds:
        for n in asked.rows if kind in KINDS else [0]:
            dense = not (kind in KINDS and issparse(KINDS[kind](100)[0]))
            for seed in range(asked.seeds):
                for method in asked.methods:
                    many = n > MOST_ROWS.get(method, np.inf)
                    if many or (not dense and method in ("HDBSCAN", "one kernel block")):
                        continue
                    if (kind, str(n), method, str(seed)) not in known:
                        row = apart(kind, n, method, seed)
                        if row is not None:
                            print(*list(row.values())[:-1], flush=True)
                            found.append(row)
                            write_csv(RESULTS, found)


if __name__ == "__main__":
    main()
