"""The domain of support vector clustering in the plane."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from maxmargin.explain.axis_limits import grid_over
from maxmargin.explain.clustering import Clustering


@dataclass(frozen=True, eq=False)
class DomainSurface:
    """The function f of a domain on a grid, and the nearest cluster of each point.

    Attributes
    ----------
    x0, x1 : ndarrays of shape (r, r)
        The grid, as of :func:`numpy.meshgrid`.
    values : ndarray of shape (r, r)
        f on the grid.
    regions : ndarray of shape (r, r)
        The cluster of each point of the grid; no point is an outlier.
    levels : ndarray of shape (n_clusters,)
        The level of f at which each cluster ends.
    """

    x0: NDArray[np.floating]
    x1: NDArray[np.floating]
    values: NDArray[np.floating]
    regions: NDArray[np.integer]
    levels: NDArray[np.floating]

    @classmethod
    def of(cls, clustering: Clustering, resolution: int, eps: float) -> Self:
        """Ask a fitted SupportVectorClustering of two features around some rows."""
        model = clustering.model
        x0, x1 = grid_over(clustering.X, resolution, eps)
        points = np.column_stack([x0.ravel(), x1.ravel()])
        values = model.decision_function(clustering.like_given(points)).reshape(x0.shape)
        regions = model._nearest.labels_of(points).reshape(x0.shape)
        return cls(x0, x1, values, regions, model.levels_)

    @property
    def own_levels(self) -> bool:
        """Whether clusters end at levels of their own instead of at f = 0."""
        return bool(np.any(self.levels))

    def outlines(self) -> Iterator[tuple[int, float, NDArray[np.floating]]]:
        """Each cluster that is seen, its level, and f where it is the nearest cluster."""
        for cluster, level in enumerate(self.levels):
            inside = np.where(self.regions == cluster, self.values, -np.inf)
            if inside.max() > level:
                yield cluster, float(level), np.maximum(inside, min(level - 1, -1.0))
