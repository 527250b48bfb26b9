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


# Storage


def assert_same(model, expected, atol=1e-9):
    np.testing.assert_array_equal(model.labels_, expected.labels_)
    np.testing.assert_allclose(model.margin_, expected.margin_, atol=atol)


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
        ({"standardize": "yes"}, "standardize must be 'auto' or True or False; got 'yes'"),
        ({"standardize": None}, "standardize must be 'auto' or True or False; got None"),
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
        ({"random_state": "a"}, "random_state must be None, .*; got 'a'"),
        ({"n_jobs": 0}, "n_jobs"),
    ],
)
def test_a_wrong_parameter_is_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        cluster(**{"k": parameters.pop("n_clusters", 2), **parameters}).fit(ROWS)


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


@pytest.mark.parametrize("standardize", [True, False])
def test_new_rows_that_are_very_far_have_finite_values_or_a_clear_error(standardize):
    model = cluster(2, standardize=standardize).fit(ROWS)
    for far in (1e100, 1e200, -1e300):
        values, said = outcome(lambda far=far: model.predict_proba(np.full((2, 3), far)))
        assert "overflow" in said or np.all(np.isfinite(values))
