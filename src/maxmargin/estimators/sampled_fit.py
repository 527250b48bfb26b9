"""A fit to as many rows as there is memory for, and labels for all of them."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from maxmargin._runtime.memory import available_memory
from maxmargin._runtime.warnings import warn_user
from maxmargin.blocks import Rows
from maxmargin.blocks.samples import sample_rows
from maxmargin.sizes import Sizes

#: The share of the free memory that a fit may plan with.
PLANNED_SHARE = 0.8
#: Fewer rows than this are no sample.
LEAST_ROWS = 1000


def rows_that_fit(memory: Callable[[int], int], sizes: Sizes) -> NDArray[np.intp] | None:
    """As many random rows as there is memory for, in their order; None for all of them.

    Parameters
    ----------
    memory : callable
        The bytes that a fit to so many rows needs.
    sizes : Sizes
        Whose pinned rows come first.
    """
    n, free = len(sizes.pins), available_memory()
    if free is None or memory(n) <= PLANNED_SHARE * free:
        return None
    few, many = LEAST_ROWS, n
    while many - few > LEAST_ROWS:  # the largest number that fits
        middle = (few + many) // 2
        few, many = (few, middle) if memory(middle) > PLANNED_SHARE * free else (middle, many)
    return np.sort(sample_rows(sizes.pins, few, np.random.default_rng(0)))


def fit_some(
    estimator: Any, rows: Rows, y: ArrayLike | None, sizes: Sizes, some: NDArray[np.intp]
) -> Any:
    """Fit an estimator to some rows, and let it predict the labels of all.

    Pinned rows keep their cluster. What is said of bounds is true of the rows that were fitted.
    """
    n, names = rows.shape[0], getattr(estimator, "feature_names_in_", None)
    warn_user(
        f"there is memory for {len(some)} of the {n} rows: the model is fitted to a random sample "
        f"of them, and predicts the others. Use fewer n_components to fit more."
    )
    estimator.fit(rows[some], None if y is None else np.asarray(y)[some])
    if names is not None:
        estimator.feature_names_in_ = names
    said = estimator._labels_of(rows)
    labels = np.where(sizes.pins >= 0, sizes.pins, said).astype(np.int32)
    estimator.labels_ = labels
    estimator.n_clusters_ = len(np.unique(labels))
    estimator.n_disagreements_ = int(np.sum(said != labels))
    if not sizes.hold(labels):
        warn_user(
            "the bounds on sizes hold for the sample that was fitted, and not for all rows; "
            "CuttingPlaneClustering keeps them for rows in blocks."
        )
    return estimator
