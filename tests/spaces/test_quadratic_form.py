import numpy as np
import pytest
from oracles import forms
from oracles import leave_one_out as loo_oracle
from oracles import rls as oracle

from maxmargin.objectives.leave_one_out import loo_errors, loo_score
from maxmargin.objectives.spectrum import Spectrum
from maxmargin.spaces.quadratic_form import QuadraticForm


@pytest.fixture
def case(rng):
    K = forms.random_gram(rng, 30)
    labels = rng.integers(3, size=30).astype(np.int32)
    return K, 0.4, labels, 3


def test_a_case_computed_by_hand():
    """Two equal rows, K = 1 everywhere, λ = 2: R = K/(2 + λ) = 1/4 everywhere."""
    form = QuadraticForm.from_gram(np.ones((2, 2)), 2.0)
    np.testing.assert_allclose(form.matrix, [[0, 0.25], [0.25, 0]], atol=1e-15)
    np.testing.assert_allclose(form.diagonal, [0.25, 0.25], atol=1e-15)
    together, apart = np.array([0, 0], np.int32), np.array([0, 1], np.int32)
    assert form.value(together, 2) == pytest.approx(1.0)
    assert form.value(apart, 2) == pytest.approx(0.5)
    # left out, each row is predicted by the other: a(1 + λ) = 1, so 1/3
    scores = form.scores(apart, 2)
    np.testing.assert_allclose(scores / (1 - form.diagonal), [[0, 1 / 3], [1 / 3, 0]])
    # with a bias, the other row's label is predicted as it is
    assert loo_score(form, scores, apart) == pytest.approx(1 - 2 * 2 / 1)


def test_value_and_coefficients_solve_the_linear_system(case):
    K, lam, labels, k = case
    form = QuadraticForm.from_gram(K.copy(), lam)
    np.testing.assert_allclose(forms.dense(form), oracle.hat(K, lam), atol=1e-10)
    assert form.value(labels, k) == pytest.approx(oracle.value(K, lam, labels, k))
    scores = form.scores(labels, k)
    np.testing.assert_allclose(
        form.coefficients(scores, labels), oracle.fit(K, lam, labels, k), atol=1e-9
    )
    np.testing.assert_allclose(
        form.predictions(scores, labels).T, K @ oracle.fit(K, lam, labels, k), atol=1e-9
    )


def test_only_the_lower_triangle_is_read(case):
    K, lam, labels, k = case
    half = K.copy()
    half[np.triu_indices(len(K), 1)] = np.nan
    assert QuadraticForm.from_gram(half, lam).value(labels, k) == pytest.approx(
        oracle.value(K, lam, labels, k)
    )


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_the_papers_Q_is_an_affine_function_of_f(k, rng):
    K, lam, n = forms.random_gram(rng, 25), 0.2, 25
    labels = rng.integers(k, size=n)
    ones = np.ones(n)
    f = oracle.value(K, lam, labels, k)
    expected = k * n + (4 - k) * ones @ oracle.hat(K, lam) @ ones - 4 * f
    assert oracle.paper_Q(K, lam, labels, k) == pytest.approx(expected)


def test_the_fitness_of_evommc_is_the_same_objective(rng):
    """Its λ is multiplied by n inside, so that it is our alpha."""
    K, alpha, n = forms.random_gram(rng, 20), 0.01, 20
    labels = rng.integers(2, size=n).astype(np.int32)
    Q = oracle.paper_Q(K, alpha * n, labels, 2)
    fitness = oracle.evommc_fitness(K, alpha, 2.0 * labels - 1)
    assert fitness == pytest.approx(Q / (2 * n))


def test_leave_one_out_is_that_of_refits(case):
    K, lam, labels, k = case
    form = QuadraticForm.from_gram(K.copy(), lam)
    scores = form.scores(labels, k)
    np.testing.assert_allclose(
        (scores / (1 - form.diagonal)).T, oracle.loo_predictions(K, lam, labels, k), atol=1e-9
    )
    errors = loo_oracle.errors(K, lam, labels, k)
    np.testing.assert_allclose(loo_errors(form, scores, labels).T, errors, atol=1e-9)
    expected = 1 - np.sum(np.square(errors)) / loo_oracle.spread(labels, k)
    assert loo_score(form, scores, labels) == pytest.approx(expected)


def test_leave_one_out_of_one_cluster_is_zero(case):
    K, lam, labels, _ = case
    form = QuadraticForm.from_gram(K, lam)
    alone = np.zeros_like(labels)
    assert loo_score(form, form.scores(alone, 1), alone) == 0.0


def test_features_and_their_gram_matrix_are_the_same_form(rng):
    X = rng.normal(size=(40, 5))
    labels = rng.integers(3, size=40).astype(np.int32)
    primal = QuadraticForm.from_features(X, 0.7)
    dual = QuadraticForm.from_gram(X @ X.T, 0.7)
    assert primal.factored
    assert primal.matrix.shape == (40, 5)
    np.testing.assert_allclose(primal.diagonal, dual.diagonal, atol=1e-12)
    np.testing.assert_allclose(primal.scores(labels, 3), dual.scores(labels, 3), atol=1e-12)
    assert primal.value(labels, 3) == pytest.approx(dual.value(labels, 3))
    weights = primal.coefficients(primal.scores(labels, 3), labels)
    dual_coef = dual.coefficients(dual.scores(labels, 3), labels)
    np.testing.assert_allclose(weights, X.T @ dual_coef, atol=1e-12)


@pytest.mark.parametrize("factored", [False, True])
def test_float32_agrees_with_float64(factored, global_random_seed):
    one, two = (
        forms.random_form(np.random.default_rng(global_random_seed), factored=factored, dtype=d)
        for d in (np.float32, np.float64)
    )
    labels = (np.arange(one.n) % 3).astype(np.int32)
    assert one.matrix.dtype == np.float32
    np.testing.assert_allclose(one.scores(labels, 3), two.scores(labels, 3), atol=1e-4)
    assert one.value(labels, 3) == pytest.approx(two.value(labels, 3), rel=1e-5)
    np.testing.assert_allclose(
        one.coefficients(one.scores(labels, 3), labels),
        two.coefficients(two.scores(labels, 3), labels),
        atol=1e-4,
    )


@pytest.mark.parametrize("n", [1, 2, 7, 30])
def test_float32_is_the_same_matrix_in_half_the_memory(n, rng):
    K = forms.random_gram(rng, n)
    double = QuadraticForm.from_gram(K.copy(), 0.3)
    single = QuadraticForm.from_gram(K.copy(), 0.3, dtype=np.float32)
    np.testing.assert_array_equal(single.matrix, double.matrix.astype(np.float32))
    np.testing.assert_array_equal(single.diagonal, double.diagonal)
    assert single.matrix.flags.c_contiguous
    assert single.matrix.base.nbytes <= 4 * n * n + 4


@pytest.mark.parametrize("lam", [1e-3, 0.1, 10.0])
def test_one_decomposition_serves_every_lambda(lam, rng):
    K = forms.random_gram(rng, 30)
    labels = rng.integers(3, size=30).astype(np.int32)
    alone = QuadraticForm.from_gram(K.copy(), lam)
    path = Spectrum.of_gram(K).form(lam)
    np.testing.assert_allclose(path.matrix, alone.matrix, atol=1e-9)
    np.testing.assert_allclose(path.diagonal, alone.diagonal, atol=1e-9)
    assert path.value(labels, 3) == pytest.approx(alone.value(labels, 3))


def test_a_lambda_lost_in_rounding_is_an_error():
    K = np.full((40, 40), 1e20)
    with pytest.raises(ValueError, match="alpha is too small"):
        QuadraticForm.from_gram(K, 1e-6)


@pytest.mark.parametrize("heavy", [1e2, 1e7, 1e9, 1e30])
def test_digits_are_kept_however_heavy_lambda_is(heavy, rng):
    """R is nearly K/λ there: what is left of 1 − (1 − R) would be rounding."""
    X = rng.normal(size=(12, 2))
    K, labels = X @ X.T, np.arange(12, dtype=np.int32) % 3
    lam = heavy * np.trace(K)
    expected = np.linalg.solve(K + lam * np.eye(12), K)
    form = QuadraticForm.from_gram(K.copy(), lam)
    indicators = np.eye(3)[labels]
    predicted = form.predictions(form.scores(labels, 3), labels)
    np.testing.assert_allclose(predicted.T, expected @ indicators, rtol=3e-7, atol=1e-8 / heavy)
    with pytest.raises(ValueError, match="alpha is too large: beside alpha"):
        QuadraticForm.from_gram(K * 1e-300, lam)
