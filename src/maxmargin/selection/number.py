"""The number of clusters: the median of three views of the same data.

Each view is blind to something. The split gap sees every shape, but where nothing is separated it
can be largest at any number, mostly a large one. Dips see valleys along straight lines only, and in
many columns none. Predictability falls where a cluster is cut that was one, but prefers few
clusters. They rarely err to the same side at once, and a median needs two of them to do so.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin._runtime.parameters import Integer
from maxmargin.objectives.leave_one_out import SMALLEST_ERROR, LeaveOneOut
from maxmargin.selection.dip import pairwise_dips
from maxmargin.selection.modes import find_modes
from maxmargin.selection.split_gap import SplitGap
from maxmargin.spaces.metric import Matrix
from maxmargin.spaces.neighbors import Neighbors

Partitions = (
    Mapping[int, NDArray[np.integer]] | Callable[[int], NDArray[np.integer]]
)  # the labels for each number of clusters

SMALLEST_DIP = 0.45  # sqrt(n) · dip above which there is a valley between two clusters
NUMBER_VALLEY_WEIGHT = 0.04  # what a valley of the density counts in the split gap


@dataclass(frozen=True, eq=False)
class NumberOfClusters:
    """How many clusters there are, and how sure that is.

    Parameters
    ----------
    k : int
        The answer: the median of three numbers, of which 1 counts as 2. They are ``k_gap``,
        ``k_dip`` and ``k_drop``, or ``k_mode`` where it is not known how well partitions are
        predicted.
    k_gap : int
        Where the split gap is largest.
    k_dip : int
        The largest number whose clusters all have valleys between them; 1 if none has.
    k_mode : int
        The modes of the density.
    agreement : int
        How many of the three say ``k``: the more, the surer. With 1, all three differ and ``k``
        is little more than a guess.
    maybe_one : bool
        Whether neither dips nor modes see more than one cluster.
    curve : dict of arrays
        ``"k"``; ``"split_gap"``, ``"split_weakness"``, ``"splits_cluster"`` (the cluster that is
        split best), ``"pair_weakness"`` (see :class:`~maxmargin.selection.split_gap.GapDetails`)
        and ``"smallest_dip"`` (inf where no two clusters touch) of the partition into k
        clusters; where criteria were given, also ``"predictability"``, minus the mean logarithm
        of the leave-one-out errors.
    k_drop : int or None
        Where one cluster more costs most predictability; None without criteria.
    """

    k: int
    k_gap: int
    k_dip: int
    k_mode: int
    agreement: int
    maybe_one: bool
    curve: dict[str, NDArray[Any]]
    k_drop: int | None = None

    @property
    def why(self) -> str:
        """The three numbers, as a sentence."""
        third = f"modes {self.k_mode}" if self.k_drop is None else f"drop of the fit {self.k_drop}"
        return (
            f"The number of clusters is the median of three rules: split gap {self.k_gap}, dips "
            f"{self.k_dip}, {third}."
        )


def count_clusters(
    X: Matrix,
    neighbors: Neighbors,
    partitions: Partitions,
    *,
    k_max: int = 20,
    criteria: Sequence[LeaveOneOut] = (),
) -> NumberOfClusters:
    """Choose the number of clusters without labels.

    Three views that err on different data: the split gap (clusters that are harder to split
    than to tell apart), the dip test on the lines between neighbouring clusters, and how well
    the labels of left-out rows are predicted (it falls most where one cluster more is one too
    many). The median of the three is taken. Without criteria, the modes of the density stand
    in for the third.

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
    criteria : sequence of LeaveOneOut, default=()
        The cells that judge how well a partition predicts itself.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.cluster import AgglomerativeClustering
    >>> from maxmargin.spaces.neighbors import Neighbors
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
    k_max = Integer(2).check("k_max", k_max)
    if X.shape[0] != neighbors.n:
        raise ValueError(f"X has {X.shape[0]} rows, but neighbors are those of {neighbors.n}.")
    splits = SplitGap(neighbors, NUMBER_VALLEY_WEIGHT)
    tried, details, dips, predicted = [], [], [], []
    for k in range(2, min(k_max, neighbors.n - 1) + 1):
        labels = partitions.get(k) if isinstance(partitions, Mapping) else partitions(k)
        if labels is None or len(np.unique(labels)) < k:
            continue
        tried.append(k)
        details.append(splits.details(labels))
        dips.append(pairwise_dips(X, labels, splits.graph).smallest)
        predicted.append(predictability(labels, criteria))
    curve: dict[str, NDArray[Any]] = {
        "k": np.array(tried, dtype=np.intp),
        "split_gap": np.array([d.gap for d in details], dtype=np.float64),
        "split_weakness": np.array([d.split_weakness for d in details], dtype=np.float64),
        "splits_cluster": np.array([d.split_cluster for d in details], dtype=np.intp),
        "pair_weakness": np.array([d.pair_weakness for d in details], dtype=np.float64),
        "smallest_dip": np.array(dips, dtype=np.float64),
    }
    if criteria:
        curve["predictability"] = np.array(predicted, dtype=np.float64)
    k_mode = find_modes(neighbors, X).count
    k_gap = tried[int(np.argmax(curve["split_gap"]))] if tried else 1
    k_dip = max((k for k, t in zip(tried, dips, strict=True) if t > SMALLEST_DIP), default=1)
    k_drop = steepest_drop(tried, predicted) if criteria else None
    k, agreement = vote(k_gap, k_dip, k_mode if k_drop is None else k_drop)
    # there need not be a partition into as many clusters as there are modes, nor one into 2
    k = min(tried, key=lambda other: abs(other - k), default=1)
    maybe_one = k_dip == k_mode == 1
    return NumberOfClusters(k, k_gap, k_dip, k_mode, agreement, maybe_one, curve, k_drop)


def vote(*said: int) -> tuple[int, int]:
    """The median of an odd number of opinions, and how many are the same; 1 counts as 2.

    Examples
    --------
    >>> from maxmargin.selection.number import vote
    >>> vote(3, 12, 4), vote(6, 6, 1)
    ((4, 1), (6, 2))
    """
    at_least_two = sorted(max(2, k) for k in said)
    k = at_least_two[len(said) // 2]
    return k, at_least_two.count(k)


def predictability(labels: NDArray[np.integer], criteria: Sequence[LeaveOneOut]) -> float:
    """Minus the mean logarithm, over the criteria, of the leave-one-out error of the labels."""
    if not criteria:
        return 0.0
    _, clusters = np.unique(labels, return_inverse=True)
    errors = np.array([1 - criterion.scores([clusters])[0] for criterion in criteria])
    return float(-np.log(np.maximum(errors, SMALLEST_ERROR)).mean())


def steepest_drop(tried: Sequence[int], predicted: Sequence[float]) -> int:
    """The number after which predictability falls most; of the last one it is not known.

    Examples
    --------
    >>> from maxmargin.selection.number import steepest_drop
    >>> steepest_drop([2, 3, 4, 5], [2.1, 2.3, 1.2, 0.9])
    3
    """
    if len(tried) < 2:
        return tried[0] if tried else 1
    return tried[int(np.argmin(np.diff(predicted)))]
