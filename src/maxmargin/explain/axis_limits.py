"""Where the axes of a picture begin and end."""

import numpy as np
from numpy.typing import NDArray

#: How far axes extend beyond the rows, as a share of their range.
EPS = 0.05

Ends = tuple[NDArray[np.float64], NDArray[np.float64]]


def limits_of(points: NDArray[np.float64], eps: float = EPS) -> Ends:
    """The lower and upper ends of both axes: beyond all points by a share of their range.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.explain.axis_limits import limits_of
    >>> low, high = limits_of(np.array([[0.0, 7.0], [10.0, 7.0]]), 0.05)
    >>> low.tolist(), high.tolist()
    ([-0.5, 6.0], [10.5, 8.0])
    """
    low, high = points.min(axis=0), points.max(axis=0)
    room = np.where(high > low, eps * (high - low), 1.0)
    return low - room, high + room


def widened(low: float, high: float) -> tuple[float, float]:
    """Move the ends of an axis apart, to a thousandth of their size: less is no news.

    Examples
    --------
    >>> from maxmargin.explain.axis_limits import widened
    >>> widened(2000.0, 2000.0), widened(0.0, 0.0), widened(1.0, 2.0)
    ((1999.0, 2001.0), (-0.5, 0.5), (1.0, 2.0))
    """
    least = 1e-3 * max(abs(low), abs(high)) or 1.0
    if high - low >= least:
        return low, high
    middle = (low + high) / 2
    return middle - least / 2, middle + least / 2


def grid_over(points: NDArray[np.float64], resolution: int, eps: float = EPS) -> Ends:
    """A square grid between the limits, as :func:`numpy.meshgrid` makes it."""
    x0, x1 = np.meshgrid(*np.linspace(*limits_of(points, eps), resolution).T)
    return x0, x1
