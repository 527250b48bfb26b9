"""The margins of each cluster as a histogram."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from maxmargin.explain.clustering import clusters_in

#: The height of the fullest bin of a cluster, as a share of the room that the cluster has.
FULLEST = 0.85


@dataclass(frozen=True, eq=False)
class MarginHistogram:
    """The margins of all rows, counted in the same bins for each cluster.

    Attributes
    ----------
    clusters : ndarray of shape (k,)
        The clusters; outliers (−1) are the last.
    sizes : ndarray of shape (k,)
        The number of rows in each.
    edges : ndarray of shape (b + 1,)
        The edges of the bins. One of them is 0, so that no bin has rows on both sides of it.
    counts : ndarray of shape (k, b)
        The rows of each cluster in each bin.
    n_negative : ndarray of shape (k,)
        The rows of each cluster whose margin is below 0.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.explain.margins import MarginHistogram
    >>> found = MarginHistogram.of(np.array([-1.0, 0.0, 1.0, 1.0]), np.array([0, 0, 1, -1]), bins=2)
    >>> found.clusters.tolist(), found.counts.tolist()
    ([0, 1, -1], [[0, 1, 1, 0], [0, 0, 0, 1], [0, 0, 0, 1]])
    """

    clusters: NDArray[np.intp]
    sizes: NDArray[np.intp]
    edges: NDArray[np.float64]
    counts: NDArray[np.intp]
    n_negative: NDArray[np.intp]

    @classmethod
    def of(cls, margin: NDArray[np.floating], labels: NDArray[np.integer], bins: int = 40) -> Self:
        """Count margins in about ``bins`` bins of one width, which reach from all margins to 0."""
        margin, labels = np.asarray(margin, dtype=np.float64), np.asarray(labels)
        clusters, sizes = clusters_in(labels)
        edges = _edges(margin, bins)
        members = [margin[labels == cluster] for cluster in clusters]
        counts = [np.histogram(own, edges)[0] for own in members]
        negative = [np.sum(own < 0) for own in members]
        return cls(clusters, sizes, edges, np.array(counts), np.array(negative))

    @property
    def heights(self) -> NDArray[np.float64]:
        """The height of each bar; the fullest bin of every cluster has the same height."""
        return FULLEST * self.counts / np.maximum(self.counts.max(axis=1, keepdims=True), 1)


def _edges(margin: NDArray[np.floating], bins: int) -> NDArray[np.float64]:
    low = min(0.0, float(margin.min(initial=0.0)))
    high = max(0.0, float(margin.max(initial=0.0)))
    width = (high - low) / bins or 1.0
    first, last = int(np.floor(low / width)), int(np.ceil(high / width))
    # a bin beyond either end: the last one takes what equals its upper edge, and 0 is seen
    return np.asarray(width * np.arange(first - 1, last + 2), dtype=np.float64)
