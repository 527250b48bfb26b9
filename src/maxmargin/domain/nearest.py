"""The rows that are left, and new ones: the cluster of the nearest row."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.neighbors import NearestNeighbors


class NearestRow:
    """Give points the label of the nearest of some rows.

    Parameters
    ----------
    rows : array of shape (m, d)
    labels : array of shape (m,)

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.domain.nearest import NearestRow
    >>> nearest = NearestRow(np.array([[0.0], [4.0]]), np.array([0, 1]))
    >>> nearest.labels_of(np.array([[1.0], [3.0]]))
    array([0, 1])
    """

    def __init__(self, rows: NDArray[np.floating], labels: NDArray[np.integer]) -> None:
        self.labels = labels
        # Distances from products lose their digits far from 0.
        self._center = rows.mean(axis=0, dtype=np.float64)
        self._rows = rows - self._center
        self._finder = NearestNeighbors(n_neighbors=1).fit(self._rows)

    def __getstate__(self) -> dict[str, Any]:
        # Without the search tree: its indices are followed unchecked, so that no file may hold it.
        return {name: value for name, value in vars(self).items() if name != "_finder"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._finder = NearestNeighbors(n_neighbors=1).fit(self._rows)

    def labels_of(self, X: NDArray[np.floating]) -> NDArray[np.integer]:
        """The labels of points."""
        found = self._finder.kneighbors(X - self._center, return_distance=False)
        return self.labels[found[:, 0]]


def without_small(labels: NDArray[np.integer], smallest: int) -> NDArray[np.intp]:
    """Set the labels of clusters with fewer rows to −1 and number the others.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.domain.nearest import without_small
    >>> without_small(np.array([0, 1, 2, 2, -1, 0]), 2)
    array([ 0, -1,  1,  1, -1,  0])
    """
    sizes = np.bincount(labels[labels >= 0])
    numbers = np.full(len(sizes) + 1, -1, dtype=np.intp)  # the last one is for −1
    kept = np.flatnonzero(sizes >= smallest)
    numbers[kept] = np.arange(len(kept))
    return numbers[labels]


def numbers_by_size(labels: NDArray[np.integer], k: int) -> NDArray[np.intp]:
    """The new number of each of k clusters: by decreasing size, equal ones by their first row.

    Rows with −1 do not count.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.domain.nearest import numbers_by_size
    >>> numbers_by_size(np.array([1, 0, 2, 2, 1, -1]), 3)
    array([2, 0, 1])
    """
    present, first = np.unique(labels, return_index=True)
    place = np.full(k, len(labels))
    place[present[present >= 0]] = first[present >= 0]
    numbers = np.empty(k, dtype=np.intp)
    sizes = np.bincount(labels[labels >= 0], minlength=k)
    numbers[np.lexsort((place, -sizes))] = np.arange(k)
    return numbers
