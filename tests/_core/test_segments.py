import numpy as np
import pytest
from oracles import domain as oracle

from maxmargin._core.segments import lowest_on_segments


def lowest(points, support, weights, start, stop_at, gamma, steps, first=np.inf):
    squared = ((points[:, np.newaxis] - support[np.newaxis]) ** 2).sum(axis=-1)
    lengths = ((points[start] - points[stop_at]) ** 2).sum(axis=1)
    s = len(support)
    found = np.full(len(start), first)
    lowest_on_segments(
        *(squared, start, stop_at, lengths, weights, gamma, steps),
        *(np.empty(s, dtype=np.intp), np.empty(s), np.empty(steps), found),
    )
    return found


def expected(points, support, weights, start, stop_at, gamma, steps):
    """At the points inside only."""
    t = np.arange(1, steps + 1)[:, np.newaxis] / (steps + 1)
    return [
        oracle.heights((1 - t) * points[i] + t * points[j], support, weights, gamma).min()
        for i, j in zip(start, stop_at, strict=True)
    ]


@pytest.mark.parametrize("gamma", [1e-3, 0.3, 5.0, 60.0, 400.0, 1e4])
@pytest.mark.parametrize("steps", [1, 5, 20])
def test_heights_between_points(gamma, steps, rng):
    """Short edges in strides, long ones (γ · length > 100) one by one."""
    points, support = rng.normal(size=(30, 3)), rng.normal(size=(50, 3))
    weights = rng.uniform(size=50)
    start, stop_at = rng.integers(30, size=(2, 80))
    start.sort()
    found = lowest(points, support, weights, start, stop_at, gamma, steps)
    truth = expected(points, support, weights, start, stop_at, gamma, steps)
    np.testing.assert_allclose(found, truth, rtol=1e-6, atol=1e-7)  # e⁻²⁰ is left out
    lengths = ((points[start] - points[stop_at]) ** 2).sum(axis=1)
    if gamma == 60.0:
        assert (gamma * lengths > 100).any()
        assert (gamma * lengths <= 100).any()


def test_ends_stay_where_they_are_lower(rng):
    points, weights = rng.normal(size=(6, 2)), np.ones(6)
    start, stop_at = np.arange(5), np.arange(1, 6)
    found = lowest(points, points, weights, start, stop_at, 1.0, 5, first=1e-3)
    np.testing.assert_array_equal(found, 1e-3)


def test_a_valley_by_hand():
    """Two Gaussians 6 widths apart: 2 e⁻⁹ in the middle."""
    points = np.array([[0.0], [6.0]])
    zero, one = np.array([0]), np.array([1])
    for gamma, steps in ((1.0, 1), (1.0, 5), (4.0, 3)):
        found = lowest(points, points, np.ones(2), zero, one, gamma, steps)
        assert found[0] == pytest.approx(2 * np.exp(-9 * gamma), abs=1e-8)


def test_rows_without_weight_do_not_count(rng):
    points, support = rng.normal(size=(10, 2)), rng.normal(size=(20, 2))
    weights = np.where(np.arange(20) % 2, 0.5, 0.0)
    start, stop_at = np.arange(9), np.arange(1, 10)
    np.testing.assert_array_equal(
        lowest(points, support, weights, start, stop_at, 1.0, 5),
        lowest(points, support[1::2], np.full(10, 0.5), start, stop_at, 1.0, 5),
    )


def test_the_order_of_edges_changes_nothing_that_counts(rng):
    """Segments that share a start share work."""
    points, weights = rng.normal(size=(20, 2)), rng.uniform(size=20)
    start, stop_at = np.repeat(np.arange(5), 8), rng.integers(20, size=40)
    found = lowest(points, points, weights, start, stop_at, 2.0, 5)
    order = rng.permutation(40)
    mixed = lowest(points, points, weights, start[order], stop_at[order], 2.0, 5)
    np.testing.assert_allclose(mixed, found[order], atol=1e-7)


@pytest.mark.usefixtures("stopped")
def test_a_flag_ends_it(rng):
    points, ends = rng.normal(size=(20, 2)), rng.integers(20, size=(2, 40))
    with pytest.raises(KeyboardInterrupt):
        lowest(points, points, np.ones(20), *ends, 2.0, 5)


def test_no_length_and_no_edges(rng):
    points, weights = rng.normal(size=(4, 2)), np.ones(4)
    same = np.arange(4)
    np.testing.assert_allclose(
        lowest(points, points, weights, same, same, 1.0, 3),
        oracle.heights(points, points, weights, 1.0),
        atol=1e-7,
    )
    none = np.empty(0, dtype=np.intp)
    assert len(lowest(points, points, weights, none, none, 1.0, 3)) == 0
