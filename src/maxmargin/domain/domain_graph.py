"""The rows of a domain: the graph along which its pieces are sought, and the nearest row."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse
from sklearn.neighbors import NearestNeighbors

from maxmargin._runtime.units import center_of, shifted
from maxmargin.domain.domain import Domain, lowest_by_distances
from maxmargin.selection.split_gap import DENSITY_NEIGHBOR, SplitGap
from maxmargin.solvers.one_class import OneClassSolution
from maxmargin.spaces.kernel import SMALLEST
from maxmargin.spaces.metric import Matrix
from maxmargin.spaces.neighbors import N_NEIGHBORS, Neighbors, connected_edges
from maxmargin.spaces.pairwise import PairwiseDistances

#: What a valley of the density between two clusters counts in the split gap.
VALLEY_OF_DOMAIN = 0.05
#: And the neighbours whose edges it counts, in two graphs.
GAP_NEIGHBORS = (5, N_NEIGHBORS)
#: Different rows up to which copies of them count.
FEW_KINDS = 20


class DomainGraph:
    """Rows, their distances, and edges between neighbours that join all of them.

    Straight segments between far points leave a curved cluster. Between neighbours they do
    not, where the graph has the edges of a spanning tree too: without those it is in pieces
    before the domain is.

    Parameters
    ----------
    rows : array of shape (n, d)

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.domain.domain_graph import DomainGraph
    >>> graph = DomainGraph(np.array([[0.0], [1.0], [5.0]]))
    >>> graph.complete(np.array([0, -1, 1])).tolist()
    [0, 0, 1]
    """

    def __init__(self, rows: NDArray[np.floating]) -> None:
        self.offset = center_of(rows)
        self.distances = PairwiseDistances.of_rows(rows)

    @property
    def n(self) -> int:
        """The number of rows."""
        return self.distances.n

    @cached_property
    def neighbors(self) -> Neighbors:
        """Ten of each row, where there are as many."""
        return Neighbors.of_rows(self.distances.rows, N_NEIGHBORS)

    @cached_property
    def edges(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The ends of the edges between neighbours, and of the shortest bridges between pieces."""
        start, stop, _ = connected_edges(self.neighbors, self.distances.rows)
        return start, stop

    def edge_levels(
        self, solution: OneClassSolution, steps: int, floor: float = -np.inf
    ) -> NDArray[np.float64]:
        """The lowest height of a domain on every edge, at its ends and ``steps`` points inside.

        Edges with an end below ``floor`` are not looked at inside.
        """
        gamma, alpha, heights = solution.gamma, solution.alpha, solution.heights
        rows, squared = self.distances.rows, self.distances.kept
        start, stop = self.edges
        levels = np.minimum(heights[start], heights[stop])
        high = levels >= floor
        ends = start[high], stop[high]
        if squared is None:
            domain = Domain.of_weights(rows, alpha, gamma)
            levels[high] = domain.lowest(rows, heights, *ends, steps=steps)
        else:
            levels[high] = lowest_by_distances(
                squared, rows, *ends, levels[high], alpha, gamma, steps
            )
        return levels

    def complete(self, labels: NDArray[np.intp]) -> NDArray[np.intp]:
        """Give rows of no cluster (−1) to that of the nearest row."""
        rows, inside = self.distances.rows, labels >= 0
        if inside.all():
            return labels
        return np.asarray(NearestRow(rows[inside], labels[inside]).labels_of(rows))

    def gammas(self, widths: Sequence[float]) -> list[float]:
        """The γ = 1/(2σ²) of widths in units of the median distance to the 7th neighbour."""
        unit = max(self.neighbors.scale(), SMALLEST)
        return [1 / (2 * (width * unit) ** 2) for width in widths]

    @property
    def dimension(self) -> float:
        """The intrinsic dimension of the rows (:meth:`Neighbors.log_density`)."""
        return self.neighbors.log_density(DENSITY_NEIGHBOR, N_NEIGHBORS)[1]

    @cached_property
    def gaps(self) -> tuple[SplitGap, SplitGap]:
        """How well clusters are separated, in the graphs of few and of more neighbours."""
        few, more = (SplitGap(self.neighbors, VALLEY_OF_DOMAIN, j) for j in GAP_NEIGHBORS)
        return few, more

    def split_gap(self, labels: NDArray[np.intp], beat: float = -np.inf) -> float:
        """The mean of both; where it does not exceed ``beat``, a value that it does not exceed.

        More neighbours reach across narrow gaps between sparse clusters, with fewer of them a
        thin cluster falls apart.
        """
        mean = np.inf
        for few, more in zip(*(gap.falling(labels) for gap in self.gaps), strict=True):
            mean = (few.gap + more.gap) / 2
            if mean <= beat:
                break
        return mean


def distinct_rows(X: NDArray[np.floating], some: NDArray[np.intp]) -> NDArray[np.intp]:
    """Keep one row of each kind: copies fill the lists of neighbours, and join nothing.

    Where only few kinds are left, their copies are all there is to tell clusters by.
    """
    places = {kind: place for place, kind in reversed(list(enumerate(_kinds(X[some]))))}
    first = np.sort(list(places.values()))
    return some[first] if len(first) >= FEW_KINDS else some


def _kinds(X: Matrix) -> Iterator[bytes]:
    """Each row as bytes, the same for copies; −0 is 0."""
    if not issparse(X):
        yield from (row.tobytes() for row in X + 0.0)
        return
    X = csr_array(X, copy=True)
    X.sum_duplicates()
    X.eliminate_zeros()
    for start, stop in pairwise(X.indptr):
        yield X.indices[start:stop].tobytes() + X.data[start:stop].tobytes()


def weights_of_kinds(
    X: NDArray[np.floating], some: NDArray[np.intp], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The weights of some rows; where one of each kind was kept, it has those of its copies."""
    kinds = {kind: place for place, kind in enumerate(_kinds(X[some]))}
    if len(kinds) < len(some):
        return weights[some]
    places = [kinds.get(kind, len(some)) for kind in _kinds(X)]
    sums = np.bincount(places, weights, minlength=len(some))
    return sums[: len(some)].astype(np.float64)


class NearestRow:
    """Give points the label of the nearest of some rows.

    Parameters
    ----------
    rows : array of shape (m, d)
    labels : array of shape (m,)

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.domain.domain_graph import NearestRow
    >>> nearest = NearestRow(np.array([[0.0], [4.0]]), np.array([0, 1]))
    >>> nearest.labels_of(np.array([[1.0], [3.0]]))
    array([0, 1])
    """

    def __init__(self, rows: NDArray[np.floating], labels: NDArray[np.integer]) -> None:
        self.labels = labels
        # Distances from products lose their digits far from 0.
        self._center = center_of(rows)
        self._rows = shifted(rows, self._center)
        self._finder = NearestNeighbors(n_neighbors=1).fit(self._rows)

    def __getstate__(self) -> dict[str, Any]:
        # Without the search tree: its indices are followed unchecked, so that no file may hold it.
        return {name: value for name, value in vars(self).items() if name != "_finder"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._finder = NearestNeighbors(n_neighbors=1).fit(self._rows)

    def in_its_form(self, X: Matrix) -> Matrix:
        """Points as its rows are: sparse or dense."""
        sparse = issparse(self._rows)
        return X if issparse(X) == sparse else csr_array(X[:]) if sparse else X.toarray()

    def labels_of(self, X: Matrix) -> NDArray[np.integer]:
        """The labels of points."""
        found = self._finder.kneighbors(shifted(X, self._center), return_distance=False)
        return self.labels[found[:, 0]]


def without_small(labels: NDArray[np.integer], smallest: int) -> NDArray[np.intp]:
    """Set the labels of clusters with fewer rows to −1 and number the others.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.domain.domain_graph import without_small
    >>> without_small(np.array([0, 1, 2, 2, -1, 0]), 2)
    array([ 0, -1,  1,  1, -1,  0])
    """
    sizes = np.bincount(labels[labels >= 0])
    numbers = np.full(len(sizes) + 1, -1, dtype=np.intp)  # the last one is for −1
    kept = np.flatnonzero(sizes >= smallest)
    numbers[kept] = np.arange(len(kept))
    return numbers[labels]


def numbers_by_size(
    labels: NDArray[np.integer], k: int, weights: NDArray[np.float64] | None = None
) -> NDArray[np.intp]:
    """The new number of each of k clusters: by decreasing size, equal ones by their first row.

    Rows with −1 do not count.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.domain.domain_graph import numbers_by_size
    >>> numbers_by_size(np.array([1, 0, 2, 2, 1, -1]), 3)
    array([2, 0, 1])
    """
    present, first = np.unique(labels, return_index=True)
    place = np.full(k, len(labels))
    place[present[present >= 0]] = first[present >= 0]
    numbers = np.empty(k, dtype=np.intp)
    counted = None if weights is None else weights[labels >= 0]
    sizes = np.bincount(labels[labels >= 0], counted, minlength=k)
    numbers[np.lexsort((place, -sizes))] = np.arange(k)
    return numbers
