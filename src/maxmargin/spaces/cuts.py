"""Cuts of a graph of neighbours: the best one of a cluster, and what a partition cuts."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

#: Rows up to which all eigenvectors at once are as fast.
FIEDLER_DENSE_ROWS = 120


def best_cut(graph: csr_matrix, smallest: int) -> tuple[NDArray[np.intp], int]:
    """Order the rows of a connected graph by its Fiedler vector; cut where Ncut is smallest.

    Returns the order and the number of rows on the first side; each side has ``smallest`` at
    least. The sweep of Shi, J. and Malik, J. (2000), "Normalized cuts and image segmentation".
    """
    n = graph.shape[0]
    degree = np.asarray(graph.sum(axis=1)).ravel()
    order = np.argsort(_fiedler(graph, degree), kind="stable")
    position = np.empty(n, dtype=np.intp)
    position[order] = np.arange(n)
    edges = graph.tocoo()
    start, stop = position[edges.row], position[edges.col]
    ahead = start < stop
    # an edge is cut by every prefix that holds its first end and not its second
    opened = np.bincount(start[ahead], minlength=n) - np.bincount(stop[ahead], minlength=n)
    sizes = np.arange(smallest, n - smallest + 1)
    cut = np.cumsum(opened)[sizes - 1]
    volume = np.cumsum(degree[order])
    ncut = cut / volume[sizes - 1] + cut / (volume[-1] - volume[sizes - 1])
    return order, int(sizes[np.argmin(ncut)])


def _fiedler(graph: csr_matrix, degree: NDArray[np.float64]) -> NDArray[np.float64]:
    """The second eigenvector of the random walk on a connected graph."""
    n = len(degree)
    scale = 1 / np.sqrt(degree)
    top = np.sqrt(degree / degree.sum())
    if n <= FIEDLER_DENSE_ROWS:
        walk = graph.toarray() * np.outer(scale, scale) - 2 * np.outer(top, top)
        # all of them: LAPACK's drivers for one eigenvector find none where many are equal
        return np.asarray(scale * np.linalg.eigh(walk)[1][:, -1])
    # I + D^-½ W D^-½ has no negative eigenvalue; without its known top the second is first
    operator = LinearOperator(
        (n, n), lambda v: v + scale * (graph @ (scale * v)) - 2 * (top @ v) * top, dtype=np.float64
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
