"""The peaks that points climb to: Algorithm 2 of SGD-LMSVC."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components
from sklearn.neighbors import radius_neighbors_graph

from maxmargin.assignment.segments import levels_of_segments
from maxmargin.objectives.domain import Domain
from maxmargin.spaces.metric import squared_distances

#: The paper's ε: rows with |f| ≤ 0.01 are on the boundary.
EPSILON = 0.01
#: Where no row is, so many with the smallest |f| stand in.
NEAREST_SHARE = 0.1
#: The paper's m: points of a segment that are tested.
SAMPLES = 20
#: A few of the same points come first: t = 1/3 and 2/3 are 7/21 and 14/21.
FEWER = 2
#: Trajectories end with steps below, equilibria are one within, these shares of 1/√γ.
STEP = 1e-3
SAME = 0.1
MAX_STEPS = 5000
#: Segments that are tested before those inside a cluster are left out again.
BATCH = 4096


@dataclass(frozen=True, eq=False)
class Equilibria:
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
) -> Equilibria:
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
    >>> from maxmargin.assignment.equilibria import find_equilibria
    >>> from maxmargin.objectives.domain import Domain
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
    reached, _, n_open = domain.climb(rows[starts], STEP, MAX_STEPS)
    near = radius_neighbors_graph(reached, SAME / np.sqrt(domain.gamma), mode="connectivity")
    n_points, ends = connected_components(near, directed=False)
    shares = csr_matrix((np.ones(len(ends)), (ends, np.arange(len(ends)))))
    points = (shares @ reached) / np.bincount(ends)[:, np.newaxis]
    clusters = _joined(domain, points) if n_points > 1 else np.zeros(1, dtype=np.intp)
    return Equilibria(starts, ends.astype(np.intp), points, clusters, empty, n_open)


def _joined(domain: Domain, points: NDArray[np.float64]) -> NDArray[np.intp]:
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
        batch = np.argsort(first[:BATCH], kind="stable")  # those of one point side by side
        a, b = first[batch], second[batch]
        for steps in (FEWER, SAMPLES):
            levels = levels_of_segments(points, heights, a, b, domain, steps=steps)
            a, b = a[levels >= 1], b[levels >= 1]
        joined += csr_matrix((np.ones(len(a)), (a, b)), shape=(m, m))
        component = connected_components(joined, directed=False)[1]
        first, second = first[BATCH:], second[BATCH:]
        apart = component[first] != component[second]
        first, second = first[apart], second[apart]
    return component.astype(np.intp)
