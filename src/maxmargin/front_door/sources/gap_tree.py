"""Clusters between which there is empty space, measured by how near rows are around it."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from maxmargin.front_door.sources.source import Proposal
from maxmargin.front_door.sources.spanning_tree import (
    SMALLEST_SPACING,
    SPACING_NEIGHBOR,
    SpanningTree,
)

#: The share of n/k below which a part of the tree is no cluster, but for a clean gap.
CLUSTER_SHARE = 0.25
#: A clean gap may set apart so many rows; fewer are outliers.
FEWEST_ROWS = 3
#: Parts with fewer rows have no 7th neighbour of their own.
ROWS_WITH_SPACING = 2 * SPACING_NEIGHBOR + 1
#: The log of the ratio of the narrowest gap to the spacing around it that makes it clean,
CLEAN = 0.7
#: and by how much the next gap must be narrower.
CLEARER = 0.3
#: By how much the next gap must be narrower where one sets a few rows apart, whose spacing nobody
#: knows: groups of outliers have gaps of all widths around them.
CLEARER_OF_FEW = 0.8
#: And by how much the edges among these few must be shorter: outliers are no group because all
#: other rows are still farther.
HELD_TOGETHER = 0.2


class GapTree:
    """Cut the shortest tree where an edge is long for the place that it is in.

    An edge counts by its length relative to the distances of both of its ends to their 7th
    neighbours: a gap between sparse clusters has to be wider than one between dense ones.
    """

    def propose(self, tree: SpanningTree, k: int) -> Iterator[Proposal]:
        """Cut into parts of some size; and into any parts, where the gaps are clean."""
        rooted, gaps, some = tree.rooted, relative_gaps(tree), CLUSTER_SHARE * tree.n / k
        labels, cuts = rooted.cut(gaps, k, some)
        if len(cuts) >= k - 1:
            yield Proposal(tree.labels(labels), "gap tree", "widest gaps")
        labels, cuts = rooted.cut(gaps, k, FEWEST_ROWS)
        narrowest, following = last_and_next(cuts, k)
        everywhere = tree.labels(labels)
        clean = narrowest > CLEAN and narrowest - max(following, 0) > CLEARER
        if clean and np.bincount(everywhere).min() >= some:
            why = (
                f"{k} groups with empty space of {np.exp(narrowest):.1f} × the local spacing "
                f"between them; the next gap has {np.exp(max(following, -9)):.1f} ×"
            )
            yield Proposal(everywhere, "gap tree", "clean gaps", why, gap=True)
        lengths = np.append(np.log(np.maximum(tree.edges[2], SMALLEST_SPACING)), -np.inf)
        labels, cuts = rooted.cut(lengths[rooted.edge], k, FEWEST_ROWS)
        narrowest, following = last_and_next(cuts, k)
        everywhere = tree.labels(labels)
        sizes = np.bincount(everywhere, minlength=k)  # rounding may leave a cluster no cell
        holds = narrowest - longest_inside(tree, labels, sizes < some) > HELD_TOGETHER
        if narrowest - following > CLEARER_OF_FEW and 0 < sizes.min() < some and holds:
            why = (
                f"{k} groups with empty space between them that is "
                f"{np.exp(min(narrowest - following, 9)):.1f} × as wide as the next gap"
            )
            yield Proposal(everywhere, "gap tree", "clean gaps", why, gap=True, few=True)


def longest_inside(tree: SpanningTree, labels: NDArray[np.intp], which: NDArray[np.bool_]) -> float:
    """The log of the longest edge inside some of the clusters."""
    start, stop, lengths = tree.edges
    inside = which[labels[start]] & (labels[start] == labels[stop])
    return float(np.log(max(lengths[inside].max(initial=0), SMALLEST_SPACING)))


def last_and_next(cuts: list[float], k: int) -> tuple[float, float]:
    """The value of the last of k − 1 cuts, and of the next one that could be made."""
    last, following, *_ = *cuts[k - 2 :], -np.inf, -np.inf
    return last, following


def relative_gaps(tree: SpanningTree) -> NDArray[np.float64]:
    """The log of each edge's length relative to the spacing at its ends, by places of the walk.

    In a part of a few rows all neighbours but these are beyond the gap: the longest edge among
    them is their spacing.
    """
    rooted = tree.rooted
    spacing = tree.spacing(SPACING_NEIGHBOR)[rooted.order]
    below = np.where(rooted.size < ROWS_WITH_SPACING, rooted.longest, spacing)
    widest = np.maximum(below, spacing[np.maximum(rooted.parent, 0)])
    lengths = np.append(tree.edges[2], np.inf)[rooted.edge]
    gaps = np.full(tree.m, -np.inf)
    gaps[1:] = np.log(np.maximum(lengths[1:], 1e-300)) - np.log(np.maximum(widest[1:], 1e-300))
    return gaps
