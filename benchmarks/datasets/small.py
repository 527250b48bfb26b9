"""Small data sets of many kinds: bundled, generated, and the papers' from ``shared.data``."""

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import (
    load_breast_cancer,
    load_digits,
    load_iris,
    load_wine,
    make_blobs,
    make_circles,
    make_moons,
)
from sklearn.preprocessing import scale

from benchmarks.datasets.stored import load

Set = tuple[NDArray[np.floating], NDArray[np.integer]]
SHAPES = ("jain", "flame", "aggregation", "spiral", "pathbased", "compound", "r15")


def some(X: NDArray, y: NDArray, n: int) -> Set:
    """At most n rows, drawn at random."""
    rows = np.random.default_rng(0).permutation(len(X))[:n]
    return X[rows].astype(np.float64), y[rows]


def all_sets() -> dict[str, Set]:
    """Every set by its name; the shape sets need the folder MAXMARGIN_DATA."""
    sets: dict[str, Set] = {}
    for name, loader in (("iris", load_iris), ("wine", load_wine), ("breast", load_breast_cancer)):
        X, y = loader(return_X_y=True)
        sets[name] = scale(X), y
    sets["digits"] = some(*load_digits(return_X_y=True), 800)
    sets["moons"] = make_moons(400, noise=0.08, random_state=1)
    sets["circles"] = make_circles(400, noise=0.05, factor=0.5, random_state=1)
    sets["5 blobs"] = make_blobs(500, centers=5, random_state=3)
    for gap in (4, 6, 8):
        sets[f"400/100, gap {gap}"] = make_blobs(
            [400, 100], centers=[[0, 0], [gap, 0]], random_state=0
        )
    sets["300/150/50"] = make_blobs(
        [300, 150, 50], centers=[[0, 0], [5, 0], [0, 5]], random_state=0
    )
    X, y = make_blobs(450, centers=3, random_state=170)
    sets["sheared blobs"] = X @ np.array([[0.6, -0.6], [-0.4, 0.8]]), y
    for name in SHAPES:
        sets[name] = load(name)
    X, y = load("usps")
    for first in (1, 5):
        rows = (y >= first) & (y < first + 4)
        sets[f"usps {first}-{first + 3}"] = some(X[rows], y[rows], 500)
    X, y = load("letter")
    sets["letter A-D"] = some(X[y < 4], y[y < 4], 500)
    X, y = load("coil20")
    sets["coil 1-4"] = some(X[y < np.unique(y)[4]], y[y < np.unique(y)[4]], 500)
    X, y = load("satellite")
    sets["satellite"] = some(scale(X), y, 700)
    X, y = load("ionosphere")
    sets["ionosphere"] = X, y
    return sets
