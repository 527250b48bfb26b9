"""Give the same number to clusters of two labellings that share most of their rows."""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment


def match_clusters(
    labels: NDArray[np.integer], other: NDArray[np.integer], n_clusters: int
) -> NDArray[np.intp]:
    """For each number in ``other`` the number in ``labels`` that shares most rows with it.

    A permutation, so that as many rows as possible keep their number.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.explain.matching import match_clusters
    >>> match_clusters(np.array([0, 0, 1, 1, 2]), np.array([2, 2, 0, 0, 1]), 3).tolist()
    [1, 2, 0]
    """
    both = (labels >= 0) & (other >= 0)
    shared = np.zeros((n_clusters, n_clusters))
    np.add.at(shared, (other[both], labels[both]), 1)
    return linear_sum_assignment(shared, maximize=True)[1].astype(np.intp)


def match_labels(first: NDArray[np.integer], labels: NDArray[np.integer]) -> NDArray[np.intp]:
    """Number clusters as those of ``first`` that they share most rows with.

    Clusters that are left over get numbers of their own; −1 stays.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.explain.matching import match_labels
    >>> match_labels(np.array([0, 0, 1, 1, 1]), np.array([5, 5, 7, 7, 3])).tolist()
    [0, 0, 1, 1, 2]
    """
    theirs, ours = np.unique(first[first >= 0]), np.unique(labels[labels >= 0])
    n = max(len(theirs), len(ours))
    new = theirs.max(initial=-1) + 1 + np.arange(n - len(theirs))
    places = np.where(labels >= 0, np.searchsorted(ours, labels), -1)
    others = np.where(first >= 0, np.searchsorted(theirs, first), -1)
    numbers = np.append(theirs, new)[match_clusters(others, places, n)]
    return np.append(numbers, -1)[places].astype(np.intp)
