"""Full clusters: Gaussians that overlap, heavy tails, few rows beside many, bands, backgrounds."""

import numpy as np

from benchmarks.datasets.curves import Pair, Points, Rng, ball, split, stack, turned


def centres(rng: Rng, k: int, d: int, least: float) -> Points:
    """Random places, the nearest two of them ``least`` apart, none much farther than needed."""
    side = least * max(k, 2) ** (1 / d)
    found = [rng.uniform(0, side, size=d)]
    while len(found) < k:
        place = rng.uniform(0, side, size=d)
        if np.linalg.norm(np.array(found) - place, axis=1).min() >= least:
            found.append(place)
        side *= 1.002  # there is always a place in the end
    return np.array(found)


def overlapping(rng: Rng, n: int) -> Pair:
    """Gaussians of different shapes whose edges run into each other."""
    k, d = int(rng.integers(2, 7)), int(rng.integers(2, 8))
    places = centres(rng, k, d, rng.uniform(2.8, 4))
    parts = []
    for place, size in zip(places, split(rng, n, k, 0.4), strict=True):
        axes = np.linalg.qr(rng.normal(size=(d, d)))[0] * np.exp(0.35 * rng.normal(size=d))
        parts.append(place + rng.normal(size=(size, d)) @ axes.T)
    return stack(parts)


def crowd(rng: Rng, n: int) -> Pair:
    """Many round clusters of different widths, some of which touch."""
    k, d = int(rng.integers(15, 31)), int(rng.integers(2, 7))
    places = centres(rng, k, d, rng.uniform(4, 6))
    widths = rng.uniform(0.5, 1.2, size=k)
    sizes = split(rng, n, k, 0.3)
    return stack(
        [p + w * rng.normal(size=(m, d)) for p, w, m in zip(places, widths, sizes, strict=True)]
    )


def manifolds(rng: Rng, n: int) -> Pair:
    """Bent pieces of one to three dimensions in 20 to 50 columns, with a little noise."""
    k, d = int(rng.integers(2, 9)), int(rng.integers(20, 51))
    apart, noise = rng.uniform(0.25, 0.8), rng.uniform(0.05, 0.2)
    parts = []
    for size in split(rng, n, k, 0.4):
        inner = rng.uniform(-1, 1, size=(size, int(rng.integers(1, 4))))
        waves = inner @ rng.normal(size=(inner.shape[1], d)) * rng.uniform(0.5, 2)
        bent = np.sin(waves + rng.uniform(0, 2 * np.pi, size=d))
        place = apart * rng.normal(size=d)
        parts.append(place + bent + noise * rng.normal(size=(size, d)))
    return stack(parts)


def heavy(rng: Rng, n: int) -> Pair:
    """Student's t, Laplace or skewed clusters."""
    k, d, kind = int(rng.integers(2, 6)), int(rng.integers(2, 7)), rng.integers(3)
    parts = []
    for place, size in zip(centres(rng, k, d, 6.5), split(rng, n, k, 0.3), strict=True):
        noise = rng.normal(size=(size, d))
        if kind == 0:
            dof = rng.uniform(2, 4)
            noise *= np.sqrt(dof / rng.chisquare(dof, size=(size, 1)))
        elif kind == 1:
            noise = rng.laplace(size=(size, d))
        else:
            noise = rng.gamma(1.5, size=(size, d)) * rng.choice([-1, 1], size=d)
        parts.append(place + noise)
    return stack(parts)


def bands(rng: Rng, n: int) -> Pair:
    """Curved bands of one density with a narrow gap between them."""
    k, gap = int(rng.integers(2, 5)), rng.uniform(0.2, 0.45)
    bend = rng.uniform(0.5, 1.5)
    parts = []
    for c, size in enumerate(split(rng, n, k)):
        if bend < 1:  # around a centre far away
            inner = 5 + c * (1 + gap)
            radius = np.sqrt(rng.uniform(inner**2, (inner + 1) ** 2, size))
            angle = rng.uniform(0, 1.8 * bend, size)
            parts.append(radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]))
        else:
            x = rng.uniform(0, 7, size)
            y = np.sin(bend * x) + rng.uniform(size=size) + c * (1 + gap * np.sqrt(1 + bend**2))
            parts.append(np.column_stack([x, y]))
    return stack(parts)


def densities(rng: Rng, n: int) -> Pair:
    """Round clusters with clear gaps whose widths differ up to twelve times."""
    k, d = int(rng.integers(2, 6)), int(rng.integers(2, 5))
    widths = np.exp(rng.uniform(0, np.log(12), size=k))
    widths[:2] = 1, rng.uniform(4, 12)
    parts, edge, before = [], 0.0, 0.0
    for width, size in zip(rng.permutation(widths), split(rng, n, k, 0.4), strict=True):
        place = np.zeros(d)
        edge += rng.uniform(0.4, 0.7) * max(before, width)
        place[0], place[1] = edge + width, width * rng.uniform(-0.5, 0.5)
        parts.append(place + width * ball(rng, size, d))
        edge, before = edge + 2 * width, width
    return turned(rng, stack(parts))


def imbalance(rng: Rng, ratio: int, least_rows: int = 2000, smallest: int = 3) -> Pair:
    """Round clusters far from each other: the largest has ``ratio`` times the smallest's rows."""
    k, d = int(rng.integers(2, 11)), int(rng.integers(2, 7))
    shares = np.ones(k)
    if rng.random() < 0.5:
        shares = ratio ** (-np.arange(k) / (k - 1))
    else:
        large = min(int(rng.integers(1, k)), max(1, 4000 // (smallest * ratio)))
        shares[large:] = 1 / ratio
    n = max(least_rows, int(np.ceil(smallest * ratio * shares.sum())))
    sizes = np.maximum(np.round(n * shares / shares.sum()).astype(int), smallest)
    places = centres(rng, k, d, rng.uniform(9, 14))
    return stack([p + rng.normal(size=(size, d)) for p, size in zip(places, sizes, strict=True)])
