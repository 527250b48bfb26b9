"""The dip of a sample, and of neighbouring clusters: whether there is a valley between them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from maxmargin._core.dip import dip_of_steps

DISCRIMINANT_RIDGE = (
    0.1  # of the mean variance: a direction needs no inverse of a singular covariance
)


def dip(values: NDArray[np.floating]) -> float:
    """Compute the dip of a sample: its distance from the nearest unimodal distribution.

    The largest difference between the empirical distribution function and the unimodal one
    (convex, then concave) that makes it smallest. Between 1/(2n) and 1/4; 0 if all values are
    equal, as one atom is unimodal.

    Parameters
    ----------
    values : array of shape (n,)
        Finite, in any order; n ≥ 1.

    References
    ----------
    Hartigan, J. A. and Hartigan, P. M. (1985). "The dip test of unimodality". The Annals of
    Statistics 13(1), 70–84.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.selection.dip import dip
    >>> dip(np.array([0, 0, 1, 1]))  # two equal atoms: the most bimodal of all
    0.25
    >>> round(dip(np.arange(50)), 6)  # the least that 50 values can have
    0.01
    """
    x = np.sort(np.asarray(values, dtype=np.float64))
    # The dip does not change with the scale, but products of extreme values overflow.
    x = x / max(float(np.abs(x).max()), np.finfo(np.float64).tiny)
    span = x[-1] - x[0]
    if not span > 0:
        return 0.0
    x = (x - x[0]) / span
    last = np.append(np.flatnonzero(x[1:] > x[:-1]), len(x) - 1)
    return float(dip_of_steps(x[last], (last + 1) / len(x)))


@dataclass(frozen=True, eq=False)
class PairwiseDips:
    """The dip of each pair of neighbouring clusters.

    Parameters
    ----------
    pairs : array of shape (p, 2)
        Positions in the sorted distinct labels, the smaller first.
    values : array of shape (p,)
        sqrt(n_a + n_b) · dip; large if there is a valley between the two.
    """

    pairs: NDArray[np.intp]
    values: NDArray[np.float64]

    @property
    def smallest(self) -> float:
        """The value of the pair that is closest to being one cluster; inf without any pair."""
        return float(self.values.min(initial=np.inf))


def pairwise_dips(
    X: NDArray[np.floating], labels: NDArray[np.integer], graph: csr_matrix
) -> PairwiseDips:
    """Compute sqrt(n) · dip of clusters that touch, on the direction that parts them best.

    Fisher's discriminant, with a ridge for few rows: w = (S + 0.1 · tr(S)/d · I)⁻¹ (m_b − m_a)
    with the covariance S inside both clusters and their means m.

    Parameters
    ----------
    X : array of shape (n, d)
        A few coordinates, such as the first 10 principal ones.
    labels : array of shape (n,)
    graph : csr_matrix of shape (n, n)
        Clusters touch if an edge joins them; others are not compared.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.spaces.neighbors import Neighbors
    >>> from maxmargin.selection.dip import pairwise_dips
    >>> X = np.arange(100.0).reshape(-1, 1)
    >>> found = pairwise_dips(X, X[:, 0] // 50, Neighbors.of_rows(X, 10).graph(10))
    >>> found.pairs.tolist(), found.values.round(3).tolist()  # one even stretch: no valley
    ([[0, 1]], [0.05])
    """
    _, clusters = np.unique(labels, return_inverse=True)
    k = int(clusters.max(initial=-1)) + 1
    edges = graph.tocoo()
    a, b = clusters[edges.row], clusters[edges.col]
    pairs = np.unique((a * k + b)[a < b])
    rows = np.asarray(X, dtype=np.float64)
    members = [np.flatnonzero(clusters == c) for c in range(k)]
    means = [rows[inside].mean(axis=0) for inside in members]
    scatters = [_scatter(rows[inside] - mean) for inside, mean in zip(members, means, strict=True)]
    values = np.empty(len(pairs))
    for p, (i, j) in enumerate(zip(pairs // max(k, 1), pairs % max(k, 1), strict=True)):
        direction = _discriminant(scatters[i] + scatters[j], means[j] - means[i])
        both = np.concatenate([members[i], members[j]])
        values[p] = np.sqrt(len(both)) * dip((rows[both] - means[i]) @ direction)
    return PairwiseDips(np.column_stack([pairs // max(k, 1), pairs % max(k, 1)]), values)


def _scatter(centred: NDArray[np.float64]) -> NDArray[np.float64]:
    return centred.T @ centred


def _discriminant(S: NDArray[np.float64], shift: NDArray[np.float64]) -> NDArray[np.float64]:
    """The direction alone: a factor of S does not matter, so it is scaled to trace 1."""
    trace = float(np.trace(S))
    if not trace > 0:  # all rows of a cluster are equal
        return shift
    d = len(S)
    return np.asarray(
        np.linalg.solve(S / trace + DISCRIMINANT_RIDGE / d * np.eye(d), shift), dtype=np.float64
    )
