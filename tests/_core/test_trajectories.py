import numpy as np
import pytest
from oracles import domain as oracle

from maxmargin._core.trajectories import climb


def ends(points, support, weights, gamma, tol=1e-10, max_iter=100_000):
    points = np.array(points, dtype=float)
    room = np.empty(len(support)), np.empty(points.shape[1])
    return points, *climb(points, support, weights, gamma, tol, max_iter, *room)


@pytest.fixture
def hills(rng):
    return rng.normal(size=(40, 2)), rng.uniform(0.1, 1, size=40)


@pytest.mark.parametrize("gamma", [0.2, 2.0, 50.0])
def test_ends_are_fixed_points(hills, gamma, rng):
    starts = rng.normal(size=(15, 2))
    found, longest, n_open = ends(starts, *hills, gamma)
    assert n_open == 0
    assert 1 <= longest <= 100_000
    for x in found:
        np.testing.assert_allclose(oracle.uphill(x, *hills, gamma), x, atol=1e-8 / np.sqrt(gamma))


@pytest.mark.parametrize("gamma", [0.2, 2.0, 50.0])
def test_every_step_is_the_map_and_leads_uphill(hills, gamma, rng):
    x = rng.normal(size=2)
    before = oracle.heights(x[np.newaxis], *hills, gamma)[0]
    for _ in range(30):
        found, steps, _ = ends([x], *hills, gamma, max_iter=1)
        np.testing.assert_allclose(found[0], oracle.uphill(x, *hills, gamma), rtol=1e-9, atol=1e-12)
        assert steps == 1
        x, last = found[0], before
        before = oracle.heights(found, *hills, gamma)[0]
        assert before >= last * (1 - 1e-12)


def test_far_starts_come_back(hills):
    """Nothing underflows: from anywhere the first step leads near the nearest of them."""
    starts = [[1e3, 0], [-1e8, 1e8], [1e150, -1e150]]
    found, _, n_open = ends(starts, *hills, 5.0)
    assert n_open == 0
    assert np.isfinite(found).all()
    assert np.abs(found).max() <= np.abs(hills[0]).max()
    for x in found:
        np.testing.assert_allclose(oracle.uphill(x, *hills, 5.0), x, atol=1e-8)


def test_one_hill_and_two():
    one = np.array([[3.0, 4.0]])
    found, longest, n_open = ends([[0.0, 0.0]], one, np.ones(1), 1.0)
    np.testing.assert_allclose(found, one)
    assert (longest, n_open) == (2, 0)  # there, and no further
    two = np.array([[-5.0], [5.0]])
    found, _, _ = ends([[-0.1], [0.1], [0.0]], two, np.ones(2), 1.0)
    np.testing.assert_allclose(found, [[-5], [5], [0]], atol=1e-9)  # 0 is on the ridge
    found, _, _ = ends([[-0.1], [0.3]], two / 10, np.ones(2), 1.0)  # one peak: 0.5 < 1/√2
    np.testing.assert_allclose(found, 0, atol=1e-6)


def test_a_cap_is_counted(hills, rng):
    starts = rng.normal(size=(8, 2))
    _, longest, n_open = ends(starts, *hills, 1.0, max_iter=2)
    assert (longest, n_open) == (2, 8)


def test_the_tolerance_is_in_units_of_the_width(hills):
    """The same picture in other units takes the same steps."""
    support, weights = hills
    starts = support[:5] + 0.1
    found, longest, _ = ends(starts, support, weights, 4.0, tol=1e-3)
    scaled, again, _ = ends(256 * starts, 256 * support, weights, 4.0 / 256**2, tol=1e-3)
    np.testing.assert_allclose(scaled, 256 * found)
    assert again == longest


@pytest.mark.usefixtures("stopped")
def test_a_flag_stops_it(hills):
    with pytest.raises(KeyboardInterrupt):
        ends(np.zeros((2, 2)), *hills, 1.0)
