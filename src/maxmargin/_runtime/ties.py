"""Which value is the largest, in the same way everywhere."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Values that differ by less than this share of the largest one are equal, by bytes of a row:
#: the last digits of a value depend on which rows it is computed with.
TIES = {4: 1e-6, 8: 1e-9}
#: Values that are known to two digits leave rows in doubt in which another one is as near as this.
DOUBT = 0.01


def first_of_largest(values: NDArray[np.floating], rows: Any = None) -> NDArray[np.int32]:
    """The column of the largest value in each row, and of several that tie the first.

    ``rows`` are those that the values are of: their precision says what ties.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin._runtime.ties import first_of_largest
    >>> first_of_largest(np.array([[0.1 + 0.2, 0.3], [0.3, 0.1 + 0.2], [0.1, 0.2]])).tolist()
    [0, 0, 1]
    """
    tie = TIES.get(np.dtype(getattr(rows, "dtype", np.float64)).itemsize, TIES[8])
    return np.argmax(_near_largest(values, tie), axis=1).astype(np.int32)


def _near_largest(values: NDArray[np.floating], share: float) -> NDArray[np.bool_]:
    """Which values are as large as any of their row, but for a share of the largest one."""
    columns = np.ascontiguousarray(values.T)  # many times as fast as rows of a few values
    top, bottom = columns.max(axis=0), columns.min(axis=0)
    return values >= (top - share * np.maximum(top, -bottom))[:, None]


def count_other_labels(
    values: NDArray[np.floating],
    labels: NDArray[np.integer],
    rows: Any,
    predict: Callable[[Any], NDArray[np.integer]],
    doubt: float = DOUBT,
) -> int:
    """How many labels are not what ``predict`` says of the rows; it is asked where there is doubt.

    Parameters
    ----------
    values : ndarray of shape (n, k)
        What is predicted of each row, to some digits.
    labels : ndarray of shape (n,)
    rows : matrix
    predict : callable
        From rows to their labels.
    doubt : float
        The difference that these digits do not tell, as a share of a row's largest value; 2 doubts
        all of them.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin._runtime.ties import count_other_labels, first_of_largest
    >>> values = np.array([[0.9, 0.1], [0.2, 0.8], [0.5, 0.501]])
    >>> count_other_labels(values, np.array([0, 0, 0]), values, first_of_largest)
    2
    """
    doubtful = np.flatnonzero(np.count_nonzero(_near_largest(values, doubt), axis=1) > 1)
    said = np.argmax(values, axis=1)
    if doubtful.size:
        said[doubtful] = predict(rows[doubtful])
    return int(np.count_nonzero(said != labels))
