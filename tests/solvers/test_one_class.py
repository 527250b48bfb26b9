"""The exact one-class machine: optimality, LIBSVM, the two forms, the row cache."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import domain as oracle
from sklearn.svm import OneClassSVM

from maxmargin.solvers import LibSVM, OneClassProblem, one_class
from maxmargin.solvers.one_class import SMO, solution_of_box
from maxmargin.spaces import pairwise as pairwise_module
from maxmargin.spaces.pairwise import GaussianKernelRows, PairwiseDistances

EXACT = {"tol": 1e-10, "max_iter": 1_000_000}


def by_nu(X, gamma, nu, **how):
    return SMO(**{**EXACT, **how}).solve(
        OneClassProblem(PairwiseDistances.of_rows(X), gamma, nu=nu)
    )


def by_box(X, gamma, C, **how):
    return SMO(**{**EXACT, **how}).solve(OneClassProblem(PairwiseDistances.of_rows(X), gamma, C=C))


def violation(found):
    """The largest violation of the optimality conditions, in units of f."""
    f = found.heights - 1
    above = np.where(found.alpha < found.C, -f, 0)  # could be raised: f must not be below 0
    below = np.where(found.alpha > 0, f, 0)  # could be lowered: f must not be above 0
    return max(above.max(), below.max())


@pytest.fixture
def X(rng):
    return rng.normal(size=(120, 2)) + 4 * rng.integers(2, size=(120, 1))


# -- optimality --------------------------------------------------------------------------


@pytest.mark.parametrize("gamma", [0.05, 1.0, 30.0])
@pytest.mark.parametrize("nu", [0.03, 0.5, 0.9])
def test_the_nu_form_is_optimal(X, gamma, nu):
    found = by_nu(X, gamma, nu)
    K = oracle.kernel(X, X, gamma)
    assert found.converged
    assert found.nu == pytest.approx(nu, rel=1e-12)
    assert found.alpha.min() >= -1e-15
    assert found.alpha.max() <= found.C * (1 + 1e-12)
    np.testing.assert_allclose(found.heights, K @ found.alpha, atol=1e-9)
    assert found.alpha.sum() == pytest.approx(nu * len(X) * found.C, rel=1e-9)
    assert violation(found) < 1e-8
    primal, dual = oracle.gap_of_nu(found.alpha, K, nu)
    assert found.gap == pytest.approx((primal - dual) / -dual, abs=1e-10)
    assert -1e-12 <= found.gap < 1e-8


@pytest.mark.parametrize("gamma", [0.05, 1.0, 30.0])
@pytest.mark.parametrize("C", [0.02, 0.3, 1.0, 7.0])
def test_the_box_form_is_optimal(X, gamma, C):
    found = by_box(X, gamma, C)
    K = oracle.kernel(X, X, gamma)
    assert found.converged
    assert found.C == C
    assert found.alpha.min() >= -1e-15
    assert found.alpha.max() <= min(C, 1) + 1e-9  # no weight of a Gaussian exceeds 1
    np.testing.assert_allclose(found.heights, K @ found.alpha, atol=1e-9)
    assert found.nu == pytest.approx(found.alpha.sum() / (len(X) * C))
    assert violation(found) < 1e-7
    primal, dual = oracle.gap_of_box(found.alpha, K, C)
    assert -1e-12 <= (primal - dual) / primal < 1e-7
    assert -1e-12 <= found.gap < 1e-7


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**31 - 1),
    n=st.integers(2, 30),
    gamma=st.floats(1e-3, 1e3),
    nu=st.floats(0.01, 0.99),
)
def test_any_small_problem_is_solved(seed, n, gamma, nu):
    X = np.random.default_rng(seed).normal(size=(n, 2)).round(1)  # rows may be equal
    nu_form = by_nu(X, gamma, nu, tol=1e-8)
    assert nu_form.converged
    assert -1e-12 <= nu_form.gap < 1e-6
    box_form = by_box(X, gamma, min(nu, 0.99), tol=1e-8)
    assert box_form.converged
    assert -1e-12 <= box_form.gap < 1e-6


def test_the_gap_tells_a_good_solution_from_a_bad_one(X):
    for solve, bound in ((by_nu, 0.5), (by_box, 0.3), (by_box, 1.0)):
        good, bad = solve(X, 1.0, bound), solve(X, 1.0, bound, max_iter=1)
        assert good.converged
        assert good.gap < 1e-8
        assert not bad.converged
        assert bad.n_iter == 1
        assert bad.gap > 0.01


def test_the_gap_is_never_negative(X, rng):
    K = oracle.kernel(X, X, 1.0)
    for _ in range(20):
        alpha = rng.uniform(0, 0.1, size=len(X))
        found = solution_of_box(1.0, alpha, K @ alpha, 0.1, 0, False)
        primal, dual = oracle.gap_of_box(alpha, K, 0.1)
        assert found.gap == pytest.approx((primal - dual) / primal)
        assert found.gap > 0


def test_a_looser_tolerance_gives_a_larger_gap(X):
    gaps = [by_nu(X, 1.0, 0.5, tol=tol).gap for tol in (1e-1, 1e-3, 1e-9)]
    assert gaps[0] > gaps[1] > gaps[2] >= -1e-12


# -- by hand -----------------------------------------------------------------------------


def test_two_rows_by_hand():
    """By symmetry α is the same for both, and α (1 + k) = 1 on the boundary."""
    X, k = np.array([[0.0], [1.0]]), np.exp(-1.0)
    for found in (by_box(X, 1.0, 1.0), by_box(X, 1.0, 50.0), by_nu(X, 1.0, 0.5)):
        np.testing.assert_allclose(found.alpha, 1 / (1 + k), rtol=1e-9)
        np.testing.assert_allclose(found.heights, 1.0, rtol=1e-9)
    found = by_box(X, 1.0, 0.2)  # both at their bound, and outside
    np.testing.assert_allclose(found.alpha, 0.2, rtol=1e-12)
    np.testing.assert_allclose(found.heights, 0.2 * (1 + k), rtol=1e-9)


def test_far_rows_by_hand():
    """Rows that do not see each other: α = 1 for each, or C."""
    X = 1e3 * np.arange(5.0)[:, np.newaxis]
    np.testing.assert_allclose(by_box(X, 1.0, 3.0).alpha, 1, rtol=1e-9)
    np.testing.assert_allclose(by_box(X, 1.0, 0.4).alpha, 0.4, rtol=1e-9)
    found = by_nu(X, 1.0, 0.6)
    assert found.alpha.sum() == pytest.approx(0.6 * 5 * found.C)


def test_equal_rows_are_one():
    X = np.zeros((20, 3))
    for found in (by_nu(X, 1.0, 0.5), by_box(X, 1.0, 0.5), by_box(X, 1.0, 2.0)):
        assert found.converged
        assert found.alpha.sum() == pytest.approx(1)
        np.testing.assert_allclose(found.heights, 1)
    # all at their bound, outside: 20 · 0.01 < 1
    np.testing.assert_allclose(by_box(X, 1.0, 0.01).heights, 0.2)


def test_copies_share_the_weight_of_a_row(X):
    """n rows twice with half of the bound is the same problem."""
    once, twice = by_box(X, 1.0, 0.4), by_box(np.repeat(X, 2, axis=0), 1.0, 0.2)
    np.testing.assert_allclose(twice.heights[::2], once.heights, atol=1e-7)
    np.testing.assert_allclose(twice.heights[::2], twice.heights[1::2], atol=1e-12)
    once, twice = by_nu(X, 1.0, 0.4), by_nu(np.repeat(X, 2, axis=0), 1.0, 0.4)
    np.testing.assert_allclose(twice.heights[::2], once.heights, atol=1e-7)


# -- identities --------------------------------------------------------------------------


@pytest.mark.parametrize("gamma", [0.1, 1.0, 10.0])
@pytest.mark.parametrize("nu", [0.05, 0.5, 0.9])
def test_libsvm_agrees(X, gamma, nu):
    """ν = Σα / (N C), ρ = 1/C, α = α_libsvm / ρ."""
    peer = OneClassSVM(gamma=gamma, nu=nu, tol=1e-10).fit(X)
    rho = -peer.intercept_[0]
    f = peer.decision_function(X) / rho
    found = by_nu(X, gamma, nu)
    np.testing.assert_allclose(found.heights - 1, f, atol=1e-6)
    np.testing.assert_allclose(found.C, 1 / rho, rtol=1e-6)
    assert found.alpha.sum() / (len(X) * found.C) == pytest.approx(nu)
    wrapped = LibSVM(tol=1e-10).solve(OneClassProblem(PairwiseDistances.of_rows(X), gamma, nu=nu))
    np.testing.assert_allclose(wrapped.heights - 1, f, atol=1e-6)
    np.testing.assert_allclose(wrapped.C, 1 / rho)
    assert wrapped.nu == nu
    assert wrapped.converged
    assert -1e-12 <= wrapped.gap < 1e-6  # LIBSVM's kernel is in single precision
    boxed = by_box(X, gamma, found.C)
    np.testing.assert_allclose(boxed.heights - 1, f, atol=1e-6)


@pytest.mark.parametrize("nu", [0.05, 0.5, 0.9])
def test_both_forms_are_one(X, nu):
    found = by_nu(X, 2.0, nu)
    boxed = by_box(X, 2.0, found.C)
    np.testing.assert_allclose(boxed.heights, found.heights, atol=1e-7)
    assert boxed.nu == pytest.approx(nu, rel=1e-6)


def test_nu_bounds_the_rows_outside_and_the_support_vectors(X):
    for nu in (0.1, 0.3, 0.7):
        found = by_nu(X, 1.0, nu)
        assert np.mean(found.heights < 1 - 1e-8) <= nu
        assert np.mean(found.alpha > 0) >= nu - 1e-12


def test_every_C_from_1_is_the_hard_margin(X):
    first = by_box(X, 3.0, 1.0)
    assert first.heights.min() > 1 - 1e-8  # all rows are inside
    for C in (1.5, 32.0, 1e6):
        other = by_box(X, 3.0, C)
        np.testing.assert_array_equal(other.alpha, first.alpha)
        assert other.C == C
        assert other.nu == pytest.approx(first.nu / C)
    # and the limit of those below
    np.testing.assert_allclose(by_box(X, 3.0, 1 - 1e-9).heights, first.heights, atol=1e-6)


@pytest.mark.parametrize(("solve", "bound"), [(by_nu, 0.4), (by_box, 0.3), (by_box, 2.0)])
def test_the_order_of_rows_does_not_matter(X, solve, bound, rng):
    order = rng.permutation(len(X))
    np.testing.assert_allclose(
        solve(X[order], 1.0, bound).heights, solve(X, 1.0, bound).heights[order], atol=1e-7
    )


@pytest.mark.parametrize(("solve", "bound"), [(by_nu, 0.4), (by_box, 0.3), (by_box, 2.0)])
def test_a_shift_does_not_matter(X, solve, bound):
    far = solve(X + 1e6, 1.0, bound, tol=1e-8)
    np.testing.assert_allclose(far.heights, solve(X, 1.0, bound, tol=1e-8).heights, atol=1e-6)


# -- rows that are made when they are asked for -------------------------------------------


@pytest.mark.parametrize(("solve", "bound"), [(by_nu, 0.4), (by_box, 0.3), (by_box, 2.0)])
@pytest.mark.parametrize("n_slots", [2, 7, 1000])
def test_the_cache_does_not_matter(X, solve, bound, n_slots, monkeypatch):
    expected = solve(X, 1.0, bound)
    monkeypatch.setattr(pairwise_module, "MOST_KEPT_ROWS", 0)
    monkeypatch.setattr(one_class, "CACHE_BYTES", 8 * len(X) * n_slots)
    assert GaussianKernelRows(PairwiseDistances.of_rows(X), 1.0).full is None
    found = solve(X, 1.0, bound)
    assert found.converged
    np.testing.assert_allclose(found.heights, expected.heights, atol=1e-8)
    assert found.gap == pytest.approx(expected.gap, abs=1e-8)


def test_the_start_is_feasible_for_any_nu(rng):
    for n in (2, 3, 7, 49, 100):
        kernel = GaussianKernelRows(PairwiseDistances.of_rows(rng.normal(size=(n, 2))), 1.0)
        for nu in (1e-3, 1 / 3, 0.5, 0.9, 0.999):
            alpha = one_class._start(kernel, nu)
            assert alpha.sum() == pytest.approx(1)
            assert alpha.max() <= 1 / (nu * n) * (1 + 1e-12)
            assert alpha.min() > -1e-12


def test_a_start_from_a_sample_ends_at_the_same_place(X, monkeypatch):
    expected = by_nu(X, 1.0, 0.5)
    monkeypatch.setattr(one_class, "DENSITY_ROWS", 10)
    np.testing.assert_allclose(by_nu(X, 1.0, 0.5).heights, expected.heights, atol=1e-8)


def test_all_weights_at_a_bound():
    """ν n is a whole number and the rows do not see each other: the boundary is in between."""
    alpha, heights = np.array([0.5, 0.5, 0, 0]), np.array([0.4, 0.6, 0.8, 0.9])
    assert one_class._boundary(alpha, heights, 0.5) == pytest.approx(0.7)
    assert one_class._boundary(alpha[:2], heights[:2], 0.5) == pytest.approx(0.6)
    assert one_class._boundary(np.array([0.5, 0.3, 0.2]), heights[:3], 0.5) == pytest.approx(0.7)
