"""What makes each cluster different, in the units of the data."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse

from maxmargin.kernels.kernel import Matrix


@dataclass(frozen=True, eq=False)
class Contrast:
    """Each cluster against all other rows, feature by feature.

    Attributes
    ----------
    inside, outside : ndarray of shape (k, d)
        The mean in the cluster, and elsewhere (NaN where there is no other row).
    difference : ndarray of shape (k, d)
        Inside minus outside, in standard deviations of the feature over all rows; 0 for a
        feature that does not vary.
    """

    inside: NDArray[np.float64]
    outside: NDArray[np.float64]
    difference: NDArray[np.float64]

    def strongest(self, cluster: int, n_features: int) -> NDArray[np.intp]:
        """The features that differ most, in that order, without those that do not at all."""
        order = np.argsort(-np.abs(self.difference[cluster]), kind="stable")[:n_features]
        return order[self.difference[cluster, order] != 0]


def contrast(X: Matrix, labels: NDArray[np.integer], clusters: NDArray[np.integer]) -> Contrast:
    """Compare each of the clusters with all other rows.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.explain.features import contrast
    >>> X = np.array([[0.0, 1.0], [2.0, 1.0], [4.0, 1.0], [6.0, 1.0]])
    >>> found = contrast(X, np.array([0, 0, 1, 1]), np.array([0, 1]))
    >>> found.inside[:, 0].tolist(), found.outside[:, 0].tolist()
    ([1.0, 5.0], [5.0, 1.0])
    >>> found.strongest(0, n_features=2).tolist()
    [0]
    """
    n = X.shape[0]
    shift = 0.0 if issparse(X) else np.mean(X, axis=0, dtype=np.float64)
    centred: Any = X.astype(np.float64) if issparse(X) else X - shift
    rows = np.flatnonzero(np.isin(labels, clusters))
    places = np.searchsorted(clusters, labels[rows])
    members = csr_array((np.ones(len(rows)), (places, rows)), shape=(len(clusters), n))
    sums = members @ centred
    sums = sums.toarray() if issparse(sums) else np.asarray(sums)
    counts = members.sum(axis=1)[:, None]
    total = np.asarray(centred.sum(axis=0)).ravel()
    mean = total / n
    squares = centred.power(2) if issparse(X) else np.square(centred)
    variance = np.asarray(squares.sum(axis=0)).ravel() / n - np.square(mean)
    noise = 1e-12 * (np.square(mean + shift) + np.square(mean))  # of a constant feature
    deviation = np.sqrt(np.where(variance > noise, variance, np.inf))
    with np.errstate(invalid="ignore", divide="ignore"):
        inside, outside = sums / counts, (total - sums) / (n - counts)
    difference = np.nan_to_num((inside - outside) / deviation)
    return Contrast(inside + shift, outside + shift, difference)
