"""The closed form of the kernel weights is the best one, and so are its penalties."""

import numpy as np
import pytest
from scipy.optimize import minimize

from maxmargin.objectives.hinge import KernelNorm

NORMS = (1, 1.1, 1.5, 2, 3, 10, np.inf)
VIEWS = (slice(0, 2), slice(2, 3), slice(3, 7))


@pytest.mark.parametrize("p", NORMS)
def test_weights_are_on_the_sphere_and_give_the_penalty(p, rng):
    norm = KernelNorm(VIEWS, p)
    planes = rng.normal(size=(3, 7))
    lengths = norm.lengths(planes)
    np.testing.assert_allclose(lengths**2, [np.sum(planes[:, part] ** 2) for part in VIEWS])
    beta = norm.kernel_weights(lengths)
    assert np.linalg.norm(beta, ord=p) == pytest.approx(1)
    assert norm.penalty(planes) == pytest.approx(0.5 * np.sum(lengths**2 / beta))


@pytest.mark.parametrize("p", NORMS[:-1])
def test_no_other_weights_are_better(p, rng):
    norm = KernelNorm(VIEWS, p)
    lengths = rng.random(3) + 0.1

    def penalty(free):
        """Of any point of the sphere: the positive orthant by exponentials."""
        beta = np.exp(free)
        beta /= np.linalg.norm(beta, ord=p)
        return 0.5 * np.sum(lengths**2 / beta)

    found = minimize(penalty, np.zeros(3), tol=1e-12)
    assert norm.penalty_of(lengths) == pytest.approx(found.fun, rel=1e-8)
    best = np.exp(found.x)
    best /= np.linalg.norm(best, ord=p)
    np.testing.assert_allclose(norm.kernel_weights(lengths), best, atol=1e-4)


@pytest.mark.parametrize("p", NORMS)
def test_the_dual_penalty_is_the_largest_value_over_weights(p, rng):
    norm = KernelNorm(VIEWS, p)
    squares = rng.random(3)
    tried = rng.random((20_000, 3))
    tried /= np.linalg.norm(tried, ord=p, axis=1)[:, None]
    tried = np.vstack([tried, np.eye(3)])
    largest = 0.5 * np.max(tried @ squares)
    assert largest <= norm.dual_penalty(squares) * (1 + 1e-12)
    assert largest == pytest.approx(norm.dual_penalty(squares), rel=1e-2)


@pytest.mark.parametrize("p", NORMS)
def test_one_kernel_has_the_plain_penalty(p, rng):
    norm = KernelNorm((slice(None),), p)
    planes = rng.normal(size=(2, 5))
    assert norm.penalty(planes) == pytest.approx(0.5 * np.sum(planes**2))
    assert norm.kernel_weights(norm.lengths(planes)).tolist() == [1.0]


@pytest.mark.parametrize("p", NORMS)
def test_without_hyperplanes_all_kernels_are_alike(p):
    beta = KernelNorm(VIEWS, p).kernel_weights(np.zeros(3))
    assert np.ptp(beta) == 0
    assert np.linalg.norm(beta, ord=p) == pytest.approx(1)


@pytest.mark.parametrize("unit", [1e-200, 1.0, 1e150])
def test_the_unit_of_length_does_not_matter(unit):
    norm = KernelNorm(VIEWS, 1.5)
    lengths = np.array([1.0, 0.0, 3.0])
    np.testing.assert_allclose(norm.kernel_weights(unit * lengths), norm.kernel_weights(lengths))


def test_grams_of_the_kernels_add_up_to_the_gram(rng):
    gradients = rng.normal(size=(4, 3, 7))
    grams = KernelNorm(VIEWS).grams(gradients)
    flat = gradients.reshape(4, -1)
    np.testing.assert_allclose(grams.sum(axis=0), flat @ flat.T)
    part = gradients[:, :, 3:].reshape(4, -1)
    np.testing.assert_allclose(grams[2], part @ part.T)


def test_scaled_changes_each_kernel_by_its_factor(rng):
    weights = rng.normal(size=(2, 7))
    expected = weights * np.array([2.0, 2, 0, 3, 3, 3, 3])
    np.testing.assert_array_equal(
        KernelNorm(VIEWS).scaled(weights, np.array([2.0, 0.0, 3.0])), expected
    )


@pytest.mark.parametrize("p", [1.0001, 1.01, 1e6])
def test_extreme_norms_neither_overflow_nor_vanish(p):
    norm = KernelNorm(VIEWS, p)
    for unit in (1e-12, 1.0, 1e12):
        squares = unit * np.array([1.0, 0.5, 0.0])
        assert 0.5 * unit <= norm.dual_penalty(squares) <= 0.75 * unit * (1 + 1e-9)
    assert norm.dual_penalty(np.zeros(3)) == 0


def test_a_kernel_without_length_has_no_weight_in_any_norm():
    for p in NORMS:
        assert KernelNorm(VIEWS, p).kernel_weights(np.array([1.0, 0.0, 2.0]))[1] == 0
