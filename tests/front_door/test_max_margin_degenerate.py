"""Rows with little in them: equal, few, tiny, huge. Warnings are errors."""

import warnings

import numpy as np
import pytest
from clusterings import cluster, outcome
from sklearn.metrics import adjusted_rand_score

from maxmargin import MaxMarginWarning

ROWS = np.random.default_rng(0).normal(size=(20, 3))


# Degenerate data: warnings are errors

DEGENERATE = {
    "equal": np.full((12, 2), 0.1),
    "one feature": np.arange(12.0)[:, None] ** 2,
    "two values": np.repeat([0.0, 1.0], 6)[:, None],
    "duplicates": np.tile(ROWS[:6], (2, 1)),
    "wide and equal": np.full((110, 110), 0.1),
    "2 rows": np.array([[0.0, 0], [1, 2]]),
    "2 equal rows": np.ones((2, 2)),
    "3 rows": np.arange(3.0)[:, None],
    "5 rows": np.array([[0.0], [1], [2.5], [7], [8]]),
    "5 equal rows": np.ones((5, 1)),
}


@pytest.mark.parametrize("k", [2, 3, None])
@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_data_gets_an_answer(name, k):
    X = DEGENERATE[name]
    n = len(X)
    standardize = k != 3  # as it is for one of the numbers
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


@pytest.mark.parametrize("scale", [1e148, 1e-170, 1e-200, 1e-300])
def test_values_that_can_hardly_be_squared_work_or_are_refused(scale, blobs):
    X, y = blobs
    labels, said = outcome(lambda: cluster(3, standardize=False).fit_predict(X * scale))
    assert "rescale" in said or adjusted_rand_score(y, labels) == 1


def test_the_order_of_wide_rows_does_not_matter(rng, monkeypatch):
    """Directions are learned from some of the rows: not from every second one of two kinds."""
    monkeypatch.setattr("maxmargin.spaces.metric.DIRECTIONS", 5)
    monkeypatch.setattr("maxmargin._runtime.units.SOME_ROWS", 60)
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
