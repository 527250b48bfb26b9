"""Algorithm 1 of SGD-LMSVC against a twin that stores every w."""

import numpy as np
import pytest
from oracles import domain as oracle

from maxmargin.solvers import SGD, SMO, OneClassProblem
from maxmargin.spaces.pairwise import PairwiseDistances

GAMMA = 1.5


def draws(seed, n, max_iter):
    """The rows that are looked at: n at a time."""
    rng, drawn = np.random.default_rng(seed), []
    while len(drawn) < max_iter:
        drawn += rng.integers(n, size=min(n, max_iter - len(drawn))).tolist()
    return drawn


def run(X, C=0.3, theta=0.01, max_iter=3000, min_epochs=0.0, average=False, seed=7):
    solver = SGD(theta, min_epochs, average, max_iter)
    return solver.solve(OneClassProblem(PairwiseDistances.of_rows(X), GAMMA, C=C, seed=seed))


def twin(X, C=0.3, theta=0.01, max_iter=3000, min_epochs=0.0, seed=7):
    n = len(X)
    first_end = int(np.ceil(min_epochs * n))
    K = oracle.kernel(X, X, GAMMA)
    return oracle.algorithm_1(K, C * n, draws(seed, n, max_iter), theta, first_end)


@pytest.fixture
def X(rng):
    return rng.normal(size=(25, 2))


@pytest.mark.parametrize("C", [0.01, 0.3, 2.0])
@pytest.mark.parametrize("min_epochs", [0, 0.5, 4.0])
@pytest.mark.parametrize("theta", [1e-9, 0.05, 1.0])
def test_the_algorithm_is_the_papers(X, C, min_epochs, theta):
    """The last step, the weighted mean, the rounds and the end, from the same draws."""
    how = {"C": C, "theta": theta, "min_epochs": min_epochs, "max_iter": 700}
    steps, lengths, ended = twin(X, **how)
    last, mean = run(X, **how), run(X, **how, average=True)
    assert last.n_iter == len(steps)
    assert last.converged == ended
    np.testing.assert_allclose(last.alpha, steps[-1], rtol=1e-9, atol=1e-12)
    if C <= 1:
        assert mean.n_iter == len(steps)
        assert mean.converged == ended
        np.testing.assert_allclose(mean.alpha, oracle.weighted_mean(steps), rtol=1e-9, atol=1e-12)
    else:  # every such C is the same problem, and 1 the fastest
        one = run(X, **{**how, "C": 1.0}, average=True)
        np.testing.assert_array_equal(mean.alpha, one.alpha)
        assert mean.C == C
    np.testing.assert_allclose(last.heights, oracle.heights(X, X, last.alpha, GAMMA))
    np.testing.assert_allclose(mean.heights, oracle.heights(X, X, mean.alpha, GAMMA))
    if ended:  # by the norm of the last change, at the first round that may end it
        first_end = max(1, int(np.ceil(min_epochs * len(X))))
        assert lengths[-1] <= theta
        assert all(length > theta for length in lengths[first_end - 1 : -1])
        assert len(steps) >= first_end


@pytest.mark.parametrize("average", [False, True])
def test_a_cap_is_no_end(X, average):
    for max_iter in (1, 24, 25, 26, 60):
        found = run(X, theta=1e-9, max_iter=max_iter, average=average)
        assert found.n_iter == max_iter
        assert not found.converged
        assert np.isfinite(found.alpha).all()
        assert found.alpha.sum() > 0


def test_weights_are_numbers_of_violations(X):
    """α_i = C' · violations of i / t."""
    C = 0.3
    found = run(X, C=C, theta=1e-3)
    counts = found.alpha * found.n_iter / (C * len(X))
    np.testing.assert_allclose(counts, counts.round(), atol=1e-8)
    K, drawn = oracle.kernel(X, X, GAMMA), draws(7, len(X), found.n_iter)
    violations, w = np.zeros(len(X)), np.zeros(len(X))
    for t, i in enumerate(drawn, start=1):
        violations[i] += K[i] @ w < 1
        w = C * len(X) * violations / t
    np.testing.assert_array_equal(counts.round(), violations)


def test_the_first_round_by_hand(X):
    """w_2 = C' φ(x) of the row that was drawn: a weight above its bound."""
    found = run(X, C=0.3, max_iter=1)
    expected = np.zeros(len(X))
    expected[draws(7, len(X), 1)[0]] = 0.3 * len(X)
    np.testing.assert_allclose(found.alpha, expected)
    np.testing.assert_allclose(run(X, C=0.3, max_iter=1, average=True).alpha, expected)


def test_it_comes_near_the_optimum(X):
    exact = SMO(tol=1e-10).solve(OneClassProblem(PairwiseDistances.of_rows(X), GAMMA, C=0.3))
    gaps = []
    for epochs in (4, 40, 400, 4000):
        found = run(X, theta=1e-12, max_iter=epochs * len(X), average=True)
        gaps.append(found.gap)
    assert gaps[0] > gaps[-1]
    assert abs(gaps[-1]) < 5e-3
    np.testing.assert_allclose(found.heights, exact.heights, atol=0.03)
    # no w is better than the best, and both come near it
    K = oracle.kernel(X, X, GAMMA)
    best = oracle.gap_of_box(exact.alpha, K, 0.3)[0]
    for average in (True, False):
        for seed in range(4):
            near = run(X, theta=1e-12, max_iter=400 * len(X), average=average, seed=seed)
            assert best * (1 - 1e-9) <= oracle.gap_of_box(near.alpha, K, 0.3)[0] < 1.02 * best


@pytest.mark.parametrize("nu", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("average", [False, True])
def test_its_own_C_for_nu(rng, monkeypatch, nu, average):
    """The share of violations is ν, and C near that of the exact machine, which is not asked."""
    X = rng.normal(size=(400, 2))
    problem = OneClassProblem(PairwiseDistances.of_rows(X), GAMMA, nu=nu, seed=3)
    exact = SMO().solve(problem)
    monkeypatch.setattr(SMO, "solve", None)
    found = SGD(theta=1e-9, max_iter=40 * len(X), average=average).solve(problem)
    assert found.nu == pytest.approx(nu, abs=0.01)
    assert pytest.approx(exact.C, rel=0.08) == found.C
    assert np.abs(found.heights - exact.heights).mean() < 0.05
    K = oracle.kernel(X, X, GAMMA)
    assert oracle.gap_of_box(found.alpha, K, found.C)[0] > 0
    assert abs(found.gap) < (0.05 if average else 0.2)


def test_a_hard_margin_needs_no_larger_C(X):
    """Far rows: ν would ask for a C above 1, where every C is the same problem."""
    problem = OneClassProblem(PairwiseDistances.of_rows(100 * X), GAMMA, nu=0.05)
    assert SMO().solve(problem).C > 1
    found = SGD(theta=1e-9, max_iter=5000).solve(problem)
    assert found.C == 1
    np.testing.assert_allclose(found.alpha, 1, atol=0.25)


def test_epochs_keep_it_going(X):
    early, late = run(X, theta=0.5), run(X, theta=0.5, min_epochs=20.0)
    assert early.converged
    assert late.converged
    assert early.n_iter < 20 * len(X) <= late.n_iter


def test_the_same_draws_give_the_same_weights(X):
    for average in (False, True):
        first, second = run(X, average=average), run(X, average=average)
        np.testing.assert_array_equal(first.alpha, second.alpha)
        assert (run(X, average=average, seed=8).alpha != first.alpha).any()


def test_two_equal_rows_share_violations():
    X = np.zeros((2, 1))
    found = run(X, C=1.0, theta=1e-3, max_iter=20_000, average=True)
    assert found.alpha.sum() == pytest.approx(1, abs=0.02)
    np.testing.assert_allclose(found.heights, found.alpha.sum())
