import numpy as np
import pytest
from oracles import domain as oracle

from maxmargin.assignment.segments import levels_of_edges, levels_of_segments
from maxmargin.objectives.domain import Domain
from maxmargin.spaces import pairs as pairs_module
from maxmargin.spaces.pairs import Pairs


@pytest.fixture
def scene(rng):
    rows = rng.normal(size=(60, 2))
    alpha = rng.uniform(size=60) * (rng.random(60) < 0.6)
    start, stop_at = rng.integers(60, size=(2, 200))
    start.sort()
    return rows, alpha, start, stop_at


def expected(scene, gamma, steps):
    rows, alpha, start, stop_at = scene
    return [
        oracle.lowest(rows[i], rows[j], rows, alpha, gamma, steps)
        for i, j in zip(start, stop_at, strict=True)
    ]


def by_edges(scene, gamma, steps):
    rows, alpha, start, stop_at = scene
    g = oracle.heights(rows, rows, alpha, gamma)
    return levels_of_edges(*(Pairs(rows), alpha, g, start, stop_at, gamma), steps=steps)


def by_segments(scene, gamma, steps):
    rows, alpha, start, stop_at = scene
    domain = Domain(rows[alpha > 0], alpha[alpha > 0], gamma)
    return levels_of_segments(*(rows, domain.heights(rows), start, stop_at, domain), steps=steps)


@pytest.mark.parametrize("gamma", [0.1, 2.0, 50.0, 1e3])
@pytest.mark.parametrize("steps", [1, 5, 20])
def test_levels_by_brute_force(scene, gamma, steps):
    truth = expected(scene, gamma, steps)
    np.testing.assert_allclose(by_edges(scene, gamma, steps), truth, atol=1e-6)
    np.testing.assert_allclose(by_segments(scene, gamma, steps), truth, atol=1e-6)


@pytest.mark.parametrize("gamma", [0.1, 2.0, 50.0])
def test_without_all_distances_it_is_the_same(scene, gamma, monkeypatch):
    whole = by_edges(scene, gamma, 5)
    monkeypatch.setattr(pairs_module, "FULL", 0)
    np.testing.assert_allclose(by_edges(scene, gamma, 5), whole, atol=1e-7)
    monkeypatch.setattr("maxmargin._runtime.memory.BLOCK_BYTES", 8 * 40)
    np.testing.assert_allclose(by_edges(scene, gamma, 5), whole, atol=1e-7)


def test_arguments_are_left_alone(scene):
    rows, alpha, start, stop_at = scene
    copies = [part.copy() for part in scene]
    heights = oracle.heights(rows, rows, alpha, 1.0)
    kept = heights.copy()
    levels_of_edges(*(Pairs(rows), alpha, heights, start, stop_at, 1.0), steps=5)
    np.testing.assert_array_equal(heights, kept)
    for part, copy in zip(scene, copies, strict=True):
        np.testing.assert_array_equal(part, copy)


def test_a_level_is_never_above_the_ends(scene):
    rows, alpha, start, stop_at = scene
    g = oracle.heights(rows, rows, alpha, 3.0)
    levels = by_edges(scene, 3.0, 5)
    assert (levels <= np.minimum(g[start], g[stop_at]) + 1e-12).all()
    assert (levels >= 0).all()
    # more points inside see more: 11 of them include those 5
    assert (by_edges(scene, 3.0, 11) <= levels + 1e-9).all()


def test_small_levels_keep_their_order():
    """Far below the boundary too, the shorter gap is crossed first."""
    rows, alpha = np.array([[0.0], [20.0], [41.0]]), np.ones(3)
    start, stop_at = np.array([0, 1]), np.array([1, 2])
    levels = levels_of_edges(*(Pairs(rows), alpha, np.ones(3), start, stop_at, 1.0), steps=5)
    np.testing.assert_allclose(levels, 2 * np.exp([-(10.0**2), -(10.5**2)]), rtol=1e-6)
