"""What real tables do to rows: rounding, copies, flags, columns of noise, a background."""

import numpy as np

from benchmarks.datasets.clouds import centres
from benchmarks.datasets.curves import Pair, Rng, split, stack


def rounded(pair: Pair, digits: int) -> Pair:
    """Columns in units of their standard deviation, with so many digits after the point."""
    X, y = pair
    return np.round(X / X.std(axis=0), digits), y


def repeated(rng: Rng, pair: Pair, most: int = 6) -> Pair:
    """Some rows come several times: up to a third of them more than once."""
    X, y = pair
    times = np.where(rng.random(len(X)) < 0.35, rng.integers(2, most + 1, len(X)), 1)
    kept = rng.permutation(len(X))[: len(X) // 2]
    return np.repeat(X[kept], times[kept], axis=0), np.repeat(y[kept], times[kept])


def flags_beside(rng: Rng, pair: Pair) -> Pair:
    """One to three flags, or a category as indicator columns, that know nothing of the clusters."""
    X, y = pair
    n = len(X)
    if rng.random() < 0.5:
        share = rng.uniform(0.1, 0.5, size=int(rng.integers(1, 4)))
        extra = (rng.random((n, len(share))) < share).astype(float)
    else:
        levels = int(rng.integers(3, 6))
        extra = np.eye(levels)[rng.choice(levels, n, p=rng.dirichlet(np.full(levels, 5)))]
    return np.hstack([X, extra]), y


def flag_is_the_cluster(rng: Rng, n: int) -> Pair:
    """Flags say which cluster it is, and the other columns say it too, but not clearly."""
    k, d = int(rng.integers(2, 5)), int(rng.integers(1, 4))
    parts = []
    for c, size in enumerate(split(rng, n, k, 0.4)):
        flags = np.tile(np.eye(k)[c, 1:] if k > 2 else [float(c)], (size, 1))
        shift = rng.uniform(0.5, 1.5) * rng.normal(size=d)
        parts.append(np.hstack([flags, shift + rng.normal(size=(size, d))]))
    return stack(parts)


def categories(rng: Rng, n: int) -> Pair:
    """Numbers that overlap beside categories (indicator columns) that lean to some clusters."""
    k, d = int(rng.integers(2, 6)), int(rng.integers(2, 6))
    places = centres(rng, k, d, rng.uniform(2, 3.5))
    levels = rng.integers(2, 6, size=int(rng.integers(1, 4)))
    parts = []
    for place, size in zip(places, split(rng, n, k, 0.4), strict=True):
        drawn = [rng.choice(m, size, p=rng.dirichlet(np.full(m, 0.7))) for m in levels]
        indicators = [np.eye(m)[level] for m, level in zip(levels, drawn, strict=True)]
        parts.append(np.hstack([place + rng.normal(size=(size, d)), *indicators]))
    return stack(parts)


def counts(rng: Rng, n: int) -> Pair:
    """Whole numbers: clusters by their rates in a few columns, other columns beside them."""
    k, d = int(rng.integers(2, 5)), int(rng.integers(3, 8))
    rates = np.exp(centres(rng, k, 2, 1.2) - 0.2)
    parts = []
    for rate, size in zip(rates, split(rng, n, k, 0.3), strict=True):
        other = rng.poisson(2.0, size=(size, d - 2))
        parts.append(np.hstack([rng.poisson(3 * rate, size=(size, 2)), other]).astype(float))
    return stack(parts)


def embedded(rng: Rng, pair: Pair, least: int = 3) -> Pair:
    """The same shape in 3 to 10 columns: noise smaller than the gaps, and a random rotation."""
    X, y = pair
    d = int(rng.integers(max(least, X.shape[1] + 1), 11))
    size = 0.04 * X.std(axis=0).mean()
    wide = np.hstack([X, size * rng.normal(size=(len(X), d - X.shape[1]))])
    return wide @ np.linalg.qr(rng.normal(size=(d, d)))[0], y


def noise_columns(rng: Rng, pair: Pair) -> Pair:
    """One or two columns of noise, half as wide as the others."""
    X, y = pair
    extra = rng.normal(size=(len(X), int(rng.integers(1, 3))))
    return np.hstack([X, 0.5 * X.std(axis=0).mean() * extra]), y


def background(rng: Rng, pair: Pair) -> Pair:
    """Rows anywhere in between, which belong nowhere (−1)."""
    X, y = pair
    n = int(rng.uniform(0.05, 0.2) * len(X))
    room = 0.1 * np.ptp(X, axis=0)
    noise = rng.uniform(X.min(axis=0) - room, X.max(axis=0) + room, size=(n, X.shape[1]))
    return np.vstack([X, noise]), np.append(y, np.full(n, -1))
