import numpy as np
import pytest
from oracles import modes as oracle
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree
from sklearn.metrics import pairwise_distances

from maxmargin.selection.modes import find_modes, merge_tree
from maxmargin.spaces.neighbors import Neighbors, connected_edges


def test_a_landscape_by_hand():
    """Peaks 5, 9 and 7 on a path; 5 meets 9 at 2, 7 meets 9 at 4."""
    heights = np.array([3, 5, 2, 9, 4, 6, 7], dtype=float)
    peaks, prominences, sizes = merge_tree(heights, np.arange(6), np.arange(1, 7))
    assert peaks.tolist() == [6, 1]
    assert prominences.tolist() == [3, 3]
    assert sizes.tolist() == [2, 2]  # rows 5 and 6; rows 0 and 1


def test_prominences_are_those_of_the_pieces_above_the_water(rng):
    heights = rng.normal(size=40)
    graph = Neighbors.of_rows(rng.normal(size=(40, 2)), 3).graph(3)
    peaks, prominences, _ = merge_tree(heights, *graph.nonzero())
    expected = oracle.prominences(heights, graph.toarray())
    hills = np.flatnonzero((expected > 0) & np.isfinite(expected))
    assert sorted(peaks.tolist()) == hills.tolist()
    np.testing.assert_allclose(prominences, expected[peaks])


def test_an_edge_appears_at_its_ceiling():
    """Two rows of heights 5 and 4 and a bridge at 1: the lower one ends 3 below itself."""
    heights, ends = np.array([5.0, 4.0]), (np.array([0]), np.array([1]))
    assert merge_tree(heights, *ends)[1].tolist() == []  # a slope
    assert merge_tree(heights, *ends, np.array([np.inf]))[1].tolist() == []
    peaks, prominences, sizes = merge_tree(heights, *ends, np.array([1.0]))
    assert (peaks.tolist(), prominences.tolist(), sizes.tolist()) == ([1], [3], [1])


def test_the_edges_join_all_rows_and_hold_the_shortest_tree(rng):
    """Four groups that no neighbours join: three bridges of the tree of all distances."""
    X = rng.normal(size=(100, 2)) + np.repeat([[0, 0], [50, 0], [0, 80], [300, 0]], 25, axis=0)
    near = Neighbors.of_rows(X, 15)
    start, stop, gaps = connected_edges(near, X)
    graph = csr_matrix((np.ones(len(start)), (start, stop)), shape=(100, 100))
    graph = graph + graph.T
    assert graph.max() == 1  # no edge twice
    assert connected_components(graph, directed=False)[0] == 1
    tree = minimum_spanning_tree(pairwise_distances(X)).tocoo()
    assert all(graph[i, j] for i, j in zip(tree.row, tree.col, strict=True))
    np.testing.assert_allclose(np.sort(gaps)[-3:], np.sort(tree.data)[-3:])
    assert (gaps > 0).sum() == 3
    assert (graph.toarray()[near.graph(10).nonzero()] == 1).all()


def test_a_bridge_is_no_shorter_than_the_distances_to_neighbours(rng):
    """A projection to nothing makes it 0."""
    X = rng.normal(size=(60, 2)) + np.repeat([[0, 0], [50, 0]], 30, axis=0)
    near = Neighbors.of_rows(X, 15)
    start, stop, gaps = connected_edges(near, np.zeros((60, 1)))
    at = gaps.argmax()
    assert gaps[at] == near.distances[[start[at], stop[at]], -1].max()


@pytest.mark.parametrize("sizes", [(60, 60), (80, 30, 50, 40), (16, 400)])
def test_groups_far_apart_are_modes(sizes, rng):
    """Each holds a peak that stands out, however flat it is."""
    group = np.repeat(np.arange(len(sizes)), sizes)
    X = rng.normal(size=(sum(sizes), 2)) + np.array([[0, 0], [40, 0], [0, 40], [40, 40]])[group]
    modes = find_modes(Neighbors.of_rows(X, 15), X)
    stand_out = modes.prominences > 0.75 / np.sqrt(1.5)
    stand_out &= modes.sizes >= max(3, 0.01 * len(X))
    assert modes.count == 1 + stand_out.sum() >= len(sizes)
    assert len(set(group[modes.peaks[stand_out]])) >= len(sizes) - 1


def test_the_order_of_rows_does_not_matter(rng):
    X = rng.normal(size=(150, 2)) + np.repeat([[0, 0], [4, 0], [90, 0]], 50, axis=0)
    order = rng.permutation(150)
    one = find_modes(Neighbors.of_rows(X, 15), X)
    other = find_modes(Neighbors.of_rows(X[order], 15), X[order])
    assert one.count == other.count
    assert sorted(order[other.peaks]) == sorted(one.peaks)
    np.testing.assert_allclose(np.sort(other.prominences), np.sort(one.prominences))


def test_small_hills_do_not_count(rng):
    """20 rows far away among 3000 are less than 1 %."""
    X = np.concatenate([rng.normal(size=(3000, 2)), 3 * rng.normal(size=(20, 2)) + 99])
    modes = find_modes(Neighbors.of_rows(X, 15), X)
    small = modes.sizes < 30.2
    assert modes.prominences[small].max() > 0.75
    assert modes.count <= 1 + (~small).sum()


@pytest.mark.parametrize("n", [1, 2, 5, 30])
def test_equal_rows_are_one_mode(n):
    X = np.ones((n, 2))
    assert find_modes(Neighbors.of_rows(X, 15), X).count == 1


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("scale", [1e-6, 1, 1e6])
def test_atoms_are_modes(sparse, scale):
    X = scale * np.repeat(np.eye(3), 20, axis=0)
    X = csr_matrix(X) if sparse else X
    modes = find_modes(Neighbors.of_rows(X, 15), X)
    assert np.isfinite(modes.prominences).all()
    assert modes.count == 3
