"""Rows as support vector clustering sees them: distances, neighbours, edges."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from maxmargin.assignment.nearest import NearestRow
from maxmargin.assignment.segments import levels_of_edges
from maxmargin.selection.split_gap import SplitGap
from maxmargin.solvers.one_class import OneClass
from maxmargin.spaces.connected import connected_edges
from maxmargin.spaces.kernel import SMALLEST
from maxmargin.spaces.neighbors import N_NEIGHBORS, Neighbors
from maxmargin.spaces.pairs import Pairs

#: Widths are in units of the median distance to this neighbour.
NEIGHBOR = 7
#: What a valley of the density between two clusters counts in the split gap.
VALLEY = 0.05
#: And the neighbours whose edges it counts, in two graphs.
GRAPHS = (5, N_NEIGHBORS)


@dataclass(frozen=True, eq=False)
class Scene:
    """Rows, their distances, and the graph along which the pieces of a domain are sought.

    Parameters
    ----------
    pairs : Pairs

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.selection.scene import Scene
    >>> scene = Scene.of_rows(np.array([[0.0], [1.0], [5.0]]))
    >>> scene.complete(np.array([0, -1, 1])).tolist()
    [0, 0, 1]
    """

    pairs: Pairs

    @classmethod
    def of_rows(cls, rows: NDArray[np.floating]) -> "Scene":
        """Look at the distances between rows."""
        return cls(Pairs(rows))

    @cached_property
    def neighbors(self) -> Neighbors:
        """Ten of each row, where there are as many."""
        return Neighbors.of_rows(self.pairs.rows, N_NEIGHBORS)

    @cached_property
    def edges(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The ends of the edges between neighbours, and of the shortest bridges between pieces."""
        start, stop, _ = connected_edges(self.neighbors, self.pairs.rows)
        return start, stop

    @property
    def n(self) -> int:
        """The number of rows."""
        return self.pairs.n

    @cached_property
    def gaps(self) -> tuple[SplitGap, SplitGap]:
        """How well clusters are separated, in the graphs of few and of more neighbours."""
        few, more = (SplitGap(self.neighbors, VALLEY, j) for j in GRAPHS)
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

    def gammas(self, widths: Sequence[float]) -> list[float]:
        """The γ = 1/(2σ²) of widths in units of the median distance to the 7th neighbour."""
        reach = self.neighbors.distances[:, :NEIGHBOR][:, -1:]
        reach = reach[reach > 0]
        unit = max(float(np.median(reach)), SMALLEST) if len(reach) else 1.0
        return [1 / (2 * (width * unit) ** 2) for width in widths]

    def edge_levels(
        self,
        solution: OneClass,
        gamma: float,
        steps: int,
        floor: float = -np.inf,
    ) -> NDArray[np.float64]:
        """The lowest height of a domain on every edge, at its ends and ``steps`` points inside.

        Edges with an end below ``floor`` are not looked at inside.
        """
        return levels_of_edges(
            *(self.pairs, solution.alpha, solution.heights, *self.edges, gamma),
            steps=steps,
            floor=floor,
        )

    def complete(self, labels: NDArray[np.intp]) -> NDArray[np.intp]:
        """Give rows of no cluster (−1) to that of the nearest row."""
        rows, inside = self.pairs.rows, labels >= 0
        if inside.all():
            return labels
        return np.asarray(NearestRow(rows[inside], labels[inside]).labels_of(rows))
