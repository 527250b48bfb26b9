"""The scales of columns: of numbers by their deviation, of two values by their distance."""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.preprocessing import StandardScaler

from maxmargin._runtime.units import outside
from maxmargin.blocks.indicators import indicator_scales
from maxmargin.blocks.rows import Block, in_blocks

Moments = tuple[int, NDArray[np.float64], NDArray[np.float64]]


def fit_scaler(
    X: Any,
    factor: float = 1.0,
    usual: tuple[Any, Any] = (-np.inf, np.inf),
    *,
    with_std: bool = True,
    with_flags: bool = True,
) -> StandardScaler:
    """The means and deviations of columns times a factor, block by block.

    Rows outside of what is ``usual`` in their columns do not count. Columns of two values get the
    scales of :func:`~maxmargin.blocks.indicators.indicator_scales`.
    """
    rows = in_blocks(X)
    d = rows.shape[1]
    low, high = (np.broadcast_to(limit, d) for limit in usual)
    parts = [
        found for _, found in rows.each(partial(moments_in_range, factor, low, high, with_std))
    ]
    n, mean, variance = merged_moments([part for part in parts if part[0]])
    scaler = StandardScaler(with_std=with_std).fit(np.zeros((1, d)))
    scaler.n_samples_seen_, scaler.mean_ = n, mean
    if with_std:
        eps = np.finfo(np.float64).eps  # below this variance, a column is constant up to rounding
        constant = variance <= n * eps * variance + (n * mean * eps) ** 2
        scaler.var_, scaler.scale_ = variance, np.where(constant, 1.0, np.sqrt(variance))
        if with_flags:
            scales = indicator_scales(rows) * factor
            scaler.scale_ = np.where(np.isnan(scales), scaler.scale_, scales)
    return scaler


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
    >>> from maxmargin.blocks.scaling import merged_moments
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
