"""The pieces of a domain against a flood fill of a fine grid."""

import numpy as np
import pytest
from oracles import domain as oracle
from sklearn.datasets import make_blobs, make_circles, make_moons
from sklearn.metrics import adjusted_rand_score, completeness_score, homogeneity_score

from maxmargin.assignment.graph import TOLERANCE, pieces_of
from maxmargin.selection.reading import MORE_STEPS
from maxmargin.selection.scene import Scene
from maxmargin.solvers.one_class import solve_box, solve_nu

CENTERS = [[0, 0], [6, 0], [0, 6]]


def pieces(X, gamma, solve, bound):
    scene = Scene.of_rows(X)
    found = solve(scene.pairs, gamma, bound, tol=1e-8, max_iter=10**6)
    levels = scene.edge_levels(found, gamma, MORE_STEPS)
    return found, pieces_of(found.heights, *scene.edges, levels)


@pytest.mark.parametrize(
    ("data", "gamma", "solve", "bound", "n_pieces"),
    [
        ("moons", 1.0, solve_nu, 0.1, 1),
        ("moons", 20.0, solve_nu, 0.1, 2),
        ("moons", 15.0, solve_box, 1.0, 2),
        ("circles", 20.0, solve_nu, 0.1, 2),
        ("blobs", 0.01, solve_nu, 0.3, 1),
        ("blobs", 0.3, solve_nu, 0.1, 3),
        ("blobs", 0.3, solve_box, 1.0, 3),
    ],
)
def test_pieces_are_those_of_a_flood_fill(data, gamma, solve, bound, n_pieces, global_random_seed):
    if data == "moons":
        X, _ = make_moons(200, noise=0.04, random_state=global_random_seed)
    elif data == "circles":
        X, _ = make_circles(300, noise=0.03, factor=0.4, random_state=global_random_seed)
    else:
        X, _ = make_blobs(150, centers=CENTERS, cluster_std=0.7, random_state=global_random_seed)
    found, piece = pieces(X, gamma, solve, bound)
    level = 1 - TOLERANCE
    truth = oracle.flood_fill(X, found.alpha, gamma, level)
    np.testing.assert_array_equal(piece >= 0, found.heights >= level)
    inside = (piece >= 0) & (truth >= 0)
    assert inside.sum() >= 0.9 * (piece >= 0).sum()  # the grid misses a row on the boundary
    assert len(np.unique(truth[inside])) >= n_pieces
    assert adjusted_rand_score(truth[inside], piece[inside]) == 1


@pytest.mark.parametrize("gamma", [60.0, 150.0])
def test_many_pieces_too(gamma, global_random_seed):
    """Narrow Gaussians: many pieces, most of them small, some with a neck or a gap like a hair."""
    X, _ = make_moons(150, noise=0.05, random_state=global_random_seed)
    found, piece = pieces(X, gamma, solve_nu, 0.5)
    truth = oracle.flood_fill(X, found.alpha, gamma, 1 - TOLERANCE, fine=1500)
    inside = (piece >= 0) & (truth >= 0)
    assert len(np.unique(truth[inside])) > 4
    assert adjusted_rand_score(truth[inside], piece[inside]) > 0.75
    assert completeness_score(truth[inside], piece[inside]) > 0.8  # few pieces are cut
    assert homogeneity_score(truth[inside], piece[inside]) > 0.85  # few gaps are jumped


def test_edges_by_hand():
    heights = np.array([1.0, 1.0, 1.0, 0.999, 0.99, 3.0])
    start, stop_at = np.array([0, 1, 2, 3, 4]), np.array([1, 2, 3, 4, 5])
    levels = np.array([1.0, 0.99, 0.999, 0.99, 0.99])
    # 0.998 counts as inside, 0.99 does not
    assert pieces_of(heights, start, stop_at, levels).tolist() == [0, 0, 1, 1, -1, 2]


def test_no_edges_and_nothing_inside():
    none = np.empty(0, dtype=np.intp)
    assert pieces_of(np.ones(3), none, none, np.empty(0)).tolist() == [0, 1, 2]
    assert pieces_of(np.zeros(3), none, none, np.empty(0)).tolist() == [-1, -1, -1]


def test_pieces_are_components_painted_by_hand(rng):
    heights = rng.uniform(0.8, 1.4, size=50)
    start, stop_at = rng.integers(50, size=(2, 60))
    levels = np.minimum(heights[start], heights[stop_at]) - rng.uniform(0, 0.2, size=60)
    inside = levels >= 1 - TOLERANCE
    painted = oracle.components(50, start[inside], stop_at[inside])
    found = pieces_of(heights, start, stop_at, levels)
    rows = heights >= 1 - TOLERANCE
    assert ((found >= 0) == rows).all()
    assert adjusted_rand_score(painted[rows], found[rows]) == 1
    assert set(found[rows]) == set(range(found.max() + 1))
