"""A sample of many rows that leaves out no cluster."""

import numpy as np
from numpy.typing import NDArray

#: Each cluster gets this share of an equal share, where it has as many rows.
FLOOR = 0.5


def sample_of(
    labels: NDArray[np.integer], most: int, random_state: int | None = 0
) -> tuple[NDArray[np.intp], int]:
    """Draw about ``most`` rows: a minimum of each cluster, the rest in proportion to the sizes.

    Returns
    -------
    rows : ndarray
        Which rows, in ascending order; all of them if there are at most ``most``.
    least : int
        Every cluster has so many rows in the sample, or all that it has.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.explain.sample import sample_of
    >>> labels = np.repeat([0, 1], [9990, 10])
    >>> rows, least = sample_of(labels, 100)
    >>> np.bincount(labels[rows]).tolist(), least
    ([90, 10], 25)
    """
    _, places, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    if len(labels) <= most:
        return np.arange(len(labels)), int(sizes.max(initial=0))
    least = max(len(sizes) <= most, int(FLOOR * most / len(sizes)))
    sure = np.minimum(sizes, least)
    left = sizes - sure
    share = max(0, most - int(sure.sum())) / max(1, int(left.sum()))
    until = np.rint(np.cumsum(left) * share).astype(np.intp)  # what is rounded off goes on
    quotas = sure + np.diff(until, prepend=0)
    shuffled = np.random.default_rng(random_state).permutation(len(labels))
    by_cluster = shuffled[np.argsort(places[shuffled], kind="stable")]
    place_in_cluster = np.arange(len(labels)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return np.sort(by_cluster[place_in_cluster < np.repeat(quotas, sizes)]), least
