"""The eight data sets of the paper's Tables 1 and 2."""

import numpy as np
from numpy.typing import NDArray
from shared.data import load
from sklearn.datasets import load_iris, make_moons

SETS = ("Iris", "Moons", "Coil 1-4", "Coil 5-8", "Letter", "USPS 1-4", "USPS 5-8", "Coil")
ROWS = 500  # "sub-sampled so that they have at most 500 examples"

Data = tuple[NDArray[np.float64], NDArray[np.int64]]


def load_set(name: str, seed: int = 0) -> Data:
    """Return rows and classes; the paper does not say which rows it took, ours are random."""
    if name == "Coil":
        return load("coil20")
    if name.startswith("Coil"):
        return classes(*load("coil20"), first_to_last(name))
    if name == "Iris":
        return load_iris(return_X_y=True)
    if name == "Moons":
        return make_moons(ROWS, noise=0.1, random_state=seed)
    if name == "Letter":
        return sample(*classes(*load("letter"), range(4)), seed)
    if name.startswith("USPS"):
        return sample(*classes(*load("usps"), first_to_last(name)), seed)
    raise LookupError(f"no data set {name!r}; there are {', '.join(SETS)}.")


def first_to_last(name: str) -> range:
    """Read "5-8" as the fifth to the eighth class: of USPS, the digits 4 to 7 (see README)."""
    first, last = name.split()[1].split("-")
    return range(int(first) - 1, int(last))


def classes(X: NDArray, y: NDArray, wanted: range) -> Data:
    """Keep the rows of some classes."""
    rows = np.isin(y, list(wanted))
    return X[rows], y[rows]


def sample(X: NDArray, y: NDArray, seed: int, rows: int = ROWS) -> Data:
    """Keep random rows, in the order of the file."""
    kept = np.sort(np.random.default_rng(seed).permutation(len(y))[:rows])
    return X[kept], y[kept]
