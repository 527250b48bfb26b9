"""What the literature reports of a clustering.

Two of these are scikit-learn's own, under the names that the papers use: the Rand index
(:func:`sklearn.metrics.rand_score`) and the Davies–Bouldin index
(:func:`sklearn.metrics.davies_bouldin_score`, where *lower* is better).
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import davies_bouldin_score, rand_score
from sklearn.metrics.cluster import contingency_matrix
from sklearn.utils.validation import check_array, check_consistent_length, column_or_1d

__all__ = [
    "compactness_score",
    "davies_bouldin_score",
    "matched_accuracy_score",
    "purity_score",
    "rand_score",
]


def matched_accuracy_score(labels_true: ArrayLike, labels_pred: ArrayLike) -> float:
    """The share of rows that are right when each cluster stands for one class at most.

    The matching of clusters to classes is the one that makes most rows right.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,)
        The classes.
    labels_pred : array-like of shape (n_samples,)
        The clusters; −1 is outliers, which are never right.

    Returns
    -------
    float
        In [0, 1]; larger is better.

    Examples
    --------
    >>> from maxmargin.metrics import matched_accuracy_score
    >>> matched_accuracy_score(["a", "a", "b", "b"], [1, 1, 0, 2])
    0.75
    """
    check_consistent_length(labels_true, labels_pred)
    clusters = column_or_1d(labels_pred)
    inside = clusters >= 0
    classes = column_or_1d(labels_true)[inside]
    if not inside.any():
        return 0.0
    table = contingency_matrix(classes, clusters[inside])
    return float(table[linear_sum_assignment(table, maximize=True)].sum() / len(clusters))


def purity_score(labels_true: ArrayLike, labels_pred: ArrayLike) -> float:
    """The share of rows that have the most frequent class of their cluster.

    It grows with the number of clusters, up to 1 where each row is one, and is never below the
    share of the largest class.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,)
        The classes.
    labels_pred : array-like of shape (n_samples,)
        The clusters.

    Returns
    -------
    float
        In (0, 1]; larger is better.

    Examples
    --------
    >>> from maxmargin.metrics import purity_score
    >>> purity_score([0, 0, 1, 1], [0, 0, 0, 1])
    0.75
    """
    check_consistent_length(labels_true, labels_pred)
    table = contingency_matrix(labels_true, labels_pred)
    return float(table.max(axis=0).sum() / table.sum())


def compactness_score(X: Any, labels: ArrayLike) -> float:
    """The mean distance of rows to the mean of their cluster.

    Rows with the label −1 belong to no cluster and do not count.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    labels : array-like of shape (n_samples,)

    Returns
    -------
    float
        At least 0; smaller is better.

    Examples
    --------
    >>> from maxmargin.metrics import compactness_score
    >>> compactness_score([[0.0], [2.0], [7.0], [11.0]], [0, 0, 1, 1])
    1.5
    """
    X, which = check_array(X, dtype=np.float64), column_or_1d(labels)
    check_consistent_length(X, which)
    inside = which != -1
    X, which = X[inside], which[inside]
    if not inside.any():
        raise ValueError("labels must have at least one cluster; all of them are -1.")
    _, clusters, sizes = np.unique(which, return_inverse=True, return_counts=True)
    sums = np.zeros((len(sizes), X.shape[1]))
    np.add.at(sums, clusters, X)
    means = sums / sizes[:, np.newaxis]
    return float(np.linalg.norm(X - means[clusters], axis=1).mean())
