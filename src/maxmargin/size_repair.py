"""Labels that keep bounds on sizes: the rows that lose least go elsewhere."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin._core.transport import assign_rows


def moved_within(
    values: NDArray[np.floating], labels: NDArray[np.int32], sizes: Any
) -> NDArray[np.int32]:
    """Labels, changed in place, that keep the bounds of ``sizes``, of values (n × k) before them.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.size_repair import moved_within
    >>> from maxmargin.sizes import read_pins, read_sizes
    >>> sizes = read_sizes(4, 2, [0.5, 0.5], None, None, read_pins(None, 4, 2))
    >>> values = np.array([[3.0, 0], [2, 0], [1, 0], [4, 0]])
    >>> moved_within(values, np.zeros(4, np.int32), sizes).tolist()
    [0, 1, 1, 0]
    """
    mass = sizes.mass
    one = np.ones_like(mass)
    while True:
        counts = sizes.counts(labels)
        over, under = counts > sizes.upper, counts < sizes.lower
        if not over.any() and not under.any():
            return labels
        # First clusters with too many rows give to those with room, then any with rows to
        # spare to those with too few: none does both. A heavy row must fit on the side that is
        # within the limit.
        limit, leaves, needs = (sizes.upper, one, mass) if over.any() else (sizes.lower, mass, one)
        spare, room = np.maximum(counts - limit, 0), np.maximum(limit - counts, 0)
        targets = np.flatnonzero(room)
        rows = np.flatnonzero((spare[labels] >= leaves) & (sizes.pins < 0))
        fits = needs[rows, None] <= room[targets]
        offers = np.where(fits, values[np.ix_(rows, targets)], -np.inf)
        wanted = np.argmax(offers, axis=1)
        loss = values[rows, labels[rows]] - offers[np.arange(len(rows)), wanted]
        rows, wanted, loss = (found[np.isfinite(loss)] for found in (rows, wanted, loss))
        if not len(rows):
            raise ValueError("the size limits cannot be met: pinned rows leave none to move.")
        left = spare.sum() if over.any() else room.sum()
        order = np.argsort(loss, kind="stable")
        for row, d in zip(rows[order], targets[wanted[order]], strict=True):
            a = labels[row]
            if spare[a] >= leaves[row] and room[d] >= needs[row]:
                labels[row] = d
                spare[a] -= mass[row]
                room[d] -= mass[row]
                left -= mass[row]
                if left <= 0:
                    break


def cheapest_labels(losses: NDArray[np.float32], sizes: Any) -> NDArray[np.int16]:
    """The labels of the smallest total loss (n × k) within the bounds and the pins.

    Exactly, but where rows have weights: to pack these is hard, and those that lose least move.
    """
    if sizes.mass.max() > 1:
        return sizes.assign(-losses).astype(np.int16)
    labels = np.where(sizes.pins >= 0, sizes.pins, np.argmin(losses, axis=1)).astype(np.int32)
    counts = np.bincount(labels, minlength=sizes.n_clusters)
    if not assign_rows(losses, sizes.movable, labels, counts, sizes.lower, sizes.upper):
        raise ValueError(
            "the size limits cannot be met: the pinned rows in y leave no row to move."
        )
    return labels.astype(np.int16)
