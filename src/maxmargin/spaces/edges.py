"""The edges of a graph without weights, and where it is cut best."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

#: Rows up to which all eigenvectors are found as quickly as one.
FIEDLER_DENSE_ROWS = 120


@dataclass(frozen=True, eq=False)
class Edges:
    """Both ends of every edge of a graph of n rows, once.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.spaces.edges import Edges
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
    def of(cls, graph: csr_matrix) -> "Edges":
        """The edges of a symmetric matrix."""
        ends = graph.tocoo()
        once = ends.row < ends.col
        return cls(graph.shape[0], ends.row[once].astype(np.intp), ends.col[once].astype(np.intp))

    def inside(self, members: NDArray[np.intp]) -> "Edges":
        """The edges between some rows, which are numbered as they are given."""
        number = np.full(self.n, -1)
        number[members] = np.arange(len(members))
        start, stop = number[self.start], number[self.stop]
        both = (start >= 0) & (stop >= 0)
        return Edges(len(members), start[both], stop[both])

    @property
    def matrix(self) -> csr_matrix:
        """The graph as a symmetric matrix."""
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


def cut_shares(a: NDArray[np.intp], b: NDArray[np.intp], k: int) -> NDArray[np.float64]:
    """The share of the edges of the smaller of two clusters that lead to the other.

    φ = cut / (min(W_aa, W_bb) + cut), where W_aa counts an edge inside of a from both ends.

    Parameters
    ----------
    a, b : arrays of shape (e,)
        The clusters of the ends of each edge, 0 … k − 1.
    k : int

    Returns
    -------
    array of shape (k, k)
        Above the diagonal; 0 where no edge joins the two.
    """
    pairs = np.bincount(np.minimum(a, b) * k + np.maximum(a, b), minlength=k * k).reshape(k, k)
    own, cut = 2 * pairs.diagonal(), np.triu(pairs, 1)
    return np.asarray(cut / np.maximum(np.minimum.outer(own, own) + cut, 1))
