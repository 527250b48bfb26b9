"""The width of a domain, chosen without labels by the split gap."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin._runtime.context import FitContext
from maxmargin._runtime.warnings import warn_user
from maxmargin.domain.base import DomainClusters
from maxmargin.domain.domain_graph import DomainGraph

#: Widths σ that are tried, in units of the median distance to the 7th neighbour: for pieces at
#: levels of their own narrow ones, and for the basins of peaks wide ones.
NARROW_WIDTHS = (0.15, 0.35, 0.7)
WIDE_WIDTHS = (8.0, 5.3, 3.5, 2.4, 1.6, 1.0, 0.7)
#: The ν of the domains. At 0.9 most rows are support vectors and the height is close to a
#: density, which is what levels are read from.
NU_OF_LEVELS = 0.9
NU_OF_ONE_LEVEL = 0.5
#: Shares of the rows that a cluster has at least, and never fewer than so many rows.
SMALLEST_SHARES = (0.01, 0.05)
SMALLEST_ROWS = 5
#: The split gap up to which a user hears that there may be no clusters at all.
NO_GAP = -0.02

ClustersAt = Callable[[float], list[DomainClusters]]  # gamma → the clusters of its domain


def choose_width(
    graph: DomainGraph,
    gammas: Sequence[float],
    clusters_at: ClustersAt,
    context: FitContext | None = None,
) -> tuple[DomainClusters, dict[str, NDArray[Any]]]:
    """Choose the width, and the clusters of its domain.

    Of all candidates, rows of no cluster given to the nearest one, that with the largest split
    gap is taken: its clusters are harder to split than to tell apart. Warns if they are not.

    Parameters
    ----------
    graph : DomainGraph
    gammas : sequence of float
        The widths that are tried.
    clusters_at : callable
        gamma → the clusters of its domain, one or more candidates.
    context : FitContext or None
        Runs the widths, and may end the search early.

    Returns
    -------
    best : DomainClusters
    table : dict of arrays
        All candidates: ``"gamma"``, ``"min_cluster_size"``, ``"n_clusters"``, ``"split_gap"``
        (where a candidate was given up early, a value that its gap does not exceed; −inf for
        one cluster) and ``"chosen"``.
    """
    found = (context or FitContext()).map(clusters_at, gammas, task="width")
    candidates = [clusters for some in found for clusters in some]
    gaps = _split_gaps(graph, candidates)
    best = int(np.argmax(gaps))
    if -np.inf < gaps[best] <= NO_GAP:
        warn_user(
            f"the clusters are easier to split than to tell apart (split gap {gaps[best]:.3f}): "
            f"there may be none in these data."
        )
    table = {
        "gamma": np.array([clusters.gamma for clusters in candidates]),
        "min_cluster_size": np.array([clusters.smallest for clusters in candidates]),
        "n_clusters": np.array([max(1, clusters.n_clusters) for clusters in candidates]),
        "split_gap": gaps,
        "chosen": np.arange(len(candidates)) == best,
    }
    return candidates[best], table


def _split_gaps(graph: DomainGraph, candidates: Sequence[DomainClusters]) -> NDArray[np.float64]:
    """The split gap of every candidate, or what it does not exceed; −inf for one cluster."""
    gaps = np.full(len(candidates), -np.inf)
    # few clusters are judged soonest, and most of the crowded ones are then given up early
    for i in sorted(range(len(candidates)), key=lambda i: candidates[i].n_clusters):
        if candidates[i].n_clusters >= 2:
            gaps[i] = graph.split_gap(graph.complete(candidates[i].labels), beat=gaps.max())
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
