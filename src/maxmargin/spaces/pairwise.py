"""The distances between all rows, and what is read from them: scale, neighbours, coordinates.

The Gaussian spaces of the front door share one matrix of distances.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

from maxmargin._runtime.parameters import Integer
from maxmargin.spaces.metric import Matrix, Metric, gaussian
from maxmargin.spaces.neighbors import Neighbors
from maxmargin.spaces.psd import nearest_psd
from maxmargin.spaces.quadratic_form import QuadraticForm

N_COMPONENTS = 10
DENSE_ROWS = 100  # up to which a full decomposition is as fast
#: Neighbours of a row that are known.
ALL_NEIGHBORS = 15
#: Rows whose distances give the median.
CONCENTRATION_ROWS = 200


@dataclass(frozen=True)
class PairwiseDistances:
    """The distances between all rows, and what is known from them.

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
    def of(cls, metric: Metric, rows: Matrix) -> "PairwiseDistances":
        """Compare prepared rows."""
        dimension = N_COMPONENTS if metric.precomputed else min(N_COMPONENTS, rows.shape[1])
        return cls(metric.squared_distances(rows, rows), dimension, not metric.precomputed)

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
        """The scale of the data: see :meth:`Neighbors.scale`."""
        return self.neighbors.scale(self.squared)

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


@dataclass(frozen=True)
class GaussianSpace:
    """A Gaussian kernel whose width is relative to the scale of the data.

    Attributes
    ----------
    width : float
        σ in units of the scale of the data.
    strength : float
        λ/n of least squares.
    """

    width: float
    strength: float

    kernel = "gaussian"

    @property
    def name(self) -> str:
        """A short name, unique among spaces."""
        return f"gaussian(width={self.width:g}, alpha={self.strength:.3g})"

    def gamma(self, distances: PairwiseDistances) -> float:
        """Of exp(−γ‖x − y‖²)."""
        return 1 / (2 * (self.width * distances.scale) ** 2)

    def affinity(
        self, distances: PairwiseDistances
    ) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
        """The kernel matrix, positive semidefinite.

        The second value holds the eigenvectors that were dropped to make it so, or is None.
        """
        K = gaussian(distances.squared, self.gamma(distances))
        if distances.euclidean:
            return K, None
        K, dropped, _ = nearest_psd(K, float(np.finfo(np.float64).eps))
        return K, dropped

    def form(self, affinity: NDArray[np.float64]) -> QuadraticForm:
        """R in float64; the kernel matrix is used up."""
        return QuadraticForm.from_gram(affinity, self.strength * len(affinity))


#: Widths from narrow to wide, at a strength that suits them all.
GAUSSIANS = tuple(GaussianSpace(width, 2.0**-11) for width in (1.0, 1.5, 2.5, 4.0))


def principal_coordinates(
    D: NDArray[np.floating], n_components: int = N_COMPONENTS
) -> NDArray[np.float64]:
    """Compute the first principal coordinates of rows from their squared distances.

    Classical scaling: those of a principal component analysis where D is Euclidean.
    Directions of negative squared length, which other distances have, are left at 0.

    Parameters
    ----------
    D : array of shape (n, n)
        Squared distances.
    n_components : int, default=10

    Returns
    -------
    array of shape (n, min(n_components, n))

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.spaces.pairwise import principal_coordinates
    >>> abs(principal_coordinates(np.array([[0.0, 25.0], [25.0, 0.0]]), 1)).tolist()
    [[2.5], [2.5]]
    """
    n = len(D)
    wanted = min(Integer(1).check("n_components", n_components), n)
    if n <= max(DENSE_ROWS, 2 * wanted):
        return _scaling(-_centre(_centre(np.asarray(D, dtype=np.float64)).T) / 2, wanted)
    gram = LinearOperator(
        (n, n), lambda v: -_centre(D @ _centre(v.ravel().astype(D.dtype))) / 2, dtype=np.float64
    )
    start = _centre(np.random.default_rng(0).normal(size=n))
    if not np.linalg.norm(gram @ start) > 0:  # all rows are equal
        return np.zeros((n, wanted))
    try:
        values, vectors = eigsh(gram, k=wanted, which="LA", v0=start)
    except ArpackError:  # leading variances that are equal
        return _scaling(-_centre(_centre(np.asarray(D, dtype=np.float64)).T) / 2, wanted)
    order = np.argsort(-values)
    return np.asarray(vectors[:, order] * np.sqrt(values[order].clip(0)))


def _centre(A: NDArray[np.float64]) -> NDArray[np.float64]:
    """Subtract the mean of each column."""
    return np.asarray(A - A.mean(axis=0))


def _scaling(gram: NDArray[np.float64], wanted: int) -> NDArray[np.float64]:
    """Coordinates with the given products, largest variance first."""
    values, vectors = np.linalg.eigh((gram + gram.T) / 2)
    largest = slice(None, -wanted - 1, -1)
    return np.asarray(vectors[:, largest] * np.sqrt(values[largest].clip(0)))
