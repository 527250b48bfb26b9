"""Clusters around the peaks of the density that stand out most."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from maxmargin.front_door.sources.source import Proposal
from maxmargin.front_door.sources.spanning_tree import SpanningTree
from maxmargin.spaces.neighbors import spanning_tree

#: The neighbours that the density is read from; the one in the middle may be sure.
SCALES = (7, 12, 25)
SURE_SCALE = 12
#: What the log density falls by around each of k peaks that stand out,
PROMINENT = 1.0
#: and how much less around the next one.
LESS_PROMINENT = 0.5


class DensityModes:
    """Join each row to the peak that it leads up to; the k most prominent peaks stay apart.

    References
    ----------
    Chazal, F., Guibas, L., Oudot, S. and Skraba, P. (2013). "Persistence-based clustering in
    Riemannian manifolds". Journal of the ACM 60(6).
    """

    def propose(self, tree: SpanningTree, k: int) -> Iterator[Proposal]:
        """Find the k peaks at three scales."""
        for scale in SCALES:
            labels, prominences = hills(tree, k, scale)
            if len(prominences) < k - 1:
                continue
            why = ""
            lowest, following = prominences[k - 2], [*prominences, 0.0][k - 1]
            clear = lowest > PROMINENT and lowest - following > LESS_PROMINENT
            if scale == SURE_SCALE and clear:
                why = (
                    f"the density has {k} peaks that stand out, whether it is read from "
                    f"{', '.join(map(str, SCALES[:-1]))} or {SCALES[-1]} neighbours: between them "
                    f"it falls by {1 - np.exp(-lowest):.0%} at least"
                )
            yield Proposal(tree.labels(labels), "density modes", f"{scale} neighbours", why)


def hills(tree: SpanningTree, k: int, scale: int) -> tuple[NDArray[np.intp], list[float]]:
    """The labels of the distinct rows, and the prominences of all peaks but the highest."""
    scale = min(scale, tree.neighbors.m)
    levels, dimension = tree.neighbors.log_density(max(1, scale // 2), scale)
    start, stop, gaps = tree.graph
    edges, ended = falling_water(dimension * levels, start, stop, bridge_ceilings(gaps, dimension))
    ended.sort(key=lambda hill: -hill[1])
    joined = np.ones(tree.m - 1)
    joined[[at for *_, at in ended[: k - 1]]] = 0
    forest = csr_matrix((joined, edges), shape=(tree.m, tree.m))
    forest.eliminate_zeros()
    labels = connected_components(forest, directed=False)[1]
    return labels.astype(np.intp), [prominence for _, prominence, _, _ in ended]


def bridge_ceilings(gaps: NDArray[np.float64], dimension: float) -> NDArray[np.float64]:
    """The log density at which each edge appears at the latest: bridges have a length."""
    ceilings = np.full(len(gaps), np.inf)
    ceilings[gaps > 0] = -dimension * np.log(gaps[gaps > 0])
    return ceilings


def falling_water(
    heights: NDArray[np.float64],
    start: NDArray[np.intp],
    stop: NDArray[np.intp],
    ceilings: NDArray[np.float64] | None = None,
) -> tuple[tuple[list[int], list[int]], list[tuple[int, float, int, int]]]:
    """The edges by which rows are joined as the water falls, and the hills that end there.

    An edge appears with its lower end, or at its ceiling if that is lower. Only the edges of
    the tree that appears first matter.

    Returns
    -------
    edges : pair of lists
        The ends of the edges, in the order in which they appear.
    ended : list of tuples
        Peak, prominence and size of each hill, and the edge at which it met a higher one.
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
    edges = tree.row[in_order].tolist(), tree.col[in_order].tolist()
    for at, (i, j, water) in enumerate(zip(*edges, level[in_order].tolist(), strict=True)):
        a, b = root(i), root(j)
        if peak[a] < peak[b]:
            a, b = b, a
        if peak[b] > water:  # not a slope: its rows join a hill as they appear
            ended.append((b, peak[b] - water, size[b], at))
        parent[b] = a
        size[a] += size[b]
    return edges, ended
