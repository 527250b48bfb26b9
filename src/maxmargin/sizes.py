"""Size control: what stops the trivial answer, and what the user knows about the clusters.

Proportions, bounds and pinned labels are read here once, for every estimator.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linear_sum_assignment

from maxmargin._core.transport import assign_rows
from maxmargin._runtime.parameters import (
    NONE,
    NONNEGATIVE,
    Allowed,
    Integer,
    Listed,
    OneOf,
    as_floats,
    number_of,
    shown,
)
from maxmargin._runtime.warnings import warn_user
from maxmargin.size_repair import moved_within

Proportions = str | Sequence[float] | NDArray[np.floating] | None
Pins = NDArray[np.int32]  # the cluster of each pinned row, −1 where the row is free
Counts = NDArray[np.intp]
Bound = float | Sequence[float] | NDArray[Any] | None

_ITEM = replace(
    Integer(0) | NONNEGATIVE,
    words="an int >= 0 (rows) or a float >= 0 (share of n / n_clusters), one or one per cluster",
)
_BOUND = NONE | Allowed(_ITEM.words, lambda v: _ITEM.accepts(v) or hasattr(v, "__len__"))
#: What the parameters of size control may be; what they mean depends on the rows.
SIZE_PARAMETERS = {
    "proportions": Allowed(
        'None, "balanced" or shares > 0 that sum to 1, one for each cluster',
        (OneOf(None, "balanced") | Listed("shares")).accepts,
    ),
    "min_size": _BOUND,
    "max_size": _BOUND,
}


@dataclass(frozen=True)
class Sizes:
    """The limits on a labelling of n rows into k clusters.

    Attributes
    ----------
    quota : ndarray of shape (k,)
        The size that each cluster aims at; sums to n.
    lower, upper : ndarray of shape (k,)
        The hard bounds in rows.
    pins : ndarray of shape (n,)
        The cluster of each pinned row, −1 where the row is free.
    free : bool
        Whether nothing is known about the sizes, so that the quota is only a first guess.
    """

    quota: NDArray[np.float64]
    lower: NDArray[np.intp]
    upper: NDArray[np.intp]
    pins: NDArray[np.int32]
    free: bool = False

    @property
    def n_clusters(self) -> int:
        """The number of clusters k."""
        return len(self.quota)

    @property
    def movable(self) -> NDArray[np.uint8]:
        """1 for the rows that are not pinned."""
        return (self.pins < 0).astype(np.uint8)

    @property
    def n_pinned(self) -> int:
        """How many rows are pinned."""
        return int(np.sum(self.pins >= 0))

    @property
    def mass(self) -> Counts:
        """What each row counts for: 1, without weights."""
        return np.ones(len(self.pins), np.intp)

    @property
    def weights(self) -> NDArray[np.float64] | None:
        """The same relative to its mean; None if all rows count for the same."""
        return None

    def counts(self, labels: NDArray[np.integer]) -> Counts:
        """The size of each cluster."""
        return np.bincount(labels, minlength=self.n_clusters)

    def hold(self, labels: NDArray[np.integer]) -> bool:
        """Whether a labelling keeps the bounds and the pins."""
        return self.within(self.counts(labels)) and np.array_equal(self.pinned(labels), labels)

    def within(self, counts: Counts) -> bool:
        """Whether sizes keep the bounds."""
        return bool(np.all((self.lower <= counts) & (counts <= self.upper)))

    def alike(self) -> NDArray[np.bool_]:
        """Which pairs of clusters have the same quota and bounds (k × k)."""
        limits = np.column_stack([self.quota, self.lower, self.upper])
        return np.all(limits[:, None] == limits[None], axis=2)

    def draw_quota(self, rng: np.random.Generator, number: int) -> NDArray[np.float64]:
        """The sizes that run ``number`` aims at: the quota, or at random where sizes are free.

        The first run always takes the quota. Forced balance is the main failure of a search
        with a quota; runs that aim at different sizes find unequal clusters too.
        """
        if not self.free or number == 0:
            return self.quota
        shares = rng.dirichlet(np.full(self.n_clusters, 2.0)) * len(self.pins)
        return _round_within(shares, self.lower, self.upper).astype(np.float64)

    def subset(self, rows: NDArray[np.intp]) -> "Sizes":
        """The same limits for some of the rows, relative to how many they are."""
        m, pins = len(rows), self.pins[rows]
        share = m / len(self.pins)
        pinned = _count_pins(pins, self.n_clusters)
        quota = self.quota * share
        if np.array_equal(self.lower, self.upper):
            few = np.maximum(pinned, 1)
            few = few if few.sum() <= m else pinned
            exact = _round_within(quota, few, np.full(self.n_clusters, m))
            return Sizes(exact.astype(np.float64), exact, exact, pins, self.free)
        lower = np.floor(self.lower * share).astype(np.intp)
        if np.maximum(lower, pinned).sum() > m:  # more pins than their share
            lower = np.minimum(lower, pinned)
        upper = np.maximum(np.ceil(self.upper * share).astype(np.intp), pinned)
        return Sizes(quota, lower, upper, pins, self.free)

    def random_labels(
        self, rng: np.random.Generator, quota: NDArray[np.float64] | None = None
    ) -> NDArray[np.int32]:
        """Draw labels whose sizes are as near to the quota as bounds and pins allow."""
        pinned = _count_pins(self.pins, self.n_clusters)
        wanted = self.quota if quota is None else quota
        counts = _round_within(wanted, np.maximum(self.lower, pinned), self.upper)
        labels = self.pins.copy()
        clusters = np.arange(self.n_clusters, dtype=np.int32)
        labels[self.pins < 0] = rng.permutation(np.repeat(clusters, counts - pinned))
        return labels

    def named(self, labels: NDArray[np.integer]) -> NDArray[np.int32]:
        """The clusters with the names that agree with most pins."""
        return self.names(labels)[labels]

    def names(self, labels: NDArray[np.integer]) -> NDArray[np.int32]:
        """The name of each cluster with which most pins agree."""
        known, common = self.pins >= 0, np.zeros((self.n_clusters, self.n_clusters))
        np.add.at(common, (labels[known], self.pins[known]), 1)
        return linear_sum_assignment(common, maximize=True)[1].astype(np.int32)

    def matched_by_size(self, labels: NDArray[np.integer]) -> NDArray[np.int32]:
        """Give the larger clusters the names of those that are to be larger."""
        if np.all(self.quota == self.quota[0]):
            return labels.astype(np.int32)
        names = np.empty(self.n_clusters, np.int32)
        counts = self.counts(labels)
        names[np.argsort(-counts, kind="stable")] = np.argsort(-self.quota, kind="stable")
        return names[labels]

    def pinned(self, labels: NDArray[Any]) -> NDArray[np.int32]:
        """The labels with the pins put in."""
        return np.where(self.pins >= 0, self.pins, labels).astype(np.int32)

    def adopted(self, labels: NDArray[np.integer]) -> NDArray[np.int32]:
        """Labels from elsewhere, named as sizes and pins want them, with the pins put in."""
        labels = self.matched_by_size(labels)
        return self.pinned(self.named(labels) if self.n_pinned else labels)

    def assign(self, values: NDArray[np.floating]) -> NDArray[np.int32]:
        """Give each row the cluster of its largest value (n × k), within bounds and pins.

        Where that breaks a bound, the rows that lose least go elsewhere.
        """
        return moved_within(values, self.pinned(np.argmax(values, axis=1)), self)

    def number(self, labels: NDArray[np.integer]) -> NDArray[np.int32]:
        """Number the clusters by decreasing size, ties by their first row."""
        return self.numbers(labels)[labels]

    def numbers(self, labels: NDArray[np.integer]) -> NDArray[np.int32]:
        """The number that each cluster of ``number`` gets.

        Clusters that the user can tell apart keep their numbers: those with pins, and those
        with proportions or bounds of their own. Only clusters with the same quota and the
        same bounds trade numbers.
        """
        k = self.n_clusters
        counts = self.counts(labels)
        first = np.full(k, len(labels))
        np.minimum.at(first, labels, np.arange(len(labels)))
        pinned = _count_pins(self.pins, k)
        new = np.arange(k)
        for group in np.unique(self.alike() & (pinned == 0), axis=0):
            alike = np.flatnonzero(group)
            order = np.lexsort((first[alike], -counts[alike]))
            new[alike[order]] = alike
        return new.astype(np.int32)


def sizes_of(estimator: Any, n: int, k: int, y: ArrayLike | None, min_size: Bound = None) -> Sizes:
    """The limits that the parameters of an estimator and y set for n rows and k clusters.

    ``min_size`` is what the floor ``"auto"`` stands for.
    """
    if n < k:
        raise ValueError(f"n_clusters must be at most n_samples = {n}; got {k}.")
    given = estimator.min_size
    if not (isinstance(given, str) and given == "auto"):
        min_size = given
    pins = read_pins(y, n, k)
    return read_sizes(n, k, estimator.proportions, min_size, estimator.max_size, pins)


def read_sizes(
    n: int, k: int, proportions: Proportions, min_size: Bound, max_size: Bound, pins: Pins
) -> Sizes:
    """Turn the parameters of an estimator into limits, or say why they cannot be met."""
    guided = isinstance(proportions, str) and proportions == "balanced"
    exact = proportions is not None and not guided
    quota = _exact_sizes(proportions, n, k) if exact else np.full(k, n / k)
    lower = _read_bound("min_size", min_size, quota, np.zeros(k, np.intp))
    upper = _read_bound("max_size", max_size, quota, np.full(k, n, np.intp))
    pinned = _count_pins(pins, k)
    _check_bounds(n, lower, upper, pinned)
    if exact:
        sizes = quota.astype(np.intp)
        for name, bad in (("min_size", sizes < lower), ("max_size", sizes > upper)):
            if bad.any():
                c = int(np.argmax(bad))
                raise ValueError(
                    f"proportions give cluster {c} {sizes[c]} of {n} rows, which {name} = "
                    f"{(min_size if name == 'min_size' else max_size)!r} does not allow; "
                    f"change one of them."
                )
        _check_bounds(n, sizes, sizes, pinned)
        lower = upper = sizes
    return Sizes(quota, lower, upper, pins, free=proportions is None)


def partial_labels(y: ArrayLike | None) -> NDArray[np.float64] | None:
    """Return y as numbers, −1 for unknown; None if it is complete, as classes are.

    Unknown is −1, NaN, None or pd.NA. A y of −1 and 1 alone is how two classes are coded: it
    counts as complete, as the true classes of a pipeline must never leak into a fit.
    """
    if y is None:
        return None
    labels = np.asarray(y, dtype=object if isinstance(y, (list, tuple)) else None)
    if labels.dtype.kind not in "iuf":
        # inf is no label of a cluster
        numbers = [number_of(value, otherwise=np.inf) for value in labels.astype(object).flat]
        labels = np.array(numbers, np.float64).reshape(labels.shape)
    with np.errstate(over="ignore"):  # long doubles
        labels = np.where(np.ma.getmask(y), np.nan, labels.astype(np.float64))
    unknown = np.isnan(labels) | (labels == -1)
    if not unknown.any():
        return None
    if np.array_equal(np.unique(labels), [-1, 1]):
        warn_user(
            "y has the values -1 and 1 only, as two classes are often coded: it is taken for "
            "classes and ignored. To pin rows to cluster 1 alone, mark the others by NaN or None."
        )
        return None
    return np.where(unknown, -1.0, labels)


def read_pins(y: ArrayLike | None, n: int, k: int) -> NDArray[np.int32]:
    """Read partial labels; where nothing is unknown, y is not meant for a clusterer."""
    pins = partial_labels(y)
    if pins is None:
        return np.full(n, -1, np.int32)
    if pins.shape != (n,):
        raise ValueError(
            f"y must have one entry for each row, shape ({n},); got shape {pins.shape}."
        )
    wrong = (pins != -1) & ~np.isin(pins, np.arange(k))
    if wrong.any():
        raise ValueError(
            f"y has unknown entries (-1, NaN or None), so it is read as partial labels: pinned "
            f"labels must be ints from 0 to {k - 1} (n_clusters = {k}); got "
            f"{list(dict.fromkeys(np.asarray(y, dtype=object)[wrong]))[:5]}."
        )
    return pins.astype(np.int32)


def _exact_sizes(proportions: Any, n: int, k: int) -> NDArray[np.float64]:
    """Shares of n by largest remainder, with at least one row for each cluster."""
    shares = as_floats(proportions)
    each = shares.shape == (k,) and bool(np.all((shares > 0) & (shares < 2)))
    if not each or not np.isclose(shares.sum(), 1, rtol=0, atol=1e-6):
        raise ValueError(
            f'proportions must be None, "balanced" or {k} shares > 0 that sum to 1 (n_clusters = '
            f"{k}); got {shown(proportions)}."
        )
    ones = np.ones(k, np.intp)
    return _round_within(shares / shares.sum() * n, ones, n * ones).astype(np.float64)


def _read_bound(name: str, bound: Bound, quota: NDArray[np.float64], default: Counts) -> Counts:
    """An int is rows, a float a share of the size that a cluster aims at (n/k by default).

    A share that cannot be a whole number of rows is rounded to the tighter side as long as
    equal sizes still satisfy it: 1.0 means "as equal as can be".
    """
    if bound is None:
        return default
    k, n = len(quota), round(float(quota.sum()))
    if isinstance(bound, np.ndarray) and bound.ndim == 0:
        bound = bound.item()
    items = list(bound) if isinstance(bound, (list, tuple, np.ndarray)) else [bound] * k
    if len(items) != k:
        raise ValueError(
            f"{name} must be one number or one for each of the {k} clusters; got {shown(bound)}."
        )
    rows = default.copy()
    for c, item in enumerate(items):
        share = _ITEM.plain(item if _ITEM.accepts(item) else _ITEM.check(name, bound))
        if isinstance(share, int):
            rows[c] = min(share, n + 1)
            continue
        share = min(share, n + 1.0)  # more than there are
        if name == "min_size":
            rows[c] = min(np.ceil(share * quota[c] - 1e-9), n + 1)
            rows[c] = min(rows[c], int(quota[c])) if share <= 1 else rows[c]
        else:
            rows[c] = min(np.floor(share * quota[c] + 1e-9), n + 1)
            rows[c] = max(rows[c], int(np.ceil(quota[c]))) if share >= 1 else rows[c]
    return rows


def _check_bounds(n: int, lower: Counts, upper: Counts, pinned: Counts) -> None:
    if lower.sum() > n:
        raise ValueError(
            f"min_size asks for {lower.sum()} rows in all, and X has {n}; lower min_size."
        )
    if np.any(lower > upper):
        c = int(np.argmax(lower > upper))
        raise ValueError(
            f"min_size must not exceed max_size; cluster {c} has {lower[c]} and {upper[c]} rows."
        )
    if upper.sum() < n:
        raise ValueError(
            f"max_size leaves room for {upper.sum()} rows in all, and X has {n}; raise max_size."
        )
    if np.any(pinned > upper):
        c = int(np.argmax(pinned > upper))
        raise ValueError(
            f"y pins {pinned[c]} rows to cluster {c}, which may have {upper[c]}; change "
            f"proportions or max_size, or pin fewer rows."
        )
    if np.maximum(lower, pinned).sum() > n:
        raise ValueError(
            f"the pins in y and min_size together ask for {np.maximum(lower, pinned).sum()} rows, "
            f"and X has {n}; lower min_size or pin fewer rows."
        )


def _count_pins(pins: Pins, k: int) -> Counts:
    return np.bincount(pins[pins >= 0], minlength=k)


def _round_within(wanted: NDArray[np.float64], lower: Counts, upper: Counts) -> Counts:
    """Whole numbers near ``wanted`` with the same sum, by largest remainder within bounds."""
    total = round(float(wanted.sum()))
    counts = np.clip(np.floor(wanted + 1e-9).astype(np.intp), lower, upper)
    while (missing := total - counts.sum()) != 0:
        step = 1 if missing > 0 else -1
        open_ = counts < upper if step > 0 else counts > lower
        need = np.where(open_, step * (wanted - counts), -np.inf)
        counts[np.argmax(need)] += step
    return counts


def cheapest_labels(losses: NDArray[np.float32], sizes: Sizes) -> NDArray[np.int16]:
    """The labels of the smallest total loss (n × k) within the bounds and the pins.

    Exactly, but where rows have weights: to pack these is hard, and those that lose least move.
    """
    if sizes.weights is not None and sizes.mass.max() > 1:
        return sizes.assign(-losses).astype(np.int16)
    labels = np.where(sizes.pins >= 0, sizes.pins, np.argmin(losses, axis=1)).astype(np.int32)
    counts = np.bincount(labels, minlength=sizes.n_clusters)
    if not assign_rows(losses, sizes.movable, labels, counts, sizes.lower, sizes.upper):
        raise ValueError(
            "the size limits cannot be met: the pinned rows in y leave no row to move."
        )
    return labels.astype(np.int16)
