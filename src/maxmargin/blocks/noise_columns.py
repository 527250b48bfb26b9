"""Columns that can part no clusters: no other column knows of them, and they have no valley.

If a column is independent of all others, the density is a product, and so is every set of clusters
that it has: those of the column times those of the others. If it has one hill only, it adds
nothing to them but distance.
"""

from collections.abc import Sequence
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from maxmargin._core.dip import dip

#: Fewer columns are all that there is; more of them are not asked one by one.
FEWEST, MOST = 3, 50
#: Rows that columns are known by, and the neighbours of each in the other columns.
ROWS, NEIGHBORS = 400, 10
#: The share of a column that its neighbours in the others tell, below which they know nothing,
KNOWN = 0.1
#: with so many standard errors to be sure of it.
SURE = 2.0
#: Standard errors at which a column, or all that are left out together, belong to the rest.
AFTER_ALL = 3.0
#: sqrt(n) · dip from which a column may have a valley: that of 5 % of uniform columns.
VALLEY = 0.55
#: Rows that may be a cluster, and how far from all others they are, in standard deviations of most.
FEWEST_ROWS, APART = 3, 2.0
#: Widths of windows by which a small hill is seen, in standard deviations of most rows; and by how
#: many standard errors, and how many times, they are fuller there than on the way to it.
WINDOWS = (0.5, 1.0)
HIGHER, TIMES = 3.0, 2.0
#: Rows up to which clusters of so few are sought at all.
ALL_SEEN = 20_000
#: Those of a normal column between its quartiles.
QUARTILES_APART = 1.349


def telling_columns(X: NDArray[np.floating], never: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which columns may tell clusters apart; all of them, where next to none would be left.

    The neighbours of a row in all other columns tell something of the column if its values
    (normal scores), or how far these are from the middle, are alike among neighbours. The column
    that is told least is left out first, because it hides the neighbours of the others; so the
    next one is asked again before it goes too. A column stays if rows move away from their nearest
    ones when its values are exchanged among them: it bounds empty space together with the others.
    Where those that are left out tell something of the others all together, many columns say a
    little each.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Columns in one scale.
    never : ndarray of shape (d,)
        Which of them are kept in any case.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.blocks.noise_columns import telling_columns
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(400, 3))
    >>> X[:, :2] += np.repeat([[-3], [3]], 200, axis=0)
    >>> telling_columns(X, np.zeros(3, bool)).tolist()
    [True, True, False]
    """
    rng = np.random.default_rng(0)
    some = np.unique(np.asarray(X[rng.permutation(len(X))[:ROWS]], dtype=np.float64), axis=0)
    n, d = some.shape
    kept = np.ones(d, bool)
    if not FEWEST <= d <= MOST or n <= NEIGHBORS:
        return kept
    ranks = np.lexsort((rng.random(some.shape), some), axis=0).argsort(axis=0)  # ties at random
    scores = ndtri((ranks + 0.5) / n)
    told = np.stack([scores, np.abs(scores) - np.abs(scores).mean()])
    hills = np.array([np.sqrt(n) * dip(np.sort(column)) < VALLEY for column in some.T])
    error = 1 / np.sqrt(n * NEIGHBORS / 2)
    apart = _squared(some)
    sure = ~hills | never

    suspects: list[tuple[float, int, int]] = []  # a heap: told least, column, columns asked

    def ask(j: int) -> None:
        share = _known(told[:, :, [j]], apart - _squared(some[:, [j]]))
        sure[j] |= share >= KNOWN
        if share < KNOWN - SURE * error:
            heappush(suspects, (share, j, int(kept.sum())))

    for j in np.flatnonzero(~sure).tolist():
        ask(j)
    while suspects:
        _, j, columns = heappop(suspects)
        own = _squared(some[:, [j]])
        if columns > kept.sum():
            ask(j)
        elif _bound(some[:, j], apart - own, rng) > AFTER_ALL:
            sure[j] = True
        else:
            apart -= own
            kept[j] = False
    if kept.all() or kept.sum() < 2 or not sure.any():
        return np.ones(d, bool)
    together = _known(told[:, :, kept], _squared(some[:, ~kept]))
    return kept if together < AFTER_ALL * error / np.sqrt(kept.sum()) else np.ones(d, bool)


def rows_apart(X: NDArray[np.floating]) -> NDArray[np.bool_]:
    """Which columns have rows beyond a gap: the dip of all rows does not see how wide it is.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.blocks.noise_columns import rows_apart
    >>> X = np.random.default_rng(0).normal(size=(1000, 2))
    >>> X[:4, 1] += 9
    >>> rows_apart(X).tolist()
    [False, True]
    """
    n = len(X)
    if n < 4 * FEWEST_ROWS:
        return np.zeros(X.shape[1], bool)
    values = np.sort(X, axis=0).astype(np.float64, copy=False)
    with np.errstate(over="ignore"):
        gaps = np.diff(values, axis=0)[FEWEST_ROWS - 1 : 1 - FEWEST_ROWS]
        most = np.ptp(values[[n // 4, n - 1 - n // 4]], axis=0) / QUARTILES_APART
    return np.asarray(gaps.max(axis=0) > APART * most)


def second_hills(X: NDArray[np.floating]) -> NDArray[np.bool_]:
    """Which columns have a small hill beside the large one: too small for the dip of all rows.

    A window of some width slides from the densest place outward; where it holds far more rows than
    one of the same width on its way, there is a valley between the two.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.blocks.noise_columns import second_hills
    >>> X = np.random.default_rng(0).normal(size=(1000, 2))
    >>> X[:50, 1] += 6
    >>> second_hills(X).tolist()
    [False, True]
    """
    return np.array([_second_hill(np.sort(column)) for column in X.T.astype(np.float64)], bool)


def _second_hill(values: NDArray[np.float64]) -> bool:
    n = len(values)
    low, high = values[n // 4], values[n - 1 - n // 4]
    if not 0 < high - low < np.inf:
        return False
    widths = (high - low) / QUARTILES_APART * np.array(WINDOWS)
    with np.errstate(over="ignore"):
        return any(_rises(side, width) for side in (values, -values[::-1]) for width in widths)


def _rises(values: NDArray[np.float64], width: float) -> bool:
    """Whether windows to the right of the densest one are ever far fuller than one before them."""
    rows = np.arange(len(values))
    after = np.searchsorted(values, values + width) - rows  # [v, v + width)
    before = rows - np.searchsorted(values, values - width)  # [v - width, v)
    on_the_way = values - width >= values[np.argmax(after)]
    lowest = np.minimum.accumulate(np.where(on_the_way, before, len(values)))
    sure = after - lowest > HIGHER * np.sqrt(after + lowest)
    return bool(np.any(sure & (after >= TIMES * lowest)))


def said_of_columns(left_out: Sequence[int], names: Sequence[str] | None) -> str:
    """A sentence on columns that were left out, if there are some, by names where they have some.

    Examples
    --------
    >>> from maxmargin.blocks.noise_columns import said_of_columns
    >>> said_of_columns([1], ["age", "noise"])
    " Columns left out: 'noise'; no other column knows of them, and each has one hill only."
    """
    if not left_out:
        return ""
    counted = " (counted from 0)" if names is None else ""
    called = [str(column) if names is None else repr(names[column]) for column in left_out]
    return (
        f" Columns left out{counted}: {', '.join(called)}; no other column knows of them, and each "
        f"has one hill only."
    )


def _squared(X: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(sum(np.square(np.subtract.outer(column, column)) for column in X.T))


def _known(told: NDArray[np.float64], squared: NDArray[np.float64]) -> float:
    """The share of what is told of columns that the nearest rows say too (Moran's I)."""
    np.fill_diagonal(squared, np.inf)
    near = np.argpartition(squared, NEIGHBORS, axis=1)[:, :NEIGHBORS]
    shares = (told * told[:, near].mean(axis=2)).mean(axis=1) / told.var(axis=1)
    return float(shares.mean(axis=1).max())


def _bound(
    column: NDArray[np.float64], rest: NDArray[np.float64], rng: np.random.Generator
) -> float:
    """How much more often rows are near with their own value than with another row's.

    In standard errors; about none for a column that is independent of the rest.
    """
    there, exchanged = (
        rest + np.square(np.subtract.outer(values, column))
        for values in (column, rng.permutation(column))
    )
    for squared in (there, exchanged):
        np.fill_diagonal(squared, np.inf)
    farther = np.sign(exchanged.min(axis=1) - there.min(axis=1))
    return float(farther.sum() / np.sqrt(column.size))
