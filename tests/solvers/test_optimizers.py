"""CCCP, alternation and the paper to the letter: monotone where they say so, within the limits."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import cpmmc
from oracles import hinge as oracle
from sklearn.metrics import adjusted_rand_score

from maxmargin import CuttingPlaneClustering
from maxmargin._runtime.context import fitting
from maxmargin.blocks import MemoryRows
from maxmargin.objectives.hinge import Scaling
from maxmargin.sizes import read_sizes
from maxmargin.solvers import CCCP, CPM3C, CPMMC, Alternation, cutting_plane
from maxmargin.solvers.cutting_plane import CuttingPlane, Limits
from maxmargin.solvers.multistart import Multistart, lowest, most_agreed
from maxmargin.solvers.optimizers import settle


def limits_of(n, k, *, tol=0.01, max_iter=500, pins=None, **sizes):
    pins = np.full(n, -1, np.int32) if pins is None else np.asarray(pins, np.int32)
    bounds = {"proportions": None, "min_size": None, "max_size": None, **sizes}
    return Limits(read_sizes(n, k, pins=pins, **bounds), tol, max_iter)


def problem_of(X, labels, k, *, alpha=0.1, balance=0.0, swap=True):
    rows = MemoryRows(X)
    problem = CuttingPlane(rows, Scaling.of(rows), labels, k, alpha, balance, swap=swap)
    problem.begin()
    return problem


def scaled(X):
    mean, scale = oracle.scaling(X)
    return scale * (X - mean)


def rises(path):
    return [float(np.max(np.diff(steps))) for steps in path if len(steps) > 1]


def check(result, X, limits):
    """The result is what its hyperplanes and labels are worth, and keeps the limits."""
    scaling, planes = result.problem.scaling, result.planes
    values = oracle.values(X, scaling.mean, scaling.scale, planes.weights, planes.bias)
    loss = oracle.losses(values)[np.arange(len(X)), result.labels].mean()
    alpha, balance = result.problem.alpha, result.problem.balance
    assert result.objective == pytest.approx(alpha / 2 * np.sum(planes.weights**2) + loss)
    assert np.ptp(planes.bias) <= balance + 1e-12
    assert abs(result.gap) <= 1e-9
    assert limits.sizes.hold(result.labels)


# -- two clusters are the binary method --------------------------------------------------


@pytest.mark.parametrize("alpha", [0.1, 0.5])
def test_two_clusters_are_the_binary_method(alpha, monkeypatch, rng):
    """The same steps from the same start: objectives, cuts and decision values."""
    monkeypatch.setattr(cutting_plane, "MAX_IDLE", 10**9)  # the oracle drops no cut
    ended = 0
    for _ in range(4):
        X = rng.normal(size=(60, 3)) + 2 * rng.integers(2, size=(60, 1))
        labels = rng.integers(2, size=60)
        found = CPMMC().run(problem_of(X, labels, 2, alpha=alpha), limits_of(60, 2))
        w, b, path = cpmmc.run(scaled(X), labels, alpha, 0.0, 0.01)
        assert b == 0
        # after many steps a row within rounding of the hyperplane may part the ways
        for ours, theirs in list(zip(found.path, path, strict=False))[:6]:
            np.testing.assert_allclose(ours, theirs, atol=1e-5)
        if len(path) > 6:
            continue
        ended += 1
        assert len(found.path) == len(path)
        planes = found.planes
        np.testing.assert_allclose(planes.weights[0], -planes.weights[1], atol=1e-9)
        decision = scaled(X) @ (planes.weights[1] - planes.weights[0])
        np.testing.assert_allclose(decision, scaled(X) @ w, atol=2e-3)
        binary = cpmmc.objective(scaled(X), w, b, alpha)
        assert found.objective == pytest.approx(binary, abs=1e-4)
    assert ended > 0


@pytest.mark.parametrize("balance", [0.02, 0.2])
def test_two_clusters_with_a_bias_are_worth_what_the_binary_form_says(balance, rng):
    """The bias may not be unique, and then steps differ; the first problem is the same."""
    for _ in range(3):
        X = rng.normal(size=(60, 3)) + 1.5 * rng.integers(2, size=(60, 1))
        labels = rng.integers(2, size=60)
        problem = problem_of(X, labels, 2, balance=balance)
        found = CPMMC().run(problem, limits_of(60, 2))
        _, _, path = cpmmc.run(scaled(X), labels, 0.1, balance, 0.01)
        assert found.path[0][0] == pytest.approx(path[0][0], abs=1e-6)
        planes = found.planes
        w, b = planes.weights[1] - planes.weights[0], planes.bias[1] - planes.bias[0]
        assert abs(b) <= balance + 1e-12
        assert found.objective == pytest.approx(cpmmc.objective(scaled(X), w, b, 0.1), abs=1e-9)


def test_two_clusters_of_the_paper_to_the_letter_are_another_method(rng):
    """A row that moves to its rival counts for nothing there (eqs. 18–19): not |f|."""
    X = rng.normal(size=(60, 3))
    labels = rng.integers(2, size=60)
    found = CPM3C().run(problem_of(X, labels, 2, swap=False), limits_of(60, 2))
    _, _, path = cpmmc.run(scaled(X), labels, 0.1, 0.0, 0.01)
    assert found.path[0][0] == pytest.approx(path[0][0], abs=1e-6)
    assert abs(found.path[0][1] - path[0][1]) > 1e-4


# -- never worse -------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    k=st.integers(2, 6),
    log_alpha=st.floats(-3, 0.5),
    balance=st.sampled_from([0.0, 0.05, 0.3]),
    limited=st.sampled_from(["free", "floor", "exact"]),
    pinned=st.booleans(),
)
def test_no_step_of_cccp_raises_the_objective(seed, k, log_alpha, balance, limited, pinned):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3 * k, 60))
    X = rng.normal(size=(n, int(rng.integers(1, 5)))) + 2 * rng.integers(k, size=(n, 1))
    X = np.round(X) if rng.random() < 0.3 else X  # ties and duplicates
    sizes = {
        "free": {},
        "floor": {"min_size": 0.7},
        "exact": {"proportions": rng.dirichlet(np.full(k, 5.0))},
    }[limited]
    pins = np.full(n, -1)
    if pinned:
        pins[: min(3, k)] = rng.permutation(k)[: min(3, k)]
    limits = limits_of(n, k, pins=pins, max_iter=60, **sizes)
    labels = np.where(pins >= 0, pins, rng.integers(k, size=n))
    problem = problem_of(X, labels, k, alpha=10**log_alpha, balance=balance)
    result = CCCP().run(problem, limits)
    assert max(rises(result.path[:-1]), default=0) <= 1e-8
    check(result, X, limits)


@pytest.mark.parametrize("swap", [True, False])
def test_the_trade_of_places_is_what_makes_it_monotone(swap):
    """Thirty rows, three clusters: the letter of the paper rises within one set of cuts."""
    worst = 0.0
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X, labels = rng.normal(size=(30, 2)), rng.integers(3, size=30)
        problem = problem_of(X, labels, 3, swap=swap)
        limits = limits_of(30, 3)
        path = [problem.solve()]
        settle(problem, limits.pins, path, 50)
        worst = max(worst, *rises([path]))
        Optimizer = CPMMC if swap else CPM3C
        result = Optimizer().run(problem_of(X, labels, 3, swap=swap), replace(limits, max_iter=20))
        worst = max(worst, *rises(result.path))
    assert worst <= 1e-9 if swap else worst > 0.04


def test_rounds_of_alternation_rise_by_no_more_than_the_tolerance(rng):
    for k, tol in ((2, 1e-3), (4, 1e-3), (4, 1e-5)):
        X = rng.normal(size=(80, 3)) + 2 * rng.integers(k, size=(80, 1))
        problem = problem_of(X, rng.integers(k, size=80), k, alpha=0.2)
        limits = limits_of(80, k, tol=tol, max_iter=10**4)
        result = Alternation().run(problem, limits)
        (path,) = result.path
        assert len(path) > 1
        assert max(rises([path])) <= tol + 1e-9
        assert result.objective <= min(path) + 1e-12
        check(result, X, limits)


def test_alternation_goes_on_from_the_best_of_cccp(rng):
    """CCCP gives back the best that it saw, and a polish begins there: it never ends above."""
    X = rng.normal(size=(100, 4))
    limits = limits_of(100, 3, min_size=0.5)
    labels = rng.integers(3, size=100)
    result = CCCP().run(problem_of(X, labels, 3, alpha=0.03), limits)
    np.testing.assert_array_equal(result.problem.labels, result.labels)
    again = result.followed_by(Alternation().run(result.problem, limits))
    assert again.objective <= result.objective + 1e-12
    assert again.path[: len(result.path)] == result.path
    assert np.all(np.diff(again.path[-1]) <= 1e-12)
    assert again.n_cuts >= result.n_cuts


def test_the_hyperplanes_fit_their_labels(rng):
    """With the labels held the problem is convex, and no other fit is better than the tolerance."""
    X = rng.normal(size=(60, 3))
    limits = limits_of(60, 3, tol=1e-3, min_size=0.5, max_iter=10**4)
    result = Alternation().run(problem_of(X, rng.integers(3, size=60), 3, alpha=0.3), limits)
    assert result.converged
    held = problem_of(X, result.labels, 3, alpha=0.3)
    for _ in range(200):
        lower = held.solve()
        ranking = held.rank(result.labels)
        if ranking.loss - held.solution.slack <= 1e-5:
            break
        held.add(ranking)
    assert lower <= result.objective + 1e-9
    assert result.objective <= held.objective(ranking) + 2e-3


# -- limits ------------------------------------------------------------------------------


@pytest.mark.parametrize("optimizer", [CCCP, Alternation])
@pytest.mark.parametrize("k", [2, 3, 5])
def test_limits_are_kept_from_any_start(optimizer, k, rng):
    X = rng.normal(size=(61, 2))
    pins = np.full(61, -1)
    pins[:k] = np.arange(k)
    starts = [np.zeros(61, int), rng.integers(k, size=61), np.arange(61) % k]
    for sizes in (
        {"min_size": 1.0},
        {"max_size": 1.0},
        {"proportions": rng.dirichlet(np.full(k, 4.0))},
        {"min_size": [0] * (k - 1) + [40]},
    ):
        limits = limits_of(61, k, pins=pins, **sizes)
        for start in starts:
            labels = np.where(pins >= 0, pins, start)
            result = optimizer().run(problem_of(X, labels, k, balance=0.1), limits)
            check(result, X, limits)


def test_the_paper_to_the_letter_keeps_pins_and_loses_clusters():
    X = np.array([[-1.0], [-0.9], [0.9], [1.0]])
    pins = np.array([0, -1, -1, 0])
    limits = limits_of(4, 2, pins=pins)
    result = CPM3C().run(problem_of(X, np.zeros(4, int), 2, swap=False), limits)
    assert np.array_equal(result.labels[[0, 3]], [0, 0])
    assert result.objective == pytest.approx(1)


@pytest.mark.parametrize("kind", [CCCP, Alternation, CPM3C])
def test_a_cap_on_cuts_is_kept_and_said(kind, rng):
    X = rng.normal(size=(100, 5))
    limits = limits_of(100, 3, tol=1e-9, max_iter=3, min_size=None)
    optimizer = kind()
    problem = problem_of(X, rng.integers(3, size=100), 3, alpha=1e-3, swap=optimizer.swap)
    result = optimizer.run(problem, limits)
    assert not result.converged
    assert result.n_cuts <= 3


@pytest.mark.parametrize("kind", [CCCP, Alternation, CPM3C])
@pytest.mark.usefixtures("stopped")
def test_a_flag_ends_every_optimizer(kind, rng):
    X = rng.normal(size=(50, 2))
    limits = limits_of(50, 3)
    optimizer = kind()
    problem = problem_of(X, rng.integers(3, size=50), 3, swap=optimizer.swap)
    with pytest.raises(KeyboardInterrupt):
        optimizer.run(problem, limits)


# -- choosing among runs ------------------------------------------------------------------


def result(objective, labels, voices=1):
    """A run of which only what choices look at is known."""
    return SimpleNamespace(objective=objective, labels=np.array(labels), voices=voices)


def test_the_lowest_objective_is_chosen():
    runs = [result(0.3, [0, 1]), result(0.1, [1, 0]), result(0.2, [0, 0])]
    assert lowest(runs) is runs[1]


def test_runs_that_agree_outvote_a_lonely_one_that_is_hardly_lower():
    lonely = result(0.100, [0, 1, 0, 1, 0, 1])
    friends = [result(0.101 + i / 1000, [0, 0, 0, 1, 1, 1]) for i in range(3)]
    assert most_agreed([lonely, *friends]) in friends
    far = [result(0.2, friend.labels) for friend in friends]
    assert most_agreed([lonely, *far]) is lonely
    assert most_agreed([lonely]) is lonely
    assert most_agreed([lonely, result(0.101, friends[0].labels, voices=3)]) is not lonely
    assert most_agreed([result(0.0, [0, 1]), result(0.0, [0, 1])]).objective == 0


def test_starts_that_differ_in_names_make_one_run(rng):
    y = np.repeat([0, 1, 2], 20).astype(np.int32)
    X = rng.normal(size=(60, 2)) + np.array([[0, 0], [9, 0], [0, 9]])[y]
    seen = []

    def choose(results):
        seen.extend(result.voices for result in results)
        return lowest(results)

    starts = [y, np.array([2, 0, 1], np.int32)[y], np.arange(60, dtype=np.int32) % 3]
    rows = MemoryRows(X)
    with fitting(CuttingPlaneClustering(3), X, None) as context:
        runs = Multistart([Alternation()], 0.03, 0.0, context, choose=choose)
        best = runs.best(rows, Scaling.of(rows), limits_of(60, 3), starts)
    assert sorted(seen) == [1, 2]
    assert adjusted_rand_score(y, best.labels) == 1
