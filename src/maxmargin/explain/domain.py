"""The domain of support vector clustering in the plane."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from maxmargin.explain.axis_limits import grid_over
from maxmargin.explain.clustering import Clustering

Grid = NDArray[np.floating]


def domain_surface(
    clustering: Clustering, resolution: int, eps: float
) -> tuple[Grid, Grid, Grid, NDArray[np.integer]]:
    """A grid around the rows, f on it, and the cluster of each of its points.

    No point is an outlier: beyond the end of a cluster it is still the nearest one.
    """
    model = clustering.model
    x0, x1 = grid_over(clustering.X, resolution, eps)
    points = np.column_stack([x0.ravel(), x1.ravel()])
    values = model.decision_function(clustering.like_given(points)).reshape(x0.shape)
    nearest = model._nearest.labels_of(model._units.scaled(points))
    return x0, x1, values, nearest.reshape(x0.shape)


def outlines(
    values: Grid, regions: NDArray[np.integer], levels: NDArray[np.floating]
) -> Iterator[tuple[int, float, Grid]]:
    """Each cluster that is seen, the level of f at which it ends, and f where it is nearest."""
    for cluster, level in enumerate(levels):
        inside = np.where(regions == cluster, values, -np.inf)
        if inside.max() > level:
            yield cluster, float(level), np.maximum(inside, min(level - 1, -1.0))
