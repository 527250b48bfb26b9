from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse
from sklearn import kernel_approximation
from sklearn.metrics.pairwise import pairwise_kernels

from maxmargin.spaces.exact import ExactKernel
from maxmargin.spaces.kernel import Kernel
from maxmargin.spaces.metric import gaussian_kernel
from maxmargin.spaces.nystroem import Nystroem
from maxmargin.spaces.psd import clip_negative

NAMED = {
    "rbf": {"gamma": 0.3},
    "laplacian": {"gamma": 0.3},
    "poly": {"gamma": 0.3, "degree": 2, "coef0": 0.5},
    "sigmoid": {"gamma": 0.1, "coef0": 0.2},
    "chi2": {"gamma": 0.3},
    "additive_chi2": {},
    "linear": {},
    "cosine": {},
}


@pytest.mark.parametrize("name", NAMED)
def test_kernels_are_those_of_scikit_learn(name, rng, monkeypatch):
    X, new = rng.random((30, 4)) + 0.1, rng.random((7, 4)) + 0.1
    monkeypatch.setattr("maxmargin._runtime.memory.BLOCK_BYTES", 8 * 30 * 4)  # 4 rows at a time
    monkeypatch.setattr("maxmargin.spaces.kernel.clip_negative", lambda K, eps: (K, None))
    kernel = Kernel(name, **NAMED[name]).fit(X, rng)
    expected = pairwise_kernels(X, metric=name, **NAMED[name])
    np.testing.assert_allclose(np.tril(kernel.gram(X)[0]), np.tril(expected), atol=1e-12)
    expected = pairwise_kernels(new, X, metric=name, **NAMED[name])
    np.testing.assert_allclose(kernel(new, X), expected, atol=1e-12)
    space = ExactKernel(Kernel(name, **NAMED[name])).fit(X, rng)
    coef = rng.normal(size=(len(X), 3))
    np.testing.assert_allclose(space.represent(new), expected, atol=1e-12)
    np.testing.assert_allclose(space.values(new, coef), expected @ coef, atol=1e-10)


@pytest.mark.parametrize("name", ["rbf", "poly", "cosine", "laplacian"])
def test_a_map_on_all_rows_is_the_kernel(name, rng):
    X = rng.normal(size=(25, 3))
    space = Nystroem(Kernel(name, gamma=0.5), 25).fit(X, rng)
    features = space.represent(X)
    np.testing.assert_allclose(features @ features.T, space.kernel(X, X), atol=1e-7)


def test_a_map_on_some_rows_is_scikit_learns(rng):
    X = rng.normal(size=(40, 3))
    reference = kernel_approximation.Nystroem(gamma=0.5, n_components=10, random_state=0).fit(X)
    chosen = np.sort(reference.component_indices_)
    drawn = SimpleNamespace(permutation=lambda n: np.r_[chosen, np.zeros(n - 10, int)])
    for data in (X, sparse.csr_matrix(X)):
        features = Nystroem(Kernel("rbf", gamma=0.5), 10).fit(data, drawn).represent(data)
        expected = reference.transform(X)
        np.testing.assert_allclose(features @ features.T, expected @ expected.T, atol=1e-7)


def test_equal_landmarks_give_one_feature():
    X = np.ones((8, 2))
    space = Nystroem(Kernel("rbf", gamma=1.0), 8).fit(X, np.random.default_rng(0))
    features = space.represent(X)
    assert features.shape == (8, 1)
    np.testing.assert_allclose(features @ features.T, 1.0)


def test_a_kernel_that_is_zero_on_the_landmarks_maps_to_zero():
    X = np.zeros((5, 2))
    space = Nystroem(Kernel("linear"), 5).fit(X, np.random.default_rng(0))
    np.testing.assert_array_equal(space.represent(X), np.zeros((5, 1)))


def test_a_semidefinite_matrix_is_left_alone(rng):
    A = rng.normal(size=(30, 2))
    K = A @ A.T
    kept, dropped = clip_negative(K, np.finfo(float).eps)
    assert kept is K
    assert dropped is None


def test_the_scale_rule_is_scikit_learns_for_every_kernel_and_storage(rng):
    X = rng.normal(size=(50, 3)) + np.array([0, 5, 100])
    for kernel in ("rbf", "laplacian", "sigmoid"):
        for data in (X, sparse.csr_matrix(X), sparse.csr_array(X)):
            gamma = Kernel(kernel, gamma="scale").fit(data, rng).gamma_
            assert gamma == pytest.approx(1 / (3 * X.var()))


def test_the_diagonal_of_a_gaussian_is_one(rng):
    X = rng.normal(size=(40, 3)) * 1e3
    K, _ = Kernel("rbf", gamma=1e4).fit(X, rng).gram(X)
    assert np.all(K.diagonal() == 1)
    np.testing.assert_allclose(np.tril(K), np.eye(40), atol=1e-80)


@pytest.mark.parametrize("far", [1e9, 1e100, 1e300])
@pytest.mark.parametrize("name", ["rbf", "laplacian"])
@pytest.mark.parametrize("d", [2, 20])
def test_rows_far_from_the_others_cost_no_digits(name, far, d, rng):
    X = rng.normal(size=(40, d))
    expected = Kernel(name, gamma=0.5).fit(X, rng)(X[1:], X[1:])
    X[0] = far
    kernel = Kernel(name, gamma=0.5).fit(X, rng)
    np.testing.assert_allclose(kernel(X[1:], X[1:]), expected, atol=1e-9)
    np.testing.assert_allclose(kernel(X[1:], X[:1]), 0, atol=1e-80)


def test_equal_rows_have_equal_features(rng):
    """Their kernel comes in single precision, where it is as good."""
    X = np.ones((38, 3))
    space = Nystroem(Kernel("rbf"), 200).fit(X, rng)
    assert space.normalization.dtype == np.float64
    assert np.ptp(space.represent(X), axis=0).max() <= 1e-14


@pytest.mark.parametrize("gamma", [5e-324, 1e-100, 1e-40, 1.0, 1e37, 1e60, 1e300, 1.7e308])
@pytest.mark.parametrize("scale", [0.0, 1e-150, 1e-30, 1.0, 1e15, 1e20, 1e60, 1e150])
def test_gaussian_kernels_of_any_width_and_length(gamma, scale, rng):
    """In single precision or in double: no warning, and the same to the error that is allowed."""
    for d in (2, 8):
        X = scale * rng.normal(size=(6, d))
        K = gaussian_kernel(X, X, gamma, 1e-3)
        D = [[sum(Fraction(a - b) ** 2 for a, b in zip(x, y, strict=True)) for y in X] for x in X]
        exponents = [[float(min(Fraction(gamma) * d2, 1000)) for d2 in line] for line in D]
        np.testing.assert_allclose(K, np.exp(-np.array(exponents)), atol=2e-3)
