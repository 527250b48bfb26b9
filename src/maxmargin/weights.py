"""Weights of rows: a row of weight w stands for w copies of it, which stay together.

Objectives take weights as they are. Sizes are whole numbers, and so is the mass of a row in them:
how many times the lightest row it weighs where that is a whole number for all rows, as for numbers
of copies, and a billionth of the heaviest one is the unit otherwise.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from maxmargin._runtime.parameters import as_floats, shown
from maxmargin.sizes import Bound, Counts, Sizes, read_pins, read_sizes

Weights = NDArray[np.float64]

#: The mass of the heaviest row, where weights are not whole numbers of the lightest one.
FINE = 2**30
#: Copies for each row, where a method knows no weights.
MOST_COPIES = 8


#: Of those that are not 0: products of weights with other numbers must not overflow or vanish.
LIGHTEST, HEAVIEST = 1e-150, 1e150


def read_weights(sample_weight: ArrayLike, n: int) -> Weights:
    """The weights of n rows, or an error that says what they may be."""
    weights = as_floats(sample_weight)
    if weights.shape != (n,):
        raise ValueError(
            f"sample_weight must be None or {n} numbers >= 0, one for each row of X; got "
            f"{shown(sample_weight)}."
        )
    wrong = ~((weights == 0) | ((weights >= LIGHTEST) & (weights <= HEAVIEST)))
    if wrong.any():
        raise ValueError(
            f"sample_weight must be finite numbers >= 0 (0, or {LIGHTEST:g} to {HEAVIEST:g}); got "
            f"{weights[wrong][0]:g} for row {int(np.argmax(wrong))}."
        )
    if not weights.any():
        raise ValueError("sample_weight must be above 0 for some rows; all are zero.")
    return weights


@dataclass(frozen=True)
class WeightedSizes(Sizes):
    """Limits on sums of masses.

    A bound is hard where masses leave room for it: all bounds together at least the heaviest row
    for each cluster. Otherwise, and for exact proportions, it holds within the heaviest row.

    Attributes
    ----------
    masses : ndarray of shape (n,)
        What each row counts for.
    """

    masses: Counts | None = None

    @property
    def mass(self) -> Counts:
        """What each row counts for."""
        return np.asarray(self.masses)

    @property
    def weights(self) -> Weights:
        """The same relative to its mean."""
        return self.mass / self.mass.mean()

    def counts(self, labels: NDArray[np.integer]) -> Counts:
        """The size of each cluster."""
        return _sums(labels, self.mass, self.n_clusters)

    def draw_quota(self, rng: np.random.Generator, number: int) -> NDArray[np.float64]:
        """The sizes that run ``number`` aims at: the quota, or at random where sizes are free."""
        if not self.free or number == 0:
            return self.quota
        shares = rng.dirichlet(np.full(self.n_clusters, 2.0))
        return np.clip(shares * self.mass.sum(), self.lower, self.upper)

    def subset(self, rows: NDArray[np.intp]) -> Sizes:
        """The same limits for rows that were drawn by weight, relative to what all weigh.

        A row is drawn with probability mass/τ, or surely from τ on; so each that is drawn stands
        for τ or more.
        """
        masses = np.maximum(self.mass[rows], _threshold(self.mass, len(rows)))
        total, pins, k = int(masses.sum()), self.pins[rows], self.n_clusters
        share = total / self.mass.sum()
        lower = np.floor(self.lower * share).astype(np.intp)
        upper = np.ceil(self.upper * share).astype(np.intp)
        lower, upper = _within_reach(Sizes(self.quota, lower, upper, pins), masses, total)
        pinned = _sums(pins[pins >= 0], masses[pins >= 0], k)
        if np.maximum(lower, pinned).sum() > total:  # more pins than their share
            lower = np.minimum(lower, pinned)
        upper = np.maximum(upper, pinned)
        return WeightedSizes(self.quota * share, lower, upper, pins, self.free, masses)

    def random_labels(
        self, rng: np.random.Generator, quota: NDArray[np.float64] | None = None
    ) -> NDArray[np.int32]:
        """Draw labels: rows in a random order, cut where the clusters have what they aim at."""
        wanted = self.quota if quota is None else quota
        labels, free = self.pins.copy(), self.pins < 0
        pinned = _sums(self.pins[~free], self.mass[~free], self.n_clusters)
        room = np.maximum(wanted - pinned, 0) + 1e-9  # and all alike if the pins have it all
        rows = rng.permutation(np.flatnonzero(free))
        mass = self.mass[rows]
        ends = np.cumsum(room) / room.sum() * mass.sum()
        labels[rows] = np.searchsorted(ends[:-1], np.cumsum(mass) - mass / 2)
        return labels


def weighted_sizes(
    estimator: Any, k: int, y: ArrayLike | None, weights: Weights, min_size: Bound = None
) -> Sizes:
    """The limits that the parameters of an estimator and y set for rows of these weights.

    A size is a sum of weights: an int is a number of copies, a share one of their sum. Weights
    that are all the same change no limit but that. ``min_size`` is what ``"auto"`` stands for.
    """
    n = len(weights)
    if n < k:
        raise ValueError(
            f"n_clusters must be at most the number of rows whose sample_weight is above 0, {n}; "
            f"got {k}."
        )
    masses, unit = _masses(weights)
    pins, free = read_pins(y, n, k), np.full(n, -1, np.int32)
    alike = bool(np.all(masses == 1))
    total = int(masses.sum())
    given = estimator.min_size
    lower = _in_units(min_size if isinstance(given, str) else given, unit, np.ceil)
    upper = _in_units(estimator.max_size, unit, np.floor)
    try:
        plain = read_sizes(total, k, estimator.proportions, lower, upper, pins if alike else free)
    except ValueError as error:
        counted = "" if unit == 1 else f" Rows are counted by sample_weight, in units of {unit:g}."
        raise ValueError(f"{error}{counted}") from None
    if alike:
        return plain
    lower, upper = _within_reach(plain, masses, total)
    pinned = _sums(pins[pins >= 0], masses[pins >= 0], k)
    if np.any(pinned > upper):
        c = int(np.argmax(pinned > upper))
        raise ValueError(
            f"y pins rows of weight {pinned[c] * unit:g} to cluster {c}, which may have "
            f"{upper[c] * unit:g}; change proportions or max_size, or pin fewer rows."
        )
    return WeightedSizes(plain.quota, lower, upper, pins, plain.free, masses)


def copies_of(masses: Counts) -> Counts:
    """How many copies rows stand for, where a method knows no weights; at least one each.

    Exact up to a few times as many rows, and otherwise in quarters of the mean.
    """
    if masses.sum() <= MOST_COPIES * len(masses):
        return masses
    return np.maximum(np.round(4 * masses / masses.mean()).astype(np.intp), 1)


def _masses(weights: Weights) -> tuple[Counts, float]:
    """Weights as whole numbers, and the weight of 1."""
    unit = float(weights.min())
    with np.errstate(over="ignore"):
        whole = np.round(weights / unit)
    if whole.max() > FINE or not np.allclose(whole * unit, weights, rtol=1e-12, atol=0):
        unit = float(weights.max()) / FINE
        whole = np.maximum(np.round(weights / unit), 1)
    return whole.astype(np.intp), unit


def _threshold(masses: Counts, m: int) -> int:
    """τ with Σ min(1, mass/τ) = m: how many of the heaviest are sure, the others share the rest."""
    if m >= len(masses):
        return 0
    falling = np.sort(masses)[::-1].astype(np.float64)
    rest = np.cumsum(falling[::-1])[::-1]  # of the heaviest c and all lighter ones
    sure = np.arange(m)
    tau = rest[:m] / (m - sure)
    return max(1, round(float(tau[np.argmax(falling[:m] <= tau)])))


def _within_reach(plain: Sizes, masses: Counts, total: int) -> tuple[Counts, Counts]:
    """Bounds that moves of whole rows reach from any labels; no cluster with a bound is empty."""
    lower, upper, k, heaviest = plain.lower, plain.upper, plain.n_clusters, masses.max()
    narrow = bool(np.any(upper - lower < heaviest))
    if narrow or lower.sum() + k * heaviest > total:
        lower = np.maximum(lower - heaviest, np.minimum(lower, masses.min()))
    if narrow or upper.sum() - k * heaviest < total:
        upper = np.minimum(upper + heaviest, total)
    return lower, upper


def _in_units(bound: Bound, unit: float, whole: Any) -> Bound:
    """A bound whose ints are numbers of copies, in units of a weight."""
    if isinstance(bound, (list, tuple, np.ndarray)) and np.ndim(bound):
        return [_in_units(item, unit, whole) for item in bound]  # type: ignore[misc]
    if isinstance(bound, (int, np.integer)) and not isinstance(bound, bool):
        return int(whole(bound / unit))
    return bound


def _sums(labels: NDArray[np.integer], masses: Counts, k: int) -> Counts:
    return np.bincount(labels, masses, minlength=k).astype(np.intp)
