"""The data sets of the paper's Table 1, as far as they are to be had."""

from collections.abc import Callable
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray
from shared.data import classes, digits, load

Data = tuple[NDArray[np.floating], NDArray[np.int64]]

ROWS = 1000  # of svmguide1-a and ringnorm


def some(X: NDArray, y: NDArray, n: int, seed: int = 0) -> Data:
    """Random rows, or all if there are fewer."""
    rows = np.random.default_rng(seed).permutation(len(y))[:n]
    return X[rows], y[rows]


@cache
def mnist01234() -> Data:
    """14 × 14 pixels in [0, 1], each the mean of 2 × 2; float32."""
    X, y = load("mnist")
    X, y = X[y < 5], y[y < 5]
    small = X.reshape(-1, 14, 2, 14, 2).mean(axis=(2, 4), dtype=np.float32)
    return small.reshape(-1, 196) / 255, y


LETTER = partial(load, "letter")

#: The sets by their names in the paper.
SETS: dict[str, Callable[[], Data]] = {
    "digits1v7": partial(classes, digits, 1, 7),
    "digits2v7": partial(classes, digits, 2, 7),
    "ionosphere": partial(load, "ionosphere"),
    "svmguide1-a": lambda: some(*load("svmguide1"), ROWS),
    "ringnorm": lambda: some(*load("ringnorm"), ROWS),
    "letterAvB": partial(classes, LETTER, 0, 1),
    "satellite": partial(classes, partial(load, "satellite"), 0, 1),
    "digits0689": partial(classes, digits, 0, 6, 8, 9),
    "digits1279": partial(classes, digits, 1, 2, 7, 9),
    "letterABCD": partial(classes, LETTER, 0, 1, 2, 3),
    "mnist01234": mnist01234,
}
#: The rows of the subsets of Table 3.
SUBSETS = {"letterAvB": 500, "satellite": 500, "letterABCD": 500, "mnist01234": 1000}
