"""The nearest neighbours of every row; the graphs that they make, and their space."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, issparse
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh
from sklearn.metrics import pairwise_distances_argmin_min
from sklearn.neighbors import NearestNeighbors
from sklearn.utils.extmath import row_norms

from maxmargin._core.forest import kruskal
from maxmargin._runtime.memory import row_blocks
from maxmargin._runtime.parameters import Integer
from maxmargin._runtime.units import center_of
from maxmargin.spaces.metric import SCALE_NEIGHBOR, Matrix
from maxmargin.spaces.quadratic_form import QuadraticForm
from maxmargin.spaces.space import Space

N_NEIGHBORS = 10  # that a row has in the graphs which clusters are read from
#: The square of a smaller one is no number to divide by.
SMALLEST_SCALE = 1e-150
#: Rows up to which all eigenvectors are found as quickly as one.
FIEDLER_DENSE_ROWS = 120
#: The mean log ratio of distances below which the dimension is not resolved.
FLATTEST = 1e-3


@dataclass(frozen=True, eq=False)
class Neighbors:
    """The m nearest other rows of each row, nearest first.

    A row is never its own neighbour, its duplicates are. Equal distances are in the order of the
    rows; which of several at the distance of the m-th is left out is the same in every run.

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
    >>> near.graph(1).matrix.toarray().astype(int).tolist()
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

    def graph(self, j: int) -> "Edges":
        """Join rows of which one is among the first j neighbours of the other; all m, if fewer."""
        j = min(Integer(1).check("j", j), self.m)
        return Edges.between(self.n, np.repeat(np.arange(self.n), j), self.indices[:, :j].ravel())


@dataclass(frozen=True, eq=False)
class Edges:
    """Both ends of every edge of a graph of n rows, once, and where it is cut best.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.spaces.neighbors import Edges
    >>> path = Edges(6, np.arange(5), np.arange(1, 6))
    >>> path.inside(np.array([0, 1, 2, 4])).pieces.tolist()
    [0, 0, 0, 1]
    >>> order, first = path.best_cut(1)
    >>> sorted(order[:first].tolist()) in ([0, 1, 2], [3, 4, 5])
    True
    """

    n: int
    start: NDArray[np.intp]
    stop: NDArray[np.intp]

    @classmethod
    def between(cls, n: int, start: NDArray[np.intp], stop: NDArray[np.intp]) -> "Edges":
        """Edges that may be given twice, from both of their ends."""
        keys = np.unique(np.minimum(start, stop) * n + np.maximum(start, stop))
        return cls(n, *np.divmod(keys, max(n, 1)))

    def inside(self, members: NDArray[np.intp]) -> "Edges":
        """The edges between some rows, which are numbered as they are given."""
        number = np.full(self.n, -1)
        number[members] = np.arange(len(members))
        start, stop = number[self.start], number[self.stop]
        both = (start >= 0) & (stop >= 0)
        return Edges(len(members), start[both], stop[both])

    @property
    def matrix(self) -> csr_matrix:
        """The graph as a symmetric matrix of ones."""
        ends = np.append(self.start, self.stop), np.append(self.stop, self.start)
        return csr_matrix((np.ones(len(ends[0])), ends), shape=(self.n, self.n))

    @property
    def pieces(self) -> NDArray[np.int32]:
        """The piece of the graph that each row is in."""
        some = csr_matrix((np.ones(len(self.start)), (self.start, self.stop)), (self.n, self.n))
        return np.asarray(connected_components(some, directed=False)[1])

    @property
    def degree(self) -> NDArray[np.intp]:
        """The number of edges of each row."""
        return np.bincount(self.start, minlength=self.n) + np.bincount(self.stop, minlength=self.n)

    def best_cut(self, smallest: int) -> tuple[NDArray[np.intp], int]:
        """Order the rows of a connected graph by its Fiedler vector; cut where Ncut is smallest.

        Returns the order and the number of rows on the first side; each side has ``smallest`` at
        least. The sweep of Shi, J. and Malik, J. (2000), "Normalized cuts and image segmentation".
        """
        n, degree = self.n, self.degree
        order = np.argsort(self._fiedler(degree), kind="stable")
        position = np.empty(n, dtype=np.intp)
        position[order] = np.arange(n)
        a, b = position[self.start], position[self.stop]
        # an edge is cut by every prefix that holds its first end and not its second
        opened = np.bincount(np.minimum(a, b), minlength=n)
        opened -= np.bincount(np.maximum(a, b), minlength=n)
        sizes = np.arange(smallest, n - smallest + 1)
        cut = np.cumsum(opened)[sizes - 1]
        volume = np.cumsum(degree[order])
        ncut = cut / volume[sizes - 1] + cut / (volume[-1] - volume[sizes - 1])
        return order, int(sizes[np.argmin(ncut)])

    def cut_shares(self, clusters: NDArray[np.intp]) -> NDArray[np.float64]:
        """The share of the edges of the smaller of two clusters that lead to the other.

        φ = cut / (min(W_aa, W_bb) + cut), where W_aa counts an edge inside of a from both ends;
        above the diagonal (k × k), 0 where no edge joins the two.
        """
        k, (a, b) = int(clusters.max()) + 1, (clusters[self.start], clusters[self.stop])
        pairs = np.bincount(np.minimum(a, b) * k + np.maximum(a, b), minlength=k * k)
        own, cut = 2 * pairs[:: k + 1], np.triu(pairs.reshape(k, k), 1)
        return np.asarray(cut / np.maximum(np.minimum.outer(own, own) + cut, 1))

    def _fiedler(self, degree: NDArray[np.intp]) -> NDArray[np.float64]:
        """The second eigenvector of the random walk on a connected graph."""
        n = self.n
        scale = 1 / np.sqrt(degree)
        top = np.sqrt(degree / degree.sum())
        if n <= FIEDLER_DENSE_ROWS:
            walk = -2 * np.outer(top, top)
            walk[self.start, self.stop] += scale[self.start] * scale[self.stop]
            walk[self.stop, self.start] = walk[self.start, self.stop]
            # all of them: LAPACK's drivers for one eigenvector find none where many are equal
            return np.asarray(scale * np.linalg.eigh(walk)[1][:, -1])
        # I + D^-½ W D^-½ has no negative eigenvalue; without its known top the second is first
        W = self.matrix
        operator = LinearOperator(
            (n, n), lambda v: v + scale * (W @ (scale * v)) - 2 * (top @ v) * top, dtype=np.float64
        )
        start = np.random.default_rng(0).normal(size=n)
        try:
            vector = eigsh(operator, k=1, which="LA", v0=start, tol=1e-4)[1][:, 0]
        except ArpackNoConvergence:
            vector = _by_power(operator, start)
        return scale * vector


def _by_power(operator: LinearOperator, start: NDArray[np.float64]) -> NDArray[np.float64]:
    """A smooth vector is as good to sweep along where Lanczos cannot tell two ends apart."""
    vector = start
    for _ in range(500):
        vector = operator @ vector
        vector /= np.linalg.norm(vector)
    return vector


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
    own, near = np.repeat(np.arange(n), m), neighbors.indices.ravel()
    first = np.tile(np.arange(m) < N_NEIGHBORS, n)
    first[spanning_tree(n, own, near, neighbors.distances.ravel())] = True
    graph = Edges.between(n, own[first], near[first])
    start, stop = graph.start, graph.stop
    gaps = np.zeros(len(start))
    while (piece := Edges(n, start, stop).pieces).max(initial=0) > 0:
        n_pieces = piece.max() + 1
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
    return start, stop, gaps


def spanning_tree(
    n: int, start: NDArray[np.intp], stop: NDArray[np.intp], lengths: NDArray[np.float64]
) -> NDArray[np.intp]:
    """Which edges make the shortest tree, or forest, of n rows; by rising length."""
    ends = np.ascontiguousarray(start), np.ascontiguousarray(stop)
    return kruskal(n, *ends, np.argsort(lengths, kind="stable"))


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
        return np.asarray(X.neighbors.graph(self.n_neighbors).matrix.toarray())

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
