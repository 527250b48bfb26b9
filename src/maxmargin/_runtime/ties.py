"""Which value is the largest, in the same way everywhere."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Values that differ by less than this share of the largest one are equal, by bytes of a row:
#: the last digits of a value depend on which rows it is computed with.
TIES = {4: 1e-6, 8: 1e-9}


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
    near = values.max(axis=1) - tie * np.abs(values).max(axis=1)
    return np.argmax(values >= near[:, None], axis=1).astype(np.int32)
