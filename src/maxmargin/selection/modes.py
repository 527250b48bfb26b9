"""The modes of the density: how many hills stand out when the water falls."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from maxmargin.selection.split_gap import log_density
from maxmargin.spaces.metric import Matrix
from maxmargin.spaces.neighbors import Neighbors, connected_edges, spanning_tree

LAST_NEIGHBOR = 15  # the density is read from the neighbours 7 to 15
FIRST_NEIGHBOR = 7
PROMINENCE = 0.75 / np.sqrt(1.5)  # of the log density; its error falls with the neighbours read
SMALLEST_MODE = 3
SMALLEST_MODE_SHARE = 0.01


@dataclass(frozen=True, eq=False)
class Modes:
    """The hills of the density that met a higher one, in the order in which they did.

    Parameters
    ----------
    peaks : array of shape (b,)
        The highest row of each.
    prominences : array of shape (b,)
        How far the log density falls from there to where the hill meets a higher one.
    sizes : array of shape (b,)
        The rows that it has by then.
    count : int
        The modes that stand out: the highest one and those of these hills with a prominence
        above 0.61 and at least 3 rows and 1 % of all.
    """

    peaks: NDArray[np.intp]
    prominences: NDArray[np.float64]
    sizes: NDArray[np.intp]
    count: int


def find_modes(neighbors: Neighbors, X: Matrix) -> Modes:
    """Find the modes of the density by persistence.

    Rows appear from the densest to the sparsest, and join those that are there already along
    the edges of a graph: the 10 nearest neighbours and a spanning tree. The tree is the
    shortest one of the graph of all neighbours given; what remains in pieces is joined by the
    nearest rows of two of them (Borůvka), as the shortest tree of all rows would. Such a
    bridge of length L crosses a gap that no density of its ends can show; it appears at
    −δ · log L, the density of a row whose neighbours are that far.

    Parameters
    ----------
    neighbors : Neighbors
        At least 15 of each row, where there are as many.
    X : array or CSR matrix of shape (n, d)
        Rows, or a few coordinates of them; read only if the graph of neighbours is in pieces.

    References
    ----------
    Chazal, F., Guibas, L., Oudot, S. and Skraba, P. (2013). "Persistence-based clustering in
    Riemannian manifolds". Journal of the ACM 60(6).

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.spaces.neighbors import Neighbors
    >>> from maxmargin.selection.modes import find_modes
    >>> X = np.random.default_rng(0).normal(size=(90, 2)) + np.repeat([[0], [9], [18]], 30, axis=0)
    >>> find_modes(Neighbors.of_rows(X, 15), X).count
    3
    """
    levels, dimension = log_density(neighbors, FIRST_NEIGHBOR, LAST_NEIGHBOR)
    start, stop, gaps = connected_edges(neighbors, X)
    ceilings = np.full(len(gaps), np.inf)
    ceilings[gaps > 0] = -dimension * np.log(gaps[gaps > 0])
    peaks, prominences, sizes = merge_tree(dimension * levels, start, stop, ceilings)
    smallest = max(SMALLEST_MODE, SMALLEST_MODE_SHARE * neighbors.n)
    prominent = (prominences > PROMINENCE) & (sizes >= smallest)
    return Modes(peaks, prominences, sizes, 1 + int(prominent.sum()))


def merge_tree(
    heights: NDArray[np.float64],
    start: NDArray[np.intp],
    stop: NDArray[np.intp],
    ceilings: NDArray[np.float64] | None = None,
) -> tuple[NDArray[np.intp], NDArray[np.float64], NDArray[np.intp]]:
    """Let the water fall; where two hills meet, the lower one ends.

    An edge appears with its lower end, or at its ceiling if that is lower. Only the edges of
    the tree that appears first matter.

    Returns
    -------
    peaks, prominences, sizes : arrays of shape (b,)
        Of the hills that ended, in that order; see :class:`Modes`.
    """
    n = len(heights)
    low, high = np.sort(np.stack([heights[start], heights[stop]]), axis=0)
    if ceilings is not None:
        low = np.minimum(low, ceilings)
    # of the edges that appear with the same row, the one to the highest row comes first, so
    # that the answer does not depend on the order of the rows
    rank = np.empty(len(low))
    rank[np.lexsort((-high, -low))] = np.arange(len(low))
    tree = spanning_tree(n, start, stop, rank).tocoo()
    parent, size = list(range(n)), [1] * n
    peak = heights.tolist()  # of each root

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    ended = []
    in_order = np.argsort(tree.data)
    level = np.sort(low)[::-1][tree.data.astype(np.intp) - 1]  # positions count from 1
    for i, j, water in zip(
        tree.row[in_order].tolist(),
        tree.col[in_order].tolist(),
        level[in_order].tolist(),
        strict=True,
    ):
        a, b = root(i), root(j)
        if peak[a] < peak[b]:
            a, b = b, a
        if peak[b] > water:  # not a slope: its rows join a hill as they appear
            ended.append((b, peak[b] - water, size[b]))
        parent[b] = a
        size[a] += size[b]
    peaks, prominences, sizes = zip(*ended, strict=True) if ended else ((), (), ())
    return (
        np.array(peaks, dtype=np.intp),
        np.array(prominences, dtype=np.float64),
        np.array(sizes, dtype=np.intp),
    )
