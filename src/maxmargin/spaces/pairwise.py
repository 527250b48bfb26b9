"""The distances between all rows, what is read from them, and the Gaussian space that they make.

Gaussian spaces of several widths share one matrix of distances.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

from maxmargin._core.interrupts import check_interrupt
from maxmargin._runtime.memory import row_blocks
from maxmargin._runtime.parameters import Integer
from maxmargin._runtime.units import center_of
from maxmargin.spaces.kernel import KERNEL_TOLERANCE
from maxmargin.spaces.metric import Matrix, Metric, Weights, gaussian, gaussian_kernel
from maxmargin.spaces.neighbors import GraphSpace, Neighbors
from maxmargin.spaces.psd import nearest_psd
from maxmargin.spaces.quadratic_form import QuadraticForm
from maxmargin.spaces.space import Space

N_COMPONENTS = 10
DENSE_ROWS = 100  # up to which a full decomposition is as fast
#: Neighbours of a row that are known.
ALL_NEIGHBORS = 15
#: Rows whose distances give the median.
CONCENTRATION_ROWS = 200
#: Rows up to which all distances are kept for machines that ask for some of them: 128 MiB.
MOST_KEPT_ROWS = 4096


class PairwiseDistances:
    """The distances between all rows, and what is known from them.

    Parameters
    ----------
    rows : matrix of shape (n, d)
        Prepared by the metric.
    metric : Metric, default=Metric()
        How they are compared.
    columns : ndarray of shape (n,) or None, default=None
        Which of the fitted rows they are, where distances are precomputed.
    weights : ndarray of shape (n,) or None, default=None
        What they count for, 1 in the mean. Distances do not know of it, least squares does.
    again : bool, default=False
        Whether they will be searched several times, so that what a search makes of them is kept.

    Attributes
    ----------
    made : dict or None
        What searches made of them, by name; None if it is not kept.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.spaces.pairwise import PairwiseDistances
    >>> distances = PairwiseDistances.of_rows(np.array([[0.0], [1.0], [3.0]]))
    >>> distances.from_some(np.array([2])).tolist()
    [[9.0, 4.0, 0.0]]
    """

    def __init__(
        self,
        rows: Matrix,
        metric: Metric | None = None,
        columns: NDArray[np.intp] | None = None,
        weights: Weights = None,
        again: bool = False,
    ) -> None:
        self.rows, self.metric, self.columns = rows, metric or Metric(), columns
        self.weights = weights
        self.made: dict[Any, Any] | None = {} if again else None
        self._kernel: tuple[float, Any] = (0.0, None)

    @classmethod
    def of_rows(cls, X: Matrix) -> "PairwiseDistances":
        """Compare rows as they are; far from 0 distances lose digits, so around their mean."""
        if issparse(X):
            return cls(csr_array(X, dtype=np.float64))
        rows = np.asarray(X, dtype=np.float64)
        return cls(np.ascontiguousarray(rows - center_of(rows)))

    @property
    def n(self) -> int:
        """The number of rows."""
        return int(self.rows.shape[0])

    @cached_property
    def squared(self) -> NDArray[np.float64]:
        """The squared distances of all rows."""
        return self.metric.squared_distances(self.rows, self.rows)

    @property
    def kept(self) -> NDArray[np.float64] | None:
        """The squared distances of all rows, where there are not too many of them."""
        return self.squared if self.n <= MOST_KEPT_ROWS else None

    def kernel(self, gamma: float) -> NDArray[np.float64]:
        """exp(−γ d²) between all rows; the last one is kept."""
        if self._kernel[0] != gamma:
            self._kernel = gamma, gaussian(self.squared, gamma)
        return self._kernel[1]

    def from_some(self, which: NDArray[np.intp]) -> NDArray[np.float64]:
        """Squared distances from some of the rows to all of them."""
        if self.kept is not None:
            return self.kept[which]
        return self.metric.squared_distances(self.rows[which], self.rows)

    @property
    def dimension(self) -> int:
        """How many principal coordinates may be of interest."""
        return N_COMPONENTS if self.metric.precomputed else min(N_COMPONENTS, self.rows.shape[1])

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


class GaussianSpace(Space):
    """Rows by exp(−γ d²) of their distances to those of ``fit``.

    Parameters
    ----------
    gamma : float
    tol : float, default=1e-9
        An error of the kernel with new rows that does not matter.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.spaces.pairwise import GaussianSpace, PairwiseDistances
    >>> distances = PairwiseDistances(np.array([[0.0], [1.0], [3.0]]))
    >>> space = GaussianSpace(1.0).fit(distances)
    >>> space.represent(np.array([[0.0]])).round(2).tolist()
    [[1.0, 0.37, 0.0]]
    >>> space.form(distances, lam=0.1).n
    3
    """

    explicit = False

    def __init__(self, gamma: float, tol: float = KERNEL_TOLERANCE) -> None:
        self.gamma, self.tol = gamma, tol

    def memory(self, X: PairwiseDistances) -> int:
        """The kernel matrix and its inverse; a check of definiteness needs one more."""
        return 8 * X.n**2 * (3 if X.metric.precomputed else 2)

    def fit(self, X: PairwiseDistances, rng: np.random.Generator | None = None) -> "GaussianSpace":
        """Keep the rows."""
        self.metric, self.basis, self.columns = X.metric, X.rows, X.columns
        self.dropped: NDArray[np.float64] | None = None
        return self

    def squared(self, X: Matrix) -> NDArray[np.float64]:
        """Squared distances of prepared rows, old or new, to those of ``fit``."""
        tol = self.tol / self.gamma
        return self.metric.squared_distances(X, self.basis, self.columns, tol=tol)

    def represent(self, X: Matrix) -> NDArray[np.float64]:
        """The kernel of prepared rows with those of ``fit``."""
        if self.metric.precomputed:
            squared = self.squared(X)
            return gaussian(squared, self.gamma, out=squared)
        return gaussian_kernel(X, self.basis, self.gamma, self.tol)

    def affinity(self, X: PairwiseDistances) -> NDArray[np.float64]:
        """The kernel matrix; of other distances than those of points its negative part goes."""
        K = gaussian(X.squared, self.gamma)
        if X.metric.precomputed:
            K, self.dropped, _ = nearest_psd(K, float(np.finfo(np.float64).eps))
        return K

    def form(
        self, X: PairwiseDistances, lam: float, affinity: NDArray[np.float64] | None = None
    ) -> QuadraticForm:
        """R = K(K + λI)⁻¹ in float64; a kernel matrix that is given is used up."""
        K = self.affinity(X) if affinity is None else affinity
        return QuadraticForm.from_gram(K, lam, weights=X.weights)


class GaussianKernelRows:
    """Rows of the kernel matrix of a Gaussian space, kept where they fit.

    Parameters
    ----------
    distances : PairwiseDistances
    gamma : float

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.spaces.pairwise import GaussianKernelRows, PairwiseDistances
    >>> distances = PairwiseDistances(np.array([[0.0], [1.0], [3.0]]))
    >>> kernel = GaussianKernelRows(distances, gamma=1.0)
    >>> kernel.row(0).round(2).tolist()
    [1.0, 0.37, 0.0]
    >>> kernel.sums(np.ones(3)).round(2).tolist()
    [1.37, 1.39, 1.02]
    """

    def __init__(self, distances: PairwiseDistances, gamma: float) -> None:
        self.distances = distances
        self.gamma = gamma
        kept = distances.kept
        self.full = None if kept is None else gaussian(kept, gamma)

    @property
    def n(self) -> int:
        """The number of rows."""
        return self.distances.n

    def row(self, i: int) -> NDArray[np.float64]:
        """The kernel between one row and all of them."""
        return self.rows(np.array([i]))[0] if self.full is None else self.full[i]

    def rows(self, which: NDArray[np.intp]) -> NDArray[np.float64]:
        """The kernel between some rows and all of them."""
        if self.full is not None:
            return self.full[which]
        squared = self.distances.from_some(which)
        return gaussian(squared, self.gamma, out=squared)

    def sums(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Σ_i weights_i k(x_i, x) at every row; rows without weight cost nothing."""
        if self.full is not None:
            return self.full @ weights
        sums = np.zeros(self.n)
        heavy = np.flatnonzero(weights)
        for block in row_blocks(len(heavy), self.n):
            check_interrupt()
            sums += weights[heavy[block]] @ self.rows(heavy[block])
        return sums


@dataclass(frozen=True)
class GaussianSettings:
    """A width relative to the scale of the data, and a strength.

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
        """A short name, unique among settings."""
        return f"gaussian(width={self.width:g}, alpha={self.strength:.3g})"

    def lam(self, n: int) -> float:
        """λ for n rows."""
        return self.strength * n

    def space(self, distances: PairwiseDistances) -> GaussianSpace:
        """The space of these rows; those of one width share it."""
        return GaussianSpace(1 / (2 * (self.width * distances.scale) ** 2)).fit(distances)


#: Widths from narrow to wide, at a strength that suits them all.
GAUSSIANS = tuple(GaussianSettings(width, 2.0**-11) for width in (1.0, 1.5, 2.5, 4.0))


@dataclass(frozen=True)
class GraphSettings:
    """The neighbours in a graph, and how much labels are smoothed on it.

    Attributes
    ----------
    n_neighbors : int
    strength : float
        μ = λ: labels are smoothed by (I + μL)⁻¹.
    """

    n_neighbors: int
    strength: float

    kernel = "graph"

    @property
    def name(self) -> str:
        """A short name, unique among settings."""
        return f"graph(neighbors={self.n_neighbors:g}, smoothing={self.strength:g})"

    def lam(self, n: int) -> float:
        """λ, whatever the number of rows."""
        return self.strength

    def space(self, distances: PairwiseDistances) -> GraphSpace:
        """The space of these rows; those of as many neighbours share it."""
        return GraphSpace(self.n_neighbors).fit(distances)


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
