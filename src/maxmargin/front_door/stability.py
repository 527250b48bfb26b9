"""How much of the answer stays when other rows are drawn."""

import warnings
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.metrics import adjusted_rand_score

from maxmargin._runtime.context import FitContext
from maxmargin.blocks.samples import sample_rows
from maxmargin.sizes import read_pins, sizes_of
from maxmargin.spaces.metric import Matrix, Weights

N_SUBSETS = 5
#: The share of the rows in a subset, and how many rows the subsets are taken from at most.
SUBSET_SHARE = 0.7
MOST_ROWS = 1500
#: By how much bounds in rows are relaxed: a subset need not have its share of every cluster.
SLACK = 0.1


def stability_of(
    model: Any,
    X: Matrix,
    y: ArrayLike | None,
    labels: NDArray[np.integer],
    context: FitContext,
    weights: Weights = None,
) -> float:
    """The median agreement of answers for random subsets of the rows, and of the answer itself.

    The same estimator clusters five subsets of 70 % of the rows (of a sample, where there are many
    rows), quickly. Each two answers are compared on the rows that they share, by the adjusted Rand
    index: 1 means that the rows which happened to be drawn did not matter. NaN where the fit was
    ended before, or where bounds leave a subset no room.

    Parameters
    ----------
    model : MaxMarginClustering
        Whose parameters are used.
    X : matrix of shape (n, d)
    y : array-like or None
        Partial labels.
    labels : array of shape (n,)
        The answer.
    context : FitContext
    weights : array of shape (n,) or None, default=None
    """
    n, k = len(labels), len(np.unique(labels))
    if k == 1:
        return 1.0
    rng = np.random.default_rng(0)
    pins = read_pins(y, n, n)
    known = np.where(pins >= 0, pins, np.nan)  # −1 beside 1 alone would be two classes
    base = sample_rows(pins, MOST_ROWS, rng)
    size = int(np.ceil(SUBSET_SHARE * len(base)))
    share = size / n
    brief = clone(model).set_params(
        n_clusters=int(k),
        encoder=None,
        min_size=_scaled(model.min_size, share * (1 - SLACK)),
        max_size=_scaled(model.max_size, share * (1 + SLACK)),
        effort="fast",
        stability=False,
        time_budget=None,
        n_jobs=None,
        verbose=0,
        random_state=0,
        on_interrupt="raise",
    )

    def answer(rows: NDArray[np.intp]) -> NDArray[np.int32]:
        some = X[np.ix_(rows, rows)] if model.metric == "precomputed" else X[rows]
        found = np.full(n, -1, np.int32)
        own = None if weights is None else weights[rows]
        found[rows] = clone(brief).fit(some, known[rows], sample_weight=own).labels_
        return found

    subsets = [np.sort(rng.choice(base, size, replace=False)) for _ in range(N_SUBSETS)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they were given for all rows
        if not all(_has_room(brief, known[rows]) for rows in subsets):
            return np.nan
        answers = [labels, *context.imap(answer, subsets, task="subset")]
    agreements = []
    for a, b in combinations(answers, 2):
        shared = (a >= 0) & (b >= 0)
        agreements.append(adjusted_rand_score(a[shared], b[shared]))
    return float(np.median(agreements)) if agreements else np.nan


def _has_room(model: Any, known: NDArray[np.float64]) -> bool:
    """Whether bounds and pins can be met by these rows."""
    try:
        sizes_of(model, len(known), model.n_clusters, known)
    except ValueError:
        return False
    return True


def _scaled(bound: Any, share: float) -> Any:
    """A bound in rows for a share of them; shares and rules stay as they are."""
    if isinstance(bound, (int, np.integer)) and not isinstance(bound, bool):
        return max(1, round(bound * share))
    if bound is None or isinstance(bound, (str, float)):
        return bound
    return [_scaled(part, share) for part in bound]
