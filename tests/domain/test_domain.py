import numpy as np
import pytest
from oracles import domain as oracle
from scipy.optimize import approx_fprime

from maxmargin.domain.domain import Domain


@pytest.fixture
def parts(rng):
    return rng.normal(size=(30, 2)), rng.uniform(size=30), 1.7


def test_heights_are_weighted_sums(parts, rng):
    points = rng.normal(size=(50, 2))
    domain = Domain(*parts)
    np.testing.assert_allclose(domain.heights(points), oracle.heights(points, *parts))
    squared = ((points[:, np.newaxis] - parts[0]) ** 2).sum(axis=-1)
    np.testing.assert_allclose(domain.squared(points), squared, atol=1e-12)
    assert domain.heights(np.empty((0, 2))).shape == (0,)


def test_blocks_do_not_matter(parts, rng, monkeypatch):
    points = rng.normal(size=(50, 2))
    whole = Domain(*parts).heights(points)
    monkeypatch.setattr("maxmargin._runtime.memory.BLOCK_BYTES", 8 * 30 * 7)
    np.testing.assert_allclose(Domain(*parts).heights(points), whole, rtol=1e-13)


def test_a_shift_does_not_matter(parts, rng):
    points = rng.normal(size=(50, 2))
    support, weights, gamma = parts
    far = Domain(support + 1e7, weights, gamma)
    np.testing.assert_allclose(far.heights(points + 1e7), Domain(*parts).heights(points), atol=1e-6)
    ends, _, _ = far.climb(points[:5] + 1e7, 1e-6, 10_000)
    near, _, _ = Domain(*parts).climb(points[:5], 1e-6, 10_000)
    np.testing.assert_allclose(ends - 1e7, near, atol=1e-4)


def test_far_away_there_is_nothing(parts):
    assert Domain(*parts).heights(np.array([[1e6, 0.0], [1e140, 1e140]])).max() < 1e-80


def test_climbing_ends_where_there_is_no_slope(parts, rng):
    domain = Domain(*parts)
    starts = rng.normal(size=(6, 2))
    before = starts.copy()
    ends, longest, n_open = domain.climb(starts, 1e-9, 100_000)
    np.testing.assert_array_equal(starts, before)  # left alone
    assert n_open == 0
    assert longest > 1
    assert (domain.heights(ends) >= domain.heights(starts)).all()
    for x in ends:
        np.testing.assert_allclose(oracle.uphill(x, *parts), x, atol=1e-7)
        slope = approx_fprime(x, lambda p: float(oracle.heights(p[np.newaxis], *parts)[0]))
        np.testing.assert_allclose(slope, 0, atol=1e-5)


def test_single_precision_points(parts, rng):
    points = rng.normal(size=(10, 2)).astype(np.float32)
    domain = Domain(*parts)
    expected = oracle.heights(points.astype(float), *parts)
    np.testing.assert_allclose(domain.heights(points), expected, rtol=1e-6)
    assert domain.climb(points, 1e-3, 100)[0].dtype == np.float64
