"""Which cluster is where in the plane."""

import warnings
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from maxmargin.explain.axis_limits import EPS, grid_over
from maxmargin.explain.plane import Plane


@dataclass(frozen=True, eq=False)
class Regions:
    """The cluster at each point of a grid.

    Attributes
    ----------
    x0, x1 : ndarrays of shape (r, r)
        The grid, as of :func:`numpy.meshgrid`.
    labels : ndarray of shape (r, r)
        The cluster of each point; −1 where there is none.
    """

    x0: NDArray[np.float64]
    x1: NDArray[np.float64]
    labels: NDArray[np.intp]

    @classmethod
    def of(cls, plane: Plane, resolution: int, eps: float = EPS) -> Self | None:
        """Ask the model of a plane; None if it does not say which cluster is where.

        ``resolution`` is the number of points on each side, ``eps`` how far the grid extends
        beyond the rows, as a share of their range.
        """
        if plane.labels_at is None:
            return None
        x0, x1 = grid_over(plane.points, resolution, eps)
        with warnings.catch_warnings():
            # a model of a data frame, whose rows come without names
            warnings.filterwarnings("ignore", message="X does not have valid feature names")
            labels = plane.labels_at(np.column_stack([x0.ravel(), x1.ravel()]))
        return cls(x0, x1, labels.reshape(x0.shape))
