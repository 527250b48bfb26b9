"""The width of a domain, chosen without labels: by the split gap, or by the longest plateau."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin._runtime.context import FitContext
from maxmargin._runtime.warnings import warn_user
from maxmargin.domain.base import DomainClusters
from maxmargin.domain.domain_graph import DomainGraph

#: Widths σ that are tried, in units of the median distance to the 7th neighbour: for pieces at
#: levels of their own narrow ones, for the basins of peaks wide ones, for a plateau many.
NARROW_WIDTHS = (0.15, 0.35, 0.7)
WIDE_WIDTHS = (8.0, 5.3, 3.5, 2.4, 1.6, 1.0, 0.7)
PLATEAU_WIDTHS: list[float] = np.geomspace(8.0, 0.18, 23).tolist()
#: The ν of the domains. At 0.9 most rows are support vectors and the height is close to a
#: density, which is what levels are read from.
NU_OF_LEVELS = 0.9
NU_OF_ONE_LEVEL = 0.5
#: Shares of the rows that a cluster has at least, and never fewer than so many rows.
SMALLEST_SHARES = (0.01, 0.05)
SMALLEST_ROWS = 5
#: The split gap up to which a user hears that there may be no clusters at all.
NO_GAP = -0.02
#: In more dimensions than this a split gap says little unless it is clear: what stands apart
#: most clearly there is seldom all that there is, and the narrowest width finds more of it.
MANY_DIMENSIONS = 5
CLEAR_GAP = 0.06
#: The share of the rows that a cluster has at least in its place.
SHARE_OF_NARROW = 0.02
#: A plateau of fewer widths says little.
SHORT_PLATEAU = 3

ClustersAt = Callable[[float], list[DomainClusters]]  # gamma → the clusters of its domain


def choose_width(
    graph: DomainGraph,
    gammas: Sequence[float],
    clusters_at: ClustersAt,
    context: FitContext | None = None,
    smaller_at: ClustersAt | None = None,
    narrow_at: ClustersAt | None = None,
) -> tuple[DomainClusters, dict[str, NDArray[Any]]]:
    """Choose the width, and the clusters of its domain.

    Of all candidates, rows of no cluster given to the nearest one, that with the largest split
    gap is taken: its clusters are harder to split than to tell apart, or a note says that
    they are not.

    Parameters
    ----------
    graph : DomainGraph
    gammas : sequence of float
        The widths that are tried.
    clusters_at : callable
        gamma → the clusters of its domain, one or more candidates.
    context : FitContext or None
        Runs the widths, and may end the search early.
    smaller_at : callable or None
        The same with smaller clusters: they are asked for where no candidate is separated, and
        taken if they are.
    narrow_at : callable or None
        In many dimensions: what is taken at the narrowest width, where no gap is clear.

    Returns
    -------
    best : DomainClusters
    table : dict of arrays
        All candidates: ``"gamma"``, ``"min_cluster_size"``, ``"n_clusters"``, ``"split_gap"``
        (where a candidate was given up early, a value that its gap does not exceed; −inf for
        one cluster) and ``"chosen"``.
    """
    context = context or FitContext()
    found = context.map(clusters_at, gammas, task="width")
    candidates = [clusters for some in found for clusters in some]
    gaps = _split_gaps(graph, candidates)
    if smaller_at is not None and gaps.max() <= NO_GAP and not context.late:
        # very many clusters have fewer rows than any share of them
        found = context.map(smaller_at, gammas, task="width of small clusters", otherwise=[[]])
        small = [clusters for some in found for clusters in some]
        gaps_of_small = _split_gaps(graph, small)
        if gaps_of_small.max(initial=-np.inf) > 0:
            candidates, gaps = candidates + small, np.append(gaps, gaps_of_small)
    best = int(np.argmax(gaps))
    if narrow_at is not None and gaps[best] <= CLEAR_GAP and not context.late:
        (narrow,) = narrow_at(max(gammas))
        if narrow.n_clusters >= 2:
            candidates.append(narrow)
            gaps = np.append(gaps, _split_gaps(graph, [narrow]))
            best = len(candidates) - 1
    counts = [len(clusters.levels) for clusters in candidates]
    chosen = candidates[best]
    if -np.inf < gaps.max() <= NO_GAP:
        note = (
            f"the clusters are easier to split than to tell apart (split gap {gaps.max():.3f}): "
            f"there may be none in these data."
        )
        chosen = replace(chosen, notes=(*chosen.notes, note))
    table = {
        "gamma": np.array([clusters.solution.gamma for clusters in candidates]),
        "min_cluster_size": np.array([clusters.smallest for clusters in candidates]),
        "n_clusters": np.maximum(counts, 1),
        "split_gap": gaps,
        "chosen": np.arange(len(candidates)) == best,
    }
    return chosen, table


def _split_gaps(graph: DomainGraph, candidates: Sequence[DomainClusters]) -> NDArray[np.float64]:
    """The split gap of each candidate, or a value that it does not exceed; −inf for one cluster."""
    gaps = np.full(len(candidates), -np.inf)
    counts = [len(clusters.levels) for clusters in candidates]
    # few clusters are judged soonest, and most of the crowded ones are then given up early
    for i in sorted(range(len(candidates)), key=lambda i: counts[i]):
        if counts[i] >= 2:
            labels = graph.complete(candidates[i].labels)
            gaps[i] = graph.split_gap(labels, beat=gaps.max())
    return gaps


def smallest_sizes(n: int) -> tuple[int, ...]:
    """The sizes of the smallest cluster that are tried for n rows.

    Examples
    --------
    >>> from maxmargin.domain.width import smallest_sizes
    >>> smallest_sizes(1000), smallest_sizes(150), smallest_sizes(6)
    ((10, 50), (5, 7), (3,))
    """
    sizes = {max(min(SMALLEST_ROWS, n // 2), int(share * n)) for share in SMALLEST_SHARES}
    return tuple(sorted(sizes))


def smallest_of_narrow(n: int) -> int:
    """The size of the smallest cluster at the narrowest width, of n rows."""
    return max(min(SMALLEST_ROWS, n // 2), int(SHARE_OF_NARROW * n))


@dataclass(frozen=True, eq=False)
class Plateau:
    """The number of clusters at every width, and the longest stretch on which it stays.

    Parameters
    ----------
    gammas : array of shape (w,)
        In ascending order, evenly spaced in the logarithm.
    n_clusters : array of shape (w,)
    first, last : int
        The ends of the plateau, both in it.
    """

    gammas: NDArray[np.float64]
    n_clusters: NDArray[np.intp]
    first: int
    last: int

    @property
    def gamma(self) -> float:
        """The width in the middle of the plateau."""
        return float(self.gammas[(self.first + self.last) // 2])

    @property
    def length(self) -> int:
        """The widths in the plateau; 0 if there is none."""
        return self.last - self.first + 1 if self.n_clusters[self.first] >= 2 else 0

    @property
    def at_edge(self) -> bool:
        """Whether the plateau may go on beyond the widths that were tried."""
        return self.length > 0 and (self.first == 0 or self.last == len(self.gammas) - 1)


def longest_plateau(n_clusters: NDArray[np.integer]) -> tuple[int, int]:
    """The ends of the longest run of one number of at least 2; the first one of equals.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.domain.width import longest_plateau
    >>> longest_plateau(np.array([1, 1, 1, 1, 2, 3, 3, 3, 5, 9]))
    (5, 7)
    """
    starts = np.flatnonzero(np.diff(n_clusters, prepend=-1))
    ends = np.append(starts[1:], len(n_clusters)) - 1
    lengths = np.where(n_clusters[starts] >= 2, ends - starts + 1, 0)
    best = int(np.argmax(lengths))
    return int(starts[best]), int(ends[best])


def find_plateau(
    gammas: Sequence[float], clusters_at: ClustersAt, context: FitContext | None = None
) -> Plateau:
    """Count the clusters at every width, from wide to narrow; warn of a plateau of little worth."""

    def count(gamma: float) -> int:
        return clusters_at(gamma)[0].n_clusters

    counts = np.array((context or FitContext()).map(count, gammas, task="width"), dtype=np.intp)
    found = Plateau(np.array(gammas[: len(counts)]), counts, *longest_plateau(counts))
    if found.length < SHORT_PLATEAU:
        warn_user(
            f"the longest plateau of the number of clusters has {found.length} of {len(counts)} "
            f"widths: it says little; see plateau_."
        )
    elif found.at_edge:
        warn_user("the plateau of the number of clusters ends with the widths tried: see plateau_.")
    return found
