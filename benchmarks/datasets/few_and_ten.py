"""Sets of two to four clusters, of ten, and sets on which kernels differ: by name."""

from functools import cache

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine, make_moons
from sklearn.preprocessing import scale

from benchmarks.datasets.stored import load

Set = tuple[NDArray, NDArray[np.int64]]


def classes(X: NDArray, y: NDArray, wanted: list[int], most: int | None = None) -> Set:
    """The rows of some classes, at most ``most`` of them (drawn with seed 0)."""
    rows = np.flatnonzero(np.isin(y, wanted))
    if most is not None and len(rows) > most:
        rows = np.sort(np.random.default_rng(0).permutation(rows)[:most])
    return X[rows], np.unique(y[rows], return_inverse=True)[1]


@cache
def few_clusters() -> dict[str, Set]:
    """Two to four clusters."""
    digits = load_digits(return_X_y=True)
    letter, satellite, usps = load("letter"), load("satellite"), load("usps")
    return {
        "digits 3-8": classes(*digits, [3, 8]),
        "digits 8-9": classes(*digits, [8, 9]),
        "letter A-B": classes(*letter, [0, 1]),
        "satellite 1-2": classes(*satellite, [0, 1]),
        "digits 0689": classes(*digits, [0, 6, 8, 9]),
        "digits 1279": classes(*digits, [1, 2, 7, 9]),
        "letter A-D": classes(*letter, [0, 1, 2, 3]),
        "USPS 0-3": classes(*usps, [0, 1, 2, 3], 2000),
        "20-news rec": load("news20_rec"),
    }


@cache
def ten_clusters() -> dict[str, Set]:
    """Ten clusters."""
    letter, usps = load("letter"), load("usps")
    ten = list(range(10))
    return {
        "digits": load_digits(return_X_y=True),
        "USPS, 2000 rows": classes(*usps, ten, 2000),
        "USPS": usps,
        "letter A-J, 2000 rows": classes(*letter, ten, 2000),
        "letter A-J": classes(*letter, ten),
    }


@cache
def many_kernels() -> dict[str, Set]:
    """Sets on which kernels differ."""
    digits = load_digits(return_X_y=True)
    letter, satellite = load("letter"), load("satellite")
    sets = {
        "iris": load_iris(return_X_y=True),
        "wine": load_wine(return_X_y=True),
        "breast cancer": load_breast_cancer(return_X_y=True),
    }
    sets = {name: (scale(X), y) for name, (X, y) in sets.items()}
    return {
        **sets,
        "moons": make_moons(600, noise=0.08, random_state=0),
        "ionosphere": load("ionosphere"),
        "ringnorm": classes(*load("ringnorm"), [0, 1], 1000),
        "digits 3-8": classes(*digits, [3, 8]),
        "digits 8-9": classes(*digits, [8, 9]),
        "digits 1279": classes(*digits, [1, 2, 7, 9]),
        "digits 0689": classes(*digits, [0, 6, 8, 9]),
        "letter A-B": classes(*letter, [0, 1]),
        "letter A-D": classes(*letter, [0, 1, 2, 3], 1500),
        "satellite 1-2": classes(*satellite, [0, 1]),
        "satellite 1-3": classes(*satellite, [0, 1, 2], 1500),
        "USPS 0-3": classes(*load("usps"), [0, 1, 2, 3], 1500),
        "aggregation": load("aggregation"),
        "flame": load("flame"),
        "jain": load("jain"),
    }


@cache
def uneven() -> dict[str, Set]:
    """Gaussians with classes of unequal size."""
    sets, rng = {}, np.random.default_rng(0)
    for name, counts in {"90 : 10": (900, 100), "60 : 25 : 10 : 5": (600, 250, 100, 50)}.items():
        centers = rng.normal(size=(len(counts), 10))
        centers *= 6 / np.linalg.norm(centers, axis=1, keepdims=True)
        X = np.repeat(centers, counts, axis=0) + rng.normal(size=(sum(counts), 10))
        sets[f"Gaussians {name}"] = X, np.repeat(np.arange(len(counts)), counts)
    return sets
