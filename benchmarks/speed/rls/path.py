"""Many alphas by one eigendecomposition (``rls_path``) against a fit for each.

    python benchmarks/speed/rls/path.py

CPU seconds of both in the same run, and how many of the models have the same labels.
"""

import os
import time
from collections.abc import Callable
from typing import Any

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import make_blobs

from maxmargin import RLSClustering, rls_path

ROWS = (500, 1000, 2000)
ALPHAS = (4, 8, 16, 32)


def timed(run: Callable[[], Any]) -> tuple[Any, float]:
    began = time.process_time()
    found = run()
    return found, time.process_time() - began


def row(X: NDArray[np.float64], count: int) -> str:
    alphas, how = np.logspace(-6, -1, count), {"n_clusters": 4, "random_state": 0}
    refits, slow = timed(lambda: [RLSClustering(alpha=a, **how).fit(X) for a in alphas])
    path, quick = timed(lambda: rls_path(X, alphas=alphas, **how))
    same = sum(np.array_equal(a.labels_, b.labels_) for a, b in zip(refits, path, strict=True))
    figures = f"{slow:.2f} | {quick:.2f} | {slow / quick:.2f} | {same}/{count}"
    return f"| {len(X)} | {count} | {figures} |"


def main() -> None:
    print("| rows | alphas | refits, s | path, s | refits / path | same labels |")
    print("| --- | --- | --- | --- | --- | --- |")
    for n in ROWS:
        X, _ = make_blobs(n, 8, centers=4, cluster_std=3.0, random_state=0)
        for count in ALPHAS:
            print(row(X, count), flush=True)


if __name__ == "__main__":
    main()
