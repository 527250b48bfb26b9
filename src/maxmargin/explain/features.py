"""What makes each cluster different, in the units of the data."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse

from maxmargin.spaces.metric import Matrix


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
        """The features that differ most, largest first, without those that do not differ."""
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
    sparse = issparse(X)
    scaled, scale = to_scale(X)
    shift = 0.0 if sparse else np.mean(scaled, axis=0)
    centred = scaled if sparse else scaled - shift
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
    # What rounding makes of a constant feature: far less where the mean is taken off first.
    noise = 1e-12 * np.square(mean) + 1e-28 * np.square(shift)
    deviation = np.sqrt(np.where(variance > noise, variance, np.inf))
    with np.errstate(invalid="ignore", divide="ignore"):
        inside, outside = sums / counts, (total - sums) / (n - counts)
    difference = np.nan_to_num((inside - outside) / deviation)
    return Contrast(_whole(inside + shift) * scale, _whole(outside + shift) * scale, difference)


def to_scale(X: Matrix) -> tuple[Any, NDArray[np.float64]]:
    """Divide columns by their scales; returns both. Sparse rows become CSR in double precision."""
    scale = scales(X)
    if issparse(X):
        return X.astype(np.float64).multiply(1 / scale).tocsr(), scale
    return X / scale, scale


def scales(X: Matrix) -> NDArray[np.float64]:
    """The power of two just below the largest value of each column, 1 for zeros.

    Divided by it, nothing is rounded, and no square is too large or too small for a number.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.explain.features import scales
    >>> scales(np.array([[3.0, 1e300, 0.0], [-5.0, 0.0, 0.0]])).tolist()
    [4.0, 6.69...e+299, 1.0]
    """
    low, high = X.min(axis=0), X.max(axis=0)
    if issparse(X):
        low, high = (np.asarray(m.todense()).ravel() for m in (low, high))
    largest = np.maximum(-low.astype(np.float64), high.astype(np.float64))
    exponents = np.frexp(largest)[1] - 1
    return np.ldexp(1.0, np.clip(np.where(largest > 0, exponents, 0), -1021, None))


def _whole(means: NDArray[np.float64]) -> NDArray[np.float64]:
    """Means without rounding errors near 0: a mean of zeros is 0."""
    return np.where(np.abs(means) < 1e-14, 0.0, means)
