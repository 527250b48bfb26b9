"""Least squares: RLSClustering run by run, the cells of a grid on one eigendecomposition."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans, SpectralClustering
from sklearn.metrics import adjusted_rand_score, pairwise_distances
from sklearn.mixture import GaussianMixture

from maxmargin import RLSClustering
from maxmargin.objectives.spectrum import Spectrum
from maxmargin.search import Search, Shaking, Steepest, Stochastic
from maxmargin.search.engine import Engine, Run, Start
from maxmargin.sizes import Sizes, read_sizes
from maxmargin.spaces.quadratic_form import QuadraticForm

RUNS = 10
LAMBDAS = 2.0 ** np.arange(-10, 0)
EVERY_OTHER = 2.0 ** np.arange(-9, 0, 2)
WIDTHS = np.arange(1, 11) / 10  # in units of σ0, the largest distance
SEARCHES = {"Stoc-RLS": Stochastic(), "Steep-RLS": Steepest(), "UMC-RLS": Shaking()}

#: One setting of a method: its parameters, and the ARI and leave-one-out score of its runs.
Cell = tuple[dict[str, float], NDArray[np.float64], NDArray[np.float64]]

#: scikit-learn's methods, set as in section 4.1 of the paper.
BASELINES: dict[str, Callable[[int, int], Any]] = {
    "SC": lambda k, seed: SpectralClustering(
        k, affinity="nearest_neighbors", n_neighbors=10, random_state=seed
    ),
    "GMM": lambda k, seed: GaussianMixture(k, random_state=seed, reg_covar=1e-3),
    "K-means": lambda k, seed: KMeans(k, n_init=10, random_state=seed),
}
#: And ours beside them, one run.
ONE_RUN: dict[str, Callable[[int, int, int], Any]] = {
    "UMC-RLS": lambda k, n, seed: RLSClustering(
        k, alpha=2.0**-4 / n, polish=False, min_size=0, n_init=1, random_state=seed
    ),
    **{name: lambda k, n, seed, make=make: make(k, seed) for name, make in BASELINES.items()},
}


def baseline(name: str, X: NDArray, y: NDArray, runs: int = RUNS) -> NDArray[np.float64]:
    """The ARI of the runs of a scikit-learn method."""
    models = (BASELINES[name](len(np.unique(y)), seed) for seed in range(runs))
    return np.array([adjusted_rand_score(y, model.fit_predict(X)) for model in models])


def free_sizes(n: int, k: int, min_size: float = 0) -> Sizes:
    """Return ``proportions="balanced"`` (a quota of n/k) with a lower bound and no pins."""
    return read_sizes(n, k, "balanced", min_size, None, np.full(n, -1, np.int32))


def run_once(
    form: QuadraticForm,
    search: Search,
    sizes: Sizes,
    seed: int,
    *,
    polish: bool = False,
    independent: bool = False,
) -> Run:
    """Do what ``RLSClustering(n_init=1, random_state=seed).fit`` does after its kernel.

    ``independent`` draws each label of the start by itself; the estimator draws equal sizes.
    """
    first = np.random.RandomState(seed).randint(2**31 - 1)
    _, run_seed = np.random.SeedSequence(first).spawn(2)
    rng = np.random.default_rng(run_seed)
    labels = sizes.random_labels(rng)
    if independent:
        labels = rng.integers(sizes.n_clusters, size=form.n).astype(np.int32)
    start = Start(labels, informed=False, quota=sizes.quota, number=0)
    run = Engine(form, sizes, polish).run(search, start, rng)
    return replace(run, labels=sizes.number(run.labels))


def cells(
    X: NDArray,
    y: NDArray,
    search: Search,
    *,
    runs: int = RUNS,
    lambdas: NDArray = LAMBDAS,
    factor: float = 2.0,
    **options: bool,
) -> Iterator[Cell]:
    """Yield every cell of the grid; the kernel is exp(−d²/(factor · σ²)).

    The options (polish, independent) go to each run.
    """
    n, k = len(y), len(np.unique(y))
    squares = np.square(pairwise_distances(X))
    sizes = free_sizes(n, k)
    for width in WIDTHS:
        spectrum = Spectrum.of_gram(np.exp(-squares / (factor * width**2 * squares.max())))
        for lam in lambdas:
            form = spectrum.form(lam)
            found = [run_once(form, search, sizes, seed, **options) for seed in range(runs)]
            ari = np.array([adjusted_rand_score(y, run.labels) for run in found])
            yield {"lam": lam, "width": width}, ari, np.array([run.loo_score for run in found])


def grid_best(X: NDArray, y: NDArray, search: Search | None = None, **options: Any) -> float:
    """UMC-RLS at its oracle cell, with every other λ and five runs in each cell."""
    found = cells(X, y, search or Shaking(), runs=5, lambdas=EVERY_OTHER, **options)
    return max(ari.mean() for _, ari, _ in found)
