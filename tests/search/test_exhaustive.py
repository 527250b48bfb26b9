"""A few rows: no labelling is missed, whatever the limits, the pins and the kernel."""

import itertools

import numpy as np
import pytest
from oracles import rls
from sklearn.metrics.pairwise import rbf_kernel

from maxmargin import RLSClustering
from maxmargin.search.exhaustive import all_labellings
from maxmargin.sizes import read_pins, read_sizes

SIZES = [
    {},
    {"min_size": 1},
    {"max_size": 3},
    {"min_size": [0, 1, 2]},
    {"proportions": [0.5, 0.25, 0.25]},
    {"y": [2, -1, -1, 0, -1, -1, 2]},
    {"y": [-1, 0, 0, -1, -1, -1, -1], "min_size": 2},
]


def canonical(labels):
    """The same clusters, named in the order of their first rows."""
    order = list(dict.fromkeys(labels))
    return tuple(order.index(c) for c in labels)


@pytest.mark.parametrize("limits", SIZES, ids=str)
def test_all_labellings_are_those_that_hold(limits):
    pins = read_pins(limits.get("y"), 7, 3)
    sizes = read_sizes(
        7, 3, limits.get("proportions"), limits.get("min_size"), limits.get("max_size"), pins
    )
    expected = {x for x in itertools.product(range(3), repeat=7) if sizes.hold(np.array(x))}
    if sizes.alike().all() and not sizes.n_pinned:
        expected = {canonical(labels) for labels in expected}
    found = [tuple(labels) for labels in all_labellings(sizes).tolist()]
    assert len(found) == len(set(found))
    assert set(found) == expected


def test_many_rows_are_left_to_a_search():
    for n in (17, 10**6):
        assert all_labellings(read_sizes(n, 2, None, None, None, np.full(n, -1, np.int32))) is None
    assert all_labellings(read_sizes(16, 8, None, None, None, np.full(16, -1, np.int32))) is None


def best_value(K, lam, sizes):
    """The largest Σ_c h_cᵀ R h_c of all labellings that hold."""
    n, k = len(K), sizes.n_clusters
    labels = np.array([*itertools.product(range(k), repeat=n)])
    H = (labels[:, :, None] == np.arange(k)).astype(float)
    counts, pinned = H.sum(axis=1), sizes.pins >= 0
    hold = np.all((counts >= sizes.lower) & (counts <= sizes.upper), axis=1)
    hold &= np.all(labels[:, pinned] == sizes.pins[pinned], axis=1)
    H = H[hold]
    return float(np.einsum("mik,ij,mjk->m", H, rls.hat(K, lam), H, optimize=True).max())


@pytest.mark.parametrize("search", ["shaking", "steepest", "stochastic", "evolutionary"])
@pytest.mark.parametrize("approximation", [None, "nystroem"])
@pytest.mark.filterwarnings("ignore::maxmargin.MaxMarginWarning")
def test_tiny_problems_are_solved(search, approximation, rng):
    for trial in range(25):
        k = int(rng.integers(2, 4))
        n = int(rng.integers(4, 13 - 2 * k))
        X = rng.normal(size=(n, 2)) * 10.0 ** rng.integers(-3, 4)
        y = np.where(rng.random(n) < 0.2 * (trial % 2), rng.integers(k, size=n), np.nan)
        model = RLSClustering(
            k,
            alpha=10.0 ** rng.integers(-6, 1),
            n_init=1,
            min_size=1,
            search=search,
            approximation=approximation,
            random_state=0,
        ).fit(X, y)
        sizes = read_sizes(n, k, "balanced", 1, None, read_pins(y, n, k))
        best = best_value(rbf_kernel(X, gamma=model.gamma_), model.alpha * n, sizes)
        np.testing.assert_allclose(model.objective_, best, rtol=1e-6)
        assert sizes.hold(model.labels_)
