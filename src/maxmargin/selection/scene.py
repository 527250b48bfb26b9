"""Rows as support vector clustering sees them: distances, neighbours, edges."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from maxmargin._runtime.interrupts import StopFlag
from maxmargin.assignment.graph import STEPS
from maxmargin.assignment.nearest import NearestRow
from maxmargin.assignment.segments import levels_of_edges
from maxmargin.kernels.joined import joined_edges
from maxmargin.kernels.neighbors import N_NEIGHBORS, Neighbors
from maxmargin.kernels.pairs import Pairs
from maxmargin.selection.split_gap import SplitGap
from maxmargin.solvers.one_class import OneClass

#: Widths are in units of the median distance to this neighbour.
NEIGHBOR = 7
#: What a valley of the density between two clusters counts in the split gap.
VALLEY = 0.05


@dataclass(frozen=True, eq=False)
class Scene:
    """Rows, their distances, and the graph along which the pieces of a domain are sought.

    Parameters
    ----------
    pairs : Pairs
    neighbors : Neighbors
        Ten of each row, where there are as many.
    start, stop : arrays of shape (e,)
        The edges between neighbours, and those of a spanning tree.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.selection.scene import Scene
    >>> scene = Scene.of_rows(np.array([[0.0], [1.0], [5.0]]))
    >>> scene.complete(np.array([0, -1, 1])).tolist()
    [0, 0, 1]
    """

    pairs: Pairs
    neighbors: Neighbors
    start: NDArray[np.intp]
    stop: NDArray[np.intp]

    @classmethod
    def of_rows(cls, rows: NDArray[np.floating]) -> "Scene":
        """Find the neighbours of each row and join them."""
        pairs = Pairs(rows)
        neighbors = Neighbors.of_rows(pairs.rows, N_NEIGHBORS)
        start, stop, _ = joined_edges(neighbors, pairs.rows)
        return cls(pairs, neighbors, start, stop)

    @property
    def n(self) -> int:
        """The number of rows."""
        return self.pairs.n

    @cached_property
    def gap(self) -> SplitGap:
        """Tells how well clusters are separated."""
        return SplitGap(self.neighbors, VALLEY)

    def gammas(self, widths: Sequence[float]) -> list[float]:
        """The γ = 1/(2σ²) of widths in units of the median distance to the 7th neighbour."""
        reach = self.neighbors.distances[:, :NEIGHBOR][:, -1:]
        reach = reach[reach > 0]
        unit = float(np.median(reach)) if len(reach) else 1.0
        return [1 / (2 * (width * unit) ** 2) for width in widths]

    def edge_levels(self, solution: OneClass, gamma: float, stop: StopFlag) -> NDArray[np.float64]:
        """The lowest height of a domain on every edge."""
        return levels_of_edges(
            *(self.pairs, solution.alpha, solution.heights, self.start, self.stop, gamma),
            steps=STEPS,
            stop=stop,
        )

    def complete(self, labels: NDArray[np.intp]) -> NDArray[np.intp]:
        """Give rows of no cluster (−1) to that of the nearest row."""
        rows, inside = self.pairs.rows, labels >= 0
        if inside.all():
            return labels
        return np.asarray(NearestRow(rows[inside], labels[inside]).labels_of(rows))
