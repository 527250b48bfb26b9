"""SupportVectorClustering as an object, and what it has to say."""

import copy
import pickle
import re
import warnings
from contextlib import suppress

import numpy as np
import pytest
from contracts.faults import Fault, failing_at
from sklearn.base import clone
from sklearn.metrics import adjusted_rand_score
from sklearn.model_selection import ParameterGrid

from maxmargin import MaxMarginWarning, SupportVectorClustering
from maxmargin.assignment import equilibria
from maxmargin.estimators import support_vector_clustering as module

CENTERS = [[0, 0], [9, 0], [0, 9]]
SOLVERS = ("exact", "sgd", "libsvm")


def one_cluster(rng):
    return rng.normal(size=(60, 2))


# -- models as objects -------------------------------------------------------------------


@pytest.mark.parametrize("streamed", [False, True])
def test_pickles_and_clones_of_batches(streamed, moons):
    X, _ = moons
    model = SupportVectorClustering(random_state=0)
    model = model.partial_fit(X) if streamed else model.fit(X)
    assert not hasattr(clone(model), "reservoir_")
    other = pickle.loads(pickle.dumps(model))
    assert ("labels_" in vars(other)) == (not streamed)
    np.testing.assert_array_equal(other.predict(X), model.predict(X))
    other.partial_fit(X[:5])
    assert other.n_samples_seen_ == (305 if streamed else 5)
    assert model.n_samples_seen_ == 300


def test_a_fit_that_waited_for_a_question_and_fails_is_no_fit(moons, rng):
    X, _ = moons
    streamed = SupportVectorClustering(random_state=0).partial_fit(X)
    with failing_at() as calls:
        expected = copy.copy(streamed).predict(X)
    for place in rng.choice([*calls.values()], size=6, replace=False):
        model = copy.copy(streamed)
        with suppress(Fault), failing_at(place):
            model.predict(X)
        assert "labels_" in vars(model) or vars(model).keys() == vars(streamed).keys()
        np.testing.assert_array_equal(model.predict(X), expected)


def test_all_pairs_of_parts_work(blobs):
    X, _ = blobs
    grid = ParameterGrid(
        {
            "gamma": ["auto", 0.15],
            "solver": SOLVERS,
            "assignment": ["graph", "equilibria"],
            "n_landmarks": [100, None],
        }
    )
    for how in grid:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MaxMarginWarning)
            model = SupportVectorClustering(random_state=0, **how).fit(X)
        assert model.labels_.shape == (270,)
        assert np.isfinite(model.decision_function(X)).all()
        np.testing.assert_array_equal(model.predict(X), model.labels_)


# -- warnings: of our class, from the line of the user ---------------------------------------


def said_by(function, match):
    """The result, and all warnings, of which one says that."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        result = function()
    assert {w.category for w in said} == {MaxMarginWarning}
    assert any(re.search(match, str(w.message)) for w in said)
    return result, said


def test_one_cluster_is_said(rng):
    X = one_cluster(rng)
    model, said = said_by(lambda: SupportVectorClustering(1e-3).fit(X), "all rows are in one")
    assert model.n_clusters_ == 1
    assert (model.labels_ == 0).all()
    assert model.levels_.tolist() == [0]
    assert [w.filename for w in said] == [__file__]


def test_a_width_that_is_too_small_is_said(rng):
    X = one_cluster(rng)
    model, said = said_by(
        lambda: SupportVectorClustering(1e4).fit(X),
        r"100% of the rows .* in pieces of fewer than 2 rows .*: gamma=1e\+04 is too large",
    )
    assert model.n_clusters_ == 1
    assert {w.filename for w in said} == {__file__}


def test_an_empty_boundary_is_said(blobs):
    def fit():
        return SupportVectorClustering(0.15, assignment="equilibria", epsilon=1e-300).fit(blobs[0])

    model, said = said_by(fit, "no row has abs.f. <= epsilon=1e-300: .* the 27 rows of smallest")
    assert [w.filename for w in said] == [__file__]
    assert adjusted_rand_score(blobs[1], model.labels_) > 0.9


@pytest.mark.parametrize("solver", ["exact", "sgd"])
def test_an_early_stop_is_said(solver, blobs):
    def fit():
        return SupportVectorClustering(0.3, solver=solver, max_iter=1, random_state=0).fit(blobs[0])

    model, said = said_by(fit, "phase 1 did not converge in max_iter=1 steps: its duality gap is")
    assert {w.filename for w in said} == {__file__}
    assert model.duality_gap_ > 0.01
    assert model.n_iter_ == 1


def test_trajectories_without_an_end_are_said(blobs, monkeypatch):
    monkeypatch.setattr(equilibria, "MAX_STEPS", 1)

    def fit():
        return SupportVectorClustering(0.15, assignment="equilibria").fit(blobs[0])

    _, said = said_by(fit, r"of \d+ trajectories did not end")
    assert {w.filename for w in said} == {__file__}


def test_a_short_plateau_is_said(blobs, monkeypatch):
    def fit(X):
        return lambda: SupportVectorClustering("plateau").fit(X)

    model, said = said_by(fit(np.zeros((20, 2))), "longest plateau .* has 0 of 23 widths: it says")
    assert {w.filename for w in said} == {__file__}
    assert model.n_clusters_ == 1
    monkeypatch.setattr(module.plateau, "WIDTHS", module.plateau.WIDTHS[10:12])
    model, said = said_by(fit(blobs[0]), "longest plateau .* has 2 of 2 widths")
    assert model.plateau_.length == 2


def test_a_plateau_at_the_edge_is_said(blobs, monkeypatch):
    whole = SupportVectorClustering("plateau")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MaxMarginWarning)
        whole.fit(blobs[0])
    found = whole.plateau_
    assert found.length >= 3
    inside = slice(found.first, found.last + 1)
    monkeypatch.setattr(module.plateau, "WIDTHS", module.plateau.WIDTHS[inside])
    model, said = said_by(
        lambda: SupportVectorClustering("plateau").fit(blobs[0]), "ends with the widths tried"
    )
    assert [w.filename for w in said] == [__file__]
    assert model.plateau_.at_edge
    assert model.n_clusters_ == whole.n_clusters_


def test_nothing_is_said_where_all_is_well(blobs):
    """Warnings are errors here."""
    for how in ({}, {"gamma": 0.3}, {"gamma": 0.15, "assignment": "equilibria"}):
        assert SupportVectorClustering(**how).fit(blobs[0]).n_clusters_ == 3
