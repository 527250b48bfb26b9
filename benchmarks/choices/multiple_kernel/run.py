"""Does it pay to combine several sources, and why the defaults of MultipleKernelClustering.

    python benchmarks/choices/multiple_kernel/run.py [sources] [choices]

``sources``: every source alone, all with equal weights, and with learned ones. ``choices``: other
norms and starts, and the paper to the letter. Every fit is a row of ``results.csv``; fits that are
there already are not made again. The tables go to ``README.md``.
"""

import os
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.cluster import contingency_matrix

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

from report import (
    ALONE,
    CHOICE_SEEDS,
    CHOICE_SETS,
    CHOICES,
    DEFAULT,
    MAIN_SETS,
    PAPER,
    UNIFORM,
    write_tables,
)
from sets import SETS, Sources
from shared.machine import describe
from shared.table import read_csv, write_csv

from maxmargin import MultipleKernelClustering

RESULTS = HERE / "results.csv"
#: More than 15 seconds for a fit: three seeds, the others five.
SLOW = ("USPS, 2000 rows", "satellite, 2000 rows", "20-news rec")
Job = tuple[str, int, str, dict[str, Any]]


def jobs(part: str) -> Iterator[Job]:
    """Set, seed, method and its settings; ``sources`` names the sources to use, if not all."""
    if part == "sources":
        for name in MAIN_SETS:
            for seed in range(3 if name in SLOW else 5):
                for source in SETS[name](seed).tables:
                    yield name, seed, ALONE + source, {"sources": [source]}
                yield name, seed, UNIFORM, {"kernel_weights": "uniform"}
                yield name, seed, DEFAULT, {}
    elif part == "choices":
        for name in CHOICE_SETS:
            for seed in range(CHOICE_SEEDS):
                yield name, seed, DEFAULT, {}
                for method, settings in CHOICES.items():
                    yield name, seed, method, settings
        for name in CHOICE_SETS:
            for seed in range(CHOICE_SEEDS):
                yield name, seed, PAPER, {"optimizer": "mkc", "norm": 2}
    else:
        raise SystemExit(f"sources or choices, not {part}.")


def one_to_one(y: NDArray, labels: NDArray) -> float:
    """The share of rows in the class that their cluster is matched with."""
    table = contingency_matrix(y, labels)
    return table[linear_sum_assignment(table, maximize=True)].sum() / len(y)


def fit(
    data: Sources, seed: int, sources: list[str] | None = None, **settings: Any
) -> dict[str, Any]:
    """Scores of one fit, the shares of the sources in the weights, and the CPU seconds."""
    X, kernels = data.X, data.kernels
    kernels = [kernels[name] for name in sources or kernels]
    model = MultipleKernelClustering(
        data.n_clusters, kernels=kernels, random_state=seed, **settings
    )
    start = time.process_time()
    model.fit(X)
    seconds = time.process_time() - start
    weights = model.kernel_weights_
    total = sum(weights.values())
    return {
        "ari": f"{adjusted_rand_score(data.y, model.labels_):.4f}",
        "accuracy": f"{one_to_one(data.y, model.labels_):.4f}",
        "clusters": len(np.unique(model.labels_)),
        "objective": f"{model.objective_:.5f}",
        "cpu_seconds": f"{seconds:.2f}",
        "shares": "; ".join(f"{name}: {weight / total:.4f}" for name, weight in weights.items()),
    }


def main() -> None:
    warnings.simplefilter("ignore")
    rows: list[dict[str, Any]] = read_csv(RESULTS) if RESULTS.is_file() else []
    done = {(row["set"], int(row["seed"]), row["method"]) for row in rows}
    fit(SETS["wine + noise"](0), 0)  # the first call is slower
    for part in sys.argv[1:] or ("sources", "choices"):
        for name, seed, method, settings in jobs(part):
            if (name, seed, method) in done:
                continue
            data = SETS[name](seed)
            row = {"set": name, "n": len(data.y), "k": data.n_clusters, "seed": seed}
            row |= {"method": method, **fit(data, seed, **settings)}
            print(*row.values(), flush=True)
            rows.append(row | describe())
            done.add((name, seed, method))
            write_csv(RESULTS, rows)
    write_tables(rows)


if __name__ == "__main__":
    main()
