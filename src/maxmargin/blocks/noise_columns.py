"""Columns that can part no clusters: no other column knows of them, and they have no valley.

If a column is independent of all others, the density is a product, and so is every set of clusters
that it has: those of the column times those of the others. If it has one hill only, it adds
nothing to them but distance.
"""

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
#: What is left out may not tell more of the rest together, in standard errors.
SURE_TOGETHER = 3.0
#: sqrt(n) · dip from which a column may have a valley: that of 5 % of uniform columns.
VALLEY = 0.55


def telling_columns(X: NDArray[np.floating], never: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which columns may tell clusters apart; all of them, where next to none would be left.

    The neighbours of a row in all other columns tell something of the column if its values
    (normal scores), or how far these are from the middle, are alike among neighbours. The column
    that is told least is left out first, because it hides the neighbours of the others. Where those
    that are left out tell something of the others all together, many columns say a little each.

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
    some = np.asarray(X[rng.permutation(len(X))[:ROWS]], dtype=np.float64)
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
    suspects = np.flatnonzero(~sure).tolist()
    while suspects:
        known = {j: _known(told[:, :, [j]], apart - _squared(some[:, [j]])) for j in suspects}
        sure[[j for j in suspects if known[j] >= KNOWN]] = True
        suspects = [j for j in suspects if known[j] < KNOWN - SURE * error]
        if suspects:
            least = min(suspects, key=lambda j: known[j])
            apart -= _squared(some[:, [least]])
            kept[least] = False
            suspects.remove(least)
    if kept.all() or kept.sum() < 2 or not sure.any():
        return np.ones(d, bool)
    together = _known(told[:, :, kept], _squared(some[:, ~kept]))
    return kept if together < SURE_TOGETHER * error / np.sqrt(kept.sum()) else np.ones(d, bool)


def _squared(X: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(sum(np.square(np.subtract.outer(column, column)) for column in X.T))


def _known(told: NDArray[np.float64], squared: NDArray[np.float64]) -> float:
    """The share of what is told of columns that the nearest rows say too (Moran's I)."""
    np.fill_diagonal(squared, np.inf)
    near = np.argpartition(squared, NEIGHBORS, axis=1)[:, :NEIGHBORS]
    shares = (told * told[:, near].mean(axis=2)).mean(axis=1) / told.var(axis=1)
    return float(shares.mean(axis=1).max())
