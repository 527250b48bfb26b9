"""The data sets of the paper's Tables 2 to 4 that are to be had."""

from collections.abc import Callable
from functools import cache, partial
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from shared.data import classes, digits, load

Data = tuple[NDArray[np.floating] | csr_array, NDArray[np.int64]]

ROWS_OF_A_DIGIT = 1000  # of MNIST
PAIRS = tuple(combinations(range(10), 2))


@cache
def mnist() -> Data:
    """1000 random rows of each digit, pixels in [0, 1], float32."""
    X, y = load("mnist")
    order = np.random.default_rng(0).permutation(len(y))
    rows = np.concatenate([order[y[order] == digit][:ROWS_OF_A_DIGIT] for digit in range(10)])
    return X[rows].astype(np.float32) / 255, y[rows]


NEWS = partial(load, "news20_rec")

#: The sets by their names in the paper.
NAMED: dict[str, Callable[[], Data]] = {
    "Dig 3-8": partial(classes, digits, 3, 8),
    "Dig 1-7": partial(classes, digits, 1, 7),
    "Dig 2-7": partial(classes, digits, 2, 7),
    "Dig 8-9": partial(classes, digits, 8, 9),
    "Letter A-B": partial(classes, partial(load, "letter"), 0, 1),
    "Satellite 1-2": partial(classes, partial(load, "satellite"), 0, 1),
    "Text-1": partial(classes, NEWS, 0, 1),
    "Text-2": partial(classes, NEWS, 2, 3),
    "Dig 0689": partial(classes, digits, 0, 6, 8, 9),
    "Dig 1279": partial(classes, digits, 1, 2, 7, 9),
    "WK-CL": partial(load, "webkb_cornell"),
    "WK-TX": partial(load, "webkb_texas"),
    "WK-WT": partial(load, "webkb_washington"),
    "WK-WC": partial(load, "webkb_wisconsin"),
    "20-news": NEWS,
}
#: The means over all pairs of digits.
FAMILIES: dict[str, Callable[[], Data]] = {"UCIDig 45 pairs": digits, "MNIST 45 pairs": mnist}
ORDER = (*list(NAMED)[:8], *FAMILIES, *list(NAMED)[8:])
