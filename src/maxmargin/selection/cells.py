"""The spaces in which labellings are sought and judged: a few cells of kernel and strength."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from maxmargin.objectives.leave_one_out import LeaveOneOut
from maxmargin.spaces.coordinates import N_COMPONENTS, principal_coordinates
from maxmargin.spaces.kernel import Matrix
from maxmargin.spaces.metric import Metric
from maxmargin.spaces.neighbors import Neighbors
from maxmargin.spaces.psd import nearest_psd
from maxmargin.spaces.quadratic_form import QuadraticForm

#: The scale of the data: the median distance to this neighbour.
SCALE_NEIGHBOR = 7
#: Neighbours of a row in the graph of a cell, and of all that is known of it.
GRAPH_NEIGHBORS = 12
ALL_NEIGHBORS = 15
#: Rows whose distances give the median.
CONCENTRATION_ROWS = 200
#: The square of a smaller width is no number to divide by.
SMALLEST_SCALE = 1e-150


@dataclass(frozen=True)
class Cell:
    """A space with a strength of the regularisation.

    Attributes
    ----------
    kernel : {"gaussian", "graph"}
    width : float
        The Gaussian's σ in units of the scale of the data; the number of neighbours that a
        row has in the graph.
    strength : float
        λ/n for the Gaussian. For the graph μ: it smooths labels by (I + μL)⁻¹, L the
        Laplacian relative to the mean degree.
    """

    kernel: str
    width: float
    strength: float

    @property
    def name(self) -> str:
        """A short name, unique among cells."""
        if self.kernel == "gaussian":
            return f"gaussian(width={self.width:g}, alpha={self.strength:.3g})"
        return f"graph(neighbors={self.width:g}, smoothing={self.strength:g})"


WIDTHS = (1.0, 1.5, 2.5, 4.0)
GRAPHS = tuple(Cell("graph", GRAPH_NEIGHBORS, mu) for mu in (3.0, 30.0))


def gaussians(
    widths: Sequence[float] = WIDTHS, strengths: Sequence[float] = (2.0**-11,)
) -> tuple[Cell, ...]:
    """The Gaussian cells of all widths and strengths."""
    return tuple(Cell("gaussian", width, strength) for width in widths for strength in strengths)


@dataclass(frozen=True)
class Terrain:
    """Rows as the cells see them: their distances, neighbours and scale.

    Attributes
    ----------
    squared : ndarray of shape (n, n)
        The squared distances.
    dimension : int
        How many principal coordinates may be of interest.
    euclidean : bool
        Whether the distances are those of points; others can make a Gaussian indefinite.
    """

    squared: NDArray[np.float64]
    dimension: int = N_COMPONENTS
    euclidean: bool = True

    @classmethod
    def of(cls, geometry: Metric, rows: Matrix) -> "Terrain":
        """The terrain of prepared rows."""
        dimension = N_COMPONENTS if geometry.precomputed else min(N_COMPONENTS, rows.shape[1])
        squared = geometry.squared_distances(rows, rows)
        return cls(squared, dimension, not geometry.precomputed)

    @property
    def n(self) -> int:
        """The number of rows."""
        return len(self.squared)

    @cached_property
    def neighbors(self) -> Neighbors:
        """The nearest rows of each row."""
        return Neighbors.of_distances(self.squared, ALL_NEIGHBORS, squared=True)

    @cached_property
    def scale(self) -> float:
        """The median distance to the 7th neighbour, without zeros; 1 if all rows are equal."""
        near = self.neighbors.distances[:, :SCALE_NEIGHBOR][:, -1:]
        if np.any(near > SMALLEST_SCALE):
            return float(np.median(near[near > SMALLEST_SCALE]))
        # Copies only: the distance to the nearest row that is another one.
        others = np.where(self.squared > SMALLEST_SCALE**2, self.squared, np.inf).min(axis=1)
        others = others[np.isfinite(others)]
        return float(np.sqrt(np.median(others))) if len(others) else 1.0

    @cached_property
    def concentration(self) -> float:
        """The scale relative to the median distance between rows: near 1 in high dimension."""
        some = np.random.default_rng(0).permutation(self.n)[:CONCENTRATION_ROWS]
        median = float(np.sqrt(np.median(self.squared[some])))
        return self.scale / median if median > 0 else 0.0

    @cached_property
    def coordinates(self) -> NDArray[np.float64]:
        """The leading principal coordinates of the rows."""
        return principal_coordinates(self.squared, self.dimension)

    @property
    def variance(self) -> float:
        """The variance of the rows around their mean, over all coordinates."""
        return float(self.squared.mean()) / 2

    def gamma(self, cell: Cell) -> float:
        """The Gaussian's exp(−γ‖x − y‖²) of a cell."""
        return 1 / (2 * (cell.width * self.scale) ** 2)

    def affinity(self, cell: Cell) -> NDArray[np.float64]:
        """The kernel matrix, or the weights of the graph."""
        if cell.kernel == "gaussian":
            return self.gram(cell)[0]
        return self.neighbors.graph(int(cell.width)).toarray()

    def gram(self, cell: Cell) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
        """The kernel matrix of a Gaussian cell, positive semidefinite.

        The second value holds the eigenvectors that were dropped to make it so, or is None.
        """
        K = self.squared * -self.gamma(cell)
        np.exp(K, out=K)
        if self.euclidean:
            return K, None
        K, dropped, _ = nearest_psd(K, float(np.finfo(np.float64).eps))
        return K, dropped

    def form(self, cell: Cell, affinity: NDArray[np.float64]) -> QuadraticForm:
        """R of a cell in float64; the affinity is used up."""
        if cell.kernel == "gaussian":
            return QuadraticForm.from_gram(affinity, cell.strength * self.n)
        return QuadraticForm.from_graph(affinity, cell.strength)

    def criterion(self, cell: Cell) -> LeaveOneOut:
        """The leave-one-out error in a cell."""
        return LeaveOneOut.of_form(self.form(cell, self.affinity(cell)))
