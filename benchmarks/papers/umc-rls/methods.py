"""The methods of the paper's tables, each as ten runs for every setting it is tuned over."""

import warnings
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from shared.rls import free_sizes, run_once
from sklearn.cluster import KMeans, SpectralClustering
from sklearn.metrics import adjusted_rand_score, pairwise_distances
from sklearn.mixture import GaussianMixture

from maxmargin.objectives.spectrum import Spectrum
from maxmargin.search import Search, Shaking, Steepest, Stochastic

RUNS = 10
LAMBDAS = 2.0 ** np.arange(-10, 0)
WIDTHS = np.arange(1, 11) / 10  # in units of σ0, the largest distance
SEARCHES = {"Stoc-RLS": Stochastic(), "Steep-RLS": Steepest(), "UMC-RLS": Shaking()}
BASELINES = ("SC", "GMM", "K-means")

#: One setting of a method: its parameters, and the ARI and leave-one-out score of its runs.
Cell = tuple[dict[str, float], NDArray[np.float64], NDArray[np.float64]]


def baseline(name: str, X: NDArray, y: NDArray, runs: int = RUNS) -> NDArray[np.float64]:
    """Return the ARI of the runs of a scikit-learn method, set as in section 4.1."""
    k = len(np.unique(y))
    scores = []
    for seed in range(runs):
        if name == "K-means":
            model = KMeans(k, n_init=10, random_state=seed)
        elif name == "GMM":
            model = GaussianMixture(k, random_state=seed, reg_covar=1e-3)
        else:
            model = SpectralClustering(
                k, affinity="nearest_neighbors", n_neighbors=10, random_state=seed
            )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # the graph may fall apart
            scores.append(adjusted_rand_score(y, model.fit_predict(X)))
    return np.array(scores)


def rls_cells(
    X: NDArray,
    y: NDArray,
    search: Search,
    *,
    runs: int = RUNS,
    lambdas: NDArray = LAMBDAS,
    widths: NDArray = WIDTHS,
    factor: float = 2.0,
    **options: bool,
) -> Iterator[Cell]:
    """Yield every cell of the grid; the kernel is exp(−d²/(factor · σ²)).

    The options (polish, independent) go to each run.
    """
    n, k = len(y), len(np.unique(y))
    squares = np.square(pairwise_distances(X))
    sizes = free_sizes(n, k)
    for width in widths:
        K = np.exp(-squares / (factor * width**2 * squares.max()))
        spectrum = Spectrum.of_gram(K)
        for lam in lambdas:
            form = spectrum.form(lam)
            found = [run_once(form, search, sizes, seed, **options) for seed in range(runs)]
            ari = np.array([adjusted_rand_score(y, run.labels) for run in found])
            yield {"lam": lam, "width": width}, ari, np.array([run.loo_score for run in found])
