"""Clusters along the edges of a graph: pieces of a domain, at one level or at all of them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from maxmargin.domain.base import Assignment, DomainClusters
from maxmargin.domain.domain_graph import DomainGraph, without_small
from maxmargin.domain.merge_tree import MergeTree
from maxmargin.selection.split_gap import SplitGap
from maxmargin.solvers.one_class import OneClassSolution

#: An edge stays inside the domain if f ≥ −0.002 on it: rows on the boundary are inside.
BOUNDARY_TOLERANCE = 0.002
#: Clusters that are separated more weakly than this are one.
WEAKEST = 0.12
#: A share of rows in pieces that are too small for a cluster that is worth a word.
MANY_LOST = 0.5
#: Points inside an edge where the height is looked at. For one level there are more of them:
#: a narrow gap must not be jumped.
STEPS_OF_LEVELS = 5
STEPS_OF_ONE_LEVEL = 15


class Graph(Assignment):
    """Rows are joined along edges between neighbours that stay inside the domain.

    The graph has ten neighbours of each row and the shortest bridges between what is then
    still apart. The clusters are the pieces of {f ≥ 0}; with ``gamma="auto"`` they are pieces
    of {f ≥ level}, each at a level of its own: those with the largest excess of mass in the
    merge tree, joined again where they are told apart only weakly.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from maxmargin import SupportVectorClustering
    >>> from maxmargin.domain import Graph
    >>> X, _ = make_moons(200, noise=0.05, random_state=0)
    >>> SupportVectorClustering(20, nu=0.1, assignment=Graph()).fit(X).n_clusters_
    2
    """

    own_levels = True
    min_cluster_size = 0.01

    def clusters(
        self, graph: DomainGraph, solution: OneClassSolution, smallest: Sequence[int]
    ) -> list[DomainClusters]:
        """Find the pieces of the domain."""
        levels = graph.edge_levels(solution, STEPS_OF_ONE_LEVEL, floor=1 - BOUNDARY_TOLERANCE)
        pieces = components(solution.heights, *graph.edges, levels)
        return [_without_small_pieces(solution, pieces, size) for size in smallest]

    def clusters_at_levels(
        self, graph: DomainGraph, solution: OneClassSolution, smallest: Sequence[int]
    ) -> list[DomainClusters]:
        """Find the pieces that stand out among those above all levels."""
        levels = graph.edge_levels(solution, STEPS_OF_LEVELS)
        tree = MergeTree.of_edges(graph.n, *graph.edges, levels)
        found = [(*strong_clusters(graph, tree, size), size) for size in smallest]
        return [DomainClusters(solution, *clusters) for clusters in found]


def components(
    heights: NDArray[np.float64],
    start: NDArray[np.intp],
    stop: NDArray[np.intp],
    levels: NDArray[np.float64],
) -> NDArray[np.intp]:
    """Number the pieces of {f ≥ 0} that edges inside it join; rows outside get −1.

    Parameters
    ----------
    heights : array of shape (n,)
        f + 1 at the rows.
    start, stop : arrays of shape (e,)
        The edges of the graph.
    levels : array of shape (e,)
        The lowest height on each edge.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.domain.graph import components
    >>> heights = np.array([1.2, 1.1, 0.7, 1.0])
    >>> components(heights, np.array([0, 1, 2]), np.array([1, 2, 3]), np.array([1.1, 0.7, 0.7]))
    array([ 0,  0, -1,  1])
    """
    n, inside = len(heights), levels >= 1 - BOUNDARY_TOLERANCE
    joined = csr_matrix((np.ones(inside.sum()), (start[inside], stop[inside])), shape=(n, n))
    piece = connected_components(joined, directed=False)[1]
    piece[heights < 1 - BOUNDARY_TOLERANCE] = -1
    _, numbers = np.unique(piece, return_inverse=True)
    return numbers - int((piece < 0).any())


def _without_small_pieces(
    solution: OneClassSolution, pieces: NDArray[np.intp], smallest: int
) -> DomainClusters:
    labels = without_small(pieces, smallest)
    inside = pieces >= 0
    lost = float(np.mean(labels[inside] < 0)) if inside.any() else 0.0
    notes: tuple[str, ...] = ()
    if lost > MANY_LOST:
        notes = (
            f"{lost:.0%} of the rows in the domain are in pieces of fewer than {smallest} rows "
            f"(min_cluster_size): gamma={solution.gamma:.3g} is too large.",
        )
    levels = np.ones(labels.max(initial=-1) + 1)
    return DomainClusters(solution, labels, levels, smallest, notes=notes)


def strong_clusters(
    graph: DomainGraph, tree: MergeTree, smallest: int
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """The clusters of a merge tree and their levels; weakly separated ones are joined again."""
    labels, births = tree.clusters(smallest)
    if len(births) < 2:
        return labels, births
    numbers = merge_weak(graph.gaps[0], graph.complete(labels), WEAKEST)
    lowest = np.full(numbers.max() + 1, np.inf)
    np.minimum.at(lowest, numbers, births)
    return np.append(numbers, -1)[labels], lowest


def merge_weak(gap: SplitGap, labels: NDArray[np.intp], weakest: float) -> NDArray[np.intp]:
    """Join the two clusters that are separated most weakly, while they are weaker than that.

    Two clusters always stay: whether there is more than one is not for this to say.

    Parameters
    ----------
    gap : SplitGap
        Measures the weakness of each two clusters.
    labels : array of shape (n,)
        0, …, k − 1.
    weakest : float

    Returns
    -------
    array of shape (k,)
        The new number of each cluster.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.domain.graph import merge_weak
    >>> from maxmargin.selection.split_gap import SplitGap
    >>> from maxmargin.spaces.neighbors import Neighbors
    >>> X = np.random.default_rng(0).normal(size=(90, 2)) + np.repeat([[0], [9]], 45, axis=0)
    >>> gap = SplitGap(Neighbors.of_rows(X, 10))
    >>> merge_weak(gap, np.repeat([0, 1, 2, 3], [20, 25, 20, 25]), 0.12)
    array([0, 0, 1, 1])
    """
    numbers = np.arange(int(labels.max(initial=-1)) + 1)
    while numbers.max(initial=0) > 1:
        weakness = gap.weakness(numbers[labels])
        at = int(np.argmax(weakness))
        if weakness.flat[at] <= weakest:
            break
        a, b = divmod(at, len(weakness))
        numbers[numbers == b] = a
        numbers[numbers > b] -= 1
    return numbers
