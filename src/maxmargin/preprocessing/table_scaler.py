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
        wide = np.ptp(X[:, block[0]]) if len(block) == 1 else np.sqrt(2)
        scales[block] = wide / APART
    return scales


def indicator_blocks(X: NDArray[np.floating]) -> list[NDArray[np.intp]]:
    """The columns of two values; columns of zeros and ones that are one category together.

    Besides 0 and 1 there may be a third value, for gaps.
    """
    low, high = X.min(axis=0), X.max(axis=0)
    zero_one = (low == 0) & (high == 1)
    two = np.all((low == X) | (high == X), axis=0) & (low < high)
    for j in np.flatnonzero(zero_one & ~two):
        between = X[(X[:, j] > 0) & (X[:, j] < 1), j]
        zero_one[j] = np.ptp(between) == 0
    blocks: list[NDArray[np.intp]] = []
    first = 0
    while first < len(two):
        width = _width(X, zero_one, first) if zero_one[first] else int(two[first])
        if width:
            blocks.append(np.arange(first, first + width))
        first += max(width, 1)
    return blocks


def _width(X: NDArray[np.floating], zero_one: NDArray[np.bool_], first: int) -> int:
    """How many neighbouring columns are one category: they sum to 1 in all rows."""
    total = np.zeros(len(X))
    for j in range(first, min(first + LONGEST_BLOCK, len(zero_one))):
        if not zero_one[j]:
            return 1
        total += X[:, j]
        if total.max() > 1 + 1e-6:
            return 1
        if total.min() > 1 - 1e-6:
            return j + 1 - first
    return 1
