"""The methods that are compared, and how they are scored."""

import time
from collections.abc import Iterator
from itertools import product
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sets import some
from sklearn.cluster import KMeans, SpectralClustering
from sklearn.metrics import adjusted_rand_score, rand_score
from sklearn.metrics.cluster import contingency_matrix

from maxmargin import CuttingPlaneClustering, MultipleKernelClustering
from maxmargin.spaces.several import gaussians

OURS, LETTER, LOWEST, UNIFORM = "ours", "letter, tuned", "lowest single", "uniform"
KMEANS, SPECTRAL, SUBSET = "k-means", "spectral", "ours, subset"
#: The paper's kernels, each by itself.
SINGLE: dict[str, dict[str, Any]] = {
    "K1": {"kernel": "linear"},
    "K2": {"kernel": "poly", "degree": 2},
    "K3": {"kernel": "rbf"},
}
#: The same for several at once.
THREE = ["linear", ("poly", {"degree": 2}), "rbf"]
#: A run that cycles ends after 100 cuts.
TO_THE_LETTER: dict[str, Any] = {
    "kernels": THREE,
    "norm": 2,
    "optimizer": "mkc",
    "init_size": None,
    "n_init": 1,
    "max_iter": 100,
}
SCORES = ("majority", "rand", "ari", "cpu_seconds")
Scores = dict[str, Any]
Grid = tuple[tuple[float, float], ...]

#: The paper to the letter is tuned with the true labels over these cells of alpha and balance.
GRID = tuple(product((0.01, 0.03, 0.1, 0.3, 1.0), (0.0, 0.03, 0.1)))
SMALL_GRID = tuple(product((0.03, 0.1, 0.3), (0.0, 0.03, 0.1)))
LEAST_GRID = tuple(product((0.03, 0.1), (0.0, 0.03)))
STARTS = tuple((init, seed) for seed in range(2) for init in ("k-means++", "random"))


class LowestObjective:
    """Of our five default kernels, each by itself, the one with the lowest objective."""

    def __init__(self, k: int, seed: int) -> None:
        self.k, self.seed = k, seed

    def fit(self, X: NDArray) -> Self:
        """Fit all of them."""
        widths = gaussians(X, "median", np.random.default_rng(self.seed))
        kernels = [SINGLE["K1"], SINGLE["K2"]]
        kernels += [{"kernel": "rbf", "gamma": kernel.gamma} for kernel in widths]
        models = [
            CuttingPlaneClustering(self.k, random_state=self.seed, **kernel).fit(X)
            for kernel in kernels
        ]
        place = int(np.argmin([model.objective_ for model in models]))
        self.labels_, self.objective_ = models[place].labels_, models[place].objective_
        self.chosen_ = ("linear", "poly", "rbf", "rbf x4", "rbf x16")[place]
        return self


class OfSubset:
    """Fitted to some random rows; the labels of all rows are predicted."""

    def __init__(self, model: Any, n: int, seed: int) -> None:
        self.model, self.n, self.seed = model, n, seed

    def fit(self, X: NDArray) -> Self:
        """Fit, then predict."""
        rows, _ = some(X, np.zeros(len(X)), self.n, self.seed)
        self.labels_ = self.model.fit(rows).predict(X)
        return self


def score(y: NDArray, labels: NDArray) -> Scores:
    """Majority accuracy in %, Rand index and ARI."""
    counts = contingency_matrix(y, labels)
    return {
        "majority": 100 * counts.max(axis=0).sum() / len(y),
        "rand": rand_score(y, labels),
        "ari": adjusted_rand_score(y, labels),
    }


def fitted(model: Any, X: NDArray, y: NDArray) -> Scores:
    """The scores of one fit, and its CPU seconds."""
    began = time.process_time()
    model.fit(X)
    seconds = time.process_time() - began
    return {**score(y, model.labels_), "cpu_seconds": seconds}


def make(method: str, k: int, seed: int, n_subset: int = 0) -> Any:
    """A method that needs no labels."""
    if method in SINGLE:
        return CuttingPlaneClustering(k, random_state=seed, **SINGLE[method])
    if method == LOWEST:
        return LowestObjective(k, seed)
    if method == UNIFORM:
        return MultipleKernelClustering(k, kernel_weights="uniform", random_state=seed)
    if method == KMEANS:
        return KMeans(k, n_init=10, random_state=seed)
    if method == SPECTRAL:
        return SpectralClustering(k, affinity="nearest_neighbors", random_state=seed)
    ours = MultipleKernelClustering(k, random_state=seed)
    return OfSubset(ours, n_subset, seed) if method == SUBSET else ours


def seeds(method: str, X: NDArray, y: NDArray, n_seeds: int, n_subset: int = 0) -> Scores:
    """Means over seeds, and standard deviations; weights or choices of kernels."""
    models = [make(method, len(np.unique(y)), seed, n_subset) for seed in range(n_seeds)]
    runs = [fitted(model, X, y) for model in models]
    found: Scores = {name: float(np.mean([run[name] for run in runs])) for name in SCORES}
    found |= {f"{name}_sd": float(np.std([run[name] for run in runs])) for name in SCORES}
    if method == OURS:
        weights = np.mean([list(model.kernel_weights_.values()) for model in models], axis=0)
        found["weights"] = " ".join(f"{weight:.3f}" for weight in weights)
    if method == LOWEST:
        found["chosen"] = ", ".join(dict.fromkeys(model.chosen_ for model in models))
    return found | {"seeds": n_seeds}


def cells(X: NDArray, y: NDArray, grid: Grid, n_starts: int) -> Iterator[tuple[str, Scores]]:
    """The paper to the letter from each start at each cell, one run at a time."""
    k = len(np.unique(y))
    for (alpha, balance), (init, seed) in product(grid, STARTS[:n_starts]):
        letter = MultipleKernelClustering(
            k, alpha=alpha, balance=balance, init=init, random_state=seed, **TO_THE_LETTER
        )
        yield f"alpha={alpha:g} balance={balance:g} {init} {seed}", fitted(letter, X, y)


def tuned(X: NDArray, y: NDArray, grid: Grid, n_starts: int = len(STARTS)) -> Scores:
    """The run with the best majority accuracy of the grid, and the median of the grid."""
    runs = list(cells(X, y, grid, n_starts))
    cell, best = max(runs, key=lambda run: (run[1]["majority"], run[1]["rand"]))
    median = float(np.median([run["majority"] for _, run in runs]))
    return {**best, "cell": cell, "grid_median": median, "grid_runs": len(runs)}
