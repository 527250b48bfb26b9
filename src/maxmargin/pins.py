"""Pins: labels that the user knows for some of the rows."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from maxmargin._runtime.warnings import warn_user


def sample_rows(
    pins: NDArray[np.int32], max_rows: int, rng: np.random.Generator
) -> NDArray[np.intp]:
    """All rows, or a random subset of so many in random order.

    Pinned rows come first, up to half of the subset and as evenly from the clusters as can be.
    """
    n = len(pins)
    if n <= max_rows:
        return np.arange(n)
    order = rng.permutation(n)
    pinned = order[pins[order] >= 0]
    turn = np.empty(len(pinned), np.intp)  # which one of its cluster a row is
    for c in np.unique(pins[pinned]):
        members = pins[pinned] == c
        turn[members] = np.arange(members.sum())
    first = pinned[np.argsort(turn, kind="stable")][: max_rows // 2]
    rest = order[~np.isin(order, first)]
    free = pins[rest] < 0
    return np.concatenate([first, rest[free], rest[~free]])[:max_rows]


def partial_labels(y: ArrayLike | None) -> NDArray[Any] | None:
    """Return y as numbers if it contains −1, and None if it is not meant for a clusterer."""
    if y is None:
        return None
    pins = np.asarray(y)
    if pins.dtype.kind == "O":
        try:
            pins = pins.astype(np.float64)
        except (TypeError, ValueError):
            return None
    return pins if pins.dtype.kind in "iuf" and np.any(pins == -1) else None


def read_pins(y: ArrayLike | None, n: int, k: int) -> NDArray[np.int32]:
    """Read partial labels: −1 is unknown. Without any −1, y is not meant for a clusterer."""
    pins = partial_labels(y)
    if pins is None:
        return np.full(n, -1, np.int32)
    if pins.shape != (n,):
        raise ValueError(
            f"y must have one entry for each row, shape ({n},); got shape {pins.shape}."
        )
    wrong = (pins != -1) & ~np.isin(pins, np.arange(k))
    if wrong.any():
        raise ValueError(
            f"y contains -1, so it is read as partial labels: pinned labels must be ints from "
            f"0 to {k - 1} (n_clusters = {k}) and -1 means unknown; got "
            f"{np.unique(pins[wrong])[:5].tolist()}."
        )
    share = float(np.mean(pins != -1))
    if k == 2 and share > 0.25 and np.all(pins[pins != -1] == 1):
        warn_user(
            f"y has the values -1 and 1 only, and is read as partial labels: {share:.0%} of the "
            f"rows are pinned to cluster 1. If it holds true classes, leave it out.",
        )
    return pins.astype(np.int32)
