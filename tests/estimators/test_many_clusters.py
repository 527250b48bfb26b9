"""Many clear clusters are found as few are, with nothing set but their number."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import euclidean_distances

from maxmargin import (
    CuttingPlaneClustering,
    MultipleKernelClustering,
    RLSClustering,
    SupportVectorClustering,
)
from maxmargin.search.starts import nearest_seed
from maxmargin.solvers import multistart
from maxmargin.spaces.kernel import Kernel

MODELS = {
    "rls": lambda k: RLSClustering(k, random_state=0),
    "rls, nystroem": lambda k: RLSClustering(
        k, approximation="nystroem", n_components=120, random_state=0
    ),
    "cutting plane": lambda k: CuttingPlaneClustering(k, random_state=0),
    "kernels": lambda k: MultipleKernelClustering(k, n_init=2, random_state=0),
    "domain": lambda k: SupportVectorClustering(random_state=0),
}


def grid(rng, k, rows=10):
    """Clear clusters on a grid."""
    y = np.repeat(np.arange(k), rows)
    centers = 10.0 * np.column_stack(np.divmod(np.arange(k), int(np.ceil(np.sqrt(k)))))
    return centers[y] + rng.normal(size=(len(y), 2)), y


@pytest.mark.filterwarnings("ignore:.*ended at a cap")
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("k", [12, 50])
def test_clear_clusters_on_a_grid_are_found(name, k, rng):
    X, y = grid(rng, k)
    model = MODELS[name](k).fit(X)
    assert model.n_clusters_ == k
    assert adjusted_rand_score(y, model.labels_) >= 0.95


@pytest.mark.parametrize("name", ["rls", "kernels", "domain"])
def test_two_hundred(name, rng):
    X, y = grid(rng, 200)
    model = MODELS[name](200).fit(X)
    assert model.n_clusters_ == 200
    assert adjusted_rand_score(y, model.labels_) >= 0.95


def test_the_width_knows_how_many_clusters_there_are(rng):
    X, _ = grid(rng, 25)
    D = euclidean_distances(X)[np.triu_indices(len(X), 1)]
    widths = {
        k: (2 * Kernel("rbf", gamma="auto", n_clusters=k).fit(X, rng).gamma_) ** -0.5
        for k in (2, 10, 25, 100)
    }
    assert widths[2] == widths[10] == pytest.approx(np.median(D))
    assert widths[25] == pytest.approx(np.quantile(D, 5 / 25), rel=1e-2)
    assert widths[100] == pytest.approx(np.quantile(D, 5 / 100), rel=1e-2)
    with_k = RLSClustering(10, random_state=0).fit(X).gamma_
    assert with_k == RLSClustering(10, gamma="median", random_state=0).fit(X).gamma_


def test_seeds_miss_no_cluster(rng):
    X, y = grid(rng, 60)
    kernel = Kernel("rbf", gamma="auto", n_clusters=60).fit(X, rng)
    for seed in range(5):
        labels = nearest_seed(kernel, X, 60, np.random.default_rng(seed))
        assert adjusted_rand_score(y, labels) > 0.99


def test_hyperplanes_get_a_map_where_they_cannot_part_so_many(rng):
    X, _ = grid(rng, 12)
    few, many = (CuttingPlaneClustering(k, random_state=0).fit(X) for k in (3, 12))
    assert (few.kernel_, many.kernel_) == ("linear", "rbf")
    wide = np.column_stack([X, rng.normal(size=(len(X), 10))])
    kept = CuttingPlaneClustering(12, random_state=0, n_init=1).fit(wide).kernel_
    asked = CuttingPlaneClustering(12, random_state=0, n_init=1, kernel="linear").fit(X).kernel_
    assert (kept, asked) == ("linear", "linear")
    weights = MultipleKernelClustering(12, n_init=1, random_state=0).fit(X).kernel_weights_
    assert all(name.startswith("rbf") for name in weights)


def test_runs_whose_objective_is_hopeless_are_not_polished(rng, monkeypatch):
    """Starts that least squares has missed need many cuts, the more so the more clusters."""
    polished = []
    polish = multistart._polished
    monkeypatch.setattr(
        multistart, "_polished", lambda *given: (polished.append(given[-1]), polish(*given))[1]
    )
    X, _ = grid(rng, 6)
    model = CuttingPlaneClustering(
        6, kernel="rbf", init="random", optimizer="alternation", n_init=12, random_state=0
    ).fit(X)
    lowest = min(result.objective for result in polished)
    assert all(result.objective <= 2 * lowest for result in polished)
    assert model.objective_ <= lowest


@pytest.mark.parametrize(("k", "made"), [(3, 4), (6, 3), (11, 1)])
def test_kernels_alone_are_asked_by_least_squares_where_clusters_are_many(
    k, made, rng, monkeypatch
):
    """Runs take longer the more clusters there are: those with one kernel are not needed."""
    runs = []
    best = multistart.Multistart.best
    monkeypatch.setattr(
        multistart.Multistart, "best", lambda *given: (runs.append(1), best(*given))[1]
    )
    X, y = grid(rng, k)
    model = MultipleKernelClustering(k, kernels=["rbf", "laplacian"], random_state=0).fit(X)
    assert len(runs) == made  # each kernel, their sum where clusters are few, and all of them
    assert adjusted_rand_score(y, model.labels_) == 1


def test_products_of_cuts_are_those_that_are_made_anew(rng):
    """Where products with old cuts are kept: rows are labelled again, cuts are dropped."""
    from maxmargin.solvers.cutting_plane import CuttingPlane

    seen = []
    whole = CuttingPlane._grams

    def watched(self, gradients):
        products = whole(self, gradients)
        seen.append(np.abs(products - self.norm.grams(gradients)).max() / np.abs(products).max())
        return products

    X, _ = grid(rng, 12)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CuttingPlane, "_grams", watched)
        MultipleKernelClustering(12, n_init=1, random_state=0).fit(X)
    assert len(seen) > 20
    assert max(seen) < 1e-12
