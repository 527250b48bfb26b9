"""Sources on the way of a fit."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from maxmargin import MaxMarginClustering, MaxMarginWarning
from maxmargin.front_door import effort as efforts
from maxmargin.front_door.sources import affordable, propose, rare_rows, views
from maxmargin.front_door.sources.source import Proposal
from maxmargin.spaces.metric import Metric


def cluster(k, **parameters):
    return MaxMarginClustering(k, **{"effort": "fast", "random_state": 0, **parameters})


@pytest.fixture
def far(rng):
    """12 rows far away from 400, which k-means would rather leave together."""
    X = np.concatenate([rng.normal(size=(400, 2)), 0.3 * rng.normal(size=(12, 2)) + [14, 3]])
    return X, (np.arange(412) >= 400).astype(int)


@pytest.fixture
def spirals(rng):
    """Two spirals whose turns are as near as leave-one-out predictions can tell."""
    t = 1 + 3.5 * np.pi * np.sqrt(rng.random(500))
    y = np.repeat([0, 1], 250)
    angle = t + np.pi * y
    X = np.column_stack([t * np.cos(angle), t * np.sin(angle)])
    return X + 0.1 * rng.normal(size=X.shape), y


def test_a_small_cluster_that_min_size_forbids(far):
    X, y = far
    model = cluster(2).fit(X)
    np.testing.assert_array_equal(model.labels_, y)
    assert "empty space between them" in model.chosen_["why"]
    assert model.chosen_["source"].startswith("gap tree")
    assert model.n_disagreements_ == 0
    with pytest.warns(MaxMarginWarning, match=r"min_size = 0\.1 decided: .* has 12 rows"):
        model = cluster(2, min_size=0.1).fit(X)
    assert np.bincount(model.labels_).min() > 20


def test_a_bound_that_did_not_decide_is_silent(far):
    X, y = far
    np.testing.assert_array_equal(cluster(2, min_size=3).fit(X).labels_, y)


def test_what_sources_agree_on_and_what_the_search_says_beside_it(spirals):
    X, y = spirals
    model = cluster(2).fit(X)
    assert adjusted_rand_score(y, model.labels_) > 0.95
    table = model.selection_
    assert {source.split(",")[0] for source in table["source"]} > {"Genie", "gap tree"}
    assert len(table["source"]) == len(table["rank"])


def test_pins_and_limits_are_kept(far):
    X, y = far
    pins = np.full(412, -1)
    pins[[0, 400]] = [1, 0]
    model = cluster(2).fit(X, pins)
    np.testing.assert_array_equal(model.labels_, 1 - y)
    pins[401:406] = 1  # what the user knows is no clean gap
    labels = cluster(2).fit(X, pins).labels_
    np.testing.assert_array_equal(labels[401:406], 1)
    assert np.bincount(cluster(2, max_size=300).fit(X).labels_).max() <= 300
    assert np.bincount(cluster(2, proportions=[0.5, 0.5]).fit(X).labels_).max() == 206


def test_more_rows_than_decide(far, monkeypatch):
    X, y = far
    few = replace(efforts.EFFORTS["fast"], max_rows=80)
    monkeypatch.setitem(efforts.EFFORTS, "fast", few)
    model = cluster(2).fit(X)
    assert len(model._sample.seen) == 80
    np.testing.assert_array_equal(model.labels_, y)
    np.testing.assert_array_equal(model.predict(X), y)
    other = model.use_alternative(0, X)
    np.testing.assert_array_equal(other.use_alternative(0, X).labels_, y)


def test_the_order_of_the_rows_does_not_matter(spirals, far, rng):
    for X, _ in (spirals, far):
        order = rng.permutation(len(X))
        labels = cluster(2).fit(X).labels_
        assert adjusted_rand_score(labels[order], cluster(2).fit(X[order]).labels_) == 1
        np.testing.assert_array_equal(labels, cluster(2).fit(X).labels_)


def test_flags_beside_clusters_and_flags_that_are_clusters(rng):
    y = np.repeat(range(4), 60)
    X = 8 * np.array([[0, 0], [1, 0], [0, 1], [1, 1]])[y] + rng.normal(size=(240, 2))
    flags = (rng.random((240, 2)) < 0.4).astype(float)
    assert adjusted_rand_score(y, cluster(4).fit(np.column_stack([X, flags])).labels_) > 0.95
    # a flag is a cluster where other columns go with it
    table = np.column_stack([rng.normal(2 * flags[:, [0]], size=(240, 3)), flags[:, 0]])
    assert adjusted_rand_score(flags[:, 0], cluster(2).fit(table).labels_) > 0.85


def test_kernels_that_are_asked_for_are_all_there_is(far):
    X, _ = far
    sources = cluster(2, kernels=["gaussian"]).fit(X).selection_["source"]
    assert all(source.startswith("gaussian") for source in sources)


@pytest.mark.parametrize("metric", ["cosine", "precomputed"])
def test_other_metrics(metric, rng):
    X = rng.normal(size=(60, 3)) + np.repeat([[9, 0, 0], [0, 9, 0]], 30, axis=0)
    D = np.linalg.norm(X[:, None] - X, axis=2)
    model = cluster(2, metric=metric).fit(D if metric == "precomputed" else X)
    assert adjusted_rand_score(np.repeat([0, 1], 30), model.labels_) == 1


def test_views_speak_for_themselves(rng):
    X = rng.normal(size=(80, 2)) + np.repeat([[0], [20]], 40, axis=0)
    found = list(propose({"raw": X, "standardised": X / X.std(axis=0)}, 2))
    assert {p.columns for p in found} == {"raw", "standardised"}
    assert not list(propose({"raw": np.zeros((10, 2))}, 2))


def test_columns_of_one_scale_are_looked_at_once(rng):
    X = rng.normal(size=(40, 2))
    alike, other = X / X.std(axis=0), X / X.std(axis=0) * [1, 3]
    metric = Metric("euclidean", standardize=True)
    for rows, names in ((alike, ["standardised"]), (other, ["standardised", "raw"])):
        prepared = metric.fit(rows).prepare(rows)
        assert list(views(metric, rows, prepared)) == names
    far = np.append(X, [[99, 0]], axis=0)
    assert views(metric.fit(far), far, metric.prepare(far))["standardised"].max() > 3


def test_how_many_rows_sources_see():
    assert affordable(np.empty((20_000, 2)))
    assert not affordable(np.empty((20_001, 2)))
    assert not affordable(np.empty((20_000, 50)))


def test_rare_rows_are_those_of_clusters_that_a_subset_would_miss():
    labels = np.repeat([0, 1], [9990, 10])
    found = [Proposal(labels, "a", "", "why", gap=True)]
    assert rare_rows(found, 1000).tolist() == list(range(9990, 10_000))
    assert rare_rows(found, 100_000) is None
    assert rare_rows([replace(found[0], gap=False)], 1000) is None
