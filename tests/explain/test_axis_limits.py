"""Where axes begin and end."""

import numpy as np
import pytest

from maxmargin.explain.axis_limits import grid_over, limits_of, widened


def test_a_share_of_the_range_beyond_all_points(rng):
    points = rng.normal(size=(50, 2)) * [1, 100]
    low, high = limits_of(points, 0.1)
    np.testing.assert_allclose(points.min(axis=0) - low, 0.1 * np.ptp(points, axis=0))
    np.testing.assert_allclose(high - points.max(axis=0), 0.1 * np.ptp(points, axis=0))


def test_points_that_are_all_the_same_have_room():
    low, high = limits_of(np.ones((3, 2)))
    assert np.all(low < 1)
    assert np.all(high > 1)


def test_the_grid_has_its_corners_at_the_limits(rng):
    points = rng.normal(size=(50, 2))
    x0, x1 = grid_over(points, 7, 0.0)
    assert x0.shape == x1.shape == (7, 7)
    np.testing.assert_allclose([x0[0, 0], x1[0, 0]], points.min(axis=0))
    np.testing.assert_allclose([x0[-1, -1], x1[-1, -1]], points.max(axis=0))


@pytest.mark.parametrize("value", [0.0, 3.0, -1e9, 1e-9])
def test_flat_values_stay_flat(value):
    low, high = widened(value, value)
    assert low < value < high
    assert high - low == pytest.approx(1e-3 * abs(value) or 1.0, rel=1e-6)
    assert widened(value, value + 1 + abs(value)) == (value, value + 1 + abs(value))
