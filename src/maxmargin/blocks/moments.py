"""The means and variances of columns, block by block."""

import numpy as np
from numpy.typing import NDArray
from sklearn.preprocessing import StandardScaler

from maxmargin._runtime.units import outside
from maxmargin.blocks.rows import Block

Moments = tuple[int, NDArray[np.float64], NDArray[np.float64]]


def moments_in_range(
    factor: float, low: NDArray[np.float64], high: NDArray[np.float64], spread: bool, block: Block
) -> Moments:
    """The number of rows of a block in a range, and the means and variances of their columns.

    Variances are three quarters of the work: they are 0 where nobody wants the ``spread``.
    """
    far = outside(low, high, block.rows)
    rows = block.rows[~far] if far.any() else block.rows
    if not len(rows):
        return 0, np.zeros(len(low)), np.zeros(len(low))
    rows = rows if factor == 1 else rows * factor
    if not spread:
        return len(rows), rows.sum(axis=0, dtype=np.float64) / len(rows), np.zeros(len(low))
    scaler = StandardScaler().fit(rows)
    return len(rows), scaler.mean_, scaler.var_


def merged_moments(parts: list[Moments]) -> Moments:
    """The moments of all rows from those of blocks, in their order.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.blocks.moments import merged_moments
    >>> n, mean, variance = merged_moments(
    ...     [(2, np.array([1.0]), np.array([1.0])), (1, np.array([4.0]), np.array([0.0]))]
    ... )
    >>> n, mean.tolist(), variance.round(3).tolist()
    (3, [2.0], [2.667])
    """
    n, mean, variance = parts[0]
    if len(parts) == 1:
        return n, mean, variance
    squares = n * variance
    for m, other, part in parts[1:]:
        shift, total = other - mean, n + m
        squares = squares + m * part + shift**2 * (n * m / total)
        mean, n = mean + shift * (m / total), total
    return n, mean, squares / n
