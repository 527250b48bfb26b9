"""Generated clusters of many shapes: every function takes a seed and returns rows and classes."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Pair = tuple[NDArray[np.float64], NDArray[np.int64]]
Sizes = Sequence[int]


def shares(seed: int, n: int, k: int, concentration: float = 3.0, least: int = 15) -> list[int]:
    """Sizes with the sum n: a floor, and the rest by a Dirichlet draw."""
    rng = np.random.default_rng(seed)
    rest = rng.multinomial(n - k * least, rng.dirichlet(np.full(k, concentration)))
    return [int(size) + least for size in rest]


def blobs(
    seed: int, sizes: Sizes, d: int = 2, distance: float = 4, stds: Sequence[float] = (1,)
) -> Pair:
    """Round Gaussians; the nearest two centres are at the distance."""
    rng = np.random.default_rng(seed)
    centres = _centres(rng, len(sizes), d, distance)
    return _stack(
        [
            centre + stds[c % len(stds)] * rng.normal(size=(size, d))
            for c, (size, centre) in enumerate(zip(sizes, centres, strict=True))
        ]
    )


def sheared(seed: int, sizes: Sizes, distance: float = 4.5) -> Pair:
    """Round Gaussians in the plane under one linear map."""
    X, y = blobs(seed, sizes, 2, distance)
    return X @ np.array([[0.6, -0.6], [-0.4, 0.8]]), y


def gaussians(seed: int, sizes: Sizes, d: int, distance: float, spread: float = 0.6) -> Pair:
    """Gaussians, each with its own random full covariance."""
    rng = np.random.default_rng(seed)
    parts = []
    for size, centre in zip(sizes, _centres(rng, len(sizes), d, distance), strict=True):
        axes = _rotation(rng, d) * np.exp(spread * rng.normal(size=d))
        parts.append(centre + rng.normal(size=(size, d)) @ axes.T)
    return _stack(parts)


def noise_columns(seed: int, sizes: Sizes, d: int, distance: float, n_noise: int = 10) -> Pair:
    """Round Gaussians beside columns of pure noise of unit variance."""
    X, y = blobs(seed, sizes, d, distance)
    noise = np.random.default_rng([seed, 1]).normal(size=(len(X), n_noise))
    return np.hstack([X, noise]), y


def students(seed: int, sizes: Sizes, d: int = 2, distance: float = 6, dof: float = 3) -> Pair:
    """Heavy-tailed round clusters: Student's t."""
    rng = np.random.default_rng(seed)
    parts = []
    for size, centre in zip(sizes, _centres(rng, len(sizes), d, distance), strict=True):
        scale = np.sqrt(dof / rng.chisquare(dof, size=(size, 1)))
        parts.append(centre + scale * rng.normal(size=(size, d)))
    return _stack(parts)


def lognormals(
    seed: int, sizes: Sizes, d: int = 2, distance: float = 3, sigma: float = 0.7
) -> Pair:
    """Skewed clusters: log-normal in every column."""
    rng = np.random.default_rng(seed)
    centres = _centres(rng, len(sizes), d, distance)
    return _stack(
        [
            centre + rng.lognormal(sigma=sigma, size=(size, d))
            for size, centre in zip(sizes, centres, strict=True)
        ]
    )


def scales(seed: int, sizes: Sizes, ratio: float = 3, gap: float = 2.5, d: int = 2) -> Pair:
    """Clusters on a bent row, each ``ratio`` times as wide as the one before."""
    rng = np.random.default_rng(seed)
    parts, place = [], np.zeros(d)
    for c, size in enumerate(sizes):
        std = ratio**c
        parts.append(place + std * rng.normal(size=(size, d)))
        step = _unit(rng, d)
        step[0] = abs(step[0]) + 0.5
        place = place + gap * std * (1 + ratio) / 2 * step / np.linalg.norm(step)
    return _stack(parts)


def dense_and_sparse(
    seed: int, sizes: Sizes, std: float = 0.15, distance: float = 0, d: int = 2
) -> Pair:
    """A sparse wide Gaussian first; the others are dense small ones inside it or beside it."""
    rng = np.random.default_rng(seed)
    parts = [rng.normal(size=(sizes[0], d))]
    turn = rng.uniform(0, 2 * np.pi)
    for c, size in enumerate(sizes[1:]):
        angle = turn + 2 * np.pi * c / (len(sizes) - 1)
        centre = np.zeros(d)
        centre[:2] = distance * np.cos(angle), distance * np.sin(angle)
        parts.append(centre + std * rng.normal(size=(size, d)))
    return _stack(parts)


def strips(seed: int, sizes: Sizes, gap: float, length: float = 10, degrees: float = 35) -> Pair:
    """Long parallel uniform strips of width 1; a negative gap is an overlap."""
    rng = np.random.default_rng(seed)
    parts = [
        rng.uniform(size=(size, 2)) * (length, 1) + (0, c * (1 + gap))
        for c, size in enumerate(sizes)
    ]
    return _turn(_stack(parts), degrees)


def cross(
    seed: int, sizes: Sizes, degrees: float = 90, ratio: float = 10, shift: float = 0
) -> Pair:
    """Long thin Gaussians that cross; ``shift`` moves the crossing along the second."""
    rng = np.random.default_rng(seed)
    parts = []
    for c, size in enumerate(sizes):
        part = rng.normal(size=(size, 2)) * (ratio, 1) + (c * shift * ratio, 0)
        parts.append(_turn((part, np.zeros(size, np.int64)), 20 + c * degrees)[0])
    return _stack(parts)


def lines(seed: int, sizes: Sizes, d: int = 3, noise: float = 0.04) -> Pair:
    """Lines through the origin."""
    return subspaces(seed, sizes, d, 1, noise)


def subspaces(seed: int, sizes: Sizes, d: int, dim: int, noise: float, shift: float = 0) -> Pair:
    """Clusters that fill different linear subspaces, ``shift`` from the origin."""
    rng = np.random.default_rng(seed)
    parts = []
    for size in sizes:
        basis = _rotation(rng, d)[:, :dim]
        centre = shift * _unit(rng, d)
        inside = rng.uniform(-1, 1, size=(size, dim)) @ basis.T
        parts.append(centre + inside + noise * rng.normal(size=(size, d)))
    return _stack(parts)


def rings(
    seed: int, sizes: Sizes, radii: Sequence[float], noise: float = 0.1, core: float = 0.3
) -> Pair:
    """Rings around one centre; radius 0 is a Gaussian blob of the std ``core``."""
    rng = np.random.default_rng(seed)
    parts = []
    for size, radius in zip(sizes, radii, strict=True):
        angle = rng.uniform(0, 2 * np.pi, size)
        circle = radius * np.column_stack([np.cos(angle), np.sin(angle)])
        parts.append(circle + (noise if radius else core) * rng.normal(size=(size, 2)))
    return _stack(parts)


def smile(seed: int, sizes: Sizes = (40, 40, 100, 220), noise: float = 0.05) -> Pair:
    """Two eyes, a mouth and an outline."""
    rng = np.random.default_rng(seed)
    eyes = [
        np.array([side * 0.4, 0.35]) + 2 * noise * rng.normal(size=(size, 2))
        for side, size in zip((-1, 1), sizes[:2], strict=True)
    ]
    arcs = [
        _arc(rng, size, radius, bounds, noise)
        for size, radius, bounds in zip(
            sizes[2:], (0.55, 1.1), ((1.15 * np.pi, 1.85 * np.pi), (0, 2 * np.pi)), strict=True
        )
    ]
    return _stack([*eyes, *arcs])


def chains(seed: int, sizes: Sizes, noise: float = 0.06) -> Pair:
    """Half arcs, one hooked in the next."""
    rng = np.random.default_rng(seed)
    parts = []
    for c, size in enumerate(sizes):
        bounds = (0, np.pi) if c % 2 == 0 else (np.pi, 2 * np.pi)
        parts.append(_arc(rng, size, 1, bounds, noise) + np.array([c, 0.35 * (c % 2)]))
    return _stack(parts)


def spirals(seed: int, sizes: Sizes, turns: float = 1, noise: float = 0.03) -> Pair:
    """Arms of one spiral."""
    rng = np.random.default_rng(seed)
    parts = []
    for c, size in enumerate(sizes):
        t = np.sqrt(rng.uniform(0.04, 1, size))
        angle = 2 * np.pi * (turns * t + c / len(sizes))
        arm = t[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
        parts.append(arm + noise * rng.normal(size=(size, 2)))
    return _stack(parts)


def squares(seed: int, sizes: Sizes, columns: int, gap: float = 0.1) -> Pair:
    """A grid of uniform unit squares."""
    rng = np.random.default_rng(seed)
    return _stack(
        [
            rng.uniform(size=(size, 2)) + (1 + gap) * np.array(divmod(c, columns))
            for c, size in enumerate(sizes)
        ]
    )


def bridges(seed: int, sizes: Sizes, n_bridge: int = 15, distance: float = 6) -> Pair:
    """A zigzag of Gaussians joined by thin bridges; a bridge belongs to the nearer end."""
    rng = np.random.default_rng(seed)
    centres = [distance * np.array([c * 0.9, (c % 2) * 0.7]) for c in range(len(sizes))]
    parts = [
        centre + rng.normal(size=(size, 2)) for centre, size in zip(centres, sizes, strict=True)
    ]
    for c, (one, two) in enumerate(pairwise(centres)):
        t = rng.uniform(size=(n_bridge, 1))
        bridge = one + t * (two - one) + 0.1 * rng.normal(size=(n_bridge, 2))
        near = t[:, 0] < 0.5
        parts[c] = np.vstack([parts[c], bridge[near]])
        parts[c + 1] = np.vstack([parts[c + 1], bridge[~near]])
    return _stack(parts)


def parabolas(seed: int, sizes: Sizes, noise: float = 0.1, offset: float = 0.3) -> Pair:
    """Two parabolas, each with its end inside the other."""
    rng = np.random.default_rng(seed)
    parts = []
    for side, size in zip((1, -1), sizes, strict=True):
        x = rng.uniform(-1, 1, size)
        curve = np.column_stack([x + side * 0.5, side * (2 * x**2 - 1 + offset)])
        parts.append(curve + noise * rng.normal(size=(size, 2)))
    return _stack(parts)


def _stack(parts: Sequence[NDArray[np.float64]]) -> Pair:
    sizes = [len(part) for part in parts]
    return np.vstack(parts), np.repeat(np.arange(len(parts)), sizes)


def _turn(pair: Pair, degrees: float) -> Pair:
    """Rotate the plane."""
    a = np.deg2rad(degrees)
    X, y = pair
    return X @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]), y


def _arc(
    rng: np.random.Generator, size: int, radius: float, bounds: tuple[float, float], noise: float
) -> NDArray[np.float64]:
    angle = rng.uniform(*bounds, size)
    return radius * np.column_stack([np.cos(angle), np.sin(angle)]) + noise * rng.normal(
        size=(size, 2)
    )


def _unit(rng: np.random.Generator, d: int) -> NDArray[np.float64]:
    direction = rng.normal(size=d)
    return direction / np.linalg.norm(direction)


def _rotation(rng: np.random.Generator, d: int) -> NDArray[np.float64]:
    return np.linalg.qr(rng.normal(size=(d, d)))[0]


def _centres(rng: np.random.Generator, k: int, d: int, distance: float) -> NDArray[np.float64]:
    """Of 30 random draws the most even, scaled so that the nearest two are at the distance."""
    best, most = None, -1.0
    for _ in range(30):
        draw = rng.uniform(-1, 1, size=(k, d))
        gaps = np.linalg.norm(draw[:, None] - draw[None], axis=2)[np.triu_indices(k, 1)]
        if gaps.min() / gaps.mean() > most:
            best, most = draw * (distance / gaps.min()), gaps.min() / gaps.mean()
    return best
