"""How many neighbours a grouping parts, in the columns that a source looked at."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from maxmargin.front_door.sources.spanning_tree import SPACING_NEIGHBOR, SpanningTree

#: Neighbours at this share of the local spacing count 1/e: only rows that are near each other for
#: the place that they are in hold clusters together, and a gap does not.
NEAR = 0.5


@dataclass(frozen=True, eq=False)
class NeighborsGraph:
    """Rows that are near each other in columns of one kind, and how near they are.

    Attributes
    ----------
    inverse : ndarray of shape (n,)
        Which distinct row each row is.
    start, stop : ndarray of shape (n_edges,)
        The distinct rows at the ends of the graph of 10 neighbours.
    nearness : ndarray of shape (n_edges,)
        exp(−(d / (.5 s))²) for rows at the distance d, s the spacing where they are.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.front_door.sources.neighbors_graph import NeighborsGraph
    >>> from maxmargin.front_door.sources.spanning_tree import SpanningTree
    >>> line = np.append(np.arange(20.0), np.arange(23.0, 43.0))[:, None]
    >>> near = NeighborsGraph.of(SpanningTree.of(line))
    >>> right, wrong = np.repeat([0, 1], [20, 20]), np.repeat([0, 1], [10, 30])
    >>> near.border(right) < near.border(wrong)
    True
    """

    inverse: NDArray[np.intp]
    start: NDArray[np.intp]
    stop: NDArray[np.intp]
    nearness: NDArray[np.float64]

    @classmethod
    def of(cls, tree: SpanningTree) -> "NeighborsGraph":
        """Each two neighbours once, whichever of them has the other among its ten."""
        low, high = np.sort(np.stack(tree.graph[:2]), axis=0)
        start, stop = np.divmod(np.unique(low * tree.m + high), tree.m)
        lengths = np.linalg.norm(tree.rows[start] - tree.rows[stop], axis=1)
        spacing = tree.spacing(SPACING_NEIGHBOR)
        relative = lengths / np.sqrt(spacing[start]) / np.sqrt(spacing[stop])
        return cls(tree.inverse, start, stop, np.exp(-np.square(relative / NEAR)))

    def border(self, labels: NDArray[np.integer], seen: NDArray[np.intp] | None = None) -> float:
        """The share of its nearness that each cluster has with others, summed over clusters.

        Parameters
        ----------
        labels : ndarray
            Of all rows, or of those that are seen.
        seen : ndarray or None
            Which these are; neighbours that are not both seen do not count.
        """
        k = int(labels.max()) + 1
        of = np.full(int(self.inverse.max()) + 1, -1)
        of[self.inverse if len(labels) == len(self.inverse) else self.inverse[seen]] = labels
        a, b = of[self.start], of[self.stop]
        known = (a >= 0) & (b >= 0)
        a, b, near = a[known], b[known], self.nearness[known]
        parted = a != b
        inside = np.bincount(a, near, k) + np.bincount(b, near, k)
        across = np.bincount(a[parted], near[parted], k) + np.bincount(b[parted], near[parted], k)
        return float((across / np.maximum(inside, 1e-9)).sum())
