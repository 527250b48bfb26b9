"""The width of a domain and the levels of its clusters, chosen without labels."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin._runtime.interrupts import StopFlag
from maxmargin._runtime.restarts import run_all
from maxmargin.assignment.graph import STEPS
from maxmargin.assignment.merge_tree import MergeTree
from maxmargin.assignment.nearest import NearestRow
from maxmargin.assignment.segments import levels_of_edges
from maxmargin.kernels.joined import joined_edges
from maxmargin.kernels.neighbors import N_NEIGHBORS, Neighbors
from maxmargin.kernels.pairs import Pairs
from maxmargin.selection.split_gap import SplitGap
from maxmargin.solvers.one_class import OneClass

#: Widths σ that are tried, in units of the median distance to the 7th neighbour.
WIDTHS = (0.15, 0.25, 0.35, 0.5)
NEIGHBOR = 7
#: Shares of the rows that a cluster has at least, and never fewer than SMALLEST rows.
SHARES = (0.02, 0.05)
SMALLEST = 5
#: What a valley of the density between two clusters counts in the split gap.
VALLEY = 0.05
#: Clusters that are separated more weakly than this are one.
WEAK = 0.12
#: The ν of the domains: most rows are support vectors, and the height is close to a density.
NU = 0.9

Solve = Callable[[float], OneClass]  # gamma → the weights of the rows


@dataclass(frozen=True, eq=False)
class Scene:
    """Rows, their distances, and the graph along which the pieces of a domain are sought.

    Parameters
    ----------
    pairs : Pairs
    neighbors : Neighbors
        Ten of each row, where there are as many.
    start, stop : arrays of shape (e,)
        The edges between neighbours, and those of a spanning tree.
    """

    pairs: Pairs
    neighbors: Neighbors
    start: NDArray[np.intp]
    stop: NDArray[np.intp]

    @classmethod
    def of_rows(cls, rows: NDArray[np.floating]) -> "Scene":
        """Find the neighbours of each row and join them."""
        pairs = Pairs(rows)
        neighbors = Neighbors.of_rows(pairs.rows, N_NEIGHBORS)
        start, stop, _ = joined_edges(neighbors, pairs.rows)
        return cls(pairs, neighbors, start, stop)

    @cached_property
    def gap(self) -> SplitGap:
        """Tells how well clusters are separated."""
        return SplitGap(self.neighbors, VALLEY)

    def gammas(self, widths: Sequence[float]) -> list[float]:
        """The γ = 1/(2σ²) of widths in units of the median distance to the 7th neighbour."""
        reach = self.neighbors.distances[:, :NEIGHBOR][:, -1:]
        reach = reach[reach > 0]
        unit = float(np.median(reach)) if len(reach) else 1.0
        return [1 / (2 * (width * unit) ** 2) for width in widths]

    def edge_levels(self, solution: OneClass, gamma: float, stop: StopFlag) -> NDArray[np.float64]:
        """The lowest height of a domain on every edge."""
        return levels_of_edges(
            *(self.pairs, solution.alpha, solution.heights, self.start, self.stop, gamma),
            steps=STEPS,
            stop=stop,
        )

    def merge_tree(self, solution: OneClass, gamma: float, stop: StopFlag) -> MergeTree:
        """How the pieces of a domain merge."""
        levels = self.edge_levels(solution, gamma, stop)
        return MergeTree.of_edges(self.pairs.n, self.start, self.stop, levels)

    def complete(self, labels: NDArray[np.intp]) -> NDArray[np.intp]:
        """Give rows of no cluster to that of the nearest row."""
        rows, inside = self.pairs.rows, labels >= 0
        return np.asarray(NearestRow(rows[inside], labels[inside]).labels_of(rows))

    def clusters(
        self, tree: MergeTree, smallest: int
    ) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """The pieces with the largest excess of mass, those told apart only weakly joined.

        Returns
        -------
        labels : array of shape (n,)
            Rows of none have −1.
        births : array of shape (k,)
            The height at which each cluster comes off.
        """
        labels, births = tree.clusters(smallest)
        if len(births) < 2:
            return labels, births
        numbers = merge_weak(self.gap, self.complete(labels), WEAK)
        least = np.full(numbers.max() + 1, np.inf)
        np.minimum.at(least, numbers, births)
        return np.append(numbers, -1)[labels], least


@dataclass(frozen=True, eq=False)
class Choice:
    """A domain and the clusters read from it.

    Parameters
    ----------
    gamma : float
    smallest : int
        The smallest cluster allowed.
    solution : OneClass
        The weights of the rows.
    labels : array of shape (n,)
        Rows of no cluster have −1.
    births : array of shape (k,)
        The height at which each cluster comes off.
    table : dict of arrays
        All candidates: ``"gamma"``, ``"min_cluster_size"``, ``"n_clusters"``, ``"split_gap"``
        (where a candidate was given up early, a value that its gap does not exceed; −inf for
        one cluster) and ``"chosen"``.
    """

    gamma: float
    smallest: int
    solution: OneClass
    labels: NDArray[np.intp]
    births: NDArray[np.float64]
    table: dict[str, NDArray[Any]]


def choose_domain(
    scene: Scene,
    solve: Solve,
    *,
    smallest: Sequence[int],
    n_jobs: int | None = None,
    report: Callable[[int, Any], None] | None = None,
    stop: StopFlag,
) -> Choice:
    """Choose the width and the levels without labels.

    Each width gives a domain, the domain a merge tree over all levels, and the tree the
    pieces with the largest excess of mass, for each size of the smallest cluster. Pieces that
    are told apart only weakly are joined again. Of these partitions, rows of none given to
    the nearest cluster, the one with the largest split gap is taken: its clusters are harder
    to split than to tell apart.

    Parameters
    ----------
    scene : Scene
    solve : callable
        gamma → the weights of the rows.
    smallest : sequence of int
        The sizes of the smallest cluster that are tried.
    n_jobs : int or None
        Widths at the same time.
    report : callable or None
        Called with the number of widths that are done and the last one.
    stop : StopFlag
    """

    def grow(gamma: float) -> tuple[float, OneClass, MergeTree]:
        solution = solve(gamma)
        return gamma, solution, scene.merge_tree(solution, gamma, stop)

    best, highest = None, -np.inf
    candidates = []
    for gamma, solution, tree in run_all(grow, scene.gammas(WIDTHS), n_jobs=n_jobs, report=report):
        for least in smallest:
            labels, births = scene.clusters(tree, least)
            score = -np.inf
            if len(births) >= 2:
                score = scene.gap.score(scene.complete(labels), beat=highest)
            candidates.append((gamma, least, len(births), score))
            if best is None or score > highest:
                highest = score
                best = Choice(gamma, least, solution, labels, births, {})
    assert best is not None, "there is at least one width"
    names = ("gamma", "min_cluster_size", "n_clusters", "split_gap")
    columns = [np.array(column) for column in zip(*candidates, strict=True)]
    best.table.update(zip(names, columns, strict=True))
    best.table["chosen"] = np.arange(len(candidates)) == int(np.argmax(columns[-1]))
    return best


def merge_weak(gap: SplitGap, labels: NDArray[np.intp], weakest: float) -> NDArray[np.intp]:
    """Join the two clusters that are separated most weakly, while they are weaker than that.

    Parameters
    ----------
    gap : SplitGap
        Measures the weakness of each two clusters.
    labels : array of shape (n,)
        0, …, k − 1.
    weakest : float

    Returns
    -------
    array of shape (k,)
        The new number of each cluster.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.kernels.neighbors import Neighbors
    >>> from maxmargin.selection.domains import merge_weak
    >>> from maxmargin.selection.split_gap import SplitGap
    >>> X = np.random.default_rng(0).normal(size=(90, 2)) + np.repeat([[0], [9]], 45, axis=0)
    >>> gap = SplitGap(Neighbors.of_rows(X, 10))
    >>> merge_weak(gap, np.repeat([0, 1, 2, 3], [20, 25, 20, 25]), 0.12)
    array([0, 0, 1, 1])
    """
    numbers = np.arange(int(labels.max(initial=-1)) + 1)
    while True:
        weakness = gap.weakness(numbers[labels])
        at = int(np.argmax(weakness))
        if weakness.flat[at] <= weakest:
            return numbers
        a, b = divmod(at, len(weakness))
        numbers[numbers == b] = a
        numbers[numbers > b] -= 1


def smallest_sizes(n: int) -> list[int]:
    """The sizes of the smallest cluster that are tried for n rows."""
    return sorted({max(min(SMALLEST, n // 2), int(share * n)) for share in SHARES})
