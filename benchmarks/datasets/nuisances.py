"""Clusters beside what hides them: columns that say nothing, tails, outliers, counts."""

import numpy as np

from benchmarks.datasets.clouds import centres, overlapping
from benchmarks.datasets.curves import Pair, Points, Rng, split, stack


def noise(rng: Rng, n: int) -> Points:
    """A column with one hill that knows nothing: round, flat, skewed or with heavy tails."""
    kind = rng.integers(4)
    if kind == 0:
        return rng.normal(size=n)
    if kind == 1:
        return rng.uniform(-1.7, 1.7, size=n)
    return rng.gamma(2.0, 0.7, size=n) if kind == 2 else rng.standard_t(3, size=n) / 1.7


def beside_noise(rng: Rng, pair: Pair, most: int = 8) -> Pair:
    """One to ``most`` columns of noise as wide as the others, all columns in a random order."""
    X, y = pair
    m = int(rng.integers(1, most + 1))
    wide = np.column_stack([X / X.std(axis=0), *(noise(rng, len(X)) for _ in range(m))])
    return wide[:, rng.permutation(wide.shape[1])], y


def clouds_beside_noise(rng: Rng, n: int) -> Pair:
    """Gaussians that hardly touch, beside noise."""
    return beside_noise(rng, overlapping(rng, n))


def skewed(rng: Rng, n: int) -> Pair:
    """Amounts: clusters in the logarithms of positive columns."""
    k, d = int(rng.integers(2, 5)), int(rng.integers(2, 6))
    places = centres(rng, k, d, rng.uniform(4, 6))
    parts = [
        place + rng.normal(size=(size, d))
        for place, size in zip(places, split(rng, n, k, 0.3), strict=True)
    ]
    X, y = stack(parts)
    return np.exp(rng.uniform(0.3, 0.7) * (X - X.mean(axis=0))), y


def overdispersed(rng: Rng, n: int) -> Pair:
    """Counts that vary more than Poisson's, larger ones: clusters by the rates of all columns."""
    k, d = int(rng.integers(2, 6)), int(rng.integers(3, 9))
    rates = np.exp(centres(rng, k, d, rng.uniform(1.5, 2.5)) - 0.5) + 2
    shape = rng.uniform(3, 15)
    parts = [
        rng.poisson(rate * rng.gamma(shape, 1 / shape, size=(size, d))).astype(float)
        for rate, size in zip(rates, split(rng, n, k, 0.3), strict=True)
    ]
    return stack(parts)


def outliers(rng: Rng, n: int) -> Pair:
    """Round clusters of different widths, and a few rows far out, which belong nowhere (−1)."""
    k, d = int(rng.integers(2, 7)), int(rng.integers(2, 7))
    places = centres(rng, k, d, rng.uniform(5, 7))
    widths = rng.uniform(0.6, 1.2, size=k)
    parts = [
        place + width * rng.normal(size=(size, d))
        for place, width, size in zip(places, widths, split(rng, n, k, 0.3), strict=True)
    ]
    X, y = stack(parts)
    far = int(np.ceil(rng.uniform(0.005, 0.03) * n))
    spread = rng.uniform(3, 10) * X.std(axis=0) * rng.standard_t(2, size=(far, d))
    return np.vstack([X, X.mean(axis=0) + spread]), np.append(y, np.full(far, -1))
