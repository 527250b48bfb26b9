"""How the pieces of {g ≥ level} merge as the level falls, and which of them stand out."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from maxmargin.spaces.neighbors import spanning_tree


@dataclass(frozen=True, eq=False)
class MergeTree:
    """The order in which rows and pieces merge.

    Parameters
    ----------
    start, stop : arrays of shape (n − 1,)
        The edges that merge two pieces, highest first: a spanning tree.
    levels : array of shape (n − 1,)
        Where they do, in descending order.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.domain.merge_tree import MergeTree
    >>> start, stop = np.arange(5), np.arange(1, 6)
    >>> tree = MergeTree.of_edges(6, start, stop, np.array([2.0, 1.9, 0.3, 1.7, 1.8]))
    >>> labels, births = tree.clusters(smallest=2)
    >>> labels.tolist(), births.tolist()
    ([1, 1, 1, 0, 0, 0], [0.3, 0.3])
    """

    start: NDArray[np.intp]
    stop: NDArray[np.intp]
    levels: NDArray[np.float64]

    @classmethod
    def of_edges(
        cls, n: int, start: NDArray[np.intp], stop: NDArray[np.intp], levels: NDArray[np.float64]
    ) -> "MergeTree":
        """Keep the edges of a connected graph that merge something."""
        joining = spanning_tree(n, start, stop, -levels)
        return cls(start[joining], stop[joining], levels[joining])

    @property
    def n(self) -> int:
        """The number of rows."""
        return len(self.levels) + 1

    def clusters(self, smallest: int) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """The pieces with the largest excess of mass.

        Pieces with fewer than ``smallest`` rows are no clusters but rows that come and go. The
        excess of mass of a piece is Σ over its rows of how far the level rises, from where the
        piece comes off another one to where the row leaves it; a piece is taken if that is
        more than its own pieces have together. The piece of all rows is not taken.

        Returns
        -------
        labels : array of shape (n,)
            The pieces taken, numbered; −1 for rows of none.
        births : array of shape (k,)
            The level at which each of them comes off.

        References
        ----------
        Campello, R., Moulavi, D., Zimek, A. and Sander, J. (2015). "Hierarchical density
        estimates for data clustering, visualization, and outlier detection". ACM TKDD 10(1).
        """
        n = self.n
        parent = list(range(n))
        members = [[i] for i in range(n)]  # of roots that are no clusters yet
        size = [1] * n
        node_of = [-1] * n  # the cluster that a root is
        home = np.full(n, -1, dtype=np.intp)  # the cluster that a row joined first
        above: list[int] = []  # the cluster that a cluster merges into
        born: list[float] = []  # and the level of that
        mass: list[float] = []

        def root(i: int) -> int:
            while parent[i] != i:
                parent[i] = parent[parent[i]]
                i = parent[i]
            return i

        def new(total: float) -> int:
            above.append(-1)
            born.append(0.0)
            mass.append(total)
            return len(above) - 1

        edges = zip(self.start.tolist(), self.stop.tolist(), self.levels.tolist(), strict=True)
        for i, j, level in edges:
            a, b = root(i), root(j)
            if size[a] < size[b]:
                a, b = b, a
            if node_of[b] >= 0:  # two clusters become one
                node = new(level * (size[a] + size[b]))
                for child, rows in ((node_of[a], size[a]), (node_of[b], size[b])):
                    above[child], born[child] = node, level
                    mass[child] -= level * rows
                node_of[a] = node
            elif node_of[a] >= 0:  # rows join a cluster
                mass[node_of[a]] += level * size[b]
                home[members[b]] = node_of[a]
            else:
                members[a] += members[b]
                if size[a] + size[b] >= smallest:  # rows become a cluster
                    node_of[a] = new(level * (size[a] + size[b]))
                    home[members[a]] = node_of[a]
            parent[b] = a
            size[a] += size[b]
        return _largest_excess(above, born, mass, home)


def _largest_excess(
    above: list[int], born: list[float], mass: list[float], home: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Choose clusters none of which is inside another, with the largest sum of masses."""
    inside = [0.0] * len(above)  # the best sum of the clusters below
    taken = [False] * len(above)
    for node, parent in enumerate(above):  # a cluster comes after those in it
        if parent < 0:
            continue
        taken[node] = mass[node] >= inside[node]
        inside[parent] += max(mass[node], inside[node])
    # the outermost ones that were taken: seen from above
    chosen = [-1] * len(above)
    births: list[float] = []
    for node in range(len(above) - 1, -1, -1):
        parent = above[node]
        if parent >= 0 and chosen[parent] >= 0:
            chosen[node] = chosen[parent]
        elif taken[node]:
            chosen[node] = len(births)
            births.append(born[node])
    labels = np.append(np.array(chosen, dtype=np.intp), -1)[home]
    return labels, np.array(births)
