"""A sample of rows that knows pins."""

import numpy as np
from numpy.typing import NDArray


def sample_rows(
    pins: NDArray[np.int32],
    max_rows: int,
    rng: np.random.Generator,
    weights: NDArray[np.float64] | None = None,
) -> NDArray[np.intp]:
    """All rows, or a random subset of so many in random order; heavy rows are drawn first.

    Pinned rows come first, up to half of the subset and as evenly from the clusters as can be.
    What rows that were drawn by weight count for among themselves is said by ``subset`` of sizes.
    """
    n = len(pins)
    if n <= max_rows:
        return np.arange(n)
    order = rng.permutation(n)
    if weights is not None:  # each is next in proportion to its weight (Efraimidis and Spirakis)
        order = np.argsort(rng.exponential(size=n) / weights)
    pinned = order[pins[order] >= 0]
    turn = np.empty(len(pinned), np.intp)  # which one of its cluster a row is
    for c in np.unique(pins[pinned]):
        members = pins[pinned] == c
        turn[members] = np.arange(members.sum())
    first = pinned[np.argsort(turn, kind="stable")][: max_rows // 2]
    rest = order[~np.isin(order, first)]
    free = pins[rest] < 0
    return np.concatenate([first, rest[free], rest[~free]])[:max_rows]
