"""The data sets of the five papers, as far as they are to be had, by their names there."""

from collections.abc import Callable
from functools import cache, partial
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_iris, make_moons

from benchmarks.datasets.stored import Data, classes, digits, load, some

LETTER, SATELLITE, NEWS = (partial(load, name) for name in ("letter", "satellite", "news20_rec"))
PAIRS = tuple(combinations(range(10), 2))

# -- CPM3C: Tables 2 to 4 ------------------------------------------------------------------

ROWS_OF_A_DIGIT = 1000  # of MNIST


@cache
def mnist_digits() -> Data:
    """1000 random rows of each digit, pixels in [0, 1], float32."""
    X, y = load("mnist")
    order = np.random.default_rng(0).permutation(len(y))
    rows = np.concatenate([order[y[order] == digit][:ROWS_OF_A_DIGIT] for digit in range(10)])
    return X[rows].astype(np.float32) / 255, y[rows]


CPM3C: dict[str, Callable[[], Data]] = {
    "Dig 3-8": partial(classes, digits, 3, 8),
    "Dig 1-7": partial(classes, digits, 1, 7),
    "Dig 2-7": partial(classes, digits, 2, 7),
    "Dig 8-9": partial(classes, digits, 8, 9),
    "Letter A-B": partial(classes, LETTER, 0, 1),
    "Satellite 1-2": partial(classes, SATELLITE, 0, 1),
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
FAMILIES: dict[str, Callable[[], Data]] = {
    "UCIDig 45 pairs": digits,
    "MNIST 45 pairs": mnist_digits,
}
CPM3C_PAIRS = {
    f"{family.split()[0]} {a}-{b}": partial(classes, source, a, b)
    for family, source in FAMILIES.items()
    for a, b in PAIRS
}
CPM3C_ORDER = (*list(CPM3C)[:8], *FAMILIES, *list(CPM3C)[8:])

# -- MKC: Table 1 --------------------------------------------------------------------------


@cache
def mnist01234() -> Data:
    """14 × 14 pixels in [0, 1], each the mean of 2 × 2; float32."""
    X, y = load("mnist")
    X, y = X[y < 5], y[y < 5]
    small = X.reshape(-1, 14, 2, 14, 2).mean(axis=(2, 4), dtype=np.float32)
    return small.reshape(-1, 196) / 255, y


MKC: dict[str, Callable[[], Data]] = {
    "digits1v7": partial(classes, digits, 1, 7),
    "digits2v7": partial(classes, digits, 2, 7),
    "ionosphere": partial(load, "ionosphere"),
    "svmguide1-a": lambda: some(load("svmguide1"), 1000),
    "ringnorm": lambda: some(load("ringnorm"), 1000),
    "letterAvB": partial(classes, LETTER, 0, 1),
    "satellite": partial(classes, SATELLITE, 0, 1),
    "digits0689": partial(classes, digits, 0, 6, 8, 9),
    "digits1279": partial(classes, digits, 1, 2, 7, 9),
    "letterABCD": partial(classes, LETTER, 0, 1, 2, 3),
    "mnist01234": mnist01234,
}
#: The rows of the subsets of Table 3.
SUBSETS = {"letterAvB": 500, "satellite": 500, "letterABCD": 500, "mnist01234": 1000}

# -- EvoMMC: Tables 1 and 2 ----------------------------------------------------------------


def two_classes(source: Callable[[], Data], first: int, second: int) -> Data:
    """Two classes as 0 and 1, in this order."""
    X, y = source()
    rows = (y == first) | (y == second)
    return X[rows].astype(np.float64), (y[rows] == second).astype(np.int64)


EVOMMC: dict[str, Callable[[], Data]] = {
    **{
        f"UCI digits {a}-{b}": partial(two_classes, digits, a, b)
        for a, b in ((3, 8), (1, 7), (2, 7))
    },
    "UCI digits 8-9": partial(two_classes, digits, 8, 9),
    "Ionosphere": partial(load, "ionosphere"),
    "Letter A-B": partial(two_classes, LETTER, 0, 1),
    "Satellite 1-2": partial(two_classes, SATELLITE, 0, 1),
}
#: All pairs of digits in an order that makes the first few of them a fair sample.
EVOMMC_PAIRS = {
    f"{family} {a}-{b}": partial(two_classes, source, a, b)
    for family, source in (("UCI digits", digits), ("MNIST digits", partial(load, "mnist")))
    for a, b in np.random.default_rng(0).permutation(list(PAIRS)).tolist()
}
BALANCES = (0.03, 0.1, 0.3, 0.4)


def balance(y: NDArray) -> float:
    """Return l/n: the smallest of the paper's four values that the true classes keep."""
    uneven = abs(np.mean(2.0 * y - 1))
    return next(value for value in BALANCES if uneven <= value)


# -- UMC-RLS: Tables 1 and 2 ---------------------------------------------------------------

ROWS = 500  # "sub-sampled so that they have at most 500 examples"


def kept(name: str, wanted: range) -> Data:
    """Keep the rows of some classes, and their numbers."""
    X, y = load(name)
    rows = np.isin(y, list(wanted))
    return X[rows], y[rows]


def sample(pair: Data, seed: int = 0, rows: int = ROWS) -> Data:
    """Keep random rows, in the order of the file."""
    X, y = pair
    chosen = np.sort(np.random.default_rng(seed).permutation(len(y))[:rows])
    return X[chosen], y[chosen]


def equal(pair: Data, seed: int, each: int = 125) -> Data:
    """Draw as many rows of every class."""
    X, y = pair
    rng = np.random.default_rng(seed)
    rows = np.concatenate([rng.permutation(np.flatnonzero(y == c))[:each] for c in np.unique(y)])
    return X[rows], y[rows]


#: A seed draws the rows of some: the paper does not say which it took. Of USPS, "5-8" are the fifth
#: to the eighth class, the digits 4 to 7 (see the README).
UMC_RLS: dict[str, Callable[[int], Data]] = {
    "Iris": lambda seed: load_iris(return_X_y=True),
    "Moons": lambda seed: make_moons(ROWS, noise=0.1, random_state=seed),
    "Coil 1-4": lambda seed: kept("coil20", range(4)),
    "Coil 5-8": lambda seed: kept("coil20", range(4, 8)),
    "Letter": lambda seed: sample(kept("letter", range(4)), seed),
    "USPS 1-4": lambda seed: sample(kept("usps", range(4)), seed),
    "USPS 5-8": lambda seed: sample(kept("usps", range(4, 8)), seed),
    "Coil": lambda seed: load("coil20"),
}

# -- SGD-LMSVC: Table 1 --------------------------------------------------------------------

#: The columns as they come.
SGD_LMSVC: dict[str, Callable[[], Data]] = {
    "Aggregation": partial(load, "aggregation"),
    "Breast Cancer": partial(load, "breast_cancer_original"),
    "Compound": partial(load, "compound"),
    "D31": partial(load, "d31"),
    "Flame": partial(load, "flame"),
    "Glass": partial(load, "glass"),
    "Iris": partial(load_iris, return_X_y=True),
    "Jain": partial(load, "jain"),
    "Pathbased": partial(load, "pathbased"),
    "R15": partial(load, "r15"),
    "Spiral": partial(load, "spiral"),
}
