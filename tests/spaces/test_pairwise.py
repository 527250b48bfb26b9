"""Principal coordinates, from distances only."""

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.metrics import pairwise_distances

from maxmargin.spaces.pairwise import principal_coordinates


@pytest.mark.parametrize("shape", [(30, 5), (30, 200), (300, 8), (150, 130), (130, 150)])
def test_principal_coordinates_are_those_of_scikit_learn(shape, rng):
    X = rng.normal(size=shape) * np.linspace(1, 5, shape[1]) + 3
    X[rng.random(shape) < 0.5] = 0
    wanted = min(10, *shape)
    expected = PCA(wanted, svd_solver="full").fit_transform(X)
    found = principal_coordinates(pairwise_distances(X) ** 2)[:, :wanted]
    signs = np.sign((found * expected).sum(axis=0))
    np.testing.assert_allclose(found * signs, expected, atol=1e-6 * abs(expected).max())


@pytest.mark.parametrize("n", [1, 5, 200])
def test_principal_coordinates_of_equal_rows_are_zero(n):
    np.testing.assert_array_equal(principal_coordinates(np.zeros((n, n))), 0)
