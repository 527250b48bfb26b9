"""Refits, copies and interrupts of MaxMarginClustering."""

import pickle
import threading

import numpy as np
import pytest
from clusterings import cluster
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.metrics import adjusted_rand_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from maxmargin import MaxMarginClustering
from maxmargin._core.interrupts import STOP
from maxmargin.front_door import candidates


def assert_same(model, expected, atol=1e-9):
    np.testing.assert_array_equal(model.labels_, expected.labels_)
    np.testing.assert_allclose(model.margin_, expected.margin_, atol=atol)


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
    "leading_vectors": candidates.__name__,
    "rank": "maxmargin.front_door.choice",
    "fit_partition": "maxmargin.front_door.max_margin_clustering",
    "margins": "maxmargin.front_door.max_margin_clustering",
    "describe": "maxmargin.front_door.max_margin_clustering",
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
    monkeypatch.setattr(candidates, "leading_vectors", failing(KeyboardInterrupt()))
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

    def explore(*args):
        flags.append(STOP.get())
        raise KeyboardInterrupt

    monkeypatch.setattr(candidates, "leading_vectors", explore)
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
            "on_interrupt": "keep",
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
