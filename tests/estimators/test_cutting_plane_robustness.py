"""What a CuttingPlaneClustering goes through: storage, threads, refits, units, interrupts."""

import numpy as np
import pytest
from peaks import peak_of
from scipy import sparse
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score
from sklearn.utils.validation import validate_data

from maxmargin import CuttingPlaneClustering
from maxmargin.blocks import MemoryRows, rows


@pytest.fixture
def blobs(global_random_seed):
    return make_blobs(
        [60, 50, 40], centers=[[1, 1], [9, 1], [1, 9]], random_state=global_random_seed
    )


@pytest.fixture
def text(rng):
    """Sparse rows of three kinds, some of them empty, in the first columns of many."""
    kind = np.arange(240) % 3
    X = (rng.random((240, 30)) < 0.1) * rng.random((240, 30))
    X[np.arange(240), kind * 10 + rng.integers(10, size=240)] += 2
    X[np.arange(240), kind * 10] += 2
    X[[3, 77]] = 0
    X[:, 29] = 0
    X[100, 29] = 1.0  # a column with one entry
    return sparse.csr_matrix(X)


# -- storage -----------------------------------------------------------------------------


def with_indices(X, indices, indptr):
    X = X.copy()
    X.indices, X.indptr = X.indices.astype(indices), X.indptr.astype(indptr)
    return X


def in_halves(X):
    """Each entry twice, half as large."""
    return sparse.csr_matrix((np.repeat(X.data / 2, 2), np.repeat(X.indices, 2), 2 * X.indptr))


def test_sparse_rows_are_never_made_dense(rng):
    """200 × 300,000 as an array is 480 MB; a pair of hyperplanes is 5 MB, a run has a few cuts.

    Of the runs that are over only the best one is kept: five take little more than two.
    """
    n, d = 200, 300_000
    row = np.repeat(np.arange(n), 20)
    column = np.where(
        np.arange(20 * n) % 2, rng.integers(d, size=20 * n), 10 * (row % 2) + np.arange(20 * n) % 10
    )
    X = sparse.csr_matrix((np.ones(20 * n), (row, column)), shape=(n, d))
    peaks = []
    for n_init in (1, 5):
        model = CuttingPlaneClustering(2, optimizer="cccp", n_init=n_init, random_state=0)
        peaks.append(peak_of(lambda model=model: model.fit(X)))
    assert adjusted_rand_score(np.arange(n) % 2, model.labels_) > 0.9
    assert peaks[0] < 8 * n * d / 3
    assert peaks[1] < 2.2 * peaks[0]
    assert peak_of(lambda: model.predict(X[:50])) < 8 * n * d / 10


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_dense_rows_are_not_copied(dtype, order, monkeypatch, rng):
    X = np.asarray(rng.normal(size=(60_000, 60)), dtype=dtype, order=order)  # more than a block
    seen = []
    original = MemoryRows.__init__

    def watched(self, X, n_jobs=None):
        seen.append(X)
        original(self, X, n_jobs)

    monkeypatch.setattr(MemoryRows, "__init__", watched)
    model = CuttingPlaneClustering(2, n_init=1, init_size=500, tol=0.2, random_state=0)
    peak = peak_of(lambda: model.fit(X))
    assert np.shares_memory(seen[0], X)
    assert peak < X.nbytes
    assert seen[0].shape == validate_data(model, X, reset=False).shape


@pytest.mark.parametrize("form", [np.asarray, np.asfortranarray, sparse.csr_matrix])
@pytest.mark.parametrize("init_size", [None, 300])
def test_jobs_change_no_bit(form, init_size, monkeypatch, global_random_seed):
    """Neither runs at once nor blocks at once, nor blocks within runs."""
    monkeypatch.setattr(rows, "MICRO_ROWS", 256)
    X, _ = make_blobs(700, centers=3, cluster_std=2, random_state=global_random_seed)
    X = form(X)
    one, two = (
        CuttingPlaneClustering(
            3, n_init=1, init_size=init_size, tol=0.05, n_jobs=n_jobs, random_state=0
        ).fit(X)
        for n_jobs in (1, 2)
    )
    np.testing.assert_array_equal(one.coef_, two.coef_)
    np.testing.assert_array_equal(one.labels_, two.labels_)
    assert one.objective_ == two.objective_


# -- models ------------------------------------------------------------------------------


# -- units -------------------------------------------------------------------------------


def test_rows_far_away_are_clustered_in_single_precision_too(blobs):
    X, y = blobs
    for data in ((X + 1e4).astype(np.float32), sparse.csr_matrix(X + 1e5)):
        model = CuttingPlaneClustering(3, random_state=0).fit(data)
        assert adjusted_rand_score(y, model.labels_) > 0.9
        assert np.mean(model.predict(data) == model.labels_) > 0.95


@pytest.mark.parametrize("optimizer", ["cccp", "alternation"])
def test_the_order_of_the_rows_does_not_matter(optimizer, blobs, rng):
    X, y = blobs
    start = np.where(rng.random(150) < 0.2, rng.integers(3, size=150), y)
    order = rng.permutation(150)
    one = CuttingPlaneClustering(3, init=start, optimizer=optimizer).fit(X)
    two = CuttingPlaneClustering(3, init=start[order], optimizer=optimizer).fit(X[order])
    assert adjusted_rand_score(one.labels_[order], two.labels_) == 1
    assert two.objective_ == pytest.approx(one.objective_, rel=1e-8)


def test_rows_that_are_there_twice_change_nothing(blobs, rng):
    X, y = blobs
    start = np.where(rng.random(150) < 0.2, rng.integers(3, size=150), y)
    one = CuttingPlaneClustering(3, init=start).fit(X)
    two = CuttingPlaneClustering(3, init=np.r_[start, start]).fit(np.r_[X, X])
    np.testing.assert_array_equal(two.labels_[:150], two.labels_[150:])
    assert adjusted_rand_score(one.labels_, two.labels_[:150]) == 1
    assert two.objective_ == pytest.approx(one.objective_, rel=1e-6)


def test_a_column_of_zeros_changes_nothing(blobs):
    X, _ = blobs
    one = CuttingPlaneClustering(3, random_state=0).fit(X)
    two = CuttingPlaneClustering(3, random_state=0).fit(np.c_[X, np.zeros(150)])
    np.testing.assert_array_equal(one.labels_, two.labels_)
    np.testing.assert_allclose(two.coef_[:, :2], one.coef_, atol=1e-9)
    assert not two.coef_[:, 2].any()


# -- extremes ----------------------------------------------------------------------------


@pytest.mark.parametrize("parameters", [{}, {"optimizer": "cccp", "n_init": 1}])
@pytest.mark.filterwarnings("ignore:.*ended at a cap")
def test_many_clusters(parameters, rng):
    X = rng.normal(size=(300, 5))
    model = CuttingPlaneClustering(60, random_state=0, max_iter=200, **parameters).fit(X)
    counts = np.bincount(model.labels_, minlength=60)
    assert counts.min() >= 2
    assert model.n_clusters_ == 60
    assert model.objective_ < 1
    assert abs(model.dual_gap_) < 1e-8
    assert model.n_disagreements_ == np.sum(model.predict(X) != model.labels_)


@pytest.mark.parametrize("alpha", [1e-12, 1e-6, 1.0, 1e6])
@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.filterwarnings("ignore:.*ended at a cap")
def test_any_strength_gets_an_answer(alpha, k, blobs):
    X, _ = blobs
    model = CuttingPlaneClustering(k, alpha=alpha, n_init=2, random_state=0).fit(X)
    assert abs(model.dual_gap_) < 1e-7
    assert model.objective_ <= 1 + 1e-9
    assert np.bincount(model.labels_, minlength=k).min() >= 150 // k // 2
    assert np.all(np.isfinite(model.coef_))


@pytest.mark.parametrize("tol", [1e-300, 1e-6, 100.0])
@pytest.mark.filterwarnings("ignore:.*ended at a cap")
def test_any_tolerance_ends(tol, blobs):
    X, y = blobs
    model = CuttingPlaneClustering(3, tol=tol, n_init=2, max_iter=100, random_state=0).fit(X)
    assert adjusted_rand_score(y, model.labels_) > 0.9
    usual = CuttingPlaneClustering(3, n_init=2, random_state=0).fit(X)
    if tol < 0.01:
        assert model.objective_ <= usual.objective_ + 1e-3


def test_one_column_and_two_clusters_is_a_threshold(rng):
    x = np.r_[rng.normal(size=70), rng.normal(size=50) + 9]
    model = CuttingPlaneClustering(2, balance=0.3, random_state=0).fit(x[:, None])
    threshold = -np.diff(model.intercept_) / np.diff(model.coef_[:, 0])
    assert 2 < threshold[0] < 7
    np.testing.assert_array_equal(model.labels_, np.r_[np.zeros(70), np.ones(50)])


@pytest.mark.parametrize("parameters", [{}, {"kernel": "rbf", "gamma": 0.05, "n_components": 30}])
def test_entries_that_come_twice_and_indices_of_two_kinds(parameters, text):
    common = {"n_clusters": 3, "n_init": 2, "random_state": 0, **parameters}
    expected = CuttingPlaneClustering(**common).fit(text)
    for other in (
        in_halves(text),
        with_indices(text, np.int32, np.int64),
        with_indices(text, np.int64, np.int32),
    ):
        model = CuttingPlaneClustering(**common).fit(other)
        np.testing.assert_array_equal(model.labels_, expected.labels_)
        np.testing.assert_allclose(
            model.decision_function(other), expected.decision_function(text), atol=1e-6
        )
