"""Columns of zeros and ones, whose means are shares."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from maxmargin.spaces.metric import Matrix


def shares(X: Matrix) -> NDArray[np.bool_]:
    """Which columns are zeros and ones, so that their means are shares; one value may be a gap.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.explain.shares import shares
    >>> shares(np.array([[0.0, 5.0], [1.0, 0.0], [1.0, 1.0]])).tolist()
    [True, False]
    """
    if issparse(X):
        return np.zeros(X.shape[1], dtype=bool)
    found = (X.min(axis=0) == 0) & (X.max(axis=0) == 1)
    for j in np.flatnonzero(found):
        between = X[(X[:, j] > 0) & (X[:, j] < 1), j]
        found[j] = len(between) == 0 or np.ptp(between) == 0
    return found
