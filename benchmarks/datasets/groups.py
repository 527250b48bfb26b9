"""Sets for methods that find the number of clusters, in four groups; every one z-scored.

All generators of ``clusters.py`` with parameters drawn anew, a folder of held-back sets, real sets,
and the eleven of a paper.
"""

import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine, make_moons
from sklearn.preprocessing import StandardScaler

from benchmarks.datasets import clusters as g
from benchmarks.datasets.papers import SGD_LMSVC
from benchmarks.datasets.stored import load

Pair = tuple[NDArray[np.float64], NDArray[np.int64]]
Draw = Callable[[np.random.Generator, int], Pair]

FRESH, BATTERY, REAL, PAPERS = "fresh", "held back", "real", "papers' 11"
#: The folder with the sets of the group "held back".
VARIABLE = "MAXMARGIN_BATTERY"
YEAR = 2027  # opens the seeds of the fresh sets; ``clusters.py`` uses others
DRAWS = 3
MOST_ROWS = 2000  # of a real set


# -- all generators of ``clusters.py``, with parameters drawn anew --------------------


def sizes(rng: np.random.Generator, seed: int, least: int, most: int) -> list[int]:
    """Between 200 and 1000 rows in so many uneven clusters."""
    k = int(rng.integers(least, most + 1))
    return g.shares(seed, int(rng.integers(200, 1001)), k)


def _moons(rng: np.random.Generator, seed: int) -> Pair:
    noise = rng.uniform(0.04, 0.14)
    return make_moons(tuple(sizes(rng, seed, 2, 2)), noise=noise, random_state=seed)


def _rings(rng: np.random.Generator, seed: int) -> Pair:
    radii = ((0, 2), (1, 2), (0, 1, 2))[int(rng.integers(3))]
    core, noise = rng.uniform(0.2, 0.3), rng.uniform(0.07, 0.15)
    return g.rings(seed, sizes(rng, seed, len(radii), len(radii)), radii, noise, core)


def _inside(rng: np.random.Generator, seed: int) -> Pair:
    many = sorted(sizes(rng, seed, 2, 4), reverse=True)
    return g.dense_and_sparse(seed, many, rng.uniform(0.1, 0.2), rng.uniform(0.5, 3))


def _subspaces(rng: np.random.Generator, seed: int) -> Pair:
    d = int(rng.integers(4, 13))
    return g.subspaces(seed, sizes(rng, seed, 2, 4), d, 2, 0.05, rng.uniform(0.5, 0.8))


FAMILIES: dict[str, Draw] = {
    "moons": _moons,
    "parabolas": lambda r, s: g.parabolas(
        s, sizes(r, s, 2, 2), r.uniform(0.05, 0.1), r.uniform(-0.3, 0.1)
    ),
    "strips": lambda r, s: g.strips(s, sizes(r, s, 2, 5), r.uniform(0.2, 0.7), r.uniform(3, 10)),
    "chains": lambda r, s: g.chains(s, sizes(r, s, 2, 5), r.uniform(0.05, 0.1)),
    "rings": _rings,
    "spirals": lambda r, s: g.spirals(
        s, sizes(r, s, 2, 3), r.uniform(0.6, 1.5), r.uniform(0.02, 0.05)
    ),
    "smile": lambda r, s: g.smile(s, sorted(sizes(r, s, 4, 4)), r.uniform(0.04, 0.09)),
    "squares": lambda r, s: g.squares(s, sizes(r, s, 4, 9), 3, r.uniform(0.03, 0.2)),
    "bridges": lambda r, s: g.bridges(
        s, sizes(r, s, 2, 5), int(r.integers(8, 16)), r.uniform(4.5, 6)
    ),
    "cross": lambda r, s: g.cross(s, sizes(r, s, 2, 3), r.uniform(60, 90), r.uniform(8, 20)),
    "lines": lambda r, s: g.lines(s, sizes(r, s, 2, 4), int(r.integers(3, 6))),
    "subspaces": _subspaces,
    "blobs": lambda r, s: g.blobs(
        s, sizes(r, s, 2, 8), int(r.integers(2, 11)), r.uniform(3.5, 6), (1, r.uniform(0.5, 2))
    ),
    "sheared": lambda r, s: g.sheared(s, sizes(r, s, 2, 6), r.uniform(3.6, 5)),
    "gaussians": lambda r, s: g.gaussians(
        s, sizes(r, s, 2, 7), int(r.integers(2, 8)), r.uniform(3, 5)
    ),
    "noise columns": lambda r, s: g.noise_columns(
        s, sizes(r, s, 2, 4), int(r.integers(2, 4)), r.uniform(4, 6), int(r.integers(2, 8))
    ),
    "students": lambda r, s: g.students(
        s, sizes(r, s, 2, 4), int(r.integers(2, 6)), r.uniform(5, 7)
    ),
    "lognormals": lambda r, s: g.lognormals(
        s, sizes(r, s, 2, 4), int(r.integers(2, 5)), r.uniform(3, 4)
    ),
    "scales": lambda r, s: g.scales(s, sizes(r, s, 2, 4), r.uniform(2, 4), r.uniform(2.5, 3.5)),
    "dense and sparse": _inside,
}


def fresh() -> Iterator[tuple[str, Pair]]:
    for number, (family, draw) in enumerate(FAMILIES.items()):
        for again in range(DRAWS):
            rng = np.random.default_rng([YEAR, number, again])
            yield f"{family} {again + 1}", draw(rng, int(rng.integers(2**31)))


# -- the other groups -----------------------------------------------------------------------


def battery() -> Iterator[tuple[str, Pair]]:
    """Class 0 marks rows of noise."""
    folder = os.environ.get(VARIABLE)
    if not folder:
        raise LookupError(f"set {VARIABLE} to a folder of .npz files with arrays X and y.")
    for path in sorted(Path(folder).glob("*.npz")):
        with np.load(path, allow_pickle=False) as file:
            yield path.stem.replace("_", "/", 1), (file["X"], file["y"].astype(np.int64) - 1)


def few(pair: Pair) -> Pair:
    """At most 2000 rows, in the order of the file."""
    X, y = pair
    rows = np.sort(np.random.default_rng(0).permutation(len(y))[:MOST_ROWS])
    return X[rows].astype(np.float64), y[rows]


def letters() -> Pair:
    """The classes A to D."""
    X, y = load("letter")
    return X[y < 4], y[y < 4]


LARGE: dict[str, Callable[[], Pair]] = {
    "satellite": lambda: load("satellite"),
    "usps": lambda: load("usps"),
    "letter A-D": letters,
    "svmguide1": lambda: load("svmguide1"),
}


def real() -> Iterator[tuple[str, Pair]]:
    yield "iris", load_iris(return_X_y=True)
    yield "wine", load_wine(return_X_y=True)
    yield "breast cancer", load_breast_cancer(return_X_y=True)
    yield "digits", load_digits(return_X_y=True)
    for name in ("ionosphere", "glass"):
        yield name, load(name)
    for name, source in LARGE.items():
        yield name, few(source())


def papers() -> Iterator[tuple[str, Pair]]:
    for name, source in SGD_LMSVC.items():
        yield name.lower().replace("breast cancer", "breast_cancer_original"), source()


GROUPS = {FRESH: fresh, BATTERY: battery, REAL: real, PAPERS: papers}


def scaled(pair: Pair) -> Pair:
    return StandardScaler().fit_transform(pair[0].astype(np.float64)), pair[1]


@cache
def sets_of(group: str) -> dict[str, Pair]:
    """Z-scored rows and classes by name."""
    return {name: scaled(pair) for name, pair in GROUPS[group]()}
