"""How far mixed columns are from each other: what a number and what a category may say."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_is_fitted, validate_data

#: The distance of two different values of a category, in standard deviations of a number. Two rows
#: are √2 apart by a number. Values of a category have clean gaps between them, which numbers have
#: only where clusters are: twice as far, and a gap that is only a value is taken for clusters.
APART = np.sqrt(0.5)
#: The most categories that one column is looked for to have.
LONGEST_BLOCK = 200


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
        X = validate_data(self, X, dtype=np.float64)
        self.scaler_ = StandardScaler().fit(X)
        scales = indicator_scales(X)
        self.scaler_.scale_ = np.where(np.isnan(scales), self.scaler_.scale_, scales)
        return self

    def transform(self, X: Any) -> NDArray[np.float64]:
        """The rows in these units."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return self.scaler_.transform(X)


def indicator_scales(X: NDArray[np.floating]) -> NDArray[np.float64]:
    """What columns of two values are to be divided by; NaN for all others.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.preprocessing.table_scaler import indicator_scales
    >>> indicator_scales(np.array([[5.0, 2, 1, 0], [6.0, 2, 0, 1], [7.0, 1, 1, 0]])).round(3)
    array([  nan, 1.414, 2.   , 2.   ])
    """
    scales = np.full(X.shape[1], np.nan)
    for block in indicator_blocks(X):
        # a flag changes in one column, a category in two
        wide = np.ptp(X[:, block], axis=0) * (1 if len(block) == 1 else np.sqrt(2))
        scales[block] = wide / APART
    return scales


def indicator_blocks(X: NDArray[np.floating]) -> list[NDArray[np.intp]]:
    """The columns of two values; those that are one category together.

    Neighbours are where exactly one of them has its larger value in each row, as zeros and ones
    are that sum to 1, standardised or not. Besides 0 and 1, and in a category, there may be a third
    value, for gaps.
    """
    low, high = X.min(axis=0), X.max(axis=0)
    two = np.all((low == X) | (high == X), axis=0) & (low < high)
    three = two.copy()
    for j in np.flatnonzero((low < high) & ~two):
        between = X[(X[:, j] > low[j]) & (X[:, j] < high[j]), j]
        three[j] = between.min() == between.max()
    two |= three & (low == 0) & (high == 1)
    blocks: list[NDArray[np.intp]] = []
    first = 0
    while first < len(two):
        width = max(_width(X, three, first), int(two[first]))
        if width:
            blocks.append(np.arange(first, first + width))
        first += max(width, 1)
    return blocks


def _width(X: NDArray[np.floating], may: NDArray[np.bool_], first: int) -> int:
    """How many neighbouring columns are one category: they sum to 1 in all rows, or 0 for none."""
    total = np.zeros(len(X))
    for j in range(first, min(first + LONGEST_BLOCK, len(may))):
        if not may[j]:
            return 0
        low, high = X[:, j].min(), X[:, j].max()
        total += (X[:, j] - low) / (high - low)
        if total.max() > 1 + 1e-6:
            return 0
        if total.min() > 1 - 1e-6:
            return j + 1 - first
    return 0
