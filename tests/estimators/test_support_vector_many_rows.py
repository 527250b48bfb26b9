"""SupportVectorClustering on many rows: landmarks and batches."""

import copy

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_blobs, make_moons
from sklearn.metrics import adjusted_rand_score

from maxmargin import SupportVectorClustering
from maxmargin.explain.clustering import Clustering
from maxmargin.plots import DomainDisplay, PlateauDisplay
from maxmargin.solvers import SMO
from maxmargin.spaces import pairwise as pairwise_module

CENTERS = [[0, 0], [9, 0], [0, 9]]
SOLVERS = ("exact", "sgd", "online", "libsvm")


def one_cluster(rng):
    return rng.normal(size=(60, 2))


# -- landmarks ---------------------------------------------------------------------------


def test_landmarks_stand_for_all_rows(global_random_seed):
    X, y = make_blobs(2000, centers=CENTERS, random_state=global_random_seed)
    model = SupportVectorClustering(n_landmarks=200, random_state=0).fit(X)
    assert adjusted_rand_score(y, model.labels_) > 0.99
    assert model.landmarks_.shape == (200,)
    assert (np.diff(model.landmarks_) > 0).all()
    assert set(model.support_) <= set(model.landmarks_)
    np.testing.assert_array_equal(model.support_vectors_, X[model.support_])
    assert model.n_samples_seen_ == len(model.labels_) == 2000
    sizes = np.bincount(model.labels_)
    assert (np.diff(sizes) <= 0).all()  # by the sizes of all rows
    outliers = clone(model).set_params(outlier_fraction=0.05).fit(X)
    assert (outliers.labels_ == -1).sum() == 100


@pytest.mark.parametrize("n_landmarks", [None, 270, 5000])
def test_enough_landmarks_are_all_rows(n_landmarks, blobs):
    X, _ = blobs
    model = SupportVectorClustering(n_landmarks=n_landmarks).fit(X)
    np.testing.assert_array_equal(model.landmarks_, np.arange(270))
    np.testing.assert_array_equal(model.labels_, SupportVectorClustering().fit(X).labels_)


@pytest.mark.parametrize("how", [{}, {"gamma": 0.3}, {"gamma": 0.15, "assignment": "equilibria"}])
def test_many_landmarks_do_without_all_distances(how, blobs, monkeypatch):
    X, _ = blobs
    expected = SupportVectorClustering(solver=SMO(tol=1e-7), **how).fit(X)
    monkeypatch.setattr(pairwise_module, "MOST_KEPT_ROWS", 100)
    model = SupportVectorClustering(solver=SMO(tol=1e-7), **how).fit(X)
    np.testing.assert_array_equal(model.labels_, expected.labels_)
    np.testing.assert_allclose(model.decision_function(X), expected.decision_function(X), atol=1e-5)


# -- rows in batches -----------------------------------------------------------------------


@pytest.mark.parametrize("sorted_rows", [False, True])
def test_batches_in_any_order(sorted_rows, global_random_seed):
    X, y = make_blobs(3000, centers=CENTERS, random_state=global_random_seed)
    order = np.argsort(y, kind="stable") if sorted_rows else np.arange(3000)
    model = SupportVectorClustering(n_landmarks=300, random_state=0)
    for batch in np.array_split(order, 12):
        model.partial_fit(X[batch])
    assert model.n_samples_seen_ == 3000
    assert model.reservoir_.shape == (300, 2)
    assert "labels_" not in vars(model)  # not before it is asked for
    assert adjusted_rand_score(y, model.predict(X)) > 0.9
    assert model.labels_.shape == (300,)
    assert model.n_samples_seen_ == 3000
    np.testing.assert_array_equal(model.predict(model.reservoir_), model.labels_)


FITTED = ["labels_", "gamma_", "n_clusters_", "candidates_", "levels_", "complete_"]


@pytest.mark.parametrize("ask", ["predict", "decision_function"])
def test_the_fit_waits_for_a_question(ask, moons, monkeypatch):
    X, _ = moons
    model = SupportVectorClustering(random_state=0).partial_fit(X)
    for name in FITTED:  # to look at an attribute fits nothing
        assert not hasattr(model, name)
        message = f"no attribute {name!r}: the rows of partial_fit are not .* Call predict or"
        with pytest.raises(AttributeError, match=message):
            getattr(model, name)
    assert "SupportVectorClustering" in repr(model)
    assert not hasattr(copy.deepcopy(model), "labels_")
    getattr(model, ask)(X)
    assert all(hasattr(model, name) for name in FITTED)
    # asked again, it is not fitted again
    monkeypatch.setattr(SupportVectorClustering, "_fit_rows", None)
    model.predict(X)
    model.decision_function(X)
    with pytest.raises(AttributeError, match=r"no attribute 'plateau_'$"):
        _ = model.plateau_


@pytest.mark.filterwarnings("ignore:the plateau of the number of clusters ends")
def test_reports_and_pictures_fit_rows_that_wait(blobs):
    X, _ = blobs

    def waiting(**how):
        return SupportVectorClustering(random_state=0, **how).partial_fit(X)

    expected = SupportVectorClustering(random_state=0).fit(X)
    np.testing.assert_array_equal(Clustering.of(waiting(), X).labels, expected.labels_)
    display = DomainDisplay.from_estimator(waiting(), X)
    np.testing.assert_array_equal(display.levels, expected.levels_)
    model = waiting(gamma="plateau")
    np.testing.assert_array_equal(
        PlateauDisplay.from_estimator(model).n_clusters, model.plateau_.n_clusters
    )


def test_more_rows_make_a_model_stale(blobs):
    X, y = blobs
    model = SupportVectorClustering(0.3).partial_fit(X[y < 2])
    model.predict(X)
    assert model.n_clusters_ == 2
    model.partial_fit(X[y == 2])
    assert not [name for name in ("labels_", "n_clusters_", "support_") if hasattr(model, name)]
    model.predict(X)
    assert model.n_clusters_ == 3
    assert model.n_samples_seen_ == 270


def test_a_fit_forgets_the_reservoir(moons, blobs):
    model = SupportVectorClustering().partial_fit(moons[0])
    model.fit(blobs[0])
    assert not hasattr(model, "reservoir_")
    assert model.n_samples_seen_ == 270
    np.testing.assert_array_equal(model.labels_, SupportVectorClustering().fit(blobs[0]).labels_)
    model.partial_fit(moons[0])  # and batches start anew
    assert model.n_samples_seen_ == 300
    model.predict(moons[0])
    assert model.n_clusters_ == 2


def test_a_bad_batch_changes_nothing(moons):
    X, _ = moons
    model = SupportVectorClustering().partial_fit(X)
    labels = model.predict(X)
    before = dict(vars(model))
    for bad in (X[:, :1], np.full((3, 2), np.nan), X + 1j):
        with pytest.raises(ValueError):
            model.partial_fit(bad)
        assert vars(model).keys() == before.keys()
    np.testing.assert_array_equal(model.labels_, labels)
    np.testing.assert_array_equal(model.reservoir_, X)
    assert model.n_samples_seen_ == 300


def test_parameters_are_checked_before_rows_are_taken(moons):
    model = SupportVectorClustering(nu=2.0)
    with pytest.raises(ValueError, match="nu must be"):
        model.partial_fit(moons[0])
    assert not hasattr(model, "reservoir_")


def test_of_several_draws_of_landmarks_the_one_that_most_agree_with_is_taken():
    """By one draw each, the third of these has a hole in a moon, and three clusters."""
    X, y = make_moons(20_000, noise=0.08, random_state=0)
    found = [
        SupportVectorClustering(n_landmarks=400, random_state=seed).fit(X) for seed in range(8)
    ]
    assert [model.n_clusters_ for model in found] == [2] * 8
    assert min(adjusted_rand_score(y, model.labels_) for model in found) > 0.97
    assert all(len(model.landmarks_) == 400 for model in found)
