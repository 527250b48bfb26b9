import numpy as np
import pytest
from sklearn.metrics.pairwise import euclidean_distances, rbf_kernel

from maxmargin.spaces import pairwise as module
from maxmargin.spaces.metric import gaussian
from maxmargin.spaces.pairwise import GaussianKernelRows, PairwiseDistances


@pytest.fixture(params=[True, False], ids=["full", "rows"])
def stored(request, monkeypatch):
    if not request.param:
        monkeypatch.setattr(module, "MOST_KEPT_ROWS", 0)
    return request.param


@pytest.mark.parametrize("d", [1, 3, 30])
def test_the_kernel_is_that_of_scikit_learn(stored, d, rng):
    X, weights = rng.normal(size=(50, d)), rng.normal(size=50)
    weights[::3] = 0
    distances = PairwiseDistances.of_rows(X)
    kernel = GaussianKernelRows(distances, 0.3)
    K, D = rbf_kernel(X, gamma=0.3), euclidean_distances(X, squared=True)
    assert distances.n == kernel.n == 50
    assert (distances.kept is not None) == (kernel.full is not None) == stored
    which = np.array([4, 0, 17])
    np.testing.assert_allclose(distances.from_some(which), D[which], atol=1e-10)
    np.testing.assert_allclose(kernel.rows(which), K[which], atol=1e-10)
    np.testing.assert_allclose(kernel.row(7), K[7], atol=1e-10)
    np.testing.assert_allclose(kernel.sums(weights), K @ weights, atol=1e-10)
    np.testing.assert_array_equal(kernel.sums(np.zeros(50)), 0)


def test_a_row_is_one_contiguous_array(stored, rng):
    """As the row cache needs it."""
    row = GaussianKernelRows(PairwiseDistances.of_rows(rng.normal(size=(9, 2))), 1.0).row(3)
    assert row.flags.c_contiguous
    assert row.dtype == np.float64
    assert row[3] == 1


def test_a_shift_costs_no_digits(stored, rng):
    X = rng.integers(-8, 8, size=(40, 3)).astype(float)
    near, far = (
        GaussianKernelRows(PairwiseDistances.of_rows(X), 0.2),
        GaussianKernelRows(PairwiseDistances.of_rows(X + 2.0**40), 0.2),
    )
    which = np.arange(40)
    np.testing.assert_allclose(far.rows(which), near.rows(which), rtol=1e-3)
    assert (far.rows(which).diagonal() == 1).all()


def test_copies_are_at_distance_0(stored, rng):
    X = np.repeat(rng.normal(size=(10, 40)), 2, axis=0)
    rows = GaussianKernelRows(PairwiseDistances.of_rows(X), 1e6).rows(np.arange(20))
    np.testing.assert_array_equal(rows, np.kron(np.eye(10), np.ones((2, 2))) + (rows < 0.5) * rows)


def test_single_precision_is_widened(rng):
    X = rng.normal(size=(10, 2)).astype(np.float32)
    assert PairwiseDistances.of_rows(X).rows.dtype == np.float64


def test_small_values_are_raised():
    """Not below e⁻²⁰⁰: no denormal numbers, no zeros."""
    values = gaussian(np.array([0.0, 1.0, 199.0, 201.0, 1e6, 1e300]), 1.0)
    np.testing.assert_allclose(values[:3], np.exp([0.0, -1.0, -199.0]))
    np.testing.assert_array_equal(values[3:], np.exp(-200.0))


def test_the_argument_is_left_alone():
    squared = np.array([[0.0, 2.0]])
    gaussian(squared, 3.0)
    assert squared.tolist() == [[0, 2]]
