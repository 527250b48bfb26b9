"""Clusters around the peaks of the density that stand out most."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from maxmargin._core.forest import kruskal, prominences
from maxmargin.front_door.sources.source import Proposal
from maxmargin.front_door.sources.spanning_tree import SpanningTree
from maxmargin.spaces.neighbors import Edges

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
    ceilings = bridge_ceilings(gaps, dimension)
    a, b, prominent, met = falling_water(dimension * levels, start, stop, ceilings)
    highest = np.argsort(-prominent, kind="stable")
    joined = np.ones(tree.m - 1, bool)
    joined[met[highest[: k - 1]]] = False
    labels = Edges(tree.m, a[joined], b[joined]).pieces
    return labels.astype(np.intp), prominent[highest].tolist()


def bridge_ceilings(gaps: NDArray[np.float64], dimension: float) -> NDArray[np.float64]:
    """The log density at which each edge appears at the latest: bridges have a length."""
    ceilings = np.full(len(gaps), np.inf)
    ceilings[gaps > 0] = -dimension * np.log(gaps[gaps > 0])
    return ceilings


def falling_water(
    heights: NDArray[np.float64],
    start: NDArray[np.intp],
    stop: NDArray[np.intp],
    ceilings: NDArray[np.float64],
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64], NDArray[np.intp]]:
    """The edges by which rows are joined as the water falls, and the hills that end there.

    An edge appears with its lower end, or at its ceiling if that is lower. Only the edges of
    the tree that appears first matter.

    Returns
    -------
    start, stop : arrays
        The ends of the edges, in the order in which they appear.
    prominences : array
        Of all hills but the highest.
    met : array
        The edge at which each of them met a higher one.
    """
    low, high = np.sort(np.stack([heights[start], heights[stop]]), axis=0)
    low = np.minimum(low, ceilings)
    # of the edges that appear with the same row, the one to the highest row comes first, so
    # that the answer does not depend on the order of the rows
    tree = kruskal(len(heights), start, stop, np.lexsort((-high, -low)))
    start, stop = start[tree], stop[tree]
    return start, stop, *prominences(heights, start, stop, low[tree])
