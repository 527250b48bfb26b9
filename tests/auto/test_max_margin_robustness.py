"""What a MaxMarginClustering goes through: storage, bad input, degenerate data, refits."""

import pickle
import threading
import warnings

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist, pdist, squareform
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.exceptions import NotFittedError
from sklearn.metrics import adjusted_rand_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from maxmargin import MaxMarginClustering, MaxMarginWarning
from maxmargin.auto import choice

CENTERS = np.array([[0, 0], [8, 0], [0, 8]])
ROWS = np.random.default_rng(0).normal(size=(20, 3))


def cluster(k=2, **parameters):
    return MaxMarginClustering(k, **{"effort": "fast", "random_state": 0, **parameters})


@pytest.fixture
def blobs(global_random_seed):
    return make_blobs(
        [60, 50, 40], centers=CENTERS, cluster_std=0.7, random_state=global_random_seed
    )


def outcome(function):
    """What a function returns, and what its ValueError says."""
    try:
        return function(), ""
    except ValueError as error:
        return None, str(error)


def assert_same(model, expected, atol=1e-9):
    np.testing.assert_array_equal(model.labels_, expected.labels_)
    np.testing.assert_allclose(model.margin_, expected.margin_, atol=atol)


# Storage


@pytest.mark.parametrize("kind", ["list", "fortran", "strided", "read-only", "pandas", "polars"])
def test_storage_does_not_matter(kind, blobs, tmp_path):
    X = blobs[0][::2].copy()
    expected = cluster(3).fit(X)
    if kind == "list":
        other = X.tolist()
    elif kind == "fortran":
        other = np.asfortranarray(X)
    elif kind == "strided":
        other = np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)[::2, ::3]
    elif kind == "read-only":
        other = np.memmap(tmp_path / "X", dtype=np.float64, mode="w+", shape=X.shape)
        other[:] = X
        other.flags.writeable = False
    else:
        other = pytest.importorskip(kind).DataFrame({"a": X[:, 0], "b": X[:, 1]})
    before = X.copy()
    model = cluster(3).fit(other)
    assert_same(model, expected)
    np.testing.assert_array_equal(model.predict(other), expected.predict(X))
    np.testing.assert_array_equal(X, before)
    if kind in ("pandas", "polars"):
        assert model.feature_names_in_.tolist() == ["a", "b"]
        with pytest.raises(ValueError, match="feature names"):
            model.predict(other[["b", "a"]])


@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.int8])
def test_other_number_types(dtype, blobs):
    X, _ = blobs
    X = np.round(10 * X).astype(dtype)
    expected = cluster(3).fit(X.astype(np.float64))
    model = cluster(3).fit(X)
    assert_same(model, expected, atol=1e-4)
    np.testing.assert_array_equal(model.predict(X), expected.predict(X.astype(np.float64)))


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("container", [sparse.csr_matrix, sparse.csr_array])
def test_csr_is_cosine_of_dense_rows(index, container, rng):
    y = np.repeat([0, 1, 2], 30)
    X = rng.poisson(0.3 + 3 * np.eye(3)[y].repeat(5, axis=1)).astype(float)
    data = container(X)
    data.indices, data.indptr = data.indices.astype(index), data.indptr.astype(index)
    expected = cluster(3, metric="cosine", standardize=False).fit(X)
    assert adjusted_rand_score(y, expected.labels_) > 0.9
    for metric in ("cosine", "euclidean"):
        model = cluster(3, metric=metric).fit(data)
        assert_same(model, expected, atol=1e-6)
        np.testing.assert_allclose(
            model.decision_function(data), expected.decision_function(X), atol=1e-6
        )


def test_explicit_zeros_and_empty_rows_are_zeros(rng):
    X = rng.poisson(1.0, size=(60, 8)).astype(float)
    X[[3, 17]] = 0
    with_zeros = sparse.csr_matrix(np.ones_like(X))
    with_zeros.data = X.ravel().copy()
    assert with_zeros.nnz == X.size
    assert_same(cluster(2).fit(with_zeros), cluster(2).fit(sparse.csr_matrix(X)))


@pytest.mark.parametrize("fitted", ["dense", "csr"])
def test_the_storage_of_new_rows_does_not_matter(fitted, rng):
    """A model predicts the same rows alike, dense or sparse, or refuses with a clear error."""
    y = np.repeat([0, 1, 2], 30)
    X = rng.poisson(0.3 + 3 * np.eye(3)[y].repeat(5, axis=1)).astype(float)
    X *= rng.uniform(0.1, 10, size=(90, 1))
    kinds = {"dense": X, "csr": sparse.csr_matrix(X)}
    model = cluster(3).fit(kinds.pop(fitted))
    (other,) = kinds.values()
    same = X if fitted == "dense" else sparse.csr_matrix(X)
    found, said = outcome(lambda: model.decision_function(other))
    if found is None:
        assert "sparse" in said
    else:
        np.testing.assert_allclose(found, model.decision_function(same), atol=1e-8)


def test_precomputed_distances_are_the_rows_that_gave_them(blobs, rng):
    X, _ = blobs
    new = rng.normal(size=(30, 2)) * 5
    expected = cluster(3, standardize=False).fit(X)
    for data in (squareform(pdist(X)), sparse.csr_matrix(squareform(pdist(X)))):
        model = cluster(3, metric="precomputed").fit(data)
        assert_same(model, expected, atol=1e-6)
        assert model.chosen_["gamma"] == pytest.approx(expected.chosen_["gamma"])
        np.testing.assert_allclose(
            model.decision_function(cdist(new, X)), expected.decision_function(new), atol=1e-6
        )
        other, as_rows = model.use_alternative(0), expected.use_alternative(0)
        np.testing.assert_array_equal(other.labels_, as_rows.labels_)
        np.testing.assert_array_equal(other.predict(data), as_rows.predict(X))


@pytest.mark.parametrize("metric", ["cityblock", "chebyshev", "sqeuclidean", "cosine"])
def test_distances_need_not_be_euclidean(metric, blobs):
    """exp(−γd²) of other distances is no kernel: it may be clipped, with a warning."""
    X, y = blobs
    D = squareform(pdist(X - [20, 20] if metric == "cosine" else X, metric))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MaxMarginWarning)
        model = cluster(3, metric="precomputed").fit(D)
    assert np.all(np.isfinite(model.margin_))
    if metric != "cosine":  # the blobs are not told apart by their angles
        assert adjusted_rand_score(y, model.labels_) == 1


def test_dissimilarities_of_any_kind(rng):
    D = rng.random((60, 60))
    D = (D + D.T) * (1 - np.eye(60))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MaxMarginWarning)
        model = cluster(3, metric="precomputed").fit(D)
    assert model.n_clusters_ == 3
    assert np.all(np.isfinite(model.predict_proba(D)))


def test_the_kind_of_random_state(blobs):
    X, _ = blobs
    one, two = (cluster(5, random_state=np.random.RandomState(3)).fit_predict(X) for _ in range(2))
    np.testing.assert_array_equal(one, two)
    cluster(3, random_state=None).fit(X)
    with pytest.raises(ValueError, match="cannot be used to seed"):
        cluster(3, random_state=np.random.default_rng(0)).fit(X)


# Bad input


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_clusters": 0}, "n_clusters must be an int >= 1; got 0"),
        ({"n_clusters": -3}, "n_clusters must be an int >= 1; got -3"),
        ({"n_clusters": 2.0}, "n_clusters must be an int >= 1; got 2.0"),
        ({"n_clusters": True}, "n_clusters must be an int >= 1; got True"),
        ({"n_clusters": "auto"}, "n_clusters must be .*; got 'auto'"),
        ({"n_clusters": 21}, "n_clusters must be at most n_samples = 20; got 21"),
        ({"proportions": [0.5, 0.6]}, "proportions must be .* sum to 1"),
        ({"proportions": "equal"}, "proportions must be .*; got 'equal'"),
        ({"proportions": 3}, "proportions must be .*; got 3"),
        ({"n_clusters": None, "proportions": [0.5, 0.5]}, "proportions must be None or 'balanced'"),
        ({"n_clusters": None, "proportions": "equal"}, "proportions must be .*; got 'equal'"),
        ({"min_size": -1}, "min_size must be .*; got -1"),
        ({"min_size": 11}, "min_size asks for 22 rows in all, and X has 20"),
        ({"min_size": "a"}, "min_size must be .*; got 'a'"),
        ({"min_size": [1, 2, 3]}, "min_size must be .*; got"),
        ({"max_size": 9}, "max_size leaves room for 18 rows"),
        ({"max_size": np.nan}, "max_size must be .*; got nan"),
        ({"standardize": "yes"}, "standardize must be True or False; got 'yes'"),
        ({"standardize": None}, "standardize must be True or False; got None"),
        ({"kernels": []}, "kernels must be .*'gaussian', 'graph'; got \\[\\]"),
        ({"kernels": "graph"}, "kernels must be .*'gaussian', 'graph'; got 'graph'"),
        ({"kernels": ["rbf"]}, "kernels must be one of 'gaussian', 'graph'; got 'rbf'"),
        ({"kernels": [1]}, "kernels must be one of 'gaussian', 'graph'; got 1"),
        ({"kernels": 5}, "kernels must be .*'gaussian', 'graph'; got 5"),
        ({"metric": "l1"}, "metric must be one of 'euclidean', 'cosine', 'precomputed'; got 'l1'"),
        ({"metric": None}, "metric must be one of .*; got None"),
        ({"metric": "precomputed"}, r"square matrix of distances; got shape \(20, 3\)"),
        ({"effort": "max"}, "effort must be one of 'fast', 'normal', 'thorough'; got 'max'"),
        ({"effort": 1}, "effort must be one of .*; got 1"),
        ({"effort": ["fast"]}, r"effort must be one of .*; got \['fast'\]"),
        ({"time_budget": 0}, "time_budget must be a finite number > 0; got 0"),
        ({"time_budget": -1.0}, "time_budget must be a finite number > 0; got -1.0"),
        ({"time_budget": np.nan}, "time_budget must be a finite number > 0; got nan"),
        ({"time_budget": "1h"}, "time_budget must be a finite number > 0; got '1h'"),
        ({"random_state": "a"}, "'a' cannot be used to seed"),
        ({"n_jobs": 0}, "n_jobs"),
    ],
)
def test_a_wrong_parameter_is_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        cluster(**{"k": parameters.pop("n_clusters", 2), **parameters}).fit(ROWS)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (np.full((5, 2), np.nan), "NaN"),
        (np.array([[1.0], [np.inf], [2.0]]), "infinity"),
        (np.arange(5.0), "2D array"),
        (np.zeros((3, 2, 2)), "dim 3|<= 2"),
        (np.empty((0, 2)), "0 sample"),
        (np.empty((5, 0)), "0 feature"),
        (np.array([["a"], ["b"]]), "convert"),
        (np.array([[1 + 2j], [2.0]]), "Complex"),
    ],
)
@pytest.mark.parametrize("k", [2, None])
def test_wrong_data_is_refused(data, message, k):
    with pytest.raises(ValueError, match=message):
        cluster(k).fit(data)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda D: -D, "distances >= 0"),
        (lambda D: D + 1, "0 on the diagonal"),
        (lambda D: np.triu(D), "symmetric"),
        (lambda D: D[:10], r"square matrix of distances; got shape \(10, 20\)"),
        (lambda D: np.where(D > 2, np.nan, D), "NaN"),
    ],
)
def test_wrong_distances_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        cluster(2, metric="precomputed").fit(change(squareform(pdist(ROWS))))


def test_new_rows_of_the_wrong_kind_are_refused():
    model = cluster(2).fit(ROWS)
    for method in (model.predict, model.predict_proba, model.decision_function):
        with pytest.raises(ValueError, match="expecting 3 features"):
            method(ROWS[:, :2])
        with pytest.raises(ValueError, match="NaN"):
            method(np.full((1, 3), np.nan))
        with pytest.raises(ValueError, match="2D array"):
            method(ROWS[0])


@pytest.mark.parametrize("standardize", [True, False])
def test_new_rows_that_are_very_far_have_finite_values_or_a_clear_error(standardize):
    model = cluster(2, standardize=standardize).fit(ROWS)
    for far in (1e100, 1e200, -1e300):
        values, said = outcome(lambda far=far: model.predict_proba(np.full((2, 3), far)))
        assert "overflow" in said or np.all(np.isfinite(values))


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([0, -1], r"y must have one entry for each row, shape \(20,\); got shape \(2,\)"),
        ([5] + [-1] * 19, "pinned labels must be ints from 0 to 1 .* got \\[5"),
        ([0.5] + [-1] * 19, "pinned labels must be ints .* got \\[0.5"),
        ([-2] + [-1] * 19, "pinned labels must be ints .* got \\[-2"),
        ([np.nan] + [-1] * 19, "pinned labels must be ints"),
        ([[0]] + [[-1]] * 19, r"shape \(20,\); got shape \(20, 1\)"),
    ],
)
def test_wrong_pins_are_named(y, message):
    with pytest.raises(ValueError, match=message):
        cluster(2).fit(ROWS, y)


def test_classes_coded_as_minus_one_and_one_are_noticed_once():
    with pytest.warns(MaxMarginWarning, match="50% of the rows are pinned to cluster 1") as caught:
        cluster(2).fit(ROWS, np.where(np.arange(20) < 10, -1, 1))
    assert len(caught) == 1


# Degenerate data: warnings are errors

DEGENERATE = {
    "equal": np.full((12, 2), 0.1),
    "zero": np.zeros((12, 1)),
    "one feature": np.arange(12.0)[:, None] ** 2,
    "constant column": np.column_stack([np.arange(12.0), np.full(12, 7.0)]),
    "two values": np.repeat([0.0, 1.0], 6)[:, None],
    "four values": np.repeat(np.arange(4.0), 3)[:, None],
    "one row apart": np.append(np.zeros(11), 1.0)[:, None],
    "far apart": np.append(np.arange(11.0), 1e9)[:, None],
    "huge": 1e140 * np.arange(12.0)[:, None],
    "small": 1e-100 * np.arange(12.0)[:, None],
    "duplicates": np.tile(ROWS[:6], (2, 1)),
    "wide": np.random.default_rng(0).normal(size=(8, 200)),
    "wide and equal": np.full((110, 110), 0.1),
    "2 rows": np.array([[0.0, 0], [1, 2]]),
    "2 equal rows": np.ones((2, 2)),
    "3 rows": np.arange(3.0)[:, None],
    "5 rows": np.array([[0.0], [1], [2.5], [7], [8]]),
    "5 equal rows": np.ones((5, 1)),
}


@pytest.mark.parametrize("k", [1, 2, 3, "n", None])
@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_data_gets_an_answer(name, k):
    X = DEGENERATE[name]
    n = len(X)
    standardize = k != 3  # as it is for one of the numbers
    k = min(n, 20) if k == "n" else k
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MaxMarginWarning)
        model = cluster(k, standardize=standardize)
        if k is not None and k > n:
            with pytest.raises(ValueError, match="n_clusters must be at most"):
                model.fit(X)
            return
        model.fit(X)
    assert model.labels_.shape == (n,)
    counts = np.bincount(model.labels_)
    assert np.count_nonzero(counts) == model.n_clusters_ == (model.n_clusters_ if k is None else k)
    assert np.all(np.diff(counts) <= 0)
    assert np.isfinite(model.loo_score_)
    assert np.all(np.isfinite(model.margin_))
    assert np.all(np.isfinite(model.predict_proba(X)))
    assert np.sum(model.predict(X) != model.labels_) == model.n_disagreements_


@pytest.mark.parametrize("k", [1, None])
def test_a_single_row_is_a_cluster(k):
    model = cluster(k).fit([[1.0, 2.0]])
    assert model.labels_.tolist() == [0]
    assert model.predict([[5.0, 5.0]]).tolist() == [0]
    with pytest.raises(ValueError, match="n_clusters must be at most n_samples = 1; got 2"):
        cluster(2).fit([[1.0, 2.0]])


@pytest.mark.parametrize("min_size", [0, 0.0, None])
@pytest.mark.parametrize("name", ["equal", "two values", "duplicates", "one feature"])
def test_clusters_may_be_empty_only_where_that_is_said(name, min_size):
    """Without a lower bound a cluster can end without rows: never in silence."""
    X = DEGENERATE[name]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = cluster(5, min_size=min_size).fit(X)
    assert all(w.category is MaxMarginWarning for w in caught)
    assert np.isfinite(model.loo_score_)
    assert len(np.unique(model.labels_)) == model.n_clusters_
    assert model.n_clusters_ == 5 or caught


def test_one_cluster_may_take_all_rows_where_no_size_is_asked_for(blobs):
    X, _ = blobs
    pins = np.zeros(150, int)
    pins[0] = -1
    with pytest.warns(MaxMarginWarning, match="without rows"):
        model = cluster(2, min_size=0).fit(X, pins)
    assert model.labels_.tolist() == [0] * 150
    assert model.loo_score_ == 0  # by definition
    assert model.n_clusters_ == 1


@pytest.mark.parametrize("scale", [1e100, 1e140, 1e148])
@pytest.mark.parametrize("standardize", [True, False])
def test_values_that_can_just_be_squared_work_or_are_refused(scale, standardize, blobs):
    X, y = blobs
    model = cluster(3, standardize=standardize)
    labels, said = outcome(lambda: model.fit_predict(X * scale))
    assert "rescale" in said or adjusted_rand_score(y, labels) == 1


@pytest.mark.parametrize("scale", [1e-170, 1e-200, 1e-300])
@pytest.mark.parametrize("standardize", [True, False])
def test_values_too_small_to_square_are_rescaled_or_refused(scale, standardize, blobs):
    X, y = blobs
    model = cluster(3, standardize=standardize)
    labels, said = outcome(lambda: model.fit_predict(X * scale))
    assert "rescale" in said or adjusted_rand_score(y, labels) == 1


def test_the_order_of_wide_rows_does_not_matter(rng, monkeypatch):
    """Directions are learned from some of the rows: not from every second one of two kinds."""
    monkeypatch.setattr("maxmargin.kernels.geometry.DIRECTIONS", 5)
    monkeypatch.setattr("maxmargin.kernels.geometry.DIRECTION_ROWS", 60)
    y = np.arange(120) % 2
    X = rng.normal(size=(120, 20))
    X[:, :3] += np.where(y == 1, 5, -5)[:, None]
    order = rng.permutation(120)
    assert adjusted_rand_score(y[order], cluster(2).fit_predict(X[order])) == 1
    assert adjusted_rand_score(y, cluster(2).fit_predict(X)) == 1


def test_thirty_clusters_of_a_few_rows(rng):
    y = np.repeat(np.arange(30), 6)
    X = 10.0 * np.column_stack([y % 6, y // 6]) + 0.3 * rng.normal(size=(180, 2))
    model = cluster(30, effort="normal").fit(X)
    assert model.n_clusters_ == 30
    assert adjusted_rand_score(y, model.labels_) > 0.9


# Refits, copies, interrupts


def test_a_refit_drops_what_it_does_not_set(blobs):
    X, _ = blobs
    model = cluster(None).fit(X[::3])
    assert hasattr(model, "k_curve_")
    model.set_params(n_clusters=3).fit(X)
    assert not hasattr(model, "k_curve_")
    assert not hasattr(model, "k_confidence_")
    pandas = pytest.importorskip("pandas")
    model.fit(pandas.DataFrame(X, columns=["a", "b"]))
    model.fit(X)
    assert not hasattr(model, "feature_names_in_")


@pytest.mark.parametrize("again", [3, 1])
def test_a_refit_is_a_first_fit(again, blobs, rng):
    X, _ = blobs
    model = cluster(5).fit(rng.normal(size=(40, 7)))
    assert_same(model.set_params(n_clusters=again).fit(X), cluster(again).fit(X), atol=0)
    fresh = cluster(again).fit(X)
    assert set(vars(model)) == set(vars(fresh))


def failing(error):
    def explore(*args, **kwargs):
        raise error

    return explore


PLACES = {
    "explore": choice.__name__,
    "rank": choice.__name__,
    "best_model": "maxmargin.auto.max_margin_clustering",
    "margins": "maxmargin.auto.max_margin_clustering",
    "selection_table": "maxmargin.auto.max_margin_clustering",
}


@pytest.mark.parametrize("place", PLACES)
def test_an_interrupted_fit_leaves_the_earlier_model_as_it_was(place, blobs, rng, monkeypatch):
    X, _ = blobs
    error = KeyboardInterrupt()
    model = cluster(3).fit(X)
    model.k_curve_, model.k_confidence_ = {}, 3  # as after n_clusters=None
    before = {name: value for name, value in vars(model).items() if name.endswith("_")}
    values, proba = model.decision_function(X), model.predict_proba(X)
    monkeypatch.setattr(f"{PLACES[place]}.{place}", failing(error))
    with pytest.raises(type(error)):
        model.set_params(n_clusters=2).fit(100 * rng.normal(size=(60, 2)) + 50)
    after = {name: value for name, value in vars(model).items() if name.endswith("_")}
    assert set(after) == set(before)
    assert all(after[name] is value for name, value in before.items())
    np.testing.assert_array_equal(model.decision_function(X), values)
    np.testing.assert_array_equal(model.predict_proba(X), proba)
    monkeypatch.undo()
    np.testing.assert_array_equal(
        model.use_alternative(0).labels_, before["alternatives_"][0].labels
    )


def test_an_interrupted_first_fit_is_no_fit(blobs, monkeypatch):
    X, _ = blobs
    monkeypatch.setattr(choice, "explore", failing(KeyboardInterrupt()))
    model = cluster(3)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X)
    for method in (model.predict, model.predict_proba, model.decision_function):
        with pytest.raises(NotFittedError):
            method(X)
    with pytest.raises(NotFittedError):
        model.use_alternative(0)


@pytest.mark.parametrize("wrong", [{"n_clusters": 200}, {"min_size": 100}, {"n_jobs": 0}])
def test_a_fit_that_fails_leaves_the_earlier_model_as_it_was(wrong, blobs, rng):
    X, _ = blobs
    model = cluster(3).fit(X)
    values = model.decision_function(X)
    with pytest.raises(ValueError):
        model.set_params(**wrong).fit(rng.normal(size=(90, 5)))
    np.testing.assert_array_equal(model.decision_function(X), values)
    assert model.n_features_in_ == 2


def test_threads_end_with_a_fit_that_was_interrupted(blobs, monkeypatch):
    """The flag that loops look at is set when any thread fails."""
    X, _ = blobs
    flags = []

    def explore(terrain, *args):
        flags.append(terrain.stop)
        raise KeyboardInterrupt

    monkeypatch.setattr(choice, "explore", explore)
    with pytest.raises(KeyboardInterrupt):
        cluster(3, n_jobs=2).fit(X)
    assert flags[0][0] == 1


def test_fits_in_several_threads_are_those_in_one(blobs):
    X, _ = blobs
    expected = cluster(3).fit(X)
    models = [cluster(3) for _ in range(2)]
    threads = [threading.Thread(target=model.fit, args=(X,)) for model in models]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for model in models:
        assert_same(model, expected, atol=0)


def test_a_model_is_the_same_after_pickling(blobs):
    X, _ = blobs
    model = cluster(3).fit(X)
    loaded = pickle.loads(pickle.dumps(model))
    assert_same(loaded, model, atol=0)
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    np.testing.assert_array_equal(
        loaded.use_alternative(0).labels_, model.use_alternative(0).labels_
    )


def test_a_pickle_holds_no_square_array(rng):
    X = rng.normal(size=(150, 2))
    assert len(pickle.dumps(cluster(2).fit(X))) < 8 * 150 * 150 / 2


def test_parameters_and_clones(blobs):
    X, _ = blobs
    parameters = {
        "n_clusters": 3, "proportions": "balanced", "min_size": 5, "max_size": 90,
        "standardize": False, "kernels": ["gaussian"], "metric": "cosine", "effort": "fast",
        "time_budget": 50.0, "random_state": 1, "n_jobs": 1, "verbose": 0,
    }  # fmt: skip
    model = MaxMarginClustering(**parameters)
    assert model.get_params() == parameters
    assert clone(model).get_params() == parameters
    assert MaxMarginClustering().set_params(**parameters).get_params() == parameters
    model.fit(X + 20)
    assert model.get_params() == parameters
    assert parameters["kernels"] == ["gaussian"]
    assert not hasattr(clone(model), "labels_")
    with pytest.raises(NotFittedError):
        clone(model).predict(X)


def test_changed_parameters_do_not_change_a_fitted_model(blobs):
    X, _ = blobs
    model = cluster(3).fit(X)
    values = model.decision_function(X)
    model.set_params(n_clusters=7, metric="cosine", standardize=False, effort="normal")
    np.testing.assert_array_equal(model.decision_function(X), values)
    assert model.use_alternative(0).n_clusters_ == 3


def test_in_a_pipeline(blobs):
    X, y = blobs
    pipe = make_pipeline(StandardScaler(), cluster(3, standardize=False))
    labels = pipe.fit_predict(X, y)
    assert adjusted_rand_score(y, labels) == 1
    np.testing.assert_array_equal(pipe.predict(X), labels)
    np.testing.assert_array_equal(pipe.predict_proba(X).argmax(axis=1), labels)
