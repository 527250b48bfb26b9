"""Sets for the choice of the number of clusters, at most 600 rows each, in two halves.

Constants are chosen on the half "choose" (with those of ``selection.py``, which many
constants of the front door were chosen on) and reported on the half "report": other draws of
classes, other seeds, and generators that the first half does not have. "One cluster" are
sets without structure: round, square, heavy-tailed, skewed and curved ones, in 2 to 20 columns.
Another series, a number from 2 on, has other draws of the sources and generators of "choose".
"""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from benchmarks.datasets import clusters as g
from benchmarks.datasets.selection import Set
from benchmarks.datasets.stored import digits, load

ROWS = 600
HALVES = ("report", "choose")
REAL_DRAWS = 8  # of each source and half
GENERATED_DRAWS = 4  # of each generator and half
ONE_DRAWS = 6
SOURCES = ("digits", "letter", "mnist", "usps", "coil20", "satellite")
Rng = np.random.Generator
Pair = g.Pair
Rows = NDArray[np.float64]


def all_draws(half: str | int) -> Iterator[tuple[str, Set]]:
    """Name and set of a half or of another series: classes, clusters, and one cluster (k = 1)."""
    if half not in HALVES and not isinstance(half, int):
        raise ValueError(f"half={half!r}: use one of {HALVES}, or a number from 2 on.")
    yield from real(half)
    like = half if half in HALVES else "choose"
    for family, (make, halves) in GENERATORS.items():
        if like in halves:
            for draw in range(GENERATED_DRAWS):
                X, y = make(_rng(half, family, draw))
                yield f"{family} {draw}", _finish(X, y, family, half)
    for family, make_one in ONE.items():
        for draw in range(ONE_DRAWS):
            X = make_one(_rng(half, family, draw))
            yield f"one {family} {draw}", _finish(X, np.zeros(len(X), int), f"one {family}", half)


def real(half: str | int) -> Iterator[tuple[str, Set]]:
    """Random classes of the large real sets, a random number of rows of each."""
    for source in SOURCES:
        X, y = digits() if source == "digits" else load(source)
        for draw in range(REAL_DRAWS):
            rng = _rng(half, source, draw)
            known = np.unique(y)
            k = int(rng.integers(2, min(15, len(known)) + 1))
            classes = rng.choice(known, k, replace=False)
            sizes = rng.integers(25, 100, size=k)
            sizes = np.maximum(15, sizes * min(1, ROWS / sizes.sum())).astype(int)
            rows = np.concatenate(
                [
                    rng.permutation(np.flatnonzero(y == c))[:size]
                    for c, size in zip(classes, sizes, strict=True)
                ]
            )
            yield f"{source} {draw}", _finish(X[rows], y[rows], source, half)


def _rng(half: str | int, family: str, draw: int) -> Rng:
    series = half if isinstance(half, int) else int(half == "report")
    return np.random.default_rng([1616, series, draw, *family.encode()])


def _finish(X: Rows, y: NDArray[np.integer], family: str, half: str | int) -> Set:
    rows = np.random.default_rng(0).permutation(len(y))[:ROWS]
    names, classes = np.unique(y[rows], return_inverse=True)
    X = np.asarray(X[rows], dtype=np.float64)
    return Set(X, classes.astype(np.int64), len(names), family, str(half), False)


# -- clusters ------------------------------------------------------------------------------


def _sizes(rng: Rng, k: int) -> list[int]:
    """Even or uneven sizes, 15 rows at least."""
    n = int(rng.integers(max(200, 20 * k), ROWS + 1))
    return g.shares(int(rng.integers(2**31)), n, k, float(rng.choice([1.0, 3.0, 50.0])))


def _seed(rng: Rng) -> int:
    return int(rng.integers(2**31))


def _blobs(rng: Rng) -> Pair:
    k, d = int(rng.integers(2, 13)), int(rng.choice([2, 3, 5, 10, 20]))
    return g.blobs(_seed(rng), _sizes(rng, k), d, rng.uniform(3.5, 7))


def _many(rng: Rng) -> Pair:
    k = int(rng.integers(15, 31))
    return g.blobs(_seed(rng), [ROWS // k] * k, int(rng.choice([2, 3, 5])), rng.uniform(5, 9))


def _gaussians(rng: Rng) -> Pair:
    k, d = int(rng.integers(2, 9)), int(rng.choice([2, 3, 5, 8]))
    return g.gaussians(_seed(rng), _sizes(rng, k), d, rng.uniform(4, 7))


def _students(rng: Rng) -> Pair:
    k, d = int(rng.integers(2, 7)), int(rng.choice([2, 4, 8]))
    return g.students(_seed(rng), _sizes(rng, k), d, rng.uniform(5, 8))


def _chains(rng: Rng) -> Pair:
    return g.chains(_seed(rng), _sizes(rng, int(rng.integers(2, 6))), rng.uniform(0.05, 0.12))


def _rings(rng: Rng) -> Pair:
    k = int(rng.integers(2, 4))
    return g.rings(_seed(rng), _sizes(rng, k), tuple(range(1, k + 1)), rng.uniform(0.05, 0.14))


def _squares(rng: Rng) -> Pair:
    k = int(rng.integers(2, 13))
    return g.squares(_seed(rng), _sizes(rng, k), int(rng.integers(1, 4)), rng.uniform(0.1, 0.4))


def _noise_columns(rng: Rng) -> Pair:
    k = int(rng.integers(2, 6))
    return g.noise_columns(_seed(rng), _sizes(rng, k), 3, rng.uniform(5, 8), 3)


def _strips(rng: Rng) -> Pair:
    k = int(rng.integers(2, 6))
    return g.strips(_seed(rng), _sizes(rng, k), rng.uniform(0.3, 0.8), rng.uniform(3, 8))


def _groups(rng: Rng) -> Pair:
    """Far groups of near clusters."""
    far = g._centres(rng, int(rng.integers(2, 5)), 3, 25)
    centres = np.vstack([c + g._centres(rng, int(rng.integers(2, 5)), 3, 5) for c in far])
    return g._stack([c + rng.normal(size=(40, 3)) for c in centres])


def _discs(rng: Rng) -> Pair:
    """Uniform discs of different radii, side by side."""
    parts, x = [], 0.0
    for size in _sizes(rng, int(rng.integers(2, 8))):
        radius = rng.uniform(0.5, 1.5)
        angle, r = rng.uniform(0, 2 * np.pi, size), radius * np.sqrt(rng.uniform(size=size))
        parts.append(np.column_stack([x + radius + r * np.cos(angle), r * np.sin(angle)]))
        x += 2 * radius + rng.uniform(0.2, 0.6)
    return g._stack(parts)


def _shells(rng: Rng) -> Pair:
    """A ball inside spheres."""
    k = int(rng.integers(2, 4))
    parts = []
    for c, size in enumerate(sorted(_sizes(rng, k))):
        direction = rng.normal(size=(size, 3))
        direction /= np.linalg.norm(direction, axis=1, keepdims=True)
        parts.append(1.2 * c * direction + 0.12 * rng.normal(size=(size, 3)))
    return g._stack(parts)


def _boxes(rng: Rng) -> Pair:
    """Uniform boxes in several columns, each with sides of its own."""
    k, d = int(rng.integers(2, 9)), int(rng.choice([2, 4, 7]))
    centres = g._centres(rng, k, d, rng.uniform(2.2, 3))
    return g._stack(
        [
            c + rng.uniform(-1, 1, (size, d)) * rng.uniform(0.4, 1, d)
            for c, size in zip(centres, _sizes(rng, k), strict=True)
        ]
    )


def _curves(rng: Rng) -> Pair:
    """Smooth random curves in space, at some distance from each other."""
    parts = []
    for c, size in enumerate(_sizes(rng, int(rng.integers(2, 6)))):
        t, phase = rng.uniform(0, np.pi, size), rng.uniform(0, 2 * np.pi, 3)
        wave = np.column_stack([np.sin(t + a) for a in phase])
        wave[:, 2] = 0.3 * wave[:, 2] + 1.1 * c
        parts.append(wave + 0.08 * rng.normal(size=(size, 3)))
    return g._stack(parts)


def _skewed(rng: Rng) -> Pair:
    k = int(rng.integers(2, 5))
    return g.lognormals(_seed(rng), _sizes(rng, k), int(rng.choice([2, 4])), rng.uniform(3, 5))


GENERATORS: dict[str, tuple[Callable[[Rng], Pair], tuple[str, ...]]] = {
    "blobs": (_blobs, HALVES),
    "many blobs": (_many, HALVES),
    "gaussians": (_gaussians, HALVES),
    "chains": (_chains, HALVES),
    "squares": (_squares, HALVES),
    "noise columns": (_noise_columns, HALVES),
    "students": (_students, ("choose",)),
    "rings": (_rings, ("choose",)),
    "strips": (_strips, ("choose",)),
    "groups": (_groups, HALVES),
    "discs": (_discs, ("report",)),
    "shells": (_shells, ("report",)),
    "boxes": (_boxes, ("report",)),
    "curves": (_curves, ("report",)),
    "skewed": (_skewed, ("report",)),
}

# -- one cluster ---------------------------------------------------------------------------


def _shape(rng: Rng) -> tuple[int, int]:
    return int(rng.integers(120, ROWS + 1)), int(rng.choice([2, 3, 5, 10, 20]))


def _gaussian(rng: Rng) -> Rows:
    return rng.normal(size=_shape(rng))


def _sheared(rng: Rng) -> Rows:
    n, d = _shape(rng)
    return rng.normal(size=(n, d)) @ rng.normal(size=(d, d))


def _cube(rng: Rng) -> Rows:
    return rng.uniform(size=_shape(rng))


def _ball(rng: Rng) -> Rows:
    n, d = _shape(rng)
    X = rng.normal(size=(n, d))
    return X / np.linalg.norm(X, axis=1, keepdims=True) * rng.uniform(size=(n, 1)) ** (1 / d)


def _heavy(rng: Rng) -> Rows:
    n, d = _shape(rng)
    return rng.normal(size=(n, d)) / np.sqrt(rng.chisquare(5, (n, 1)) / 5)


def _exponential(rng: Rng) -> Rows:
    return rng.exponential(size=_shape(rng))


def _bow(rng: Rng) -> Rows:
    """A bow of a circle, up to half of it, with more columns of noise or none."""
    n, d = _shape(rng)
    angle = rng.uniform(0, rng.uniform(1.5, np.pi), n)
    X = 0.15 * rng.normal(size=(n, d))
    X[:, :2] += np.column_stack([np.cos(angle), np.sin(angle)])
    return X


def _wave(rng: Rng) -> Rows:
    n = _shape(rng)[0]
    x = rng.uniform(0, 2 * np.pi, n)
    return np.column_stack([x, np.sin(x) + 0.2 * rng.normal(size=n)])


def _sheet(rng: Rng) -> Rows:
    """A bent sheet in space."""
    n = _shape(rng)[0]
    u, v = rng.uniform(-1, 1, (2, n))
    return np.column_stack([u, v, u**2 - v**2 / 2]) + 0.05 * rng.normal(size=(n, 3))


def _ring(rng: Rng) -> Rows:
    n = _shape(rng)[0]
    angle = rng.uniform(0, 2 * np.pi, n)
    return np.column_stack([np.cos(angle), np.sin(angle)]) + 0.12 * rng.normal(size=(n, 2))


ONE: dict[str, Callable[[Rng], Rows]] = {
    "gaussian": _gaussian,
    "sheared": _sheared,
    "cube": _cube,
    "ball": _ball,
    "heavy": _heavy,
    "exponential": _exponential,
    "bow": _bow,
    "wave": _wave,
    "sheet": _sheet,
    "ring": _ring,
}
