"""The pieces of a domain, along the edges of a graph of neighbours."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

#: An edge stays inside the domain if f ≥ −0.002 on it: rows on the boundary are inside.
TOLERANCE = 0.002


def pieces_of(
    heights: NDArray[np.float64],
    start: NDArray[np.intp],
    stop_at: NDArray[np.intp],
    levels: NDArray[np.float64],
) -> NDArray[np.intp]:
    """Number the pieces of {f ≥ 0} that edges inside it join; rows outside get −1.

    Straight segments between far points leave a curved cluster. Between neighbours they do
    not, where the graph has the edges of a spanning tree too: without those it is in pieces
    before the domain is.

    Parameters
    ----------
    heights : array of shape (n,)
        f + 1 at the rows.
    start, stop_at : arrays of shape (e,)
        The edges of the graph.
    levels : array of shape (e,)
        The lowest height on each edge.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.assignment.graph import pieces_of
    >>> heights = np.array([1.2, 1.1, 0.7, 1.0])
    >>> pieces_of(heights, np.array([0, 1, 2]), np.array([1, 2, 3]), np.array([1.1, 0.7, 0.7]))
    array([ 0,  0, -1,  1])
    """
    n, inside = len(heights), levels >= 1 - TOLERANCE
    joined = csr_matrix((np.ones(inside.sum()), (start[inside], stop_at[inside])), shape=(n, n))
    piece = connected_components(joined, directed=False)[1]
    piece[heights < 1 - TOLERANCE] = -1
    _, numbers = np.unique(piece, return_inverse=True)
    return numbers - int((piece < 0).any())
