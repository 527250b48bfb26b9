import numpy as np
import pytest
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree
from sklearn.metrics import pairwise_distances

from maxmargin.spaces.neighbors import Neighbors, connected_edges, spanning_tree


def joined(X, m=10):
    start, stop, gaps = connected_edges(Neighbors.of_rows(X, m), X)
    return start, stop, gaps, csr_matrix((np.ones(len(start)), (start, stop)), shape=[len(X)] * 2)


@pytest.mark.parametrize("n", [2, 3, 11, 12, 40, 150])
def test_all_rows_are_joined(n, rng):
    X = rng.normal(size=(n, 2)) * rng.choice([1, 100, 1e4], size=(n, 1))
    start, stop, gaps, graph = joined(X)
    assert connected_components(graph, directed=False)[0] == 1
    assert (graph + graph.T).max() == 1  # no edge twice
    assert (start != stop).all()
    assert (gaps >= 0).all()
    # the shortest tree of all distances is part of it
    tree = minimum_spanning_tree(pairwise_distances(X)).tocoo()
    both = (graph + graph.T).toarray()
    assert (both[tree.row, tree.col] > 0).all()


@pytest.mark.parametrize("copies", [2, 12, 40])
def test_copies_are_joined_too(copies, rng):
    """More copies of a row than it has neighbours: they come apart in the graph of those."""
    X = np.repeat(rng.normal(size=(6, 2)), copies, axis=0)
    *_, graph = joined(X)
    assert connected_components(graph, directed=False)[0] == 1
    # and what joins different rows is the shortest tree of those
    lengths = np.sort(pairwise_distances(X)[graph.nonzero()])
    tree = minimum_spanning_tree(pairwise_distances(X[::copies]))
    assert all(np.isclose(lengths, length).any() for length in tree.data)


def test_one_row_and_rows_that_are_all_equal():
    start, stop, gaps, _ = joined(np.zeros((1, 2)))
    assert len(start) == len(stop) == len(gaps) == 0
    *_, graph = joined(np.zeros((30, 2)))
    assert connected_components(graph, directed=False)[0] == 1


def test_a_tree_is_the_shortest(rng):
    X = rng.normal(size=(25, 3))
    D = pairwise_distances(X)
    start, stop = np.nonzero(~np.eye(25, dtype=bool))  # every edge twice
    tree = spanning_tree(25, start, stop, D[start, stop])
    lengths = D[start[tree], stop[tree]]
    assert len(tree) == 24
    assert lengths.sum() == pytest.approx(minimum_spanning_tree(D).sum())
    assert np.all(np.diff(lengths) >= 0)


def test_lengths_may_be_zero_or_negative():
    """Levels are lengths with their sign changed."""
    start, stop = np.array([0, 1, 0]), np.array([1, 2, 2])
    assert spanning_tree(3, start, stop, np.array([0.0, -3.0, -1.0])).tolist() == [1, 2]


def test_a_forest_stays_a_forest():
    tree = spanning_tree(5, np.array([0, 3]), np.array([1, 4]), np.array([1.0, 1.0]))
    assert tree.tolist() == [0, 1]
    assert spanning_tree(1, *np.empty((2, 0), np.intp), np.empty(0)).tolist() == []


def test_a_bridge_is_no_shorter_than_the_distances_to_neighbours(rng):
    """A projection to nothing makes it 0."""
    X = rng.normal(size=(60, 2)) + np.repeat([[0, 0], [50, 0]], 30, axis=0)
    near = Neighbors.of_rows(X, 15)
    start, stop, gaps = connected_edges(near, np.zeros((60, 1)))
    at = gaps.argmax()
    assert gaps[at] == near.distances[[start[at], stop[at]], -1].max()
