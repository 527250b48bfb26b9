"""A graph of neighbours that joins all rows."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree
from sklearn.metrics import pairwise_distances_argmin_min

from maxmargin.spaces.distances import Matrix
from maxmargin.spaces.neighbors import N_NEIGHBORS, Neighbors


def connected_edges(
    neighbors: Neighbors, X: Matrix
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]:
    """The edges of the 10 nearest neighbours and of a spanning tree: they join all rows.

    Returns
    -------
    start, stop : arrays of shape (e,)
    gaps : array of shape (e,)
        The length of an edge between two pieces of the graph of neighbours; 0 for all others.
    """
    n, m = neighbors.n, neighbors.m
    graph = neighbors.graph(N_NEIGHBORS)
    if m > N_NEIGHBORS:
        own = np.repeat(np.arange(n), m)
        tree = spanning_tree(n, own, neighbors.indices.ravel(), neighbors.distances.ravel())
        graph = graph.maximum(tree.maximum(tree.T).sign())
    edges = graph.tocoo()
    once = edges.row < edges.col
    start, stop = edges.row[once].astype(np.intp), edges.col[once].astype(np.intp)
    gaps = np.zeros(len(start))
    n_pieces, piece = connected_components(graph, directed=False)
    while n_pieces > 1:
        largest = np.argmax(np.bincount(piece))
        bridges = []
        for c in range(n_pieces):
            if c != largest:  # all others join something: that halves their number at least
                inside, outside = np.flatnonzero(piece == c), np.flatnonzero(piece != c)
                nearest, distances = pairwise_distances_argmin_min(X[inside], X[outside])
                at = int(np.argmin(distances))
                i, j = inside[at], outside[nearest[at]]
                # no neighbours of each other: at least as far apart as those, whatever a
                # projection X makes of it
                furthest = neighbors.distances[[i, j], -1:].max(initial=0)
                bridges.append((i, j, max(distances[at], furthest)))
        i, j, length = (np.array(part) for part in zip(*bridges, strict=True))
        start, stop, gaps = np.append(start, i), np.append(stop, j), np.append(gaps, length)
        joined = csr_matrix((np.ones(len(start)), (start, stop)), shape=(n, n))
        n_pieces, piece = connected_components(joined, directed=False)
    return start, stop, gaps


def spanning_tree(
    n: int, start: NDArray[np.intp], stop: NDArray[np.intp], lengths: NDArray[np.float64]
) -> csr_matrix:
    """The shortest tree, or forest; its entries are positions in the order of the lengths.

    Positions from 1 stand for the lengths, as 0 is no edge to SciPy. An edge can be given
    twice, from both of its ends.
    """
    a, b = np.minimum(start, stop).astype(np.intp), np.maximum(start, stop).astype(np.intp)
    order = np.argsort(lengths, kind="stable")
    _, first = np.unique((a * n + b)[order], return_index=True)
    a, b = a[order][first], b[order][first]
    return minimum_spanning_tree(csr_matrix((first + 1.0, (a, b)), shape=(n, n)))
