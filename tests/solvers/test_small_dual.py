"""The small problem is solved exactly, whatever the rank and the scale of the cuts."""

import numpy as np
import pytest
from oracles import hinge as oracle

from maxmargin.solvers.kernel_weights import solve_small_dual

BALANCES = (0, 1e-3, 0.1, 1)
KINDS = ("random", "duplicates", "rank one", "bad scale")


def random_cuts(rng, kind="random", m=None, k=None):
    """Gradients A (m × k × d) and a (m × k), constants c and alpha."""
    m = rng.integers(1, 15) if m is None else m
    k, d = rng.integers(2, 6) if k is None else k, rng.integers(1, 6)
    A, a, c = rng.normal(size=(m, k, d)), rng.normal(size=(m, k)) / 3, rng.random(m)
    a -= a.mean(axis=1, keepdims=True)
    if kind == "duplicates":
        again = rng.integers(max(1, m // 2), size=m)
        A, a, c = A[again], a[again], c[again]
    elif kind == "rank one":
        A = rng.normal(size=(m, 1, 1)) * A[0]
    elif kind == "bad scale":
        A *= 10 ** rng.uniform(-3, 3, size=(m, 1, 1))
    return A, a, c, 10 ** rng.uniform(-4, 1)


def solve(A, a, c, alpha, balance, start=None):
    flat = A.reshape(len(A), -1)
    return solve_small_dual(flat @ flat.T, a, c, alpha, balance, start)


def check(A, a, c, alpha, balance, found):
    """The solution is feasible, and no more than its gap from the best."""
    W = np.tensordot(found.weights, A, 1) / alpha
    below = c - np.tensordot(A, W) - a @ found.bias
    lengths = np.abs(A)  # what W is a small difference of, where cuts are long
    rounding = 1e-15 * np.tensordot(lengths, np.tensordot(found.weights, lengths, 1)) / alpha
    assert np.all(found.slack >= below - 1e-8 - rounding)
    assert found.slack >= 0
    assert found.objective == pytest.approx(alpha / 2 * np.sum(W**2) + found.slack, abs=1e-8)
    assert np.all(found.weights >= 0)
    assert found.weights.sum() <= 1 + 1e-12
    assert np.ptp(found.bias) <= balance * (1 + 1e-12)
    assert -1e-10 <= found.gap <= 1e-8 + rounding.max()


@pytest.mark.parametrize("balance", BALANCES)
@pytest.mark.parametrize("kind", KINDS)
def test_it_is_as_good_as_an_interior_point_method(kind, balance, rng):
    """Clarabel has a constraint for each pair of biases; here they are in a box."""
    for _ in range(15):
        case = *random_cuts(rng, kind), balance
        found = solve(*case)
        check(*case, found)
        assert found.objective == pytest.approx(oracle.small_problem(*case), abs=1e-8)


@pytest.mark.parametrize("balance", BALANCES)
def test_many_cuts(balance, rng):
    case = *random_cuts(rng, "bad scale", m=40, k=10), balance
    found = solve(*case)
    check(*case, found)
    assert found.objective == pytest.approx(oracle.small_problem(*case), abs=1e-8)


@pytest.mark.parametrize("kind", KINDS)
def test_a_start_changes_nothing(kind, rng):
    for balance in BALANCES:
        A, a, c, alpha = random_cuts(rng, kind, m=8)
        cold = solve(A, a, c, alpha, balance)
        starts = [cold.weights, rng.dirichlet(np.ones(8)), rng.dirichlet(np.ones(9))[:8]]
        for start in starts:
            warm = solve(A, a, c, alpha, balance, start)
            check(A, a, c, alpha, balance, warm)
            assert warm.objective == pytest.approx(cold.objective, abs=1e-8)
            np.testing.assert_allclose(  # W is unique
                np.tensordot(warm.weights, A, 1) * np.sqrt(1 / alpha),
                np.tensordot(cold.weights, A, 1) * np.sqrt(1 / alpha),
                atol=3e-4,
            )


@pytest.mark.parametrize("balance", BALANCES)
def test_one_cut_has_a_formula(balance, rng):
    """The biases take l/2 Σ|a_p| off the constant; the rest is a parabola in λ.

    Where nothing is left W = 0 is the best, and the problem is degenerate.
    """
    for _ in range(200):
        A, a, c, alpha = random_cuts(rng, m=1)
        rest = float(c[0] - balance / 2 * np.abs(a).sum())
        curve = np.sum(A**2) / alpha
        weight = np.clip(rest / curve, 0, 1)
        found = solve(A, a, c, alpha, balance)
        check(A, a, c, alpha, balance, found)
        assert found.objective == pytest.approx(rest * weight - curve * weight**2 / 2, abs=1e-8)


def test_a_case_computed_by_hand():
    """Two clusters on a line, cuts A = ±(1, −1) with c = 1 and 1/2, alpha = 1, no bias.

    λ = (λ₁, λ₂): the dual is λ₁ + λ₂/2 − (λ₁ − λ₂)², best on λ₁ + λ₂ = 1 with λ₁ − λ₂ = 1/8:
    3/4 + 1/32 − 1/64 = 49/64.
    """
    A = np.array([[[1.0], [-1.0]], [[-1.0], [1.0]]])
    found = solve(A, np.zeros((2, 2)), np.array([1, 0.5]), 1.0, 0)
    np.testing.assert_allclose(found.weights, [9 / 16, 7 / 16], atol=1e-12)
    np.testing.assert_allclose(found.bias, [0, 0])
    assert found.slack == pytest.approx(3 / 4)
    assert found.objective == pytest.approx(49 / 64)


def test_a_bias_computed_by_hand():
    """One cut that W cannot meet: a = (1/2, −1/2), c = 1. The biases ±l/2 take l/2 from it."""
    found = solve(np.zeros((1, 2, 1)), np.array([[0.5, -0.5]]), np.ones(1), 1.0, 0.3)
    np.testing.assert_allclose(found.bias, [0.15, -0.15], atol=1e-9)
    assert found.objective == pytest.approx(1 - 0.15)


def test_cuts_that_ask_for_nothing_leave_the_origin(rng):
    A, a, _, alpha = random_cuts(rng, m=5)
    found = solve(A, a, np.zeros(5), alpha, 0.1)
    assert found.objective == pytest.approx(0, abs=1e-8)
    np.testing.assert_allclose(np.tensordot(found.weights, A, 1) / np.sqrt(alpha), 0, atol=2e-4)


def test_a_wider_balance_is_never_worse(rng):
    case = random_cuts(rng, m=10)
    objectives = [solve(*case, balance).objective for balance in (0, 0.01, 0.1, 0.5, 2)]
    assert np.all(np.diff(objectives) <= 1e-8)
