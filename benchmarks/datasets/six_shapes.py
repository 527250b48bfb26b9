"""Six clusters of different shapes in the plane, and rows of noise."""

import numpy as np
from numpy.typing import NDArray

NOISE = 0.03
#: The shares of two moons, a ring, a blob inside it, another blob and a strip.
SHARES = (0.2, 0.2, 0.2, 0.1, 0.15, 0.15)


def six_shapes(
    n: int, seed: int = 0, noise: float = NOISE
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Rows in a random order, z-scored, and their classes; rows of noise have −1."""
    rng = np.random.default_rng(seed)
    n_noise = round(noise * n)
    sizes = np.diff(np.round(np.cumsum((0, *SHARES)) * (n - n_noise))).astype(int)
    upper, lower, ring, core, blob, strip = sizes
    angle = rng.uniform(0, np.pi, upper)
    parts = [np.column_stack([np.cos(angle), np.sin(angle)]) + 0.06 * rng.normal(size=(upper, 2))]
    angle = rng.uniform(0, np.pi, lower)
    parts.append(
        np.column_stack([1 - np.cos(angle), 0.5 - np.sin(angle)])
        + 0.06 * rng.normal(size=(lower, 2))
    )
    angle = rng.uniform(0, 2 * np.pi, ring)
    parts.append(
        np.column_stack([4.2 + np.cos(angle), 0.3 + np.sin(angle)])
        + 0.07 * rng.normal(size=(ring, 2))
    )
    parts.append(np.array([4.2, 0.3]) + 0.2 * rng.normal(size=(core, 2)))
    parts.append(np.array([0.5, 3.0]) + 0.35 * rng.normal(size=(blob, 2)))
    parts.append(rng.uniform(size=(strip, 2)) * (3.0, 0.4) + (2.5, 2.8))
    X = np.vstack(parts)
    low, high = X.min(axis=0), X.max(axis=0)
    X = np.vstack([X, rng.uniform(low, high, size=(n_noise, 2))])
    y = np.append(np.repeat(np.arange(len(sizes)), sizes), np.full(n_noise, -1))
    order = rng.permutation(n)
    return ((X - X.mean(axis=0)) / X.std(axis=0))[order], y[order]
