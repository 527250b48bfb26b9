"""SGD-LMSVC in one pass against a twin that stores every w; its memory, and its C for ν."""

import pickle

import numpy as np
import pytest
from oracles import domain as oracle

from maxmargin.solvers import SMO, OneClassProblem, OnlineSGD
from maxmargin.solvers.violations import Violations
from maxmargin.spaces.pairwise import PairwiseDistances

GAMMA = 1.5


def seen(X, nu=0.5, budget=None, batches=1, seed=0):
    stream = Violations(GAMMA, nu, budget, np.random.default_rng(seed))
    for batch in np.array_split(X, batches):
        stream = stream.grown(batch)
    return stream


def scattered(stream, n, average):
    """The weights by the number of the row in the stream."""
    alpha = np.zeros(n)
    alpha[stream.rounds.astype(int) - 1] = stream.alpha(average)
    return alpha


@pytest.mark.parametrize("nu", [0.05, 0.5, 0.95])
@pytest.mark.parametrize("batches", [1, 7])
def test_one_pass_is_equation_2(rng, nu, batches):
    """w_{t+1} = (1 − 1/t) w_t + (C_t/t) [w_t·φ < 1] φ, where a new C rescales w."""
    X = rng.normal(size=(600, 2))
    steps, C = oracle.online(oracle.kernel(X, X, GAMMA), nu)
    stream = seen(X, nu, batches=batches)
    assert stream.n_seen == len(X)
    assert pytest.approx(C, rel=1e-9) == stream.C
    np.testing.assert_allclose(scattered(stream, len(X), False), C * steps[-1], atol=1e-12)
    mean = C * oracle.weighted_mean(steps)
    np.testing.assert_allclose(scattered(stream, len(X), True), mean, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(stream.rows, X[stream.rounds.astype(int) - 1])


def test_a_budget_bounds_the_memory_and_keeps_the_mean(rng):
    """The kept violations are a fair sample: their w is that of all, up to its noise."""
    X = rng.normal(size=(5000, 2))
    points = rng.normal(size=(50, 2))
    whole = seen(X)
    exact = oracle.heights(points, whole.rows, whole.alpha(True), GAMMA)
    found = []
    for seed in range(8):
        part = seen(X, budget=500, batches=9, seed=seed)
        assert part.rows.shape == (500, 2)
        assert part.rounds.shape == (500,)
        assert pytest.approx(part.C * part.n_violations / part.n_seen) == part.alpha(False).sum()
        found.append(oracle.heights(points, part.rows, part.alpha(True), GAMMA))
    np.testing.assert_allclose(np.mean(found, axis=0), exact, atol=0.08)
    late = np.concatenate([seen(X, budget=500, seed=seed).rounds for seed in range(8)])
    assert 0.4 < np.mean(late > 2500) < 0.6  # early and late violations alike


@pytest.mark.parametrize("nu", [0.2, 0.5, 0.8])
def test_the_share_of_violations_is_nu_and_w_near_the_optimum(rng, nu):
    X = rng.normal(size=(3000, 2))
    stream = seen(X, nu)
    assert abs(stream.n_violations / stream.n_seen - nu) < 0.03
    exact = SMO().solve(OneClassProblem(PairwiseDistances.of_rows(X), GAMMA, nu=nu))
    assert pytest.approx(exact.C, rel=0.15) == stream.C / len(X)
    heights = oracle.heights(X, stream.rows, stream.alpha(True), GAMMA)
    assert np.abs(heights - exact.heights).mean() < 0.1


def test_an_earlier_state_stays_as_it_is(rng):
    X = rng.normal(size=(300, 2))
    early = seen(X[:100], budget=20)
    rows, rounds, C = early.rows.copy(), early.rounds.copy(), early.C
    late = early.grown(X[100:])
    np.testing.assert_array_equal(early.rows, rows)
    np.testing.assert_array_equal(early.rounds, rounds)
    assert (early.C, early.n_seen, late.n_seen) == (C, 100, 300)
    assert late.rounds.max() > 100


def test_a_pickle_goes_on_like_the_stream_itself(rng):
    X = rng.normal(size=(400, 3))
    early = seen(X[:200], budget=30)
    saved = pickle.dumps(early)
    whole, loaded = early.grown(X[200:]), pickle.loads(saved).grown(X[200:])
    np.testing.assert_array_equal(whole.rows, loaded.rows)
    assert whole.C == loaded.C


def test_rows_of_fit_are_looked_at_once(rng):
    X = rng.normal(size=(400, 2))
    problem = OneClassProblem(PairwiseDistances.of_rows(X), GAMMA, nu=0.3, seed=5)
    found = OnlineSGD(budget=None).solve(problem)
    order = np.random.default_rng(5).permutation(len(X))
    K = oracle.kernel(X, X, GAMMA)
    steps, C = oracle.online(K[np.ix_(order, order)], 0.3)
    expected = np.zeros(len(X))
    expected[order] = C * oracle.weighted_mean(steps)
    np.testing.assert_allclose(found.alpha, expected, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(found.heights, K @ found.alpha, rtol=1e-6)
    assert (found.n_iter, found.converged) == (len(X), True)
    assert pytest.approx(C / len(X)) == found.C
    assert oracle.gap_of_box(found.alpha, K, found.C)[0] > 0
