"""What a fitted RLSClustering goes through: refits, other storage, other precisions, threads."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import make_blobs

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


@pytest.mark.parametrize("alpha", [1e-5, 3e-4, 3e-3])
@pytest.mark.parametrize("n", [10, 30, 40])
def test_a_kernel_of_zeros_ends(n, alpha):
    """Nothing but rounding is left, whose sign must not keep rows moving for ever."""
    model = RLSClustering(3, kernel="precomputed", alpha=alpha, random_state=0)
    assert len(model.fit(np.zeros((n, n))).labels_) == n
