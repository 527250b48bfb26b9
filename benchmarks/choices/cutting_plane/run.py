"""Why the defaults of CuttingPlaneClustering are what they are.

    python benchmarks/choices/cutting_plane/run.py [few] [ten] [kernels] [sizes]

Mean figures over five seeds (three for kernels). Results go to ``README.md``.
"""

import os
import sys
import time
import warnings
from pathlib import Path
from typing import Any

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from sklearn.cluster import KMeans, SpectralClustering
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.cluster import contingency_matrix

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

from sets import Set, few_clusters, many_kernels, ten_clusters
from shared.machine import one_line
from shared.table import fill, markdown

from maxmargin import CuttingPlaneClustering, RLSClustering

SEEDS = range(5)
KERNELS = {
    "linear": {},
    "rbf": {"kernel": "rbf"},
    "rbf, 4 γ": {"kernel": "rbf", "times": 4},
    "rbf, 16 γ": {"kernel": "rbf", "times": 16},
}
SIZES = {
    "0": {"min_size": 0.0},
    "0.1": {"min_size": 0.1},
    "0.5 (default)": {},
    "0.8": {"min_size": 0.8},
    "0.1, balance 0.3": {"min_size": 0.1, "balance": 0.3},
}


def one_to_one(y: NDArray, labels: NDArray) -> float:
    """The share of rows in the class that their cluster is matched with."""
    table = contingency_matrix(y, labels)
    return table[linear_sum_assignment(table, maximize=True)].sum() / len(y)


def seconds(model: Any, X: Any) -> tuple[Any, float]:
    start = time.process_time()
    model.fit(X)
    return model, time.process_time() - start


def pair(values: list[tuple[float, ...]]) -> str:
    return " / ".join(f"{mean:.3f}" for mean in np.mean(values, axis=0)[:2])


def few_table(sets: dict[str, Set]) -> str:
    """The optimisers on two to four clusters: the lowest objective, and the ARI."""
    rows = []
    for name, (X, y) in sets.items():
        k = len(np.unique(y))
        row = [name]
        for optimizer in ("cpm3c", "cccp", "alternation", "auto"):
            found = []
            for seed in SEEDS:
                model = CuttingPlaneClustering(
                    k, optimizer=optimizer, init="mixed", random_state=seed
                ).fit(X)
                found.append((model.objective_, adjusted_rand_score(y, model.labels_)))
            row.append(pair(found))
        means = [
            adjusted_rand_score(y, KMeans(k, n_init=10, random_state=s).fit_predict(X))
            for s in SEEDS
        ]
        rows.append([*row, f"{np.mean(means):.3f}"])
        print(rows[-1], flush=True)
    return markdown(
        ["objective / ARI", '"cpm3c"', '"cccp"', '"alternation"', '"auto"', "k-means, ARI"], rows
    )


def ten_table(sets: dict[str, Set]) -> str:
    """Ten clusters: one-to-one accuracy and ARI."""
    rows = []
    for name, (X, y) in sets.items():
        k = len(np.unique(y))
        models = {
            "k-means": lambda s, k=k: KMeans(k, n_init=10, random_state=s),
            "spectral": lambda s, k=k: SpectralClustering(
                k, affinity="nearest_neighbors", n_neighbors=10, random_state=s
            ),
            "rls": lambda s, k=k: RLSClustering(k, n_init=6, random_state=s),
            "cccp": lambda s, k=k: CuttingPlaneClustering(k, optimizer="cccp", random_state=s),
            "from k-means++": lambda s, k=k: CuttingPlaneClustering(
                k, optimizer="alternation", init="k-means++", random_state=s
            ),
            "default": lambda s, k=k: CuttingPlaneClustering(k, random_state=s),
        }
        row = [name]
        for method, make in models.items():
            if method == "rls" and len(X) > 3000:  # its time is cubic
                row.append("–")
                continue
            found = []
            for seed in SEEDS:
                model, cost = seconds(make(seed), X)
                labels = model.labels_
                found.append((one_to_one(y, labels), adjusted_rand_score(y, labels), cost))
            row.append(f"{pair(found)} ({np.mean(found, axis=0)[2]:.1f} s)")
        rows.append(row)
        print(row, flush=True)
    header = [
        "one-to-one / ARI (CPU)",
        "k-means",
        "spectral",
        "RLSClustering",
        '`optimizer="cccp"`',
        "alternation from k-means++",
        "default",
    ]
    return markdown(header, rows)


def kernel_table(sets: dict[str, Set]) -> str:
    """What the lowest objective chooses, against each kernel."""
    rows, right, totals = [], 0, []
    for name, (X, y) in sets.items():
        k = len(np.unique(y))
        scores = {kernel: [] for kernel in [*KERNELS, "auto"]}
        for seed in range(3):
            gamma = CuttingPlaneClustering(k, kernel="rbf", n_init=1, random_state=seed)
            gamma = gamma.fit(X).gamma_
            for kernel, settings in KERNELS.items():
                settings = dict(settings)
                if "times" in settings:
                    settings["gamma"] = settings.pop("times") * gamma
                labels = CuttingPlaneClustering(k, random_state=seed, **settings).fit_predict(X)
                scores[kernel].append(adjusted_rand_score(y, labels))
            labels = CuttingPlaneClustering(k, kernel="auto", random_state=seed).fit_predict(X)
            scores["auto"].append(adjusted_rand_score(y, labels))
        means = {kernel: float(np.mean(values)) for kernel, values in scores.items()}
        best = max(means[kernel] for kernel in KERNELS)
        totals.append([*means.values(), best])
        good = means["auto"] >= best - 0.01
        right += good
        rows.append([name, *(f"{mean:.3f}" for mean in means.values()), "yes" if good else "no"])
        print(rows[-1], flush=True)
    table = markdown(["ARI", *KERNELS, '"auto"', "within .01 of the best"], rows)
    *_, auto, best = np.mean(totals, axis=0)
    return (
        f"{table}\n\nWithin .01 of the best kernel on {right} of {len(rows)} sets; mean ARI "
        f"{auto:.3f}, with the best kernel of each set {best:.3f}, with the linear one "
        f"{np.mean(totals, axis=0)[0]:.3f}."
    )


def size_table(sets: dict[str, Set]) -> str:
    """The size floor, on classes of equal and of unequal size."""
    rng = np.random.default_rng(0)
    for name, counts in {"90 : 10": (900, 100), "60 : 25 : 10 : 5": (600, 250, 100, 50)}.items():
        centers = rng.normal(size=(len(counts), 10))
        centers *= 6 / np.linalg.norm(centers, axis=1, keepdims=True)
        X = np.repeat(centers, counts, axis=0) + rng.normal(size=(sum(counts), 10))
        sets = {**sets, f"Gaussians {name}": (X, np.repeat(np.arange(len(counts)), counts))}
    rows = []
    for name, (X, y) in sets.items():
        k = len(np.unique(y))
        row = [name]
        for settings in SIZES.values():
            found = [
                CuttingPlaneClustering(k, random_state=seed, **settings).fit_predict(X)
                for seed in SEEDS
            ]
            row.append(f"{np.mean([adjusted_rand_score(y, labels) for labels in found]):.3f}")
        rows.append(row)
        print(row, flush=True)
    return markdown(["ARI, `min_size`", *SIZES], rows)


def main() -> None:
    warnings.simplefilter("ignore")
    wanted = sys.argv[1:] or ["few", "ten", "kernels", "sizes"]
    tables = {
        "few": lambda: few_table(few_clusters()),
        "ten": lambda: ten_table(ten_clusters()),
        "kernels": lambda: kernel_table(many_kernels()),
        "sizes": lambda: size_table(few_clusters()),
    }
    readme = HERE / "README.md"
    for name in wanted:
        fill(readme, name, tables[name]())
    fill(readme, "machine", one_line())


if __name__ == "__main__":
    main()
