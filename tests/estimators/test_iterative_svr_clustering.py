"""IterSVR on data with known answers; what all estimators promise is in tests/contracts."""

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits, make_blobs
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import linear_kernel

from maxmargin import IterativeSVRClustering, MaxMarginWarning
from maxmargin.metrics import purity_score


def digits(*kinds):
    X, y = load_digits(return_X_y=True)
    these = np.isin(y, kinds)
    return X[these], y[these]


@pytest.mark.parametrize(
    ("pair", "least"), [((3, 8), 0.955), ((1, 7), 1.0), ((2, 7), 0.995), ((8, 9), 0.96)]
)
def test_digits_are_told_apart_better_than_by_k_means(pair, least, global_random_seed):
    X, y = digits(*pair)
    model = IterativeSVRClustering(random_state=global_random_seed).fit(X)
    found = purity_score(y, model.labels_)
    assert found >= least
    assert found >= purity_score(y, KMeans(2, n_init=10, random_state=0).fit(X).labels_)
    assert model.n_disagreements_ == 0


def test_the_published_figure_with_the_width_of_the_papers_grid():
    # σ is the range of distances and C is half, chosen by the labels as in the papers
    X, y = digits(3, 8)
    distances = np.linalg.norm(X[:, None] - X[None], axis=2)
    width = distances.max() - distances[distances > 0].min()
    model = IterativeSVRClustering(gamma=1 / (2 * width**2), C=0.5, random_state=0).fit(X)
    assert purity_score(y, model.labels_) >= 0.9664


@pytest.mark.parametrize("n", [39, 40, 41])
def test_clear_clusters_whose_sizes_cannot_be_even_are_found_in_any_order(n, rng):
    """One of them has a row more, or less; whichever is split off first."""
    y = np.arange(n) % 3
    X = rng.normal(size=(n, 2)) + np.array([[12, 0], [-6, 10], [-6, -10]])[y]
    for seed in range(6):
        order = rng.permutation(n)
        model = IterativeSVRClustering(3, n_init=1, random_state=seed).fit(X[order])
        assert adjusted_rand_score(y[order], model.labels_) == 1


def test_sizes_are_within_the_balance(rng):
    X = rng.normal(size=(100, 3))
    for balance in (0.0, 0.1, 0.5):
        model = IterativeSVRClustering(2, balance=balance, random_state=0).fit(X)
        first, second = np.bincount(model.labels_)
        assert first - second <= 100 * balance
    sizes = np.bincount(IterativeSVRClustering(5, random_state=0).fit(X).labels_)
    assert np.all(np.abs(sizes - 20) <= 3)


def test_unequal_clusters_need_a_loose_balance():
    X, y = make_blobs([80, 20], centers=[[0, 0], [9, 0]], random_state=0)
    strict = IterativeSVRClustering(random_state=0).fit(X)
    loose = IterativeSVRClustering(balance=0.7, random_state=0).fit(X)
    assert adjusted_rand_score(y, loose.labels_) == 1
    assert adjusted_rand_score(y, strict.labels_) < 0.5


def test_more_clusters_come_from_splits_of_splits(global_random_seed):
    centers = 12 * np.array([[0, 0], [1, 0], [0, 1], [1, 1], [2, 0.5]])
    X, y = make_blobs([30] * 5, centers=centers, random_state=global_random_seed)
    model = IterativeSVRClustering(5, random_state=0).fit(X)
    assert adjusted_rand_score(y, model.labels_) == 1
    assert model.dual_coef_.shape == (150, 4)
    new, truth = make_blobs([9] * 5, centers=centers, random_state=global_random_seed + 1)
    assert adjusted_rand_score(truth, model.predict(new)) == 1


def test_the_value_of_two_clusters_is_that_of_the_regression():
    X, _ = make_blobs([25, 20], centers=[[0, 0], [9, 0]], random_state=0)
    model = IterativeSVRClustering(kernel="linear", balance=0.2, random_state=0).fit(X)
    values = linear_kernel(X) @ model.dual_coef_[:, 0] + model.intercept_[0]
    assert np.abs(np.abs(model.decision_function(X)) / 2 - np.abs(values)).max() < 1e-9


def test_restarts_lower_the_objective():
    X, _ = digits(8, 9)
    one = [IterativeSVRClustering(n_init=1, random_state=s).fit(X).objective_ for s in range(6)]
    many = IterativeSVRClustering(n_init=20, random_state=0).fit(X).objective_
    assert many <= min(one) + 1e-3


def test_a_cap_that_was_reached_is_a_warning():
    X, _ = digits(8, 9)
    with pytest.warns(MaxMarginWarning, match="max_iter = 1 regressions: raise max_iter"):
        IterativeSVRClustering(max_iter=1, random_state=0).fit(X)


def test_equal_rows_in_different_clusters_are_a_warning():
    with pytest.warns(MaxMarginWarning, match="had to be put into different clusters"):
        model = IterativeSVRClustering(random_state=0).fit(np.ones((8, 2)))
    assert np.bincount(model.labels_).tolist() == [4, 4]
    assert model.n_disagreements_ == 4


def test_more_clusters_than_rows_are_an_error():
    with pytest.raises(ValueError, match="n_clusters must be at most n_samples = 3; got 4"):
        IterativeSVRClustering(4).fit(np.eye(3))


def test_rows_that_are_equal_are_predicted_alone_as_in_company():
    """Where all values are rounding."""
    X = np.zeros((35, 2))
    with pytest.warns(MaxMarginWarning, match="by chance"):
        model = IterativeSVRClustering(2, C=0.01, balance=0.03, n_init=2, random_state=1).fit(X)
    said = model.predict(X)
    assert len(set(said)) == 1
    assert model.predict(X[:1])[0] == said[0]
    assert model.n_disagreements_ == np.sum(said != model.labels_)


def test_kernels_too_large_for_the_regression_are_named(rng):
    X = 1e16 + 1e8 * rng.normal(size=(16, 2))
    model = IterativeSVRClustering(3, kernel="poly", coef0=0.0, balance=0.0, random_state=0)
    with pytest.raises(ValueError, match="C = 1 is too large for X, whose kernel has values up to"):
        model.fit(X)
