"""How far mixed columns are from each other: what a number and what a category may say."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from maxmargin.blocks.mapped import MappedRows
from maxmargin.blocks.rows import Rows, read_rows
from maxmargin.blocks.scaling import fit_scaler


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
