"""The number of clusters, by the vote of three views of the same data."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin._runtime.validation import check_int
from maxmargin.kernels.kernel import Matrix
from maxmargin.kernels.neighbors import Neighbors
from maxmargin.selection.dip import pairwise_dips
from maxmargin.selection.modes import LAST, find_modes
from maxmargin.selection.split_gap import SplitGap

Partitions = (
    Mapping[int, NDArray[np.integer]] | Callable[[int], NDArray[np.integer]]
)  # the labels for each number of clusters

SMALLEST_DIP = 0.5  # sqrt(n) · dip above which there is a valley between two clusters
N_NEIGHBORS = LAST  # what `count_clusters` needs


@dataclass(frozen=True, eq=False)
class NumberOfClusters:
    """How many clusters there are, and how sure that is.

    Parameters
    ----------
    k : int
        The answer: what dips and modes say if they agree, else what the split gap says.
    k_gap, k_dip, k_mode : int
        What each of the three says; dips and modes can say 1.
    agreement : int
        How many of the three agree (1 counts as 2 clusters): the more, the surer. With 1, all
        three differ and ``k`` is little more than a guess.
    maybe_one : bool
        Whether neither dips nor modes see more than one cluster.
    curve : dict of arrays
        ``"k"``; ``"split_gap"``, ``"split_weakness"``, ``"splits_cluster"`` (the cluster that is
        split best), ``"pair_weakness"`` (see :class:`~maxmargin.selection.split_gap.GapDetails`)
        and ``"smallest_dip"`` (inf where no two clusters touch) of the partition into k
        clusters.
    """

    k: int
    k_gap: int
    k_dip: int
    k_mode: int
    agreement: int
    maybe_one: bool
    curve: dict[str, NDArray[Any]]


def count_clusters(
    X: Matrix, neighbors: Neighbors, partitions: Partitions, *, k_max: int = 20
) -> NumberOfClusters:
    """Choose the number of clusters without labels.

    Three views that err on different data: the split gap (clusters that are harder to split
    than to tell apart), the dip test on the lines between neighbouring clusters, and the
    modes of the density.

    Parameters
    ----------
    X : array of shape (n, d)
        A few coordinates of the rows, such as the principal ones.
    neighbors : Neighbors
        15 of each row, where there are as many.
    partitions : mapping or callable
        Labels of the partition into k clusters, for k from 2 to ``k_max``. A k that a mapping
        does not hold, or whose labels are fewer than k different ones, is not considered.
    k_max : int, default=20
        At most n − 1 is used.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.cluster import AgglomerativeClustering
    >>> from maxmargin.kernels.neighbors import Neighbors
    >>> from maxmargin.selection.number import count_clusters
    >>> X = np.random.default_rng(0).normal(size=(90, 2)) + np.repeat([[0], [9], [18]], 30, axis=0)
    >>> found = count_clusters(
    ...     X,
    ...     Neighbors.of_rows(X, 15),
    ...     lambda k: AgglomerativeClustering(k).fit_predict(X),
    ...     k_max=6,
    ... )
    >>> found.k, found.k_gap, found.k_mode
    (3, 3, 3)
    """
    k_max = check_int("k_max", k_max, low=2)
    if X.shape[0] != neighbors.n:
        raise ValueError(f"X has {X.shape[0]} rows, but neighbors are those of {neighbors.n}.")
    splits = SplitGap(neighbors)
    tried, details, dips = [], [], []
    for k in range(2, min(k_max, neighbors.n - 1) + 1):
        labels = partitions.get(k) if isinstance(partitions, Mapping) else partitions(k)
        if labels is None or len(np.unique(labels)) < k:
            continue
        tried.append(k)
        details.append(splits.details(labels))
        dips.append(pairwise_dips(X, labels, splits.graph).smallest)
    curve: dict[str, NDArray[Any]] = {
        "k": np.array(tried, dtype=np.intp),
        "split_gap": np.array([d.gap for d in details], dtype=np.float64),
        "split_weakness": np.array([d.split_weakness for d in details], dtype=np.float64),
        "splits_cluster": np.array([d.split_cluster for d in details], dtype=np.intp),
        "pair_weakness": np.array([d.pair_weakness for d in details], dtype=np.float64),
        "smallest_dip": np.array(dips, dtype=np.float64),
    }
    k_mode = find_modes(neighbors, X).count
    k_gap = tried[int(np.argmax(curve["split_gap"]))] if tried else 1
    k_dip = max((k for k, t in zip(tried, dips, strict=True) if t > SMALLEST_DIP), default=1)
    k, agreement = vote(k_gap, k_dip, k_mode)
    if not tried:  # nothing to choose from
        k = 1
    return NumberOfClusters(k, k_gap, k_dip, k_mode, agreement, k_dip == k_mode == 1, curve)


def vote(k_gap: int, k_dip: int, k_mode: int) -> tuple[int, int]:
    """The number of clusters and how many of the three say it (1 if each says another)."""
    said = [max(2, k) for k in (k_gap, k_dip, k_mode)]
    k = said[1] if said[1] == said[2] else said[0]
    return k, max(said.count(k), 1)
