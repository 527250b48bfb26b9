"""Whether a graph of neighbours is one long band, open or closed: its spectrum says so.

A band is cut with few edges wherever it is cut, so that its best cut looks like a border between
two clusters. But it swings like a string: the eigenvalues of its Laplacian are to each other as the
squares of whole numbers, 1 : 4 : 9, and each is there twice where the ends are joined. A narrow
place lowers the first of them alone; clusters in a row have as many small ones as there are
clusters, and then a leap.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh

from maxmargin.spaces.neighbors import Edges

#: The eigenvalues of a string relative to the first one: with free ends, and closed.
OPEN, CLOSED = np.array([1.0, 4, 9, 16, 25, 36]), np.array([1.0, 1, 4, 4, 9, 9])
#: The largest log ratio between these and those of a ring, of a narrow open band (all of them), or
#: of a wide one: it swings across as well, so that the first three are compared.
RING, NARROW, WIDE = 0.3, 0.2, 0.3
#: The largest step from one of the others to the next in a wide band.
HIGHEST, LEAP = 7, 2.3
#: The best cut of an open band cuts this share of edges at least, relative to the root of the first
#: eigenvalue: both fall with the length of the band, the share faster where there is a gap. Narrow
#: bands have thin places by chance.
CUT_OF_NARROW, CUT_OF_WIDE = 0.12, 0.25
#: The share of the rows that the band has: a few may lie apart.
BAND_SHARE = 0.9


def is_band(graph: Edges, share: float) -> bool:
    """Whether a graph is one long band, besides a few rows, whose best cut cuts that share of it.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.front_door.bands import is_band
    >>> from maxmargin.spaces.neighbors import Neighbors
    >>> rng = np.random.default_rng(0)
    >>> angle = rng.uniform(0, 2 * np.pi, 300)
    >>> ring = np.column_stack([np.cos(angle), np.sin(angle)])
    >>> ring += 0.1 * rng.normal(size=(300, 2))
    >>> is_band(Neighbors.of_rows(ring, 10).graph(10), 0.02)
    True
    >>> two = np.sign(ring[:, :1]) * [2, 0] + ring
    >>> is_band(Neighbors.of_rows(two, 10).graph(10), 0.01)
    False
    """
    piece = graph.pieces
    core = np.flatnonzero(piece == np.argmax(np.bincount(piece)))
    values = lowest_eigenvalues(graph.inside(core))
    if len(core) < BAND_SHARE * graph.n or len(values) < HIGHEST or values[0] <= 0:
        return False
    if _alike(values, CLOSED) <= RING:
        return True
    cut, steps = share / np.sqrt(values[0]), values[2:] / values[1:-1]
    if _alike(values, OPEN) <= NARROW and cut >= CUT_OF_NARROW:
        return True
    return bool(_alike(values, OPEN[:3]) <= WIDE and steps.max() <= LEAP and cut >= CUT_OF_WIDE)


def _alike(values: NDArray[np.float64], squares: NDArray[np.float64]) -> float:
    """The largest log ratio between the first eigenvalues and those of a string."""
    return float(np.abs(np.log(values[: len(squares)] / values[0] / squares)).max())


def lowest_eigenvalues(graph: Edges) -> NDArray[np.float64]:
    """The smallest positive eigenvalues of the normalised Laplacian, increasing; none of few rows.

    LAPACK finds both of two that are equal, where Lanczos may find one.
    """
    if graph.n <= HIGHEST:
        return np.empty(0)
    roots = 1 / np.sqrt(graph.degree)
    laplacian = np.eye(graph.n) - graph.matrix.toarray() * roots[:, None] * roots
    found = eigh(laplacian, eigvals_only=True, subset_by_index=[1, HIGHEST], overwrite_a=True)
    return np.asarray(found)
