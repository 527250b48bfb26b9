"""Which rows are outliers: those of the smallest heights, and a rule for rows that tie.

Where the width is narrow, many rows are alone: their heights are what their own weight gives, and
the same for all. Kernels that are wider tell which of them are the loneliest.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from maxmargin._runtime.warnings import warn_user
from maxmargin.domain.domain import Domain
from maxmargin.spaces.metric import Matrix

Values = NDArray[np.float64]

#: Heights that differ by this share are the same.
TIED = 1e-9
#: Kernels of four times the width tell tied rows apart, or wider ones, up to that of all rows.
WIDER, TIMES = 4, 12


@dataclass(frozen=True, eq=False)
class Outliers:
    """A rule for points; it knows nothing of the rows in whose company they are.

    Attributes
    ----------
    below : float
        Points of smaller heights are outliers.
    above : float
        Points from this height on are none.
    wide : Domain or None
        The same domain with a wider kernel: it decides between the two.
    wide_below : float
        Points that are lower there are outliers.
    """

    below: float = -np.inf
    above: float = -np.inf
    wide: Domain | None = None
    wide_below: float = -np.inf

    def mark(self, X: Matrix, heights: Values) -> NDArray[np.bool_]:
        """Whether points X of these heights are outliers."""
        marked = heights < self.below
        if self.wide is not None:
            tied = np.flatnonzero(~marked & (heights < self.above))
            if len(tied):
                marked[tied] = self.wide.heights(X[tied]) < self.wide_below
        return marked


def find_outliers(
    domain: Domain,
    heights_in: Callable[[Domain], Values],
    share: float,
    weights: Values | None = None,
) -> tuple[Outliers, NDArray[np.intp]]:
    """The rule that marks a share of the rows, or of their weight, and the rows that it marks.

    Parameters
    ----------
    domain : Domain
    heights_in : callable
        From a domain to the heights of the rows in it.
    share : float
    weights : array of shape (n,), default=None

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.domain.domain import Domain
    >>> from maxmargin.domain.outliers import find_outliers
    >>> rows = np.array([[0.0], [1.0], [3.0], [9.0]])
    >>> domain = Domain(rows, np.ones(4), gamma=1e3)  # in which each row is alone
    >>> rule, marked = find_outliers(domain, lambda seen: seen.heights(rows), 0.25)
    >>> marked.tolist(), rule.mark(rows, domain.heights(rows)).tolist()
    ([3], [False, False, False, True])
    """
    if share == 0:
        return Outliers(), np.empty(0, np.intp)
    heights = heights_in(domain)
    order = np.argsort(heights, kind="stable")
    n = number_of_outliers(order, share, weights)
    if n == 0:
        return Outliers(), order[:0]
    places = _places(heights[order])
    first, last = int(places[places <= n].max()), int(places[places >= n].min())
    limits = _threshold(heights[order], first), _threshold(heights[order], last)
    if first == last:
        return Outliers(*limits), order[:n]
    tied, tries = order[first:last], []
    for gamma in _wider(domain):
        wide = Domain(domain.support, domain.weights, gamma)
        seen = heights_in(wide)[tied]
        by_height = np.argsort(seen, kind="stable")
        order[first:last] = tied[by_height]
        n = number_of_outliers(order, share, weights)
        places = first + _places(seen[by_height])
        place = min(places[places < len(order)].tolist(), key=lambda place: abs(place - n))
        rule = Outliers(*limits, wide, _threshold(seen[by_height], place - first))
        if place == n:
            return rule, order[:n]
        tries.append((abs(place - n), rule, order[:place].copy()))
    _, rule, marked = min(tries, key=lambda tried: tried[0])
    warn_user(
        f"outlier_fraction = {share:g} asks for {n} rows to be marked, and {len(marked)} are: "
        f"rows that are equal, or nearly so, are marked together or not at all."
    )
    return rule, marked


def number_of_outliers(order: NDArray[np.intp], share: float, weights: Values | None = None) -> int:
    """How many of the first rows in an order have a share of all weight; never all of them.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.domain.outliers import number_of_outliers
    >>> order = np.array([1, 2, 3, 0])
    >>> number_of_outliers(order, 0.5), number_of_outliers(order, 0.5, np.array([1.0, 2, 1, 0]))
    (2, 1)
    """
    if weights is None:
        return min(round(share * len(order)), len(order) - 1)
    below = np.cumsum(weights[order])
    most = share * (1 + 1e-12) * below[-1]
    return min(int(np.searchsorted(below, most, side="right")), len(order) - 1)


def _wider(domain: Domain) -> Iterator[float]:
    """The γ of wider and wider kernels, at least one."""
    span, gamma = float(np.max(np.ptp(domain.support, axis=0))), domain.gamma
    for _ in range(TIMES):
        gamma /= WIDER**2
        yield gamma
        if np.sqrt(gamma) * span < 1:
            return


def _places(ordered: Values) -> NDArray[np.intp]:
    """How many of the values in rising order can be below a threshold, as ties allow."""
    apart = np.diff(ordered) > np.maximum(TIED * ordered[1:], 1e-15)
    return np.concatenate([[0], 1 + np.flatnonzero(apart), [len(ordered)]])


def _threshold(ordered: Values, place: int) -> float:
    """Between two values: those of a row round differently in other company."""
    if place in (0, len(ordered)):
        return np.inf if place else -np.inf
    return float(ordered[place - 1] + ordered[place]) / 2
