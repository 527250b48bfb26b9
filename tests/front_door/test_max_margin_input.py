"""How rows come to MaxMarginClustering, and what is refused."""

import warnings

import numpy as np
import pytest
from clusterings import cluster, outcome
from scipy import sparse
from scipy.spatial.distance import cdist, pdist, squareform
from sklearn.metrics import adjusted_rand_score

from maxmargin import MaxMarginWarning

ROWS = np.random.default_rng(0).normal(size=(20, 3))


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
        ({"n_clusters": 0}, "n_clusters must be None or an int >= 1; got 0"),
        ({"n_clusters": -3}, "n_clusters must be None or an int >= 1; got -3"),
        ({"n_clusters": 2.0}, "n_clusters must be None or an int >= 1; got 2.0"),
        ({"n_clusters": True}, "n_clusters must be None or an int >= 1; got True"),
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
        ({"time_budget": 0}, "time_budget must be None or a finite number > 0; got 0"),
        ({"time_budget": -1.0}, "time_budget must be None or a finite number > 0; got -1.0"),
        ({"time_budget": np.nan}, "time_budget must be None or a finite number > 0; got nan"),
        ({"time_budget": "1h"}, "time_budget must be None or a finite number > 0; got '1h'"),
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
