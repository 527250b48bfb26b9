"""CuttingPlaneClustering by default and to the letter of the papers, and k-means."""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans, MiniBatchKMeans
from sklearn.metrics import adjusted_rand_score, pairwise_distances

from benchmarks.methods.least_squares import LAMBDAS, RUNS, WIDTHS
from benchmarks.runner.measure import Row, fit, over
from maxmargin import CuttingPlaneClustering
from maxmargin.solvers import CPM3C

ALPHAS, BALANCES = (0.01, 0.03, 0.1, 0.3, 1.0), (0.0, 0.03, 0.1, 0.3)
#: The paper to the letter is tuned with the true labels over these cells and starts.
GRID = tuple(product(ALPHAS, BALANCES))
SMALL_GRID = tuple(product((0.03, 0.1), (0.0, 0.03, 0.1)))
STARTS = tuple((init, seed) for seed in range(3) for init in ("k-means++", "random"))

#: On all rows from the start; a run that cycles (eqs. 18-19 allow it) ends after 100 cuts.
TO_THE_LETTER: dict[str, Any] = {"optimizer": "cpm3c", "init_size": None, "max_iter": 100}

OURS, LETTER, UNTUNED, KMEANS = "ours", "letter, tuned", "letter, no labels", "k-means"
#: What needs no labels: a model for a number of clusters and a seed.
METHODS: dict[str, Callable[[int, int], Any]] = {
    OURS: lambda k, seed: CuttingPlaneClustering(k, random_state=seed),
    UNTUNED: lambda k, seed: CuttingPlaneClustering(
        k, init="mixed", random_state=seed, **TO_THE_LETTER
    ),
    KMEANS: lambda k, seed: KMeans(k, n_init=10, random_state=seed),
}
#: The same for their speed; what is not the default is in the name.
FAST: dict[str, Callable[[int, int], Any]] = {
    "CuttingPlaneClustering": METHODS[OURS],
    "CuttingPlaneClustering(n_init=1)": lambda k, seed: CuttingPlaneClustering(
        k, n_init=1, random_state=seed
    ),
    "KMeans(n_init=10)": METHODS[KMEANS],
    "MiniBatchKMeans(n_init=3)": lambda k, seed: MiniBatchKMeans(k, n_init=3, random_state=seed),
}

Grid = tuple[tuple[float, float], ...]


def seeds(make: Callable[[int, int], Any], X: Any, y: NDArray, n_seeds: int) -> Row:
    """Means over seeds, and standard deviations."""
    return over(fit(make(len(np.unique(y)), seed), X, y) for seed in range(n_seeds))


def tuned(
    letter: Callable[..., Any], X: Any, y: NDArray, grid: Grid, starts: tuple[tuple[str, int], ...]
) -> Row:
    """The run with the best majority accuracy of the grid, one run at a time, and its median."""
    k, runs = len(np.unique(y)), []
    for (alpha, balance), (init, seed) in product(grid, starts):
        model = letter(k, alpha=alpha, balance=balance, init=init, random_state=seed)
        runs.append(
            {"cell": f"alpha={alpha:g} balance={balance:g} {init} {seed}"} | fit(model, X, y)
        )
    best = max(runs, key=lambda run: (run["majority"], run["rand"]))
    return best | {
        "grid_median": float(np.median([run["majority"] for run in runs])),
        "grid_rand": max(run["rand"] for run in runs),
        "grid_runs": len(runs),
    }


def cpm3c(k: int, **parameters: Any) -> CuttingPlaneClustering:
    """The paper to the letter, from one start."""
    return CuttingPlaneClustering(k, n_init=1, **parameters, **TO_THE_LETTER)


L = 10  # the paper of UMC-RLS sets l = 10, and α and ε = .01


def kernel_cells(
    X: NDArray, y: NDArray, runs: int = RUNS
) -> Iterator[tuple[dict[str, float], NDArray[np.float64]]]:
    """CPMMC as UMC-RLS compares with it: the multi-class form on features of a Gaussian kernel.

    Yields every cell of that paper's grid, and the ARI of its runs from random labels.
    """
    n, largest = len(y), float(pairwise_distances(X).max())
    for width, lam in product(WIDTHS, LAMBDAS):
        model = CuttingPlaneClustering(
            len(np.unique(y)), kernel="rbf", gamma=1 / (2 * (width * largest) ** 2), alpha=lam,
            balance=L / n, n_components=n, n_init=1, init="random", optimizer=CPM3C(centred=False),
            init_size=None, max_iter=100, tol=0.01,
        )  # fmt: skip
        found = (model.set_params(random_state=seed).fit(X).labels_ for seed in range(runs))
        ari = np.array([adjusted_rand_score(y, labels) for labels in found])
        yield {"lam": lam, "width": width}, ari
