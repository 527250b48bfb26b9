"""Three ways to read clusters from a domain."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from maxmargin.assignment.equilibria import EPSILON, find_equilibria
from maxmargin.assignment.graph import TOLERANCE, pieces_of
from maxmargin.assignment.merge_tree import MergeTree
from maxmargin.assignment.nearest import without_small
from maxmargin.objectives.domain import Domain
from maxmargin.selection.scene import Scene
from maxmargin.selection.split_gap import SplitGap
from maxmargin.solvers.one_class import OneClass

#: Clusters that are separated more weakly than this are one.
WEAK = 0.12
#: A share of rows in pieces that are too small for a cluster that is worth a word.
MANY = 0.5
#: And a number of clusters, as a share of the rows.
CROWD = 0.25
#: Points inside an edge where the height is looked at. For one level there are more of them:
#: a narrow gap must not be jumped.
STEPS = 5
MORE_STEPS = 15


@dataclass(frozen=True, eq=False)
class Reading:
    """The clusters of a domain.

    Parameters
    ----------
    gamma : float
    solution : OneClass
        The weights of the rows.
    labels : array of shape (n,)
        Rows of no cluster have −1.
    levels : array of shape (k,)
        The height at which each cluster comes off from the others.
    smallest : int
        The smallest cluster allowed.
    equilibria : array of shape (M, d) or None
        The peaks that rows were followed to.
    notes : tuple of str
        What the user should know.
    """

    gamma: float
    solution: OneClass
    labels: NDArray[np.intp]
    levels: NDArray[np.float64]
    smallest: int = 1
    equilibria: NDArray[np.float64] | None = None
    notes: tuple[str, ...] = ()

    @property
    def n_clusters(self) -> int:
        """The number of clusters."""
        return len(self.levels)


@dataclass(frozen=True, eq=False)
class AllLevels:
    """Pieces of {g ≥ level}, each at a level of its own: those with the largest excess of mass.

    Pieces that are told apart only weakly are joined again.

    Parameters
    ----------
    scene : Scene
    smallest : sequence of int
        The smallest cluster; one reading for each.
    """

    scene: Scene
    smallest: tuple[int, ...]

    def __call__(self, gamma: float, solution: OneClass) -> list[Reading]:
        """Read the clusters of one domain."""
        scene = self.scene
        levels = scene.edge_levels(solution, gamma, STEPS)
        tree = MergeTree.of_edges(scene.n, *scene.edges, levels)
        return [Reading(gamma, solution, *self._clusters(tree, s), s) for s in self.smallest]

    def _clusters(
        self, tree: MergeTree, smallest: int
    ) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        labels, births = tree.clusters(smallest)
        if len(births) < 2:
            return labels, births
        numbers = merge_weak(self.scene.gaps[0], self.scene.complete(labels), WEAK)
        least = np.full(numbers.max() + 1, np.inf)
        np.minimum.at(least, numbers, births)
        return np.append(numbers, -1)[labels], least


@dataclass(frozen=True, eq=False)
class LevelZero:
    """Pieces of the domain {f ≥ 0} itself, without those that are too small.

    Parameters
    ----------
    scene : Scene
    smallest : int
        The smallest cluster.
    """

    scene: Scene
    smallest: int

    def __call__(self, gamma: float, solution: OneClass) -> list[Reading]:
        """Read the clusters of one domain."""
        scene = self.scene
        levels = scene.edge_levels(solution, gamma, MORE_STEPS, 1 - TOLERANCE)
        pieces = pieces_of(solution.heights, *scene.edges, levels)
        labels = without_small(pieces, self.smallest)
        inside = pieces >= 0
        lost = float(np.mean(labels[inside] < 0)) if inside.any() else 0.0
        notes: tuple[str, ...] = ()
        if lost > MANY:
            notes = (
                f"{lost:.0%} of the rows in the domain are in pieces of fewer than "
                f"{self.smallest} rows (min_cluster_size): gamma={gamma:.3g} is too large.",
            )
        births = np.ones(labels.max(initial=-1) + 1)
        return [Reading(gamma, solution, labels, births, self.smallest, notes=notes)]


@dataclass(frozen=True, eq=False)
class Basins:
    """The peaks that rows on the boundary climb to: Algorithm 2 of SGD-LMSVC.

    Parameters
    ----------
    scene : Scene
    epsilon : float, default=0.01
        |f| of the rows that are followed.
    """

    scene: Scene
    epsilon: float = EPSILON

    def __call__(self, gamma: float, solution: OneClass) -> list[Reading]:
        """Read the clusters of one domain."""
        rows, heavy = self.scene.pairs.rows, np.flatnonzero(solution.alpha)
        domain = Domain(rows[heavy], solution.alpha[heavy], gamma)
        found = find_equilibria(domain, rows, solution.heights, epsilon=self.epsilon)
        labels = np.full(len(rows), -1, dtype=np.intp)
        labels[found.starts] = found.clusters[found.ends]
        notes = []
        if found.empty_boundary:
            notes.append(
                f"no row has abs(f) <= epsilon={self.epsilon:.3g}: the trajectories start from "
                f"the {len(found.starts)} rows of smallest abs(f) instead."
            )
        if found.n_open:
            notes.append(f"{found.n_open} of {len(found.starts)} trajectories did not end.")
        n_clusters = int(found.clusters.max()) + 1
        if n_clusters > max(1, CROWD * len(rows)):
            notes.append(
                f"{n_clusters} clusters of {len(rows)} rows: gamma={gamma:.3g} is too large."
            )
        births = np.ones(n_clusters)
        points = found.points + self.scene.pairs.offset
        return [Reading(gamma, solution, labels, births, equilibria=points, notes=tuple(notes))]


Reader = AllLevels | LevelZero | Basins


def merge_weak(gap: SplitGap, labels: NDArray[np.intp], weakest: float) -> NDArray[np.intp]:
    """Join the two clusters that are separated most weakly, while they are weaker than that.

    Two clusters always stay: whether there is more than one is not for this to say.

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
    >>> from maxmargin.spaces.neighbors import Neighbors
    >>> from maxmargin.selection.reading import merge_weak
    >>> from maxmargin.selection.split_gap import SplitGap
    >>> X = np.random.default_rng(0).normal(size=(90, 2)) + np.repeat([[0], [9]], 45, axis=0)
    >>> gap = SplitGap(Neighbors.of_rows(X, 10))
    >>> merge_weak(gap, np.repeat([0, 1, 2, 3], [20, 25, 20, 25]), 0.12)
    array([0, 0, 1, 1])
    """
    numbers = np.arange(int(labels.max(initial=-1)) + 1)
    while numbers.max(initial=0) > 1:
        weakness = gap.weakness(numbers[labels])
        at = int(np.argmax(weakness))
        if weakness.flat[at] <= weakest:
            break
        a, b = divmod(at, len(weakness))
        numbers[numbers == b] = a
        numbers[numbers > b] -= 1
    return numbers
