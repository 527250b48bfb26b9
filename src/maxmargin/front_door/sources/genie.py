"""Single linkage that does not let one cluster swallow all others."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from maxmargin.front_door.sources.source import Proposal
from maxmargin.front_door.sources.spanning_tree import SpanningTree

#: Gini indices of the sizes above which the smallest cluster must be merged.
THRESHOLDS = (0.1, 0.3, 0.5)


class Genie:
    """Merge along the shortest tree; where sizes get unequal, the smallest clusters first.

    References
    ----------
    Gagolewski, M., Bartoszuk, M. and Cena, A. (2016). "Genie: A new, fast, and outlier-resistant
    hierarchical clustering algorithm". Information Sciences 363, 8-23.
    """

    def propose(self, tree: SpanningTree, k: int) -> Iterator[Proposal]:
        """Merge down to k clusters, for three bounds on how unequal they may be."""
        if k <= tree.m:
            for threshold in THRESHOLDS:
                labels = genie(*tree.edges, k, threshold)
                yield Proposal(tree.labels(labels), "Genie", f"Gini index {threshold:g}")


def genie(
    start: NDArray[np.intp],
    stop: NDArray[np.intp],
    lengths: NDArray[np.float64],
    k: int,
    threshold: float,
) -> NDArray[np.intp]:
    """Merge the ends of the edges of a tree, shortest first, down to k clusters.

    While the Gini index of the sizes, Σ_{i<j} |s_i − s_j| / ((m − 1) Σ s_i) for m clusters, is
    above the threshold, the shortest edge that touches a cluster of the smallest size is taken
    instead.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.front_door.sources.genie import genie
    >>> line = np.array([0.0, 1, 2, 3, 6, 8, 20])
    >>> edges = np.arange(6), np.arange(1, 7), np.diff(line)
    >>> genie(*edges, 2, 1.0).tolist(), genie(*edges, 2, 0.3).tolist()
    ([0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 1, 1, 1])
    """
    n = len(start) + 1
    order = np.argsort(lengths, kind="stable")
    ends = list(zip(start[order].tolist(), stop[order].tolist(), strict=True))
    parent, size, taken = list(range(n)), [1] * n, [False] * (n - 1)
    clusters = {1: n}  # how many there are of each size
    differences, left, first, resume, smallest = 0, n, 0, 0, 1

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    def away(s: int) -> int:
        return sum(many * abs(s - other) for other, many in clusters.items())

    while left > k:
        while taken[first]:
            first += 1
        at = first
        if differences > threshold * (left - 1) * n:
            if smallest not in clusters:  # an edge that was passed over may touch a larger one
                smallest, resume = min(clusters), first
            at = max(resume, first)
            while taken[at] or smallest not in (size[root(ends[at][0])], size[root(ends[at][1])]):
                at += 1
            resume = at
        taken[at] = True
        a, b = (root(end) for end in ends[at])
        if size[a] < size[b]:
            a, b = b, a
        for s in (size[a], size[b]):
            clusters[s] -= 1
            if not clusters[s]:
                del clusters[s]
            differences -= away(s)
        size[a] += size[b]
        parent[b] = a
        differences += away(size[a])
        clusters[size[a]] = clusters.get(size[a], 0) + 1
        left -= 1
    return np.unique([root(i) for i in range(n)], return_inverse=True)[1]
