"""What a CuttingPlaneClustering goes through: storage, threads, refits, units, interrupts."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from peaks import peak_of
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score
from sklearn.utils.validation import validate_data
from threadpoolctl import threadpool_info, threadpool_limits

from maxmargin import CuttingPlaneClustering, MaxMarginWarning
from maxmargin.blocks import MemoryRows, rows

KERNELS = ({}, {"kernel": "cosine"}, {"kernel": "rbf", "n_components": 30})


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


def with_explicit_zeros(X):
    dense = np.asarray(X.todense())
    n, d = dense.shape
    every = np.tile(np.arange(d, dtype=np.int32), n)
    return sparse.csr_matrix((dense.ravel(), every, np.arange(0, n * d + 1, d)), shape=(n, d))


def with_indices(X, indices, indptr):
    X = X.copy()
    X.indices, X.indptr = X.indices.astype(indices), X.indptr.astype(indptr)
    return X


def unsorted(X):
    X = X.copy()
    for i in range(X.shape[0]):
        row = slice(X.indptr[i], X.indptr[i + 1])
        X.data[row], X.indices[row] = X.data[row][::-1].copy(), X.indices[row][::-1].copy()
    X.has_sorted_indices = False
    return X


def in_halves(X):
    """Each entry twice, half as large."""
    return sparse.csr_matrix((np.repeat(X.data / 2, 2), np.repeat(X.indices, 2), 2 * X.indptr))


def frozen(X):
    X = X.copy()
    for part in (X.data, X.indices, X.indptr):
        part.flags.writeable = False
    return X


STORAGE = {
    "dense": lambda X: X.toarray(),
    "Fortran": lambda X: np.asfortranarray(X.toarray()),
    "strided": lambda X: np.repeat(X.toarray(), 2, axis=1)[:, ::2],
    "big-endian": lambda X: X.toarray().astype(">f8"),
    "read-only": lambda X: np.frombuffer(X.toarray().tobytes()).reshape(X.shape),
    "list": lambda X: X.toarray().tolist(),
    "csr_array": sparse.csr_array,
    "csc": lambda X: X.tocsc(),
    "coo": lambda X: X.tocoo(),
    "int64": lambda X: with_indices(X, np.int64, np.int64),
    "int64 places": lambda X: with_indices(X, np.int32, np.int64),
    "int64 columns": lambda X: with_indices(X, np.int64, np.int32),
    "explicit zeros": with_explicit_zeros,
    "unsorted": unsorted,
    "in halves": in_halves,
    "frozen": frozen,
}


@pytest.mark.parametrize("parameters", KERNELS)
@pytest.mark.parametrize("storage", STORAGE)
def test_labels_do_not_depend_on_storage(storage, parameters, text):
    if parameters.get("kernel") == "cosine" and storage == "in halves":
        pytest.skip("scikit-learn's normalize takes the entries as they are")
    common = {"n_clusters": 3, "gamma": 0.05, "n_init": 2, "random_state": 0, **parameters}
    expected = CuttingPlaneClustering(**common).fit(text)
    data = STORAGE[storage](text)
    model = CuttingPlaneClustering(**common).fit(data)
    np.testing.assert_array_equal(model.labels_, expected.labels_)
    assert model.objective_ == pytest.approx(expected.objective_, rel=1e-6)
    np.testing.assert_allclose(
        model.decision_function(data), expected.decision_function(text), atol=1e-6
    )


@pytest.mark.parametrize("parameters", KERNELS)
def test_float32_and_float64_agree(parameters, text):
    common = {"n_clusters": 3, "gamma": 0.05, "n_init": 2, "random_state": 0, **parameters}
    double = CuttingPlaneClustering(**common).fit(text)
    for data in (text.astype(np.float32), text.toarray().astype(np.float32)):
        single = CuttingPlaneClustering(**common).fit(data)
        assert adjusted_rand_score(double.labels_, single.labels_) > 0.95
        assert single.objective_ == pytest.approx(double.objective_, abs=0.01)
        assert single.n_disagreements_ == np.sum(single.predict(data) != single.labels_)
        expected = single.decision_function(text)
        np.testing.assert_allclose(single.decision_function(data), expected, atol=2e-3)


def test_frames_give_what_arrays_give(blobs):
    pd = pytest.importorskip("pandas")
    pl = pytest.importorskip("polars")
    X, _ = blobs
    expected = CuttingPlaneClustering(3, random_state=0).fit(X)
    for data in (
        pd.DataFrame(X, columns=["height", "width"]),
        pl.DataFrame({"height": X[:, 0], "width": X[:, 1]}),
    ):
        model = CuttingPlaneClustering(3, random_state=0).fit(data)
        np.testing.assert_array_equal(model.labels_, expected.labels_)
        np.testing.assert_array_equal(model.predict(data), expected.predict(X))
        assert model.feature_names_in_.tolist() == ["height", "width"]


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
    X = np.asarray(rng.normal(size=(20_000, 60)), dtype=dtype, order=order)
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


def test_concurrent_fits_give_back_the_threads_of_blas(blobs):
    X, _ = blobs
    with threadpool_limits(2, user_api="blas"):
        with ThreadPoolExecutor(4) as pool:
            models = list(
                pool.map(lambda i: CuttingPlaneClustering(3, random_state=0).fit(X), range(8))
            )
        threads = {p["num_threads"] for p in threadpool_info() if p["user_api"] == "blas"}
    assert threads == {2}
    for model in models[1:]:
        np.testing.assert_array_equal(model.coef_, models[0].coef_)


def test_input_is_left_alone(text):
    for data in (text.toarray(), text.copy()):
        before = data.copy()
        CuttingPlaneClustering(3, kernel="cosine", random_state=0).fit(data).predict(data)
        CuttingPlaneClustering(3, random_state=0).fit(data).predict(data)
        assert abs(before - data).max() == 0


# -- models ------------------------------------------------------------------------------


def test_models_are_cloned_and_pickled(blobs):
    X, _ = blobs
    for kernel in ("linear", "rbf"):
        model = CuttingPlaneClustering(3, kernel=kernel, alpha=0.02, random_state=0).fit(X)
        loaded = pickle.loads(pickle.dumps(model))
        np.testing.assert_array_equal(loaded.decision_function(X), model.decision_function(X))
        again = clone(model)
        assert again.get_params() == model.get_params()
        assert not hasattr(again, "labels_")
        np.testing.assert_array_equal(again.fit(X).coef_, model.coef_)


def test_a_refit_with_another_kernel_leaves_nothing_behind(blobs):
    X, _ = blobs
    model = CuttingPlaneClustering(3, kernel="rbf", random_state=0).fit(X)
    assert model.gamma_ > 0
    model.set_params(kernel="linear").fit(X)
    assert not hasattr(model, "gamma_")
    assert model.kernel_ == "linear"
    fresh = CuttingPlaneClustering(3, random_state=0).fit(X)
    assert set(vars(model)) == set(vars(fresh))
    np.testing.assert_array_equal(model.coef_, fresh.coef_)


@pytest.mark.parametrize("columns", [2, 1])
def test_a_fit_that_fails_leaves_the_earlier_model_as_it_was(columns, blobs):
    X, _ = blobs
    model = CuttingPlaneClustering(3, random_state=0).fit(X)
    expected = model.decision_function(X)
    with pytest.raises(ValueError, match="min_size asks for"):
        model.set_params(min_size=100).fit(X[:, :columns])
    np.testing.assert_array_equal(model.decision_function(X), expected)
    model.set_params(n_clusters=7, min_size=0.5, kernel="rbf")
    np.testing.assert_array_equal(model.decision_function(X), expected)


def test_sparse_rows_are_predicted_by_a_model_of_dense_ones(blobs):
    X, _ = blobs
    for parameters in KERNELS:
        model = CuttingPlaneClustering(3, random_state=0, **parameters).fit(X)
        for data in (sparse.csr_matrix(X), sparse.csr_array(X), X.astype(np.float32)):
            assert np.mean(model.predict(data) == model.predict(X)) > 0.99


# -- units -------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [2, 3, 6])
def test_neither_shift_nor_unit_changes_labels(k, blobs):
    X, _ = blobs
    expected = CuttingPlaneClustering(k, random_state=0).fit(X)
    for unit, shift in ((1, 1e6), (1e-6, 0), (1e9, 0), (2.0**-30, 8), (1e100, 0), (1e-100, 0)):
        data = unit * (X + shift)
        model = CuttingPlaneClustering(k, random_state=0).fit(data)
        np.testing.assert_array_equal(model.labels_, expected.labels_)
        assert model.objective_ == pytest.approx(expected.objective_, rel=1e-5)
        np.testing.assert_allclose(
            model.decision_function(data), expected.decision_function(X), atol=1e-4
        )


@pytest.mark.parametrize(("dtype", "unit"), [(np.float32, 1e-25), (np.float64, 1e-165)])
def test_units_whose_squares_vanish_get_the_same_labels_or_an_error(dtype, unit, blobs):
    """As values whose squares overflow do: never labels by chance."""
    X, y = blobs
    said = ""
    try:
        model = CuttingPlaneClustering(3, random_state=0).fit((unit * X).astype(dtype))
    except (ValueError, MaxMarginWarning) as error:
        said = str(error)
    assert "rescale" in said or adjusted_rand_score(y, model.labels_) > 0.9


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
