"""Clusters of some size that only long edges of the shortest tree join."""

from collections.abc import Iterator

import numpy as np

from maxmargin.front_door.sources.gap_tree import CLUSTER_SHARE
from maxmargin.front_door.sources.source import Proposal
from maxmargin.front_door.sources.spanning_tree import SpanningTree

#: The neighbours that a row must reach: few follow thin clusters, many bridge over noise.
REACHES = (5, 12)


class ReachTree:
    """Cut the shortest tree at its longest edges, where both parts keep some rows.

    Edges count by the mutual reachability distance (Campello, Moulavi and Sander, 2013): an edge
    is at least as long as the distances of its ends to their j-th neighbours, so that a thin line
    of noise between two clusters does not join them.
    """

    def propose(self, tree: SpanningTree, k: int) -> Iterator[Proposal]:
        """Cut into k parts, for few and for more neighbours."""
        start, stop, lengths = tree.edges
        rooted = tree.rooted
        for j in REACHES:
            core = tree.spacing(j)
            reach = np.append(np.maximum(lengths, np.maximum(core[start], core[stop])), 0.0)
            labels, cuts = rooted.cut(reach[rooted.edge], k, CLUSTER_SHARE * tree.n / k)
            if len(cuts) >= k - 1:
                yield Proposal(tree.labels(labels), "reach tree", f"{j} neighbours")
