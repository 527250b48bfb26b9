"""Rows that stand for others: each as the mean of so many rows next to it."""

import numpy as np
from numpy.typing import NDArray
from sklearn.neighbors import NearestNeighbors

#: The share of the variance that means keep where they are of use: with more there is nothing to
#: gain, and with less neighbours are hardly nearer than any other row.
KEPT_VARIANCE = 0.5, 0.9


def local_means(
    rows: NDArray[np.floating],
    many: NDArray[np.floating],
    weights: NDArray[np.float64] | None = None,
) -> NDArray[np.float64] | None:
    """The mean of each row's neighbours among many rows, as many as it stands for.

    It tells more of where clusters are than one row does, and so makes up for most of the rows
    that are not looked at. None where there is no noise to speak of, or little else.

    Parameters
    ----------
    rows : ndarray of shape (m, d)
        The rows that are looked at.
    many : ndarray of shape (n, d)
        Rows of which they are some.
    weights : ndarray of shape (n,) or None
        What each of these counts for in a mean.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.blocks.local_means import local_means
    >>> many = np.random.default_rng(0).normal(size=(400, 5))
    >>> means = local_means(many[:100], many)
    >>> round(float(means.var() / many.var()), 1)
    0.8
    >>> local_means(np.sort(many[:100, :1], axis=0), many[:, :1]) is None  # they keep all of it
    True
    """
    m = round(len(many) / len(rows))
    if m < 2:
        return None
    finder = NearestNeighbors(n_neighbors=m, algorithm="brute").fit(many)
    near = finder.kneighbors(rows, return_distance=False)
    shares = (np.ones(len(many)) if weights is None else weights)[near]
    shares /= shares.sum(axis=1, keepdims=True)
    means = np.zeros(rows.shape)
    for share, j in zip(shares.T, near.T, strict=True):  # all at once would be m times the rows
        means += share[:, None] * many[j]
    kept, before = (np.var(given, axis=0).sum() for given in (means, rows))
    least, most = KEPT_VARIANCE
    return means if least * before < kept < most * before else None
