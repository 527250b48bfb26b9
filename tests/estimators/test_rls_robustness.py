"""What a fitted RLSClustering goes through: refits, other storage, other precisions, threads."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import make_blobs
from threadpoolctl import threadpool_info, threadpool_limits

from maxmargin import RLSClustering

SEARCHES = ("shaking", "steepest", "stochastic", "evolutionary")
SPACES = {
    "exact": {},
    "nystroem": {"approximation": "nystroem", "n_components": 30},
    "linear": {"kernel": "linear"},
}


@pytest.fixture
def blobs(global_random_seed):
    return make_blobs(
        [60, 50, 40], centers=[[0, 0], [8, 0], [0, 8]], random_state=global_random_seed
    )


def test_a_refit_in_another_space_leaves_nothing_behind(blobs):
    X, _ = blobs
    model = RLSClustering(3, kernel="linear", random_state=0).fit(X)
    model.set_params(kernel="rbf").fit(X)
    assert not hasattr(model, "coef_")
    model.set_params(kernel="linear").fit(X)
    assert not hasattr(model, "dual_coef_")
    assert not hasattr(model, "gamma_")


def test_a_fit_that_fails_leaves_the_earlier_model_as_it_was(blobs):
    X, _ = blobs
    model = RLSClustering(3, random_state=0).fit(X)
    expected = model.decision_function(X)
    with pytest.raises(ValueError, match="alpha is too small"):
        model.set_params(gamma=50.0, alpha=1e-300).fit(np.vstack([X, X]))
    np.testing.assert_array_equal(model.decision_function(X), expected)
    model.set_params(n_clusters=7)
    np.testing.assert_array_equal(model.decision_function(X), expected)


def test_sparse_rows_are_predicted_by_a_model_of_dense_ones(blobs):
    X, _ = blobs
    for space in ({}, {"kernel": "laplacian"}, SPACES["nystroem"], SPACES["linear"]):
        model = RLSClustering(3, random_state=0, **space).fit(X)
        for data in (sparse.csr_matrix(X), sparse.csr_array(X)):
            np.testing.assert_array_equal(model.predict(data), model.predict(X))


def test_pins_name_clusters_with_bounds_of_their_own(global_random_seed):
    centers = np.array([[0, 0], [10, 0], [0, 10], [10, 10]])
    X, y = make_blobs([40, 30, 30, 20], centers=centers, cluster_std=0.3, random_state=0)
    names = np.random.default_rng(global_random_seed).permutation(4)
    pins = np.full(len(X), -1)
    for b in range(4):
        pins[np.flatnonzero(y == b)[:2]] = names[b]
    model = RLSClustering(4, min_size=[10, 12, 5, 5], random_state=0).fit(X, pins)
    np.testing.assert_array_equal(model.labels_, names[y])


@pytest.mark.parametrize("alpha", [1e-10, 1e-6, 1.0, 1e6])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_local_optimum_is_one_at_any_strength_and_precision(alpha, dtype):
    X, _ = make_blobs(200, centers=3, cluster_std=2.5, random_state=1)
    X = X.astype(dtype)
    model = RLSClustering(3, alpha=alpha, min_size=0.01, random_state=0).fit(X)
    assert np.sum(model.predict(X) != model.labels_) <= 2
    assert model.n_disagreements_ <= 2


def test_the_scale_of_a_linear_kernel_does_not_stop_the_search():
    X, _ = make_blobs(200, centers=3, cluster_std=2.5, random_state=1)
    for dtype, scale in ((np.float32, 1e-6), (np.float64, 1e-9)):
        model = RLSClustering(
            3, kernel="linear", search="steepest", min_size=0.01, random_state=0
        ).fit((X * scale).astype(dtype))
        assert model.n_disagreements_ <= 5


def test_concurrent_fits_give_back_the_threads_of_blas(blobs):
    X, _ = blobs
    with threadpool_limits(2, user_api="blas"):
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda i: RLSClustering(3, n_init=1 + i % 4).fit(X), range(16)))
        threads = {p["num_threads"] for p in threadpool_info() if p["user_api"] == "blas"}
    assert threads == {2}


@pytest.mark.parametrize("alpha", [1e-5, 3e-4, 3e-3])
@pytest.mark.parametrize("n", [10, 30, 40])
def test_a_kernel_of_zeros_ends(n, alpha):
    """Nothing but rounding is left, whose sign must not keep rows moving for ever."""
    model = RLSClustering(3, kernel="precomputed", alpha=alpha, random_state=0)
    assert len(model.fit(np.zeros((n, n))).labels_) == n
