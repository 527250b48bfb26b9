"""The two-class data sets of the paper's Tables 1 and 2."""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from shared.data import load
from sklearn.datasets import load_digits

NAMED = (
    "UCI digits 3-8",
    "UCI digits 1-7",
    "UCI digits 2-7",
    "UCI digits 8-9",
    "Ionosphere",
    "Letter A-B",
    "Satellite 1-2",
)
#: All pairs of digits in an order that makes the first few of them a fair sample.
PAIRS = [
    f"{a}-{b}" for a, b in np.random.default_rng(0).permutation(list(combinations(range(10), 2)))
]
BALANCES = (0.03, 0.1, 0.3, 0.4)

Data = tuple[NDArray[np.float64], NDArray[np.int64]]


def load_set(name: str, rows: int | None = None) -> Data:
    """Return rows and classes 0, 1; ``rows`` keeps a random part of them."""
    family, _, pair = name.rpartition(" ")
    if name == "Ionosphere":
        X, y = load("ionosphere")
    elif name == "Letter A-B":
        X, y = two_classes(*load("letter"), 0, 1)
    elif name == "Satellite 1-2":
        X, y = two_classes(*load("satellite"), 0, 1)
    else:
        digits = load_digits(return_X_y=True) if family == "UCI digits" else load("mnist")
        X, y = two_classes(*digits, *map(int, pair.split("-")))
    if rows is not None:
        kept = np.random.default_rng(0).permutation(len(y))[:rows]
        X, y = X[kept], y[kept]
    return X.astype(np.float64), y


def two_classes(X: NDArray, y: NDArray, first: int, second: int) -> tuple[NDArray, NDArray]:
    rows = (y == first) | (y == second)
    return X[rows], (y[rows] == second).astype(np.int64)


def balance(y: NDArray) -> float:
    """Return l/n: the smallest of the paper's four values that the true classes keep."""
    uneven = abs(np.mean(2.0 * y - 1))
    return next(value for value in BALANCES if uneven <= value)
