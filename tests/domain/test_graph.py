"""The pieces of a domain against a flood fill of a fine grid."""

import numpy as np
import pytest
from oracles import domain as oracle
from sklearn.datasets import make_blobs, make_circles, make_moons
from sklearn.metrics import adjusted_rand_score, completeness_score, homogeneity_score

from maxmargin.domain import Equilibria, Graph
from maxmargin.domain.domain_graph import VALLEY_OF_DOMAIN, DomainGraph
from maxmargin.domain.graph import (
    BOUNDARY_TOLERANCE,
    STEPS_OF_ONE_LEVEL,
    WEAKEST,
    components,
    merge_weak,
    strong_clusters,
)
from maxmargin.selection.split_gap import SplitGap
from maxmargin.solvers import SMO, OneClassProblem
from maxmargin.spaces.neighbors import Neighbors

CENTERS = [[0, 0], [6, 0], [0, 6]]


def pieces(X, gamma, **bound):
    graph = DomainGraph(X)
    found = SMO(tol=1e-8).solve(OneClassProblem(graph.distances, gamma, **bound))
    levels = graph.edge_levels(found, STEPS_OF_ONE_LEVEL)
    return found, components(found.heights, *graph.edges, levels)


@pytest.mark.parametrize(
    ("data", "gamma", "bound", "n_pieces"),
    [
        ("moons", 1.0, {"nu": 0.1}, 1),
        ("moons", 20.0, {"nu": 0.1}, 2),
        ("moons", 15.0, {"C": 1.0}, 2),
        ("circles", 20.0, {"nu": 0.1}, 2),
        ("blobs", 0.01, {"nu": 0.3}, 1),
        ("blobs", 0.3, {"nu": 0.1}, 3),
        ("blobs", 0.3, {"C": 1.0}, 3),
    ],
)
def test_pieces_are_those_of_a_flood_fill(data, gamma, bound, n_pieces, global_random_seed):
    if data == "moons":
        X, _ = make_moons(200, noise=0.04, random_state=global_random_seed)
    elif data == "circles":
        X, _ = make_circles(300, noise=0.03, factor=0.4, random_state=global_random_seed)
    else:
        X, _ = make_blobs(150, centers=CENTERS, cluster_std=0.7, random_state=global_random_seed)
    found, piece = pieces(X, gamma, **bound)
    level = 1 - BOUNDARY_TOLERANCE
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
    found, piece = pieces(X, gamma, nu=0.5)
    truth = oracle.flood_fill(X, found.alpha, gamma, 1 - BOUNDARY_TOLERANCE, fine=1500)
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
    assert components(heights, start, stop_at, levels).tolist() == [0, 0, 1, 1, -1, 2]


def test_no_edges_and_nothing_inside():
    none = np.empty(0, dtype=np.intp)
    assert components(np.ones(3), none, none, np.empty(0)).tolist() == [0, 1, 2]
    assert components(np.zeros(3), none, none, np.empty(0)).tolist() == [-1, -1, -1]


def test_pieces_are_components_painted_by_hand(rng):
    heights = rng.uniform(0.8, 1.4, size=50)
    start, stop_at = rng.integers(50, size=(2, 60))
    levels = np.minimum(heights[start], heights[stop_at]) - rng.uniform(0, 0.2, size=60)
    inside = levels >= 1 - BOUNDARY_TOLERANCE
    painted = oracle.components(50, start[inside], stop_at[inside])
    found = components(heights, start, stop_at, levels)
    rows = heights >= 1 - BOUNDARY_TOLERANCE
    assert ((found >= 0) == rows).all()
    assert adjusted_rand_score(painted[rows], found[rows]) == 1
    assert set(found[rows]) == set(range(found.max() + 1))


# -- weak pairs --------------------------------------------------------------------------


def three_blobs(rng):
    return rng.normal(size=(150, 2)) + np.repeat([[0, 0], [9, 0], [0, 9]], 50, axis=0)


def test_halves_of_a_blob_are_one_again(rng):
    X = three_blobs(rng)
    side = X[:, 1] > np.repeat([0, 0, 9], 50)
    halves = 2 * np.repeat([0, 1, 2], 50) + side
    numbers = merge_weak(SplitGap(Neighbors.of_rows(X, 10), VALLEY_OF_DOMAIN), halves, WEAKEST)
    assert adjusted_rand_score(numbers[halves], np.repeat([0, 1, 2], 50)) == 1
    assert sorted(set(numbers)) == [0, 1, 2]


def test_what_is_left_is_strong_enough(rng):
    X = rng.normal(size=(200, 2))
    gap = SplitGap(Neighbors.of_rows(X, 10), VALLEY_OF_DOMAIN)
    labels = rng.integers(5, size=200)
    for weakest in (-1.0, 0.0, 0.12, 0.5, 2.0):
        numbers = merge_weak(gap, labels, weakest)
        assert len(numbers) == 5
        assert set(numbers) == set(range(numbers.max() + 1))
        assert numbers.max() >= 1  # two stay, however weak
        assert numbers.max() == 1 or gap.weakness(numbers[labels]).max() <= weakest
    assert merge_weak(gap, labels, 2.0).tolist() == [0, 1, 2, 3, 4]  # no weakness is above 1.05


def test_the_weakest_pair_goes_first(rng):
    X = three_blobs(rng)
    gap = SplitGap(Neighbors.of_rows(X, 10), VALLEY_OF_DOMAIN)
    labels = np.repeat([0, 1, 2, 3], [30, 20, 50, 50])
    weakness = gap.weakness(labels)
    a, b = np.unravel_index(np.argmax(weakness), weakness.shape)
    once = merge_weak(gap, labels, np.sort(weakness[np.isfinite(weakness)])[-1] - 1e-9)
    assert once[a] == once[b]


def test_one_cluster_has_no_pair(rng):
    gap = SplitGap(Neighbors.of_rows(rng.normal(size=(30, 2)), 10))
    assert merge_weak(gap, np.zeros(30, dtype=np.intp), WEAKEST).tolist() == [0]


def test_joined_clusters_have_the_lower_level(rng):
    X = three_blobs(rng)
    graph = DomainGraph(X)
    halves = 2 * np.repeat([0, 1, 2], 50) + np.tile([0, 1], 75)  # as weakly apart as can be

    class Tree:
        def clusters(self, smallest):
            return halves, np.array([0.6, 0.5, 0.4, 0.3, 0.2, 0.1])

    labels, levels = strong_clusters(graph, Tree(), 5)
    assert adjusted_rand_score(labels, np.repeat([0, 1, 2], 50)) == 1
    expected = [min((0.6 - 0.1 * h) for h in set(halves[labels == c])) for c in range(3)]
    np.testing.assert_allclose(levels, expected)


# -- assignments ---------------------------------------------------------------------------


def test_clusters_are_found_in_three_ways(rng):
    """Far apart they agree; only equilibria have peaks, only own levels are below 1."""
    X = three_blobs(rng) + 500
    graph = DomainGraph(X)
    truth, gamma = np.repeat([0, 1, 2], 50), 0.2
    solution = SMO().solve(OneClassProblem(graph.distances, gamma, nu=0.5))
    for assignment, own_levels in ((Graph(), True), (Graph(), False), (Equilibria(), False)):
        find = assignment.clusters_at_levels if own_levels else assignment.clusters
        (found,) = find(graph, solution, (5,))
        assert found.solution is solution
        assert found.smallest == 5
        assert found.n_clusters == 3
        assert adjusted_rand_score(truth, graph.complete(found.labels)) == 1
        assert found.notes == ()
        if isinstance(assignment, Equilibria):  # in the units of the rows
            assert np.linalg.norm(found.equilibria - 503, axis=1).max() < 12
            followed = np.abs(solution.heights - 1) <= 0.01
            np.testing.assert_array_equal(found.labels >= 0, followed)
        else:
            assert found.equilibria is None
        if own_levels:
            assert (found.levels < 1).all()
        else:
            np.testing.assert_array_equal(found.levels, 1)


@pytest.mark.parametrize("assignment", [Graph(), Equilibria()])
def test_small_clusters_are_none(assignment, rng):
    X = three_blobs(rng)[: 50 + 50 + 8]  # of the third blob a few rows
    graph = DomainGraph(X)
    solution = SMO().solve(OneClassProblem(graph.distances, 0.2, C=1.0))
    few, none, nothing = assignment.clusters(graph, solution, (5, 20, 60))
    assert (few.n_clusters, none.n_clusters, nothing.n_clusters) == (3, 2, 0)
    assert set(none.labels[100:]) == {-1}
    assert set(none.labels[none.labels >= 0]) == {0, 1}
    assert adjusted_rand_score(np.repeat([0, 1, 2], 50)[:108], graph.complete(few.labels)) == 1


def test_pieces_that_are_lost_are_noted(rng):
    graph = DomainGraph(three_blobs(rng))
    solution = SMO().solve(OneClassProblem(graph.distances, 1e4, nu=0.5))
    (found,) = Graph().clusters(graph, solution, (5,))
    assert found.n_clusters == 0
    assert "min_cluster_size" in found.notes[0]
    assert "gamma=1e+04 is too large" in found.notes[0]
