"""Labelled sets of many kinds, at most 500 rows each, in two halves.

A constant is chosen on half A and reported on half B; a family (one source or one generator) is in
one half only.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse
from sklearn.datasets import (
    load_breast_cancer,
    load_digits,
    load_iris,
    load_wine,
    make_circles,
    make_moons,
)

from benchmarks.datasets import clusters as g
from benchmarks.datasets.clusters import shares
from benchmarks.datasets.stored import load

ROWS = 500
HALVES = {
    "A": (
        *("iris", "digits", "mnist", "letter", "glass"),  # real
        *("news20", "webkb"),  # text
        *("compound", "jain", "veenman", "chang", "moons", "chains", "spirals"),  # shapes
        *("sheared", "high-dimensional", "dense and sparse", "students"),  # full clusters
        *("noise columns", "gaussians"),
    ),
    "B": (
        *("wine", "breast", "usps", "coil20", "satellite", "ionosphere", "ringnorm"),  # real
        *("cora",),  # text
        *("aggregation", "flame", "rings", "smile", "squares", "strips", "parabolas"),  # shapes
        *("cross", "bridges", "scales", "varied", "unbalanced", "lognormals"),  # full clusters
        *("subspaces",),
    ),
}
HALF = {family: half for half, families in HALVES.items() for family in families}

Rows = NDArray[np.float64] | csr_array
Pair = tuple[Rows, NDArray[np.integer]]
Draft = tuple[str, str, Pair]  # name, family, (X, y)


@dataclass(frozen=True, eq=False)
class Set:
    """Rows, their classes 0 … k-1, and where the set comes from."""

    X: Rows
    y: NDArray[np.int64]
    k: int
    family: str
    half: str
    sparse: bool


@cache
def all_sets(half: str | None = None) -> dict[str, Set]:
    """Every set by its name, or those of a half; the real ones need the folder MAXMARGIN_DATA."""
    if half not in (None, *HALVES):
        raise ValueError(f"half={half!r}: use one of {list(HALVES)} or None.")
    sets: dict[str, Set] = {}
    for drafts in (real(), text(), shapes(), gaussian()):
        for name, family, pair in drafts:
            if name in sets:
                raise RuntimeError(f"Two sets have the name {name!r}.")
            if half in (None, HALF[family]):
                sets[name] = finish(pair, family)
    return sets


def unbalanced(data: Set) -> bool:
    """Whether the largest class has more than 3 times the rows of the smallest."""
    sizes = np.bincount(data.y)
    return bool(sizes.max() > 3 * sizes.min())


def finish(pair: Pair, family: str) -> Set:
    """At most 500 rows in a random order; the classes that are left are numbered."""
    X, y = pair
    rows = np.random.default_rng(0).permutation(len(y))[:ROWS]
    names, classes = np.unique(y[rows], return_inverse=True)
    X = X[rows].astype(np.float64)
    return Set(X, classes.astype(np.int64), len(names), family, HALF[family], issparse(X))


def only(pair: Pair, classes: Iterable[int]) -> Pair:
    """The rows of some classes."""
    X, y = pair
    rows = np.flatnonzero(np.isin(y, list(classes)))
    return X[rows], y[rows]


def drawn(pair: Pair, sizes: Mapping[int, int]) -> Pair:
    """So many random rows of each class."""
    X, y = pair
    rng = np.random.default_rng(1)
    rows = np.concatenate(
        [rng.permutation(np.flatnonzero(y == c))[:size] for c, size in sizes.items()]
    )
    return X[rows], y[rows]


def frequent(pair: Pair, least: int = 10) -> Pair:
    """Without the classes that have fewer rows."""
    return only(pair, np.flatnonzero(np.bincount(pair[1]) >= least))


def neighbours(pair: Pair, k: int) -> Pair:
    """The first class and the k - 1 that are nearest to it."""
    X, y = pair
    centres = np.array([X[y == c].mean(axis=0) for c in range(y.max() + 1)])
    return only(pair, np.argsort(np.linalg.norm(centres - centres[0], axis=1))[:k])


def real() -> Iterator[Draft]:
    """Measurements and images."""
    yield "iris", "iris", load_iris(return_X_y=True)
    yield "wine", "wine", load_wine(return_X_y=True)
    yield "breast diagnostic", "breast", load_breast_cancer(return_X_y=True)
    yield "breast original", "breast", load("breast_cancer_original")
    for name in ("glass", "ionosphere", "ringnorm"):
        yield name, name, load(name)

    digits = load_digits(return_X_y=True)
    yield "digits", "digits", digits
    yield "digits 1-7", "digits", only(digits, (1, 7))
    yield "digits 3-8-9", "digits", only(digits, (3, 8, 9))
    yield "digits 4:9 170/30", "digits", drawn(digits, {4: 170, 9: 30})
    yield "digits 0-4 uneven", "digits", drawn(digits, {0: 170, 1: 120, 2: 80, 3: 50, 4: 25})

    X, y = load("mnist")
    mnist = X[:10000] / 255, y[:10000]
    yield "mnist 0-1", "mnist", only(mnist, (0, 1))
    yield "mnist 0-4", "mnist", only(mnist, range(5))
    yield "mnist 3-5-8", "mnist", only(mnist, (3, 5, 8))

    letter = load("letter")
    yield "letter A-B", "letter", only(letter, range(2))
    yield "letter A-D", "letter", only(letter, range(4))
    yield "letter E-H", "letter", only(letter, range(4, 8))
    yield "letter A-J", "letter", only(letter, range(10))
    yield "letter A-J-M-Z uneven", "letter", drawn(letter, {0: 300, 9: 40, 12: 100, 25: 60})

    usps = load("usps")
    yield "usps", "usps", usps
    yield "usps 1-4", "usps", only(usps, range(1, 5))
    yield "usps 5-8", "usps", only(usps, range(5, 9))
    yield "usps 2-6-7 uneven", "usps", drawn(usps, {2: 200, 6: 100, 7: 40})

    coil = load("coil20")
    yield "coil 1-4", "coil20", only(coil, range(4))
    yield "coil 5-12", "coil20", only(coil, range(4, 12))
    yield "coil uneven", "coil20", drawn(coil, {1: 72, 8: 50, 11: 20, 15: 40})

    satellite = load("satellite")
    yield "satellite", "satellite", satellite
    yield "satellite 1-2", "satellite", only(satellite, (0, 1))


def text() -> Iterator[Draft]:
    """Words of postings, pages and papers (sparse)."""
    news = load("news20_rec")
    yield "news rec", "news20", news
    yield "news autos-hockey", "news20", only(news, (0, 3))
    yield "webkb texas", "webkb", frequent(load("webkb_texas"))
    yield "webkb cornell", "webkb", only(frequent(load("webkb_cornell")), (0, 2, 4, 5, 6))
    cora = load("cora_linqs")
    yield "cora", "cora", cora
    yield "cora 3 topics", "cora", only(cora, (1, 3, 4))
    yield "cora genetic-theory", "cora", only(cora, (1, 6))
    yield "cora genetic:learning 300/60", "cora", drawn(cora, {1: 300, 4: 60})


def shapes() -> Iterator[Draft]:
    """Shapes in the plane."""
    for name in ("aggregation", "compound", "flame", "jain"):
        yield name, name, load(name)
    yield "pathbased", "chang", load("pathbased")
    yield "spiral", "chang", load("spiral")
    yield "r15", "veenman", load("r15")
    yield "d31, 10 clusters", "veenman", neighbours(load("d31"), 10)

    yield "moons 0.08", "moons", make_moons(400, noise=0.08, random_state=1)
    yield "moons 0.15", "moons", make_moons(300, noise=0.15, random_state=2)
    yield "moons 320/60", "moons", make_moons((320, 60), noise=0.1, random_state=4)
    yield "parabolas", "parabolas", g.parabolas(0, (200, 200), 0.08, -0.1)
    yield "parabolas uneven", "parabolas", g.parabolas(1, (300, 80), 0.1, -0.3)
    yield "strips gap", "strips", g.strips(0, (200, 200), 0.4, length=6)
    yield "strips overlap", "strips", g.strips(1, (180, 180), -0.1, length=3)
    yield "5 strips", "strips", g.strips(2, (100,) * 5, 0.6, length=8)
    yield "strips uneven", "strips", g.strips(3, (320, 80), 0.3, length=8)
    yield "3 chains", "chains", g.chains(0, (130, 130, 130), 0.1)
    yield "5 chains uneven", "chains", g.chains(1, (160, 60, 120, 40, 100), 0.08)

    yield "circles 0.1", "rings", make_circles(400, noise=0.1, factor=0.45, random_state=2)
    yield "ring and blob", "rings", g.rings(0, (250, 100), (2, 0), 0.2, core=0.45)
    yield "rings uneven", "rings", g.rings(1, (60, 340), (1, 2), 0.12)
    yield "2 spirals", "spirals", g.spirals(0, (200, 200), 1.5, 0.04)
    yield "3 spirals", "spirals", g.spirals(1, (150, 150, 150), 0.8, 0.03)
    yield "2 spirals uneven", "spirals", g.spirals(2, (300, 90), 0.8, 0.05)
    yield "smile", "smile", g.smile(0)
    yield "smile noisy", "smile", g.smile(1, (20, 60, 150, 250), 0.09)
    yield "4 squares", "squares", g.squares(0, (100,) * 4, 2, 0.05)
    yield "9 squares", "squares", g.squares(1, (50,) * 9, 3, 0.02)
    yield "6 squares uneven", "squares", g.squares(2, (150, 30, 80, 40, 120, 30), 3, 0.08)


def gaussian() -> Iterator[Draft]:
    """Gaussian and other full clusters in 2 to 50 columns."""
    yield "sheared", "sheared", g.sheared(0, (150, 150, 150))
    yield "6 sheared", "sheared", g.sheared(1, (80,) * 6, 3.6)
    yield "10 columns", "high-dimensional", g.blobs(0, (80,) * 6, 10, 3.2)
    yield "50 columns", "high-dimensional", g.blobs(1, (100,) * 4, 50, 4)
    yield "50 columns uneven", "high-dimensional", g.blobs(2, shares(2, 400, 8, 1.5), 50, 5)
    yield "cross", "cross", g.cross(0, (200, 200), 90, 10)
    yield "3 crossing", "cross", g.cross(0, (150, 150, 150), 60, 20)
    yield "cross uneven", "cross", g.cross(2, (350, 90), 80, 12, shift=0.5)
    yield "dense inside", "dense and sparse", g.dense_and_sparse(0, (300, 80), 0.15, 0.8)
    yield "dense beside", "dense and sparse", g.dense_and_sparse(1, (350, 60), 0.2, 2.6)
    yield "3 dense inside", "dense and sparse", g.dense_and_sparse(2, (250, 80, 80, 80), 0.15, 1.5)
    yield "sparse beside", "dense and sparse", g.dense_and_sparse(3, (80, 320), 0.3, 2.5, d=5)
    yield "students", "students", g.students(0, (120,) * 4, 2, 5.5)
    yield "students 8 columns", "students", g.students(1, (250, 120, 60), 8, 5.5)
    yield "noise columns", "noise columns", g.noise_columns(0, (150, 150, 150), 2, 4)
    yield "noise columns uneven", "noise columns", g.noise_columns(1, (280, 80, 60), 3, 4.5)
    yield "12 noise columns", "noise columns", g.noise_columns(2, (40,) * 12, 4, 4.5)
    yield "3 bridges", "bridges", g.bridges(0, (100,) * 4, 15, 4.5)
    yield "bridges uneven", "bridges", g.bridges(1, (200, 40, 100, 50, 30), 12, 4.5)

    for seed, (d, k, distance) in enumerate(((2, 3, 3), (2, 7, 4), (5, 5, 3), (10, 4, 3))):
        sizes = shares(seed, 450, k, 2)
        yield f"gaussians {d}-{k}", "gaussians", g.gaussians(seed, sizes, d, distance)
    yield "gaussians 5-12", "gaussians", g.gaussians(4, (40,) * 12, 5, 3)
    yield "scales 3", "scales", g.scales(0, (130, 130, 130), 4, 2.5)
    yield "scales 5", "scales", g.scales(1, (90,) * 5, 2, 2.8, d=3)
    yield "scales uneven", "scales", g.scales(2, (40, 100, 300), 3, 3.5)
    yield "varied", "varied", g.blobs(0, (150,) * 3, 2, 5, (1, 2.5, 0.5))
    yield "8 varied", "varied", g.blobs(1, (60,) * 8, 3, 5, (1, 2, 0.5))
    yield "10:1", "unbalanced", g.blobs(0, (400, 40), 2, 4.5)
    yield "20:1", "unbalanced", g.blobs(1, (440, 22), 5, 5)
    yield "10:1:1:5", "unbalanced", g.blobs(2, (250, 25, 25, 125), 3, 4)
    yield "15 sizes", "unbalanced", g.blobs(3, shares(3, 500, 15, 1, 12), 4, 4)
    yield "lognormals", "lognormals", g.lognormals(0, (150,) * 3, 2, 3)
    yield "lognormals uneven", "lognormals", g.lognormals(1, (250, 60, 100, 50), 5, 3, 0.6)
    yield "3 lines", "subspaces", g.lines(0, (130,) * 3)
    yield "4 lines", "subspaces", g.lines(1, (200, 100, 50, 100), 3, 0.03)
    yield "3 planes", "subspaces", g.subspaces(2, (130,) * 3, 6, 2, 0.05, 0.6)
    yield "4 subspaces", "subspaces", g.subspaces(3, (110,) * 4, 20, 3, 0.05, 0.5)
