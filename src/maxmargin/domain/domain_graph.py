"""The graph of rows along which the pieces of a domain are sought."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from maxmargin.domain.domain import Domain, lowest_by_distances
from maxmargin.domain.nearest import NearestRow
from maxmargin.selection.split_gap import SplitGap
from maxmargin.solvers.one_class import OneClassSolution
from maxmargin.spaces.connected import connected_edges
from maxmargin.spaces.gaussian import SquaredDistances
from maxmargin.spaces.kernel import SMALLEST
from maxmargin.spaces.neighbors import N_NEIGHBORS, Neighbors

#: Widths are in units of the median distance to this neighbour.
NEIGHBOR = 7
#: What a valley of the density between two clusters counts in the split gap.
VALLEY_OF_DOMAIN = 0.05
#: And the neighbours whose edges it counts, in two graphs.
GAP_NEIGHBORS = (5, N_NEIGHBORS)
#: Different rows up to which copies of them count.
FEW_KINDS = 20


class DomainGraph:
    """Rows, their distances, and edges between neighbours that join all of them.

    Straight segments between far points leave a curved cluster. Between neighbours they do
    not, where the graph has the edges of a spanning tree too: without those it is in pieces
    before the domain is.

    Parameters
    ----------
    rows : array of shape (n, d)

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.domain.domain_graph import DomainGraph
    >>> graph = DomainGraph(np.array([[0.0], [1.0], [5.0]]))
    >>> graph.complete(np.array([0, -1, 1])).tolist()
    [0, 0, 1]
    """

    def __init__(self, rows: NDArray[np.floating]) -> None:
        self.distances = SquaredDistances(rows)

    @property
    def n(self) -> int:
        """The number of rows."""
        return self.distances.n

    @cached_property
    def neighbors(self) -> Neighbors:
        """Ten of each row, where there are as many."""
        return Neighbors.of_rows(self.distances.rows, N_NEIGHBORS)

    @cached_property
    def edges(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The ends of the edges between neighbours, and of the shortest bridges between pieces."""
        start, stop, _ = connected_edges(self.neighbors, self.distances.rows)
        return start, stop

    def edge_levels(
        self,
        solution: OneClassSolution,
        gamma: float,
        steps: int,
        floor: float = -np.inf,
    ) -> NDArray[np.float64]:
        """The lowest height of a domain on every edge, at its ends and ``steps`` points inside.

        Edges with an end below ``floor`` are not looked at inside.
        """
        alpha, heights = solution.alpha, solution.heights
        rows, squared = self.distances.rows, self.distances.full
        start, stop = self.edges
        levels = np.minimum(heights[start], heights[stop])
        high = levels >= floor
        ends = start[high], stop[high]
        if squared is None:
            domain = Domain.of_weights(rows, alpha, gamma)
            levels[high] = domain.lowest(rows, heights, *ends, steps=steps)
        else:
            levels[high] = lowest_by_distances(
                squared, rows, *ends, levels[high], alpha, gamma, steps
            )
        return levels

    def complete(self, labels: NDArray[np.intp]) -> NDArray[np.intp]:
        """Give rows of no cluster (−1) to that of the nearest row."""
        rows, inside = self.distances.rows, labels >= 0
        if inside.all():
            return labels
        return np.asarray(NearestRow(rows[inside], labels[inside]).labels_of(rows))

    def gammas(self, widths: Sequence[float]) -> list[float]:
        """The γ = 1/(2σ²) of widths in units of the median distance to the 7th neighbour."""
        reach = self.neighbors.distances[:, :NEIGHBOR][:, -1:]
        reach = reach[reach > 0]
        unit = max(float(np.median(reach)), SMALLEST) if len(reach) else 1.0
        return [1 / (2 * (width * unit) ** 2) for width in widths]

    @cached_property
    def gaps(self) -> tuple[SplitGap, SplitGap]:
        """How well clusters are separated, in the graphs of few and of more neighbours."""
        few, more = (SplitGap(self.neighbors, VALLEY_OF_DOMAIN, j) for j in GAP_NEIGHBORS)
        return few, more

    def split_gap(self, labels: NDArray[np.intp], beat: float = -np.inf) -> float:
        """The mean of both; where it does not exceed ``beat``, a value that it does not exceed.

        More neighbours reach across narrow gaps between sparse clusters, with fewer of them a
        thin cluster falls apart.
        """
        mean = np.inf
        for few, more in zip(*(gap.falling(labels) for gap in self.gaps), strict=True):
            mean = (few.gap + more.gap) / 2
            if mean <= beat:
                break
        return mean


def distinct_rows(X: NDArray[np.floating], some: NDArray[np.intp]) -> NDArray[np.intp]:
    """Keep one row of each kind: copies fill the lists of neighbours, and join nothing.

    Where only few kinds are left, their copies are all there is to tell clusters by.
    """
    rows = np.ascontiguousarray(X[some] + 0.0)  # −0 is 0
    as_bytes = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).ravel()
    _, first = np.unique(as_bytes, return_index=True)
    return some[np.sort(first)] if len(first) >= FEW_KINDS else some
