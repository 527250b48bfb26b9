"""Clusters by the peaks that points climb to: Algorithm 2 of SGD-LMSVC."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components
from sklearn.neighbors import radius_neighbors_graph

from maxmargin._runtime.memory import filled
from maxmargin._runtime.parameters import POSITIVE
from maxmargin.domain.base import Assignment, DomainClusters
from maxmargin.domain.domain import Domain
from maxmargin.domain.domain_graph import DomainGraph, without_small
from maxmargin.solvers.one_class import OneClassSolution
from maxmargin.spaces.metric import squared_distances

#: The paper's ε: rows with |f| ≤ 0.01 are on the boundary.
EPSILON = 0.01
#: Where no row is, so many with the smallest |f| stand in.
NEAREST_SHARE = 0.1
#: The paper's m: points of a segment that are tested. A few of the same points come first:
#: t = 1/3 and 2/3 are 7/21 and 14/21.
SEGMENT_POINTS = 20
FIRST_SEGMENT_POINTS = 2
#: Trajectories end with steps below, equilibria are one within, these shares of 1/√γ.
LAST_STEP = 1e-3
SAME_PEAK = 0.1
MAX_CLIMB_STEPS = 5000
#: Segments that are tested before those inside a cluster are left out again.
SEGMENT_BATCH = 4096
#: A number of clusters that is worth a word, as a share of the rows.
CROWD = 0.25


class Equilibria(Assignment):
    """The peaks of f that rows on the boundary climb to: Algorithm 2 of SGD-LMSVC.

    Peaks belong together if f ≥ 0 in all of 20 points between them. All other rows get the
    cluster of the nearest row on the boundary.

    Parameters
    ----------
    epsilon : float, default=0.01
        Rows with abs(f) ≤ epsilon are the boundary.

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from maxmargin import SupportVectorClustering
    >>> from maxmargin.domain import Equilibria
    >>> X, _ = make_blobs(150, cluster_std=0.5, random_state=0)
    >>> model = SupportVectorClustering(0.5, assignment=Equilibria(epsilon=0.02)).fit(X)
    >>> model.n_clusters_, model.equilibria_.shape[1]
    (3, 2)
    """

    _parameters = {"epsilon": POSITIVE}

    def __init__(self, epsilon: float = EPSILON) -> None:
        self.epsilon = epsilon

    def clusters(
        self, graph: DomainGraph, solution: OneClassSolution, smallest: Sequence[int]
    ) -> list[DomainClusters]:
        """Find the clusters of the peaks of one domain."""
        # peaks are means of rows, and have all columns
        rows = filled(graph.distances.rows, 'Use assignment="graph", which keeps rows sparse.')
        domain = Domain.of_weights(rows, solution.alpha, solution.gamma)
        found = find_equilibria(domain, rows, solution.heights, epsilon=self.epsilon)
        labels = np.full(len(rows), -1, dtype=np.intp)
        labels[found.starts] = found.clusters[found.ends]
        notes = []
        if found.empty_boundary:
            notes.append(
                f"no row has abs(f) <= epsilon={self.epsilon:.3g}: the trajectories start from "
                f"the {len(found.starts)} rows of smallest abs(f) instead."
            )
        if found.n_open:
            notes.append(f"{found.n_open} of {len(found.starts)} trajectories did not end.")
        n, k = len(rows), int(found.clusters.max()) + 1
        if k > max(1, CROWD * n):
            notes.append(f"{k} clusters of {n} rows: gamma={solution.gamma:.3g} is too large.")
        points = found.points + graph.offset
        return [
            DomainClusters(solution, *_at_least(graph, labels, s), s, points, tuple(notes))
            for s in smallest
        ]


def _at_least(
    graph: DomainGraph, labels: NDArray[np.intp], smallest: int
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Labels without clusters that are small once all rows have one, and the levels."""
    if smallest > 1:
        labels = np.where(labels < 0, -1, without_small(graph.complete(labels), smallest))
    return labels, np.ones(labels.max() + 1)


@dataclass(frozen=True, eq=False)
class Trajectories:
    """Where trajectories end, and the clusters of these points.

    Parameters
    ----------
    starts : array of shape (b,)
        The rows that were followed: the extended boundary B_ε.
    ends : array of shape (b,)
        The equilibrium of each.
    points : array of shape (M, d)
        The equilibria.
    clusters : array of shape (M,)
        The cluster of each equilibrium.
    empty_boundary : bool
        Whether B_ε was empty and the rows of smallest |f| were followed instead.
    n_open : int
        Trajectories that did not end.
    """

    starts: NDArray[np.intp]
    ends: NDArray[np.intp]
    points: NDArray[np.float64]
    clusters: NDArray[np.intp]
    empty_boundary: bool
    n_open: int


def find_equilibria(
    domain: Domain,
    rows: NDArray[np.float64],
    heights: NDArray[np.float64],
    *,
    epsilon: float = EPSILON,
) -> Trajectories:
    """Run Algorithm 2: follow the rows on the boundary, join the peaks that they reach.

    Equilibria are one point if they are within a tenth of 1/√γ of each other, and belong
    together if f ≥ 0 in all of 20 points between them. The paper's tolerances are absolute
    and would mean another thing at every width.

    Parameters
    ----------
    domain : Domain
    rows : array of shape (n, d)
    heights : array of shape (n,)
        f + 1 at the rows.
    epsilon : float
        |f| of the rows that are followed.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.domain.equilibria import find_equilibria
    >>> from maxmargin.domain.domain import Domain
    >>> rows = np.array([[0.0], [1.0], [9.0]])
    >>> domain = Domain(rows, np.array([0.8, 0.8, 1.0]), gamma=1.0)
    >>> found = find_equilibria(domain, rows, domain.heights(rows))
    >>> found.starts.tolist(), found.points.round(3).tolist()
    ([2], [[9.0]])
    """
    depth = np.abs(heights - 1)
    starts = np.flatnonzero(depth <= epsilon)
    empty = len(starts) == 0
    if empty:
        some = max(1, round(NEAREST_SHARE * len(rows)))
        starts = np.sort(np.argsort(depth, kind="stable")[:some])
    reached, _, n_open = domain.climb(rows[starts], LAST_STEP, MAX_CLIMB_STEPS)
    near = radius_neighbors_graph(reached, SAME_PEAK / np.sqrt(domain.gamma), mode="connectivity")
    n_points, ends = connected_components(near, directed=False)
    shares = csr_matrix((np.ones(len(ends)), (ends, np.arange(len(ends)))))
    points = (shares @ reached) / np.bincount(ends)[:, np.newaxis]
    clusters = _connected(domain, points) if n_points > 1 else np.zeros(1, dtype=np.intp)
    return Trajectories(starts, ends.astype(np.intp), points, clusters, empty, n_open)


def _connected(domain: Domain, points: NDArray[np.float64]) -> NDArray[np.intp]:
    """Components of the points under the segment test of all pairs.

    Near pairs come first, and pairs inside a component are not tested: that changes nothing.
    """
    m = len(points)
    heights = domain.heights(points)
    first, second = np.triu_indices(m, 1)
    order = np.argsort(squared_distances(points, points)[first, second], kind="stable")
    first, second = first[order].astype(np.intp), second[order].astype(np.intp)
    possible = np.minimum(heights[first], heights[second]) >= 1
    first, second = first[possible], second[possible]
    component = np.arange(m)
    joined = csr_matrix((m, m))
    while len(first):
        batch = np.argsort(first[:SEGMENT_BATCH], kind="stable")  # those of one point side by side
        a, b = first[batch], second[batch]
        for steps in (FIRST_SEGMENT_POINTS, SEGMENT_POINTS):
            levels = domain.lowest(points, heights, a, b, steps=steps)
            a, b = a[levels >= 1], b[levels >= 1]
        joined += csr_matrix((np.ones(len(a)), (a, b)), shape=(m, m))
        component = connected_components(joined, directed=False)[1]
        first, second = first[SEGMENT_BATCH:], second[SEGMENT_BATCH:]
        apart = component[first] != component[second]
        first, second = first[apart], second[apart]
    return component.astype(np.intp)
