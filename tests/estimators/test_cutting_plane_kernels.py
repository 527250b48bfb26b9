"""CuttingPlaneClustering with kernels as explicit features: by name, function or matrix."""

import numpy as np
import pytest
from oracles import hinge as oracle
from sklearn.datasets import make_blobs, make_moons
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import pairwise_kernels

from maxmargin import CuttingPlaneClustering

CENTERS = [[0, 0], [8, 0], [0, 8]]


@pytest.fixture
def blobs(global_random_seed):
    return make_blobs([60, 50, 40], centers=CENTERS, random_state=global_random_seed)


def test_a_gaussian_kernel_finds_moons():
    X, y = make_moons(300, noise=0.05, random_state=0)
    model = CuttingPlaneClustering(2, kernel="rbf", gamma=6.0, random_state=0).fit(X)
    assert adjusted_rand_score(y, model.labels_) > 0.9
    assert model.gamma_ == 6.0


def test_auto_takes_a_gaussian_kernel_for_moons_and_any_for_what_is_far_apart(rng):
    X, y = make_moons(300, noise=0.05, random_state=0)
    model = CuttingPlaneClustering(2, kernel="auto", random_state=0).fit(X)
    assert model.kernel_ == "rbf"
    assert model.gamma_ > 0
    assert adjusted_rand_score(y, model.labels_) > 0.9
    linear = CuttingPlaneClustering(2, random_state=0).fit(X)
    assert model.objective_ < linear.objective_
    y = np.arange(200) % 2
    X = np.c_[20 * y + rng.normal(size=200)]
    model = CuttingPlaneClustering(2, kernel="auto", n_init=2, random_state=0).fit(X)
    assert adjusted_rand_score(y, model.labels_) == 1
    assert hasattr(model, "gamma_") == (model.kernel_ == "rbf")


def test_an_exact_map_is_the_kernel(blobs):
    """With a landmark for each row: the same fit as on the matrix, by either name of it."""
    X, y = blobs
    K = pairwise_kernels(X, metric="rbf", gamma=0.05)
    start = np.where(np.arange(150) % 7 == 0, (y + 1) % 3, y)
    common = {"init": start, "n_components": 150}
    by_name = CuttingPlaneClustering(3, kernel="rbf", gamma=0.05, **common).fit(X)
    matrix = CuttingPlaneClustering(3, kernel="precomputed", **common).fit(K)
    function = CuttingPlaneClustering(
        3, kernel=_gauss, kernel_params={"gamma": 0.05}, **common
    ).fit(X)
    for other, data in ((matrix, K), (function, X)):
        np.testing.assert_array_equal(by_name.labels_, other.labels_)
        assert by_name.objective_ == pytest.approx(other.objective_, rel=1e-6)
        np.testing.assert_allclose(
            by_name.decision_function(X), other.decision_function(data), atol=1e-4
        )
    # 0.5 α ‖W‖² in the space of the kernel: the features of the map have its products
    features = by_name._space.represent(X)
    np.testing.assert_allclose(features @ features.T, K, atol=1e-7)
    assert by_name.objective_ == pytest.approx(oracle.objective(by_name, features), rel=1e-6)


def _gauss(a, b, gamma):
    return np.exp(-gamma * np.sum((a - b) ** 2))


@pytest.mark.parametrize(
    "parameters",
    [
        {"kernel": "poly", "degree": 2, "gamma": 0.1},
        {"kernel": "laplacian"},
        {"kernel": "cosine"},
        {"kernel": "rbf", "n_components": 20},
        {"kernel": "rbf", "gamma": "neighbors"},
        {"kernel": "rbf", "gamma": "scale"},
    ],
)
def test_kernels_fit_and_predict(parameters, blobs, rng):
    X, _ = blobs
    model = CuttingPlaneClustering(3, n_init=2, random_state=0, **parameters).fit(X)
    assert model.kernel_ == parameters["kernel"]
    assert model.n_disagreements_ == np.sum(model.predict(X) != model.labels_)
    new = rng.normal(size=(300, 2)) * 6
    order = rng.permutation(300)
    np.testing.assert_array_equal(model.predict(new)[order], model.predict(new[order]))
    features = model._space.represent(X)
    assert model.objective_ == pytest.approx(oracle.objective(model, features), rel=1e-6)


def test_a_matrix_predicts_new_rows(blobs, rng):
    X, y = blobs
    new = rng.normal(size=(200, 2)) * 6
    by_name = CuttingPlaneClustering(3, kernel="rbf", gamma=0.05, init=y).fit(X)
    K = pairwise_kernels(X, metric="rbf", gamma=0.05)
    model = CuttingPlaneClustering(3, kernel="precomputed", init=y).fit(K)
    between = pairwise_kernels(new, X, metric="rbf", gamma=0.05)
    assert np.mean(model.predict(between) == by_name.predict(new)) > 0.97
    np.testing.assert_array_equal(model.predict(K), model.predict(K.tolist()))
