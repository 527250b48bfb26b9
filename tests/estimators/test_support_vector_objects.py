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
from maxmargin.domain import Assignment, DomainClusters, Equilibria, Graph, equilibria, width
from maxmargin.solvers import SGD, SMO, LibSVM, OneClassSolution, OneClassSolver

CENTERS = [[0, 0], [9, 0], [0, 9]]
SOLVERS = ("exact", "sgd", "online", "libsvm")


def one_cluster(rng):
    return rng.normal(size=(60, 2))


# -- models as objects -------------------------------------------------------------------


def test_names_stand_for_objects_with_defaults(blobs):
    X, _ = blobs
    pairs = [("exact", SMO()), ("sgd", SGD()), ("libsvm", LibSVM())]
    for name, solver in pairs:
        named, given = (
            SupportVectorClustering(0.3, solver=one, random_state=0).fit(X)
            for one in (name, solver)
        )
        np.testing.assert_array_equal(named.dual_coef_, given.dual_coef_)
    for name, assignment in (("graph", Graph()), ("equilibria", Equilibria())):
        named, given = (
            SupportVectorClustering(0.15, assignment=one).fit(X) for one in (name, assignment)
        )
        np.testing.assert_array_equal(named.labels_, given.labels_)


def test_parameters_of_parts_are_nested(blobs):
    model = SupportVectorClustering(0.3, solver=SGD(), assignment=Equilibria(), random_state=0)
    model.set_params(solver__min_epochs=30, assignment__epsilon=0.05)
    copy = clone(model)
    assert copy.solver is not model.solver
    assert (copy.solver.min_epochs, copy.assignment.epsilon) == (30, 0.05)
    assert "solver=SGD(min_epochs=30)" in repr(copy)
    assert copy.fit(blobs[0]).n_iter_ >= 30 * len(blobs[0])
    with pytest.raises(ValueError, match="theta must be a finite number > 0; got 0"):
        model.set_params(solver__theta=0).fit(blobs[0])


def test_equilibria_have_a_smallest_cluster_too(blobs):
    X = np.append(blobs[0], [[30.0, 30.0], [30.5, 30.0]], axis=0)
    sizes = {}
    for smallest in (None, 10, 0.1):
        model = SupportVectorClustering(
            0.15, C=1.0, assignment="equilibria", min_cluster_size=smallest
        ).fit(X)
        sizes[smallest] = np.bincount(model.labels_)
        np.testing.assert_array_equal(model.predict(X), model.labels_)
    assert sizes[None].min() == 2
    assert min(sizes[10].min(), sizes[0.1].min()) >= 27


def test_parts_of_your_own(blobs):
    """A solver and an assignment that the library does not know, and what they declare."""

    class Equal(OneClassSolver):
        takes = ("C",)

        def solve(self, problem):
            n, C = problem.kernel.n, problem.C
            heights = problem.kernel.sums(np.full(n, C))
            return OneClassSolution(problem.gamma, np.full(n, C), heights, 1.0, C, 0.0, 1, True)

    class Signs(Assignment):
        def clusters(self, graph, solution, smallest):
            labels = (graph.distances.rows[:, 0] > 0).astype(np.intp)
            return [DomainClusters(solution, labels, np.ones(2), size) for size in smallest]

    X, _ = blobs
    model = SupportVectorClustering(0.3, C=0.1, solver=Equal(), assignment=Signs()).fit(X)
    np.testing.assert_array_equal(model.dual_coef_, 0.1)
    assert adjusted_rand_score(model.labels_, X[:, 0] > X[:, 0].mean()) == 1
    with pytest.raises(ValueError, match=r"solver=Equal\(\) takes C and not nu; got nu=0.4"):
        SupportVectorClustering(0.3, nu=0.4, solver=Equal()).fit(X)


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
        return SupportVectorClustering(0.15, assignment=Equilibria(1e-300)).fit(blobs[0])

    model, said = said_by(fit, "no row has abs.f. <= epsilon=1e-300: .* the 27 rows of smallest")
    assert [w.filename for w in said] == [__file__]
    assert adjusted_rand_score(blobs[1], model.labels_) > 0.9


@pytest.mark.parametrize("solver", [SMO(max_iter=1), SGD(max_iter=1), LibSVM(max_iter=1)])
def test_an_early_stop_is_said(solver, blobs):
    def fit():
        return SupportVectorClustering(0.3, solver=solver, random_state=0).fit(blobs[0])

    model, said = said_by(fit, "phase 1 did not converge in 1 steps: its duality gap is")
    assert {w.filename for w in said} == {__file__}
    assert model.duality_gap_ > 0.01
    assert model.n_iter_ == 1


def test_trajectories_without_an_end_are_said(blobs, monkeypatch):
    monkeypatch.setattr(equilibria, "MAX_CLIMB_STEPS", 1)

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
    monkeypatch.setattr(width, "PLATEAU_WIDTHS", width.PLATEAU_WIDTHS[10:12])
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
    monkeypatch.setattr(width, "PLATEAU_WIDTHS", width.PLATEAU_WIDTHS[inside])
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


# a fault in a generator that is being closed cannot be raised
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
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
