"""The nearest neighbours of every row; the graphs that they make, and their space."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, issparse
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree
from sklearn.metrics import pairwise_distances_argmin_min
from sklearn.neighbors import NearestNeighbors
from sklearn.utils.extmath import row_norms

from maxmargin._runtime.memory import row_blocks
from maxmargin._runtime.parameters import Integer
from maxmargin._runtime.units import center_of
from maxmargin.spaces.edges import Edges
from maxmargin.spaces.metric import SCALE_NEIGHBOR, Matrix
from maxmargin.spaces.quadratic_form import QuadraticForm
from maxmargin.spaces.space import Space

N_NEIGHBORS = 10  # that a row has in the graphs which clusters are read from
#: The square of a smaller one is no number to divide by.
SMALLEST_SCALE = 1e-150
#: The mean log ratio of distances below which the dimension is not resolved.
FLATTEST = 1e-3


@dataclass(frozen=True, eq=False)
class Neighbors:
    """The m nearest other rows of each row, nearest first.

    A row is never its own neighbour, its duplicates are. Equal distances are in the order of
    the rows; which of several rows at the distance of the m-th is left out is up to the search
    (``of_rows``) or the last ones (``of_distances``), the same in every run.

    Parameters
    ----------
    indices : array of shape (n, m), intp
    distances : array of shape (n, m), float64

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.spaces.neighbors import Neighbors
    >>> near = Neighbors.of_rows(np.array([[0.0], [1.0], [3.0], [3.0]]), 2)
    >>> near.indices.tolist()
    [[1, 2], [0, 2], [3, 1], [2, 1]]
    >>> near.graph(1).toarray().astype(int).tolist()
    [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]]
    """

    indices: NDArray[np.intp]
    distances: NDArray[np.float64]

    @classmethod
    def of_rows(cls, X: Matrix, m: int) -> "Neighbors":
        """Find the neighbours of rows by Euclidean distance.

        Parameters
        ----------
        X : array or CSR matrix of shape (n, d)
        m : int
            The number of neighbours wanted; all other rows if there are fewer.
        """
        n = X.shape[0]
        m = min(Integer(1).check("m", m), n - 1)
        if m < 1:
            return cls._none(n)
        if issparse(X):
            rows = X.tocsr().astype(np.float64)
        else:
            # Shifted rows have the same distances, with more digits where products give them.
            rows = np.asarray(X, dtype=np.float64)
            rows = rows - center_of(rows)
        finder = NearestNeighbors(n_neighbors=m + 1).fit(rows)
        indices = _without_self(finder.kneighbors(rows, return_distance=False))
        distances = np.empty((n, m))
        width = rows.nnz // n + 1 if issparse(X) else X.shape[1]
        for block in row_blocks(n, m * width):
            # Distances from products are off by 1e-8 of the norms: equal rows must be at 0.
            near = indices[block]
            own = np.repeat(np.arange(block.start, block.stop), m)
            exact = row_norms(rows[own] - rows[near.ravel()]).reshape(near.shape)
            order = np.lexsort((near, exact), axis=1)
            indices[block] = np.take_along_axis(near, order, axis=1)
            distances[block] = np.take_along_axis(exact, order, axis=1)
        return cls(indices, distances)

    @classmethod
    def of_distances(cls, D: NDArray[np.floating], m: int, *, squared: bool = False) -> "Neighbors":
        """Read the neighbours from a matrix of all distances; its diagonal does not count.

        Parameters
        ----------
        D : array of shape (n, n)
        m : int
            The number of neighbours wanted; all other rows if there are fewer.
        squared : bool, default=False
            Whether D holds squared distances. Values below 0 (rounding) are read as 0.
        """
        n = D.shape[0]
        if D.ndim != 2 or D.shape[1] != n:
            raise ValueError(f"D must be a square matrix of distances; got shape {D.shape}.")
        m = min(Integer(1).check("m", m), n - 1)
        if m < 1:
            return cls._none(n)
        indices = np.empty((n, m), dtype=np.intp)
        distances = np.empty((n, m))
        for block in row_blocks(n, n):
            part = np.maximum(D[block], 0).astype(np.float64, copy=False)
            own = np.arange(block.start, block.stop)
            part[own - block.start, own] = np.inf
            bound = np.partition(part, m - 1, axis=1)[:, m - 1 : m]
            keep = part <= bound
            # Of the rows at the distance of the m-th, the first ones are kept.
            crowded = np.flatnonzero(keep.sum(axis=1) > m)
            tied = part[crowded] == bound[crowded]
            room = m - (part[crowded] < bound[crowded]).sum(axis=1, keepdims=True)
            keep[crowded] &= ~tied | (np.cumsum(tied, axis=1) <= room)
            found = np.nonzero(keep)[1].reshape(-1, m)
            values = np.take_along_axis(part, found, axis=1)
            order = np.argsort(values, axis=1, kind="stable")
            indices[block] = np.take_along_axis(found, order, axis=1)
            distances[block] = np.take_along_axis(values, order, axis=1)
        return cls(indices, np.sqrt(distances) if squared else distances)

    @classmethod
    def _none(cls, n: int) -> "Neighbors":
        return cls(np.empty((n, 0), dtype=np.intp), np.empty((n, 0)))

    @property
    def n(self) -> int:
        """The number of rows."""
        return self.indices.shape[0]

    @property
    def m(self) -> int:
        """The number of neighbours of each row."""
        return self.indices.shape[1]

    def scale(self, squared: NDArray[np.float64] | None = None) -> float:
        """The median distance to the 7th neighbour, without zeros; 1 if all rows are equal.

        Where all 7 are copies, ``squared``, the distances between all rows, tells how far the
        nearest row is that is another one.
        """
        near = self.distances[:, :SCALE_NEIGHBOR][:, -1:]
        near = near[near > SMALLEST_SCALE]
        if not len(near) and squared is not None:
            others = np.where(squared > SMALLEST_SCALE**2, squared, np.inf).min(axis=1)
            near = np.sqrt(others[np.isfinite(others)])
        return float(np.median(near)) if len(near) else 1.0

    def log_density(self, first: int, last: int) -> tuple[NDArray[np.float64], float]:
        """Estimate the density at each row from the distances of its neighbours.

        Returns
        -------
        levels : array of shape (n,)
            ℓ = −log mean(r_first, …, r_last), r_j the distance to the j-th neighbour. δ·ℓ is a log
            density up to a constant. Where these distances are all 0, the row counts as one of
            the densest among the others, or without others as denser than any gap is narrow.
        dimension : float
            δ = max(1, 1 / mean log(r_last / r_j), j < last): the intrinsic dimension by maximum
            likelihood. Distances of 0 are left out.
        """
        last = min(last, self.m)
        if last < 1:
            return np.zeros(self.n), 1.0
        first = min(first, last)
        radius = self.distances[:, first - 1 : last].mean(axis=1)
        positive = radius > 0
        radius[~positive] = radius[positive].min() if positive.any() else np.finfo(np.float64).tiny
        nearer, furthest = self.distances[:, : last - 1], self.distances[:, last - 1 : last]
        some = nearer > 0
        ratios = np.log(np.broadcast_to(furthest, nearer.shape)[some]) - np.log(nearer[some])
        mean = float(ratios.mean()) if len(ratios) else 1.0
        return -np.log(radius), max(1.0, 1 / max(mean, FLATTEST))

    def graph(self, j: int) -> csr_matrix:
        """Join rows of which one is among the first j neighbours of the other.

        Parameters
        ----------
        j : int
            All m neighbours if it is larger.

        Returns
        -------
        csr_matrix of shape (n, n)
            Symmetric, 1.0 for an edge, no diagonal, sorted indices.
        """
        j = min(Integer(1).check("j", j), self.m)
        pointers = np.arange(self.n + 1) * j
        near = self.indices[:, :j].ravel()
        directed = csr_matrix((np.ones(len(near)), near, pointers), shape=(self.n, self.n))
        graph = directed.maximum(directed.T).tocsr()
        graph.sort_indices()
        return graph


def connected_edges(
    neighbors: Neighbors, X: Matrix
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]:
    """The edges of the 10 nearest neighbours and of a spanning tree: they join all rows.

    Returns
    -------
    start, stop : arrays of shape (e,)
    gaps : array of shape (e,)
        The length of an edge between two pieces of the graph of neighbours; 0 for all others.
    """
    n, m = neighbors.n, neighbors.m
    graph = neighbors.graph(N_NEIGHBORS)
    if m > N_NEIGHBORS:
        own = np.repeat(np.arange(n), m)
        tree = spanning_tree(n, own, neighbors.indices.ravel(), neighbors.distances.ravel())
        graph = graph.maximum(tree.maximum(tree.T).sign())
    edges = Edges.of(graph)
    start, stop = edges.start, edges.stop
    gaps = np.zeros(len(start))
    n_pieces, piece = connected_components(graph, directed=False)
    while n_pieces > 1:
        largest = np.argmax(np.bincount(piece))
        bridges = []
        for c in range(n_pieces):
            if c != largest:  # all others join something: that halves their number at least
                inside, outside = np.flatnonzero(piece == c), np.flatnonzero(piece != c)
                nearest, distances = pairwise_distances_argmin_min(X[inside], X[outside])
                at = int(np.argmin(distances))
                i, j = inside[at], outside[nearest[at]]
                # no neighbours of each other: at least as far apart as those, whatever a
                # projection X makes of it
                furthest = neighbors.distances[[i, j], -1:].max(initial=0)
                bridges.append((i, j, max(distances[at], furthest)))
        i, j, length = (np.array(part) for part in zip(*bridges, strict=True))
        start, stop, gaps = np.append(start, i), np.append(stop, j), np.append(gaps, length)
        joined = csr_matrix((np.ones(len(start)), (start, stop)), shape=(n, n))
        n_pieces, piece = connected_components(joined, directed=False)
    return start, stop, gaps


def spanning_tree(
    n: int, start: NDArray[np.intp], stop: NDArray[np.intp], lengths: NDArray[np.float64]
) -> csr_matrix:
    """The shortest tree, or forest; its entries are positions in the order of the lengths.

    Positions from 1 stand for the lengths, as 0 is no edge to SciPy. An edge can be given
    twice, from both of its ends.
    """
    a, b = np.minimum(start, stop).astype(np.intp), np.maximum(start, stop).astype(np.intp)
    order = np.argsort(lengths, kind="stable")
    _, first = np.unique((a * n + b)[order], return_index=True)
    a, b = a[order][first], b[order][first]
    return minimum_spanning_tree(csr_matrix((first + 1.0, (a, b)), shape=(n, n)))


class GraphSpace(Space):
    """Labels that are smooth on a graph of neighbours; new rows are not in it.

    Parameters
    ----------
    n_neighbors : int
        That a row has in the graph.
    """

    explicit = False
    dropped = None

    def __init__(self, n_neighbors: int) -> None:
        self.n_neighbors = n_neighbors

    def memory(self, X: Any) -> int:
        """The weights and the inverse of the Laplacian, as matrices."""
        return 16 * int(X.n) ** 2

    def fit(self, X: Any, rng: np.random.Generator | None = None) -> "GraphSpace":
        """There is nothing to choose."""
        return self

    def represent(self, X: Matrix) -> Matrix:
        """Refuse: a graph knows its own rows only."""
        raise TypeError("a graph of neighbours has no kernel with new rows; use a Gaussian space.")

    def affinity(self, X: Any) -> NDArray[np.float64]:
        """The weights of the graph of compared rows, as a matrix."""
        return np.asarray(X.neighbors.graph(self.n_neighbors).toarray())

    def form(
        self, X: Any, lam: float, affinity: NDArray[np.float64] | None = None
    ) -> QuadraticForm:
        """R = (I + λL)⁻¹ in float64, L the Laplacian relative to the mean degree.

        The kernel is the inverse of L. Weights that are given are used up.
        """
        W = self.affinity(X) if affinity is None else affinity
        return QuadraticForm.from_graph(W, lam, X.weights)


def _without_self(found: NDArray[np.intp]) -> NDArray[np.intp]:
    """Drop each row from its own list.

    Where more than m rows equal it, it may be missing there: then the last of the list goes.
    """
    n, wide = found.shape
    drop = np.full(n, wide - 1)
    where, at = np.nonzero(found == np.arange(n)[:, np.newaxis])
    drop[where] = at
    return found[np.arange(wide) != drop[:, np.newaxis]].reshape(n, wide - 1)
