"""Distinct rows, their neighbours and the shortest tree that joins them: what sources look at."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import depth_first_order

from maxmargin.spaces.metric import Weights
from maxmargin.spaces.neighbors import Neighbors, connected_edges, spanning_tree
from maxmargin.spaces.pairwise import ALL_NEIGHBORS, PairwiseDistances

#: Neighbours of a row that are known.
TREE_NEIGHBORS = 25
#: Columns with no more values than this are discrete: no gap along them means anything.
FEW_VALUES = 12
#: Cells of the grid of all values for each row, below which rows are copies because of it.
CELLS_PER_ROW = 1.0
#: The median step between the values of a rounded column, relative to the smallest.
EVEN_STEPS = 2.0
#: The local spacing at a row is the distance to this neighbour.
SPACING_NEIGHBOR = 7
#: The square of a smaller distance is no number to divide by.
SMALLEST_SPACING = 1e-150


@dataclass(frozen=True, eq=False)
class SpanningTree:
    """The rows as sources see them: without copies, and without the grid of their columns.

    Attributes
    ----------
    rows : ndarray of shape (m, d)
        The distinct rows, spread within the resolution of their columns.
    inverse : ndarray of shape (n,)
        Which of them each row is.
    cells : ndarray of shape (n,)
        The same for all copies of a row, which get one label, on a coarse grid too.
    counts : ndarray of shape (m,)
        How many rows each of them is, or what these count for.
    neighbors : Neighbors
        Of the distinct rows.
    edges : tuple of arrays
        Start, stop and length of the m − 1 edges of the tree.
    graph : tuple of arrays
        Start, stop and bridge lengths of the graph of 10 neighbours and the tree.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.front_door.sources.spanning_tree import SpanningTree
    >>> tree = SpanningTree.of(np.array([[0.0], [1.0], [1.0], [7.0]]))
    >>> tree.counts.tolist(), tree.labels(np.array([0, 0, 1])).tolist()
    ([1, 2, 1], [0, 0, 0, 1])
    """

    rows: NDArray[np.float64]
    inverse: NDArray[np.intp]
    cells: NDArray[np.intp]
    counts: NDArray[Any]
    neighbors: Neighbors
    edges: tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]
    graph: tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]

    @classmethod
    def of(cls, rows: NDArray[np.floating], weights: Weights = None) -> "SpanningTree":
        """Join dense rows. Copies count once: they would make any spacing look wide.

        On a coarse grid they are no copies: each row has its own place around its value, or how
        dense rows are would be lost.
        """
        distinct, cells, counts = np.unique(
            np.asarray(rows, np.float64), axis=0, return_inverse=True, return_counts=True
        )
        cells = inverse = cells.ravel()
        if on_a_coarse_grid(distinct, len(rows)):
            inverse = np.argsort(np.argsort(cells, kind="stable"))  # the order of rows is nothing
            distinct, counts = np.repeat(distinct, counts, axis=0), np.ones(len(rows), np.intp)
        if weights is not None:
            counts = np.bincount(inverse, weights)
        spread = spread_within_resolution(distinct)
        neighbors = Neighbors.of_rows(spread, TREE_NEIGHBORS)
        graph = connected_edges(neighbors, spread)
        m = len(spread)
        bridge = graph[2] > 0
        start = np.concatenate([np.repeat(np.arange(m), neighbors.m), graph[0][bridge]])
        stop = np.concatenate([neighbors.indices.ravel(), graph[1][bridge]])
        lengths = np.concatenate([neighbors.distances.ravel(), graph[2][bridge]])
        tree = spanning_tree(m, start, stop, lengths)
        start, stop = np.minimum(start, stop)[tree], np.maximum(start, stop)[tree]
        edges = start, stop, lengths[tree]
        return cls(spread, inverse, cells, counts, neighbors, edges, graph)

    @property
    def n(self) -> int:
        """The number of all rows."""
        return len(self.inverse)

    @property
    def n_different(self) -> int:
        """The number of different rows, on a coarse grid too."""
        return int(self.cells.max()) + 1

    @property
    def m(self) -> int:
        """The number of distinct rows."""
        return len(self.counts)

    def labels(self, labels: NDArray[np.integer]) -> NDArray[np.int32]:
        """The labels of all rows, from those of the distinct ones; copies get one label."""
        own = labels[self.inverse]
        votes = np.zeros((self.n_different, int(own.max()) + 1), np.intp)
        np.add.at(votes, (self.cells, own), 1)
        return np.argmax(votes, axis=1)[self.cells].astype(np.int32)

    def spacing(self, j: int) -> NDArray[np.float64]:
        """The distance of each distinct row to its j-th neighbour, or to its last one."""
        last = min(j, self.neighbors.m) - 1
        return np.maximum(self.neighbors.distances[:, last], SMALLEST_SPACING)

    @cached_property
    def rooted(self) -> "RootedTree":
        """The tree, rooted at its densest row, so that what is below is mostly the smaller part."""
        densest = int(np.argmin(self.spacing(SPACING_NEIGHBOR)))
        return RootedTree.at(densest, *self.edges, self.counts)


@dataclass(frozen=True, eq=False)
class RootedTree:
    """A tree in the order in which a walk from its root meets the rows.

    What is below a row is the row and those that the walk meets directly after it.

    Attributes
    ----------
    order : ndarray of shape (m,)
        The row at each place of the walk.
    parent : ndarray of shape (m,)
        The place that each place is directly below; −1 for the root.
    edge : ndarray of shape (m,)
        The edge between the two; −1 for the root.
    width : ndarray of shape (m,)
        How many places are below a place, itself included.
    size : ndarray of shape (m,)
        How many rows these are, with copies.
    longest : ndarray of shape (m,)
        The longest edge among them.
    """

    order: NDArray[np.intp]
    parent: NDArray[np.intp]
    edge: NDArray[np.intp]
    width: NDArray[np.intp]
    size: NDArray[Any]
    longest: NDArray[np.float64]

    @classmethod
    def at(
        cls,
        root: int,
        start: NDArray[np.intp],
        stop: NDArray[np.intp],
        lengths: NDArray[np.float64],
        counts: NDArray[Any],
    ) -> "RootedTree":
        """Make one of m rows the root of a tree."""
        m = len(counts)
        joined = csr_matrix((np.ones(len(start)), (start, stop)), shape=(m, m))
        order, before = depth_first_order(joined, root, directed=False)
        place = np.empty(m, np.intp)
        place[order] = np.arange(m)
        parent = np.where(order == root, -1, place[np.maximum(before[order], 0)])
        edge = np.full(m, -1)
        edge[np.maximum(place[start], place[stop])] = np.arange(len(start))
        width, size, longest = [1] * m, counts[order].tolist(), [0.0] * m
        own = np.append(lengths, 0.0)[edge].tolist()
        above = parent.tolist()
        for at in range(m - 1, 0, -1):  # what is deeper comes later in the walk
            up = above[at]
            width[up] += width[at]
            size[up] += size[at]
            longest[up] = max(longest[up], longest[at], own[at])
        return cls(order, parent, edge, np.array(width), np.array(size), np.array(longest))

    def cut(
        self, values: NDArray[np.float64], k: int, smallest: float
    ) -> tuple[NDArray[np.intp], list[float]]:
        """Cut k − 1 edges by falling value, where both parts keep so many rows.

        Parameters
        ----------
        values : ndarray of shape (m,)
            Of the edge at each place; that of the root does not count.
        k : int
        smallest : float
            Rows, with copies.

        Returns
        -------
        labels : ndarray of shape (m,)
            Of the distinct rows.
        cuts : list of float
            The values of the edges that were cut, and that of the next one that could be; fewer
            where there are not as many.
        """
        size, piece = self.size.astype(np.float64), np.zeros(len(self.size), np.intp)
        total = np.zeros(k)
        total[0] = size[0]
        values = values.copy()
        values[0] = -np.inf
        cuts: list[float] = []
        for c in range(1, k + 1):
            possible = (size >= smallest) & (total[piece] - size >= smallest)
            at = int(np.argmax(np.where(possible, values, -np.inf)))
            if not possible[at] or values[at] == -np.inf:
                break
            cuts.append(float(values[at]))
            if c == k:
                break
            below = slice(at, at + self.width[at])
            old, moved = piece[at], size[at]
            piece[below][piece[below] == old] = c
            total[c] = moved
            total[old] -= moved
            values[at] = -np.inf
            up = self.parent[at]
            while up >= 0 and piece[up] == old:
                size[up] -= moved
                up = self.parent[up]
        labels = np.empty(len(piece), np.intp)
        labels[self.order] = piece
        return labels, cuts


def on_a_coarse_grid(distinct: NDArray[np.float64], n: int) -> bool:
    """Whether values at even steps leave so few different rows that some of n must be copies.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.front_door.sources.spanning_tree import on_a_coarse_grid
    >>> rows = np.random.default_rng(0).random((50, 1))
    >>> on_a_coarse_grid(rows.round(1), 500), on_a_coarse_grid(rows, 500)
    (True, False)
    """
    columns = [np.unique(column) for column in distinct.T]
    if np.log([len(values) for values in columns]).sum() >= np.log(CELLS_PER_ROW * n):
        return False
    steps = [np.diff(values) for values in columns if len(values) > 1]
    return all(np.median(step) <= EVEN_STEPS * step.min() for step in steps)


def spread_within_resolution(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Fill what the resolution of a column leaves empty, at random.

    A rounded value stands for all that are rounded to it: it goes anywhere within the step from a
    value to the next, the median over the rows. A value of a column with a few values only, a flag
    or a category, goes anywhere up to half way to the next one: no gap is left along such a column,
    and what is a gap in the others stays one. Columns of many values hardly change.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.front_door.sources.spanning_tree import spread_within_resolution
    >>> flag = np.repeat([[0.0], [1.0]], 500, axis=0)
    >>> spread = np.sort(spread_within_resolution(flag)[:, 0])
    >>> bool(np.diff(spread).max() < 0.05)
    True
    """
    rng = np.random.default_rng(0)
    spread = rows.copy()
    for column in spread.T:
        values = np.unique(column)
        if len(values) < 2:
            continue
        steps, at = np.diff(values), np.searchsorted(values, column)
        left, right = np.append(steps[0], steps)[at], np.append(steps, steps[-1])[at]
        shift = rng.random(len(column)) - 0.5
        if len(values) > FEW_VALUES:
            column += shift * np.median(np.minimum(left, right))
        else:
            column += shift * np.where(shift < 0, left, right)
    return spread


def resolved_neighbors(distances: PairwiseDistances) -> Neighbors:
    """The neighbours of rows within the resolution of their columns: rounded ones are no clumps."""
    metric = distances.metric
    if metric.precomputed or metric.angles or metric.directions_ is not None:
        return distances.neighbors
    rows = np.asarray(distances.rows, np.float64)
    return Neighbors.of_rows(spread_within_resolution(rows), ALL_NEIGHBORS)
