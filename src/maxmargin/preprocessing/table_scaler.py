"""How far mixed columns are from each other: what a number and what a category may say."""

from functools import partial
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_is_fitted

from maxmargin.blocks.mapped import MappedRows
from maxmargin.blocks.moments import merged_moments, moments_in_range
from maxmargin.blocks.rows import Rows, in_blocks, read_rows
from maxmargin.preprocessing.indicators import indicator_scales


class TableScaler(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Let columns of numbers and of zeros and ones count alike.

    Numbers get mean 0 and variance 1. Zeros and ones, or
    any two values, are centred and scaled so that two different values are √½ apart, half as far
    as two rows are by a number (root mean square): so a rare category is no outlier, one with many
    values no heap of columns, and the gap between two values no gap between clusters, as they are
    where zeros and ones get variance 1. Neighbouring columns of zeros and ones that sum to 1 are
    the values of one category.

    Attributes
    ----------
    scaler_ : StandardScaler
        The means and the scales of the columns.
    n_features_in_ : int
    feature_names_in_ : ndarray

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.preprocessing import TableScaler
    >>> rows = np.array([[10.0, 1, 0], [20.0, 0, 1], [30.0, 0, 1], [40.0, 0, 1]])
    >>> scaled = TableScaler().fit_transform(rows)
    >>> float(np.linalg.norm(scaled[0, 1:] - scaled[1, 1:]).round(3))
    0.707
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn means and scales; y is ignored."""
        X = read_rows(self, X, dtype=np.float64)
        self.scaler_ = fit_scaler(X)
        return self

    def transform(self, X: Any) -> Any:
        """The rows in these units; those in blocks stay in blocks."""
        check_is_fitted(self)
        X = read_rows(self, X, dtype=np.float64, reset=False)
        if isinstance(X, Rows):
            return MappedRows(X, self.scaler_.transform, X.step)
        return self.scaler_.transform(X)


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
    scales of :func:`~maxmargin.preprocessing.indicators.indicator_scales`.
    """
    rows = in_blocks(X)
    d = rows.shape[1]
    low, high = (np.broadcast_to(limit, d) for limit in usual)
    parts = [found for _, found in rows.each(partial(moments_in_range, factor, low, high))]
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
