"""Turns of a quadratic program and a closed form solve the cone program of MKC."""

import numpy as np
import pytest
from oracles.mkc import cone_program

from maxmargin.objectives.hinge import KernelNorm
from maxmargin.solvers.kernel_weights import solve_kernel_weights, solve_small_dual

NORMS = (1, 1.01, 1.1, 1.5, 2, 4)


def random_problem(rng, k=None, n_kernels=None):
    """Cuts over several kernels that share a direction, as those of one labelling do."""
    m = rng.integers(1, 15)
    k = rng.integers(2, 6) if k is None else k
    n_kernels = rng.integers(2, 6) if n_kernels is None else n_kernels
    widths = rng.integers(1, 8, size=n_kernels)
    ends = np.cumsum(widths)
    slices = tuple(
        slice(int(end - width), int(end)) for end, width in zip(ends, widths, strict=True)
    )
    A = 0.3 * rng.normal(size=(m, k, ends[-1])) + 0.5 * rng.normal(size=(1, k, ends[-1]))
    a = rng.normal(size=(m, k)) / 3
    a -= a.mean(axis=1, keepdims=True)
    return A, a, 0.5 + 0.5 * rng.random(m), 10 ** rng.uniform(-1, 1), slices


def solve(A, a, c, alpha, balance, slices, p, **options):
    norm = KernelNorm(slices, p)
    found = solve_kernel_weights(norm.grams(A), a, c, alpha, balance, norm, **options)
    planes = norm.scaled(np.tensordot(found.weights / alpha, A, 1), found.factors)
    return found, planes, norm.kernel_weights(norm.lengths(planes))


@pytest.mark.parametrize("balance", [0, 0.1])
@pytest.mark.parametrize("p", NORMS)
@pytest.mark.parametrize("k", [2, 4])
def test_it_is_as_good_as_an_interior_point_method(k, p, balance, rng):
    for _ in range(6):
        A, a, c, alpha, slices = random_problem(rng, k)
        found, _, beta = solve(A, a, c, alpha, balance, slices, p, tolerance=1e-11)
        objective, oracle = cone_program(A, a, c, alpha, balance, slices, p)
        assert found.objective == pytest.approx(objective, abs=1e-6)
        # The weights of kernels matter as far as there are hyperplanes.
        if found.objective - found.slack > 1e-3:
            np.testing.assert_allclose(beta, oracle, atol=1e-3)


@pytest.mark.parametrize("p", [*NORMS, np.inf])
def test_the_solution_is_feasible_and_its_gap_is_small(p, rng):
    for _ in range(10):
        A, a, c, alpha, slices = random_problem(rng)
        found, planes, _ = solve(A, a, c, alpha, 0.1, slices, p)
        below = c - np.tensordot(A, planes) - a @ found.bias
        assert np.all(found.slack >= below - 1e-9)
        penalty = alpha * KernelNorm(slices, p).penalty(planes)
        assert found.objective == pytest.approx(penalty + found.slack, abs=1e-12)
        assert -1e-10 <= found.gap <= 1e-7


def test_one_kernel_is_the_small_dual(rng):
    A, a, c, alpha, _ = random_problem(rng)
    flat = A.reshape(len(A), -1)
    plain = solve_small_dual(flat @ flat.T, a, c, alpha, 0.1)
    found, _, beta = solve(A, a, c, alpha, 0.1, (slice(None),), 2)
    assert beta.tolist() == [1.0]
    assert found.n_rounds == 1
    assert found.objective == pytest.approx(plain.objective, abs=1e-12)
    np.testing.assert_array_equal(found.weights, plain.weights)


@pytest.mark.parametrize("p", NORMS)
def test_a_start_changes_nothing_even_if_it_has_no_weight_for_a_kernel(p, rng):
    A, a, c, alpha, slices = random_problem(rng, n_kernels=3)
    cold, _, beta = solve(A, a, c, alpha, 0.1, slices, p, tolerance=1e-10)
    for start in (*np.eye(3), beta):
        warm, _, again = solve(
            A, a, c, alpha, 0.1, slices, p, kernel_weights=start, tolerance=1e-10
        )
        assert warm.objective == pytest.approx(cold.objective, abs=1e-8)
        np.testing.assert_allclose(again, beta, atol=1e-3)


def test_a_kernel_of_zeros_gets_no_weight(rng):
    A, a, c, alpha, slices = random_problem(rng, n_kernels=3)
    A[:, :, slices[1]] = 0
    *_, beta = solve(A, a, c, alpha, 0.1, slices, 1)
    assert beta[1] == 0


def test_twins_share_the_weight(rng):
    """Two equal kernels: for p = 1 any split is as good, for p > 1 the even one is best."""
    A = rng.normal(size=(3, 2, 4))
    A = np.concatenate([A, A], axis=2)
    a, c = np.zeros((3, 2)), np.ones(3)
    slices = (slice(0, 4), slice(4, 8))
    for p in (1, 1.5, 2):
        *_, beta = solve(A, a, c, 1.0, 0.0, slices, p)
        np.testing.assert_allclose(beta[0], beta[1])


@pytest.mark.parametrize("scale", [1e-3, 1e3])
def test_kernels_of_very_different_scale(scale, rng):
    A, a, c, alpha, slices = random_problem(rng, n_kernels=3)
    A[:, :, slices[0]] *= scale
    for p in (1, 2):
        found, *_ = solve(A, a, c, alpha, 0.1, slices, p)
        assert found.gap <= 1e-6
