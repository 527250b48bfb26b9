"""MultipleKernelClustering by default and to the letter of its paper, and single kernels."""

from collections.abc import Callable
from itertools import product
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans, SpectralClustering

from benchmarks.datasets.stored import some
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
        widths = gaussians(X, "median", np.random.default_rng(self.seed), self.k)
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
        rows, _ = some((X, np.zeros(len(X))), self.n, self.seed)
        self.labels_ = self.model.fit(rows).predict(X)
        return self


#: What needs no labels: a model for a number of clusters and a seed.
METHODS: dict[str, Callable[[int, int], Any]] = {
    OURS: lambda k, seed: MultipleKernelClustering(k, random_state=seed),
    LOWEST: LowestObjective,
    UNIFORM: lambda k, seed: MultipleKernelClustering(
        k, kernel_weights="uniform", random_state=seed
    ),
    **{
        name: lambda k, seed, kernel=kernel: CuttingPlaneClustering(k, random_state=seed, **kernel)
        for name, kernel in SINGLE.items()
    },
    KMEANS: lambda k, seed: KMeans(k, n_init=10, random_state=seed),
    SPECTRAL: lambda k, seed: SpectralClustering(
        k, affinity="nearest_neighbors", random_state=seed
    ),
}


def mkc(k: int, **parameters: Any) -> MultipleKernelClustering:
    """The paper to the letter, from one start."""
    return MultipleKernelClustering(k, **{**TO_THE_LETTER, **parameters})
