import numpy as np
import pytest
from oracles.k_means import lloyd as plain
from sklearn.cluster import KMeans

from maxmargin._core.k_means import k_means, lloyd


@pytest.mark.parametrize("max_iter", [0, 1, 3, 300])
@pytest.mark.parametrize(("n", "d", "k"), [(30, 1, 2), (50, 3, 4), (200, 8, 12), (5, 2, 5)])
def test_the_same_as_in_plain_numpy(n, d, k, max_iter, rng):
    X = rng.normal(size=(n, d))
    centers = X[rng.permutation(n)[:k]]
    labels, inertia = lloyd(X, centers, max_iter)
    expected, sum_of_squares = plain(X, centers, max_iter)
    np.testing.assert_array_equal(labels, expected)
    assert inertia == pytest.approx(sum_of_squares)


def test_the_same_as_scikit_learns(rng):
    X = rng.normal(size=(300, 4)) + 3 * rng.integers(3, size=(300, 1))
    centers = X[:5]
    model = KMeans(5, init=centers, n_init=1, tol=0).fit(X)
    labels, inertia = lloyd(X, centers, 300)
    np.testing.assert_array_equal(labels, model.labels_)
    assert inertia == pytest.approx(model.inertia_)


def test_a_centre_without_rows_takes_the_farthest_row(rng):
    X = np.array([[0.0], [1.0], [10.0]])
    far = np.array([[0.0], [100.0]])
    labels, inertia = lloyd(X, far, 300)
    assert labels.tolist() == [0, 0, 1]
    assert inertia == pytest.approx(0.5)


def test_fewer_different_rows_than_centres_leave_some_without_rows():
    X = np.repeat([[0.0], [1.0]], 3, axis=0)
    labels, inertia = lloyd(X, np.zeros((4, 1)), 300)
    assert len(np.unique(labels)) == 2
    assert inertia == 0


@pytest.mark.parametrize("seed", range(3))
def test_several_starts_are_as_good_as_scikit_learns(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(300, 3)) + 6 * rng.integers(3, size=(300, 3))
    labels = k_means(X, 9, seed, n_init=10)
    inertia = sum(((X[labels == c] - X[labels == c].mean(axis=0)) ** 2).sum() for c in range(9))
    assert inertia <= 1.02 * KMeans(9, n_init=10, random_state=seed).fit(X).inertia_
    np.testing.assert_array_equal(k_means(X, 9, seed, n_init=10), labels)
