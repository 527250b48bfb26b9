"""The scales of columns: of numbers by their deviation, of two values by their distance."""

from functools import partial
from typing import Any

import numpy as np
from sklearn.preprocessing import StandardScaler

from maxmargin.blocks.indicators import indicator_scales
from maxmargin.blocks.moments import merged_moments, moments_in_range
from maxmargin.blocks.rows import in_blocks


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
