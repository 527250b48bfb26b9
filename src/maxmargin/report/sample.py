"""Which rows are drawn when there are too many."""

import numpy as np
from numpy.typing import NDArray

#: Small clusters stay visible: so many rows of each are drawn, if it has them.
FLOOR = 20


def drawn_rows(
    labels: NDArray[np.intp], max_points: int, random_state: int | None
) -> NDArray[np.intp]:
    """Row numbers, in order: all of them, or a random part of each cluster.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.report.sample import drawn_rows
    >>> labels = np.repeat([0, 1], [990, 10])
    >>> rows = drawn_rows(labels, 100, random_state=0)
    >>> len(rows), int(np.sum(labels[rows] == 1))
    (100, 10)
    """
    if len(labels) <= max_points:
        return np.arange(len(labels))
    rng = np.random.default_rng(random_state)
    clusters, sizes = np.unique(labels, return_counts=True)
    quota = _quotas(sizes, max_points)
    parts = [
        rng.choice(np.flatnonzero(labels == cluster), size=size, replace=False)
        for cluster, size in zip(clusters, quota, strict=True)
    ]
    return np.sort(np.concatenate(parts))


def _quotas(sizes: NDArray[np.intp], total: int) -> NDArray[np.intp]:
    """Shares of the total: a floor for each, the rest in proportion to what is left."""
    quota = np.minimum(sizes, min(FLOOR, total // len(sizes)))
    left = sizes - quota
    exact = left * ((total - quota.sum()) / left.sum())
    more = np.floor(exact).astype(np.intp)
    order = np.argsort(more - exact, kind="stable")  # largest remainders first
    more[order[: total - quota.sum() - more.sum()]] += 1
    return quota + np.minimum(more, left)
