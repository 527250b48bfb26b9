"""The working set of cuts stays true to the labels, and its problem never gets worse."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import hinge as oracle
from scipy import sparse

from maxmargin.blocks import MemoryRows, rows
from maxmargin.objectives.hinge import Hyperplanes, Scaling
from maxmargin.solvers import cutting_plane
from maxmargin.solvers.cutting_plane import CuttingPlane

FORMS = ("C", "F", "csr_array", "csr_matrix")


def shaped(X, form):
    return np.asarray(X, order=form) if form in ("C", "F") else getattr(sparse, form)(X)


def random_rows(rng, n=120, d=4, k=3):
    """Blobs that overlap."""
    centres = 2 * rng.normal(size=(k, d))
    X = centres[rng.integers(k, size=n)] + rng.normal(size=(n, d))
    X[rng.random((n, d)) < 0.2] = 0
    return X


def free(n):
    return np.full(n, -1, np.int16)


def begin(X, k, rng, *, form="C", n_jobs=None, alpha=0.05, balance=0.1, swap=True, labels=None):
    """A problem with its first cut, made by the means of the clusters."""
    n = X.shape[0]
    labels = rng.integers(k, size=n).astype(np.int16) if labels is None else labels
    scaling = Scaling(*oracle.scaling(X))
    problem = CuttingPlane(
        MemoryRows(shaped(X, form), n_jobs), scaling, labels, k, alpha, balance, swap=swap
    )
    problem.begin()
    problem.solve()
    return problem


def advance(problem, rounds=4, steps=3):
    """Some rounds of the method: the rows move a few times, then there is a new cut."""
    n = problem.rows.shape[0]
    for _ in range(rounds):
        for _ in range(steps):
            problem.relabel(problem.rank(free(n)).labels)
            problem.solve()
        ranking = problem.rank(free(n))
        problem.relabel(ranking.labels)
        problem.add(ranking)
        problem.solve()
    return problem


def check(problem, X):
    """Every cut is that of its rivals at the labels, summed up from nothing."""
    n, scaling = len(X), problem.scaling
    scaled = scaling.scale * (np.asarray(X, float) - scaling.mean) / n
    assert problem.n_cuts == len(problem._gradients) == len(problem._weights) > 0
    for j, rivals in enumerate(problem._rivals):
        gradient, counts, active = oracle.cut(scaled, problem.labels, rivals, problem.k)
        np.testing.assert_allclose(problem._gradients[j], gradient, atol=1e-12)
        np.testing.assert_array_equal(problem._counts[j], counts)
        assert problem._active[j] == active


def heights(problem, planes):
    """What each cut says of the mean loss, at least, under hyperplanes."""
    n = problem.rows.shape[0]
    slope = np.tensordot(problem._gradients, planes.weights)
    return problem._active / n - slope - problem._counts @ planes.bias / n


def mean_loss(X, problem, planes, labels):
    scaling = problem.scaling
    values = oracle.values(X, scaling.mean, scaling.scale, planes.weights, planes.bias)
    return oracle.losses(values)[np.arange(len(X)), labels].mean()


def random_planes(rng, k, d):
    return Hyperplanes(rng.normal(size=(k, d)) * 10 ** rng.uniform(-2, 1), rng.normal(size=k) / 5)


# -- sums --------------------------------------------------------------------------------


@pytest.mark.parametrize("swap", [True, False])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("form", FORMS)
def test_cuts_stay_true_to_the_labels(form, dtype, swap, rng):
    X = random_rows(rng).astype(dtype)
    problem = advance(begin(X, 3, rng, form=form, swap=swap))
    check(problem, X)
    for _ in range(4):  # and to labels that no hyperplane gives
        new = np.where(rng.random(120) < 0.3, rng.integers(3, size=120), problem.labels)
        moved = np.count_nonzero(new != problem.labels)
        assert problem.relabel(new.astype(np.int16)) == moved
        np.testing.assert_array_equal(problem.labels, new)
        check(problem, X)
        problem.solve()
    problem.add(problem.rank(problem.labels))
    check(problem, X)


def test_the_same_labels_move_nothing(rng):
    X = random_rows(rng)
    problem = begin(X, 3, rng)
    before = problem._gradients.copy()
    assert problem.relabel(problem.labels.copy()) == 0
    np.testing.assert_array_equal(problem._gradients, before)


def test_labels_may_change_before_there_is_a_cut(rng):
    X = random_rows(rng)
    scaling = Scaling(*oracle.scaling(X))
    problem = CuttingPlane(MemoryRows(X), scaling, np.zeros(120, np.int16), 3, 0.1, 0.1)
    assert problem.relabel(np.full(120, 2, np.int16)) == 120
    np.testing.assert_array_equal(problem.labels, 2)


def test_means_of_clusters_are_the_first_hyperplanes(rng):
    X = random_rows(rng)
    labels = rng.integers(3, size=120).astype(np.int16)
    problem = begin(X, 4, rng, labels=labels)  # cluster 3 has no rows
    means = np.array([X[labels == p].mean(axis=0) for p in range(3)])
    planes = problem._made_by[0]
    expected = problem.scaling.scale * (means - problem.scaling.mean)
    np.testing.assert_allclose(planes.weights[:3], expected, atol=1e-12)
    assert not planes.weights[3].any()
    assert not planes.bias.any()


# -- the problem under the cuts ----------------------------------------------------------


@pytest.mark.parametrize("balance", [0, 1e-3, 0.1])
@pytest.mark.parametrize("swap", [True, False])
def test_hyperplanes_solve_the_problem_under_the_cuts(swap, balance, rng):
    X = random_rows(rng)
    problem = advance(begin(X, 3, rng, swap=swap, balance=balance))
    objective = problem.solve()
    planes = problem.planes
    cuts = problem._gradients, problem._counts / 120, problem._active / 120
    expected = oracle.small_problem(*cuts, problem.alpha, balance)
    assert objective == pytest.approx(expected, abs=1e-8)
    slack = max(0, heights(problem, planes).max())
    assert objective == pytest.approx(
        problem.alpha * problem.norm.penalty(planes.weights) + slack, abs=1e-9
    )
    assert np.ptp(planes.bias) <= balance + 1e-12


@pytest.mark.parametrize("labelled", [True, False])
def test_a_new_cut_says_what_the_loss_is(labelled, rng):
    """At the hyperplanes that made it, it is the mean loss itself (Theorem 2)."""
    X = random_rows(rng)
    problem = advance(begin(X, 3, rng))
    ranking = problem.rank(problem.labels if labelled else free(120))
    problem.relabel(ranking.labels)
    problem.add(ranking)
    assert heights(problem, problem.planes)[-1] == pytest.approx(ranking.loss, abs=1e-12)
    loss = mean_loss(X, problem, problem.planes, ranking.labels)
    assert ranking.loss == pytest.approx(loss, abs=1e-12)
    penalty = problem.alpha / 2 * np.sum(problem.planes.weights**2)
    assert problem.objective(ranking) == pytest.approx(penalty + loss)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    k=st.integers(2, 6),
    log_alpha=st.floats(-3, 0.5),
    balance=st.sampled_from([0, 1e-3, 0.1]),
)
def test_with_a_swap_no_step_raises_the_objective(seed, k, log_alpha, balance):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(k, 60))
    X = random_rows(rng, n, int(rng.integers(1, 5)), k)
    problem = begin(X, k, rng, alpha=10**log_alpha, balance=balance)
    for _ in range(4):
        value = problem.solution.objective
        for _ in range(8):
            moved = problem.relabel(problem.rank(free(n)).labels)
            before, value = value, problem.solve()
            assert value <= before + 1e-8
            if not moved:
                break
        ranking = problem.rank(free(n))
        problem.relabel(ranking.labels)
        problem.add(ranking)
        problem.solve()
    check(problem, X)


def test_cuts_with_the_labels_held_reach_the_best_hyperplanes(rng):
    """With labels that stay the problem is convex: the cuts close the gap from below."""
    X = random_rows(rng)
    problem = begin(X, 3, rng, alpha=0.5)
    best, below = np.inf, []
    for _ in range(60):
        ranking = problem.rank(problem.labels)
        best = min(best, problem.objective(ranking))
        problem.add(ranking)
        below.append(problem.solve())
    assert np.all(np.diff(below) >= -1e-8)
    assert best - 1e-4 <= below[-1] <= best + 1e-8


# -- cuts on other rows ------------------------------------------------------------------


@pytest.mark.parametrize("k", [2, 4])
def test_cuts_are_below_the_loss(k, rng):
    X = random_rows(rng, k=k)
    problem = advance(begin(X, k, rng))
    for _ in range(20):
        planes = random_planes(rng, k, 4)
        loss = mean_loss(X, problem, planes, problem.labels)
        assert np.all(heights(problem, planes) <= loss + 1e-12)


@pytest.mark.parametrize("rows", ["same", "others"])
@pytest.mark.parametrize("pinned", [False, True])
def test_cuts_that_are_carried_to_rows_are_below_their_loss(rows, pinned, rng):
    X = random_rows(rng)
    problem = advance(begin(X, 3, rng))
    Z = X if rows == "same" else random_rows(rng, 200)
    held = free(len(Z))
    if pinned:
        held = np.where(rng.random(len(Z)) < 0.3, rng.integers(3, size=len(Z)), -1)
    other = problem.carried_to(MemoryRows(Z), held.astype(np.int16))
    assert other.n_cuts == problem.n_cuts
    np.testing.assert_array_equal(other.labels[held >= 0], held[held >= 0])
    check(other, Z)
    for j, made_by in enumerate(other._made_by):
        loss = mean_loss(Z, other, made_by, other.labels)  # tight where it was made
        assert heights(other, made_by)[j] == pytest.approx(loss, abs=1e-12)
    for _ in range(20):
        planes = random_planes(rng, 3, 4)
        loss = mean_loss(Z, other, planes, other.labels)
        assert np.all(heights(other, planes) <= loss + 1e-12)


def test_what_is_carried_away_leaves_the_old_problem_alone(rng):
    X = random_rows(rng)
    problem = advance(begin(X, 3, rng))
    other = problem.carried_to(problem.rows, problem.labels)
    before = problem.planes, problem.n_cuts, problem.labels.copy()
    advance(other)
    assert (problem.planes, problem.n_cuts) == before[:2]
    np.testing.assert_array_equal(problem.labels, before[2])
    check(problem, X)
    check(other, X)


# -- what is kept ------------------------------------------------------------------------


def test_there_are_never_more_cuts_than_allowed(monkeypatch, rng):
    monkeypatch.setattr(cutting_plane, "MAX_CUTS", 4)
    X = random_rows(rng)
    problem = begin(X, 3, rng, alpha=0.01)
    for _ in range(10):
        advance(problem, rounds=1)
        assert problem.n_cuts <= 4
        check(problem, X)


def test_cuts_of_no_use_are_dropped(monkeypatch, rng):
    monkeypatch.setattr(cutting_plane, "MAX_IDLE", 3)
    X = random_rows(rng)
    problem = advance(begin(X, 3, rng), rounds=8)
    for _ in range(4):
        objective = problem.solve()
    assert np.all(problem._weights > 0)
    assert problem.solve() == pytest.approx(objective, abs=1e-9)
    check(problem, X)


def test_a_problem_that_needs_no_cut_can_be_solved_again():
    """Two rows far apart: all margins are 1 or more, so the only cut asks for nothing."""
    data = MemoryRows(np.array([[-1.0], [1.0]]))
    labels = np.array([0, 1], np.int16)
    problem = CuttingPlane(data, Scaling(np.zeros(1), np.ones(1)), labels, 2, 0.1, 0.1)
    planes = Hyperplanes(np.array([[-1.0], [1.0]]), np.zeros(2))
    problem.add(problem.hinge.rank(planes, labels), planes)
    for _ in range(15):
        assert problem.solve() == 0
        assert not problem.planes.weights.any()


@pytest.mark.parametrize("form", FORMS)
def test_jobs_change_no_bit(form, monkeypatch, global_random_seed):
    monkeypatch.setattr(rows, "MICRO_ROWS", 256)
    monkeypatch.setattr(rows, "TILE_ENTRIES", 1)
    seen = []
    for n_jobs in (1, 2, 3):
        rng = np.random.default_rng(global_random_seed)
        X = random_rows(rng, 1000)
        problem = advance(begin(X, 3, rng, form=form, n_jobs=n_jobs), rounds=2, steps=2)
        seen.append((problem.planes.weights, problem.planes.bias, problem.labels))
        seen[-1] += (problem._gradients,)
    check(problem, X)
    for other in seen[1:]:
        for one, two in zip(seen[0], other, strict=True):
            np.testing.assert_array_equal(one, two)
