"""The methods, and the memory of one fit in a process of its own.

Called by ``run.py`` as ``python methods.py SET METHOD``; prints one line of JSON.
"""

import json
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from sets import SETS
from shared.memory import peak_memory, reset_peak
from sklearn.cluster import KMeans, MiniBatchKMeans
from sklearn.metrics import adjusted_rand_score

from maxmargin import CuttingPlaneClustering

OURS, ONE_START = "CuttingPlaneClustering", "CuttingPlaneClustering(n_init=1)"
KMEANS, MINI_BATCH = "KMeans(n_init=10)", "MiniBatchKMeans(n_init=3)"

#: A model for a number of clusters and a seed; what is not the default is in the name.
METHODS: dict[str, Callable[[int, int], Any]] = {
    OURS: lambda k, seed: CuttingPlaneClustering(k, random_state=seed),
    ONE_START: lambda k, seed: CuttingPlaneClustering(k, n_init=1, random_state=seed),
    KMEANS: lambda k, seed: KMeans(k, n_init=10, random_state=seed),
    MINI_BATCH: lambda k, seed: MiniBatchKMeans(k, n_init=3, random_state=seed),
}


def fit(name: str, X: Any, y: Any, k: int, seed: int) -> dict[str, Any]:
    """CPU seconds of ``fit`` alone, and what came of it."""
    model = METHODS[name](k, seed)
    began = time.process_time()
    model.fit(X)
    seconds = time.process_time() - began
    return {
        "method": name,
        "seed": seed,
        "cpu_seconds": f"{seconds:.4f}",
        "ari": f"{adjusted_rand_score(y, model.labels_):.4f}",
        "cuts": getattr(model, "n_cuts_", ""),
        "passes": model.n_iter_ if hasattr(model, "n_cuts_") else "",
    }


def warm_up(X: Any, k: int) -> None:
    """The first call loads libraries: not what is measured."""
    for model in METHODS.values():
        model(k, 0).fit(X[:500])


def main() -> None:
    data, method = sys.argv[1:]
    load, k = SETS[data]
    X, _ = load()
    warm_up(X, k)
    reset_peak()
    before = peak_memory()
    METHODS[method](k, 0).fit(X)
    after = peak_memory()
    if before is None or after is None:
        raise SystemExit("this system does not tell the peak memory of a process")
    print(json.dumps({"peak_bytes": after - before}))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
