"""What makes each cluster different."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from maxmargin.explain.features import contrast, scales


@pytest.mark.parametrize("form", [np.asarray, csr_array])
def test_means_and_differences_by_hand(form, rng):
    X = rng.normal(size=(50, 4)) + 10
    labels = rng.integers(-1, 3, size=50)
    found = contrast(form(X), labels, np.array([0, 1, 2]))
    for c in range(3):
        inside, outside = X[labels == c].mean(axis=0), X[labels != c].mean(axis=0)
        np.testing.assert_allclose(found.inside[c], inside)
        np.testing.assert_allclose(found.outside[c], outside)
        np.testing.assert_allclose(found.difference[c], (inside - outside) / X.std(axis=0))
        order = np.argsort(-np.abs(found.difference[c]))
        np.testing.assert_array_equal(found.strongest(c, 3), order[:3])


def test_clusters_may_have_any_numbers(rng):
    X, labels = rng.normal(size=(20, 2)), np.repeat([3, 7], 10)
    found = contrast(X, labels, np.array([3, 7]))
    np.testing.assert_allclose(found.inside, [X[:10].mean(axis=0), X[10:].mean(axis=0)])


@pytest.mark.parametrize("form", [np.asarray, csr_array])
def test_constant_features_differ_in_nothing(form):
    X = np.column_stack([np.full(10, 1e8 + 0.1), np.arange(10.0), np.zeros(10)])
    found = contrast(form(X), np.repeat([0, 1], 5), np.array([0, 1]))
    np.testing.assert_array_equal(found.difference[:, [0, 2]], 0)
    assert found.strongest(0, 3).tolist() == [1]


def test_one_cluster_has_nothing_outside():
    found = contrast(np.arange(6.0).reshape(3, 2), np.zeros(3, int), np.array([0]))
    assert np.isnan(found.outside).all()
    np.testing.assert_array_equal(found.difference, 0)
    assert len(found.strongest(0, 2)) == 0


def test_single_precision_far_from_the_origin(rng):
    X = (rng.normal(size=(100, 1)) + 1e4).astype(np.float32)
    labels = np.repeat([0, 1], 50)
    found = contrast(X, labels, np.array([0, 1]))
    exact = X.astype(np.float64)
    wanted = (exact[:50].mean() - exact[50:].mean()) / exact.std()
    np.testing.assert_allclose(found.difference[0], wanted, rtol=1e-6)


@pytest.mark.parametrize("size", [1e-300, 1e-160, 1e160, 1e300])
@pytest.mark.parametrize("form", [np.asarray, csr_array])
def test_units_change_no_difference(form, size, rng):
    X, labels = rng.normal(size=(30, 3)) + 1, np.repeat([0, 1], 15)
    plain, found = (contrast(form(X * unit), labels, np.array([0, 1])) for unit in (1.0, size))
    np.testing.assert_allclose(found.difference, plain.difference)
    np.testing.assert_allclose(found.inside / size, plain.inside)


def test_a_large_offset_hides_nothing(rng):
    X, labels = rng.normal(size=(30, 2)), np.repeat([0, 1], 15)
    near, far = (contrast(X + shift, labels, np.array([0, 1])) for shift in (0, 1e9))
    np.testing.assert_allclose(far.difference, near.difference, rtol=1e-5)


def test_a_mean_of_zeros_is_zero():
    column = np.repeat([1.0, 0.0], [7, 3])
    found = contrast(column[:, None], np.repeat([0, 1], [7, 3]), np.array([0, 1]))
    assert found.inside.ravel().tolist() == [1.0, 0.0]
    assert found.outside.ravel().tolist() == [0.0, 1.0]


def test_scales_are_powers_of_two_just_below(rng):
    X = rng.normal(size=(9, 4)).astype(np.float32) * np.float32(3e37)
    mantissas = np.abs(X).max(axis=0) / scales(X)
    assert np.all((mantissas >= 1) & (mantissas < 2))
