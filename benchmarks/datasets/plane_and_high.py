"""Six shapes with noise in the plane, and ten Gaussian blobs in 64 dimensions."""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from benchmarks.datasets.six_shapes import six_shapes

Data = tuple[NDArray[np.float64], NDArray[np.int64]]

N_FEATURES, N_BLOBS = 64, 10
PLANE_SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)
BLOB_SIZES = (1_000, 10_000, 30_000)


def blobs(n: int) -> Data:
    """Round Gaussians of unit variance around centres with unit variance, z-scored."""
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(N_BLOBS, N_FEATURES))
    y = rng.integers(N_BLOBS, size=n)
    X = centres[y] + rng.normal(size=(n, N_FEATURES))
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def plane(n: int) -> str:
    return f"six shapes {n}"


def high(n: int) -> str:
    return f"64-D blobs {n}"


SETS: dict[str, Callable[[], Data]] = {
    **{plane(n): partial(six_shapes, n) for n in PLANE_SIZES},
    **{high(n): partial(blobs, n) for n in BLOB_SIZES},
}
