"""Single linkage that does not let one cluster swallow all others."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from maxmargin._core.genie import merge
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
    order = np.argsort(lengths, kind="stable")
    roots = merge(start[order], stop[order], k, threshold)
    return np.unique(roots, return_inverse=True)[1]
