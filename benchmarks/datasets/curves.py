"""Shapes with empty space between them: each function takes a generator and returns rows, classes.

Curves are polylines; ``tube`` spreads rows evenly along one and across its width.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Rng = np.random.Generator
Points = NDArray[np.float64]
Pair = tuple[Points, NDArray[np.int64]]

#: Letters in a unit square; several strokes make one letter.
STROKES: dict[str, list[list[tuple[float, float]]]] = {
    "C": [[(1, 0), (0, 0), (0, 1), (1, 1)]],
    "E": [[(1, 0), (0, 0), (0, 1), (1, 1)], [(0, 0.5), (0.8, 0.5)]],
    "H": [[(0, 0), (0, 1)], [(1, 0), (1, 1)], [(0, 0.5), (1, 0.5)]],
    "L": [[(0, 1), (0, 0), (1, 0)]],
    "M": [[(0, 0), (0, 1), (0.5, 0.4), (1, 1), (1, 0)]],
    "S": [[(1, 1), (0, 1), (0, 0.5), (1, 0.5), (1, 0), (0, 0)]],
    "T": [[(0, 1), (1, 1)], [(0.5, 1), (0.5, 0)]],
    "U": [[(0, 1), (0, 0), (1, 0), (1, 1)]],
    "X": [[(0, 0), (1, 1)], [(0, 1), (1, 0)]],
    "Z": [[(0, 1), (1, 1), (0, 0), (1, 0)]],
}


def stack(parts: Sequence[Points]) -> Pair:
    """Rows one below the other with their numbers as classes."""
    return np.vstack(parts), np.repeat(np.arange(len(parts)), [len(part) for part in parts])


def split(rng: Rng, n: int, k: int, spread: float = 0.0) -> list[int]:
    """Sizes with the sum n; ``spread`` is the standard deviation of their logarithms."""
    weights = np.exp(spread * rng.normal(size=k))
    sizes = np.maximum(np.floor(n * weights / weights.sum()).astype(int), 20)
    return [int(size) for size in sizes]


def tube(rng: Rng, n: int, strokes: Sequence[Sequence[Sequence[float]]], width: float) -> Points:
    """Rows along polylines, even along them and uniform across."""
    starts = np.vstack([np.asarray(s, float)[:-1] for s in strokes])
    steps = np.vstack([np.diff(np.asarray(s, float), axis=0) for s in strokes])
    lengths = np.linalg.norm(steps, axis=1)
    which = rng.choice(len(steps), size=n, p=lengths / lengths.sum())
    inside = starts[which] + rng.uniform(size=(n, 1)) * steps[which]
    return inside + width / 2 * ball(rng, n, starts.shape[1])


def ball(rng: Rng, n: int, d: int) -> Points:
    """Uniform rows of the unit ball."""
    direction = rng.normal(size=(n, d))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    return direction * rng.uniform(size=(n, 1)) ** (1 / d)


def turned(rng: Rng, pair: Pair) -> Pair:
    """The same under a random rotation."""
    X, y = pair
    return X @ np.linalg.qr(rng.normal(size=(X.shape[1], X.shape[1])))[0], y


def letters(rng: Rng, n: int, spread: float = 0.0) -> Pair:
    """Letters on a page, each turned by a quarter or not."""
    k = int(rng.integers(2, 7))
    chosen, columns = rng.choice(list(STROKES), k, replace=False), int(rng.integers(1, 4))
    gap, width = rng.uniform(0.35, 0.6), rng.uniform(0.1, 0.2)
    parts = []
    for i, (letter, size) in enumerate(zip(chosen, split(rng, n, k, spread), strict=True)):
        part = tube(rng, size, STROKES[letter], width) - 0.5
        if rng.random() < 0.3:
            part = part[:, ::-1] * [1, -1]
        parts.append(part + (1 + gap) * np.array(divmod(i, columns)))
    return stack(parts)


def combs(rng: Rng, n: int, spread: float = 0.0) -> Pair:
    """Two combs with the teeth of one between those of the other."""
    teeth, height = int(rng.integers(2, 5)), rng.uniform(1.5, 3)
    parts = []
    for side, size in enumerate(split(rng, n, 2, spread)):
        x = 2 * np.arange(teeth) + side
        bar, tip = (0, height) if side == 0 else (height + 0.8, 0.8)
        strokes = [[(x[0], bar), (x[-1], bar)], *([(i, bar), (i, tip)] for i in x)]
        parts.append(tube(rng, size, strokes, rng.uniform(0.2, 0.4)))
    return stack(parts)


def waves(rng: Rng, n: int, spread: float = 0.0) -> Pair:
    """Waves above each other, higher than their distance."""
    k, turns = int(rng.integers(2, 6)), rng.uniform(1, 2.5)
    height, width = rng.uniform(0.7, 1.5), rng.uniform(0.15, 0.3)
    t = np.linspace(0, 2 * np.pi * turns, 300)
    wave = height * np.sin(t)
    return stack(
        [
            tube(rng, size, [np.column_stack([t, wave + 1.6 * c])], width)
            for c, size in enumerate(split(rng, n, k, spread))
        ]
    )


def nested(rng: Rng, n: int, spread: float = 0.0) -> Pair:
    """Open rings inside each other, the openings anywhere; sometimes a core."""
    k, width = int(rng.integers(2, 5)), rng.uniform(0.15, 0.35)
    parts = []
    weights = np.arange(1, k + 1) * np.exp(spread * rng.normal(size=k))
    core = rng.random() < 0.5
    for c, size in enumerate(np.maximum(n * weights / weights.sum(), 25).astype(int)):
        opening, angle = rng.uniform(0.3, 1.5), rng.uniform(0, 2 * np.pi)
        t = np.linspace(angle, angle + 2 * np.pi - opening, 200)
        ring = (c + 1) * np.column_stack([np.cos(t), np.sin(t)])
        if core and c == 0:
            parts.append(0.3 * ball(rng, size, 2))
        else:
            parts.append(tube(rng, size, [ring], width))
    return stack(parts)


def islands(rng: Rng, n: int, spread: float = 0.0) -> Pair:
    """Cells of a random map with channels between them, all of one density."""
    k = int(rng.integers(3, 8))
    centres = rng.uniform(size=(k, 2)) + 0.35 * np.array([divmod(i, 3) for i in range(k)])
    low, high = centres.min(axis=0) - 0.3, centres.max(axis=0) + 0.3
    channel = rng.uniform(0.1, 0.18)
    X = rng.uniform(low, high, size=(40 * n, 2))
    distances = np.linalg.norm(X[:, None] - centres, axis=2)
    order = np.argsort(distances, axis=1)[:, :2]
    rows = np.arange(len(X))
    one, two = distances[rows, order[:, 0]], distances[rows, order[:, 1]]
    apart = np.linalg.norm(centres[order[:, 0]] - centres[order[:, 1]], axis=1)
    dry = (two**2 - one**2) / (2 * apart) > channel / 2
    X, y = X[dry][:n], order[dry, 0][:n]
    kept = np.isin(y, np.flatnonzero(np.bincount(y, minlength=k) >= 15))
    return X[kept], np.unique(y[kept], return_inverse=True)[1]


def meanders(rng: Rng, n: int, spread: float = 0.0) -> Pair:
    """Two or three paths side by side that turn around together."""
    k, folds, pitch = int(rng.integers(2, 4)), int(rng.integers(2, 4)), 0.8
    radius, width = k * pitch / 2, rng.uniform(0.15, 0.3)
    t, bends = np.linspace(0, np.pi, 60), []
    for fold in range(folds):
        centre = (2 * fold + 1) * radius, 0 if fold % 2 else 3.5
        arc = radius * np.column_stack([-np.cos(t), np.sin(t) * (-1 if fold % 2 else 1)])
        bends.append(centre + arc)
    middle = np.vstack([[(0, 0), (0, 1.75)], *bends, [(2 * folds * radius, 1.75)]])
    along = np.gradient(middle, axis=0)
    normal = along[:, ::-1] * [-1, 1] / np.linalg.norm(along, axis=1, keepdims=True)
    return stack(
        [
            tube(rng, size, [middle + (c - (k - 1) / 2) * pitch * normal], width)
            for c, size in enumerate(split(rng, n, k, spread))
        ]
    )


def sectors(rng: Rng, n: int, spread: float = 0.0) -> Pair:
    """Pieces of a dartboard with empty wires."""
    rings, slices = int(rng.integers(1, 3)), int(rng.integers(2, 5))
    wire = rng.uniform(0.3, 0.45)
    areas = [(r, s) for r in range(rings) for s in range(slices)]
    parts = []
    for (r, s), size in zip(areas, split(rng, n, len(areas), spread), strict=True):
        inner, outer = 1 + r * (1 + wire), 2 + r * (1 + wire)
        radius = np.sqrt(rng.uniform(inner**2, outer**2, size))
        free = wire / radius / 2
        angle = (
            2 * np.pi * s / slices + free + rng.uniform(size=size) * (2 * np.pi / slices - 2 * free)
        )
        parts.append(radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]))
    return stack(parts)


def hooks(rng: Rng, n: int, spread: float = 0.0) -> Pair:
    """A row of hooks, each one inside the next."""
    k, width = int(rng.integers(2, 6)), rng.uniform(0.15, 0.3)
    t = np.linspace(0, np.pi, 60)
    parts = []
    for c, size in enumerate(split(rng, n, k, spread)):
        bend = np.column_stack([np.cos(t), np.sin(t)])
        hook = np.vstack([[(1, -0.4)], bend, [(-1, -0.2)]])
        parts.append(tube(rng, size, [hook * [1, -1 if c % 2 else 1] + [1.35 * c, 0]], width))
    return stack(parts)


def frame(rng: Rng, n: int, spread: float = 0.0) -> Pair:
    """A square frame with things inside and beside it."""
    width, inside = rng.uniform(0.2, 0.4), int(rng.integers(1, 4))
    outside = int(rng.integers(0, 3))
    corners = [(-2, -2), (-2, 2), (2, 2), (2, -2), (-2, -2)]
    sizes = split(rng, n, 1 + inside + outside, spread)
    parts = [tube(rng, sizes[0], [corners], width)]
    for c in range(inside):
        angle = 2 * np.pi * c / inside
        centre = (inside > 1) * 0.95 * np.array([np.cos(angle), np.sin(angle)])
        parts.append(centre + 0.5 * ball(rng, sizes[1 + c], 2))
    for c in range(outside):
        bar = np.array([(-1.5, 3), (1.5, 3)]) * [1, 1 if c else -1]
        parts.append(tube(rng, sizes[1 + inside + c], [bar], width))
    return stack(parts)


def links(rng: Rng, n: int, spread: float = 0.0) -> Pair:
    """A chain of rings in space, each through the next."""
    k, width = int(rng.integers(2, 5)), rng.uniform(0.1, 0.3)
    t = np.linspace(0, 2 * np.pi, 200)
    flat = np.column_stack([np.cos(t), np.sin(t), 0 * t])
    parts = []
    for c, size in enumerate(split(rng, n, k, spread)):
        ring = flat if c % 2 == 0 else flat[:, [0, 2, 1]]
        parts.append(tube(rng, size, [ring + np.array([1.35 * c, 0, 0])], width))
    return stack(parts)


def helices(rng: Rng, n: int, spread: float = 0.0) -> Pair:
    """Threads wound around each other."""
    k, turns, width = int(rng.integers(2, 5)), rng.uniform(1, 2), rng.uniform(0.1, 0.25)
    t = np.linspace(0, 2 * np.pi * turns, 300)
    parts = []
    for c, size in enumerate(split(rng, n, k, spread)):
        angle = t + 2 * np.pi * c / k
        curve = np.column_stack([np.cos(angle), np.sin(angle), 0.4 * t])
        parts.append(tube(rng, size, [curve], width))
    return stack(parts)


def shells(rng: Rng, n: int, spread: float = 0.0) -> Pair:
    """Spheres inside each other around a core."""
    d, k = 3, int(rng.integers(2, 4))
    weights = (1.0 + np.arange(k)) ** (d - 1)
    parts = []
    for c, weight in enumerate(weights):
        size = max(int(n * weight / weights.sum()), 40)
        if c == 0:
            parts.append(0.4 * ball(rng, size, d))
            continue
        direction = rng.normal(size=(size, d))
        direction /= np.linalg.norm(direction, axis=1, keepdims=True)
        parts.append(direction * (1.6 * c + rng.uniform(-0.1, 0.1, size=(size, 1))))
    return stack(parts)


def sheets(rng: Rng, n: int, spread: float = 0.0) -> Pair:
    """Bent sheets above each other."""
    k, bend, gap = int(rng.integers(2, 5)), rng.uniform(0.2, 0.6), rng.uniform(0.6, 0.9)
    parts = []
    for c, size in enumerate(split(rng, n, k, spread)):
        xy = rng.uniform(-1, 1, size=(size, 2))
        z = bend * (xy[:, 0] ** 2 - xy[:, 1] ** 2) + gap * c + rng.uniform(-0.05, 0.05, size)
        parts.append(np.column_stack([xy, z]))
    return stack(parts)


def scales(rng: Rng, n: int, spread: float = 0.0) -> Pair:
    """Shapes inside large rings, several times smaller than these: gaps of several sizes."""
    groups = int(rng.integers(1, 3))
    parts = []
    for c, size in enumerate(split(rng, n, groups, spread)):
        shape = (letters, hooks, nested)[int(rng.integers(3))]
        X, y = shape(rng, int(0.6 * size), spread)
        X = X - (X.max(axis=0) + X.min(axis=0)) / 2
        reach = np.linalg.norm(X, axis=1).max()
        radius = rng.uniform(1.5, 5)
        t = np.linspace(0, 2 * np.pi, 200)
        ring = radius * np.column_stack([np.cos(t), np.sin(t)])
        place = np.array([13.0 * c, 0])
        parts.append(place + tube(rng, size - len(X), [ring], 0.12 * radius))
        inside = X * (rng.uniform(0.35, 0.6) * radius / reach)
        parts += [place + inside[y == label] for label in range(y.max() + 1)]
    return stack(parts)


PLANE: tuple[Callable[..., Pair], ...] = (
    letters,
    combs,
    waves,
    nested,
    islands,
    meanders,
    sectors,
    hooks,
    frame,
)
SPACE: tuple[Callable[..., Pair], ...] = (links, helices, shells, sheets)
