"""Sets of as many rows as are asked for, whose clusters are known."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import vstack
from sklearn.datasets import make_blobs, make_moons
from sklearn.decomposition import PCA

from benchmarks.datasets.stored import load

Set = tuple[Any, NDArray[np.integer]]


def mnist_like(n: int) -> Set:
    """Draw rows of MNIST in 50 principal components, with a tenth of their deviation as noise."""
    X, y = mnist()
    rng = np.random.default_rng(0)
    components = PCA(50, random_state=0, svd_solver="randomized")
    P = components.fit(X[rng.permutation(len(X))[:4000]]).transform(X).astype(np.float32)
    drawn = rng.integers(len(P), size=n)
    noise = 0.1 * P.std(axis=0) * rng.normal(size=(n, 50)).astype(np.float32)
    return P[drawn] + noise, y[drawn]


def blobs(n: int) -> Set:
    """Draw ten round clusters in 50 columns."""
    X, y = make_blobs(n, 50, centers=10, cluster_std=4.0, random_state=0)
    return X.astype(np.float32), y


def shapes(n: int) -> Set:
    """Draw two moons, a ring and a blob in it."""
    rng, m = np.random.default_rng(0), n // 4
    moons, which = make_moons(2 * m, noise=0.06, random_state=0)
    angle = rng.uniform(0, 2 * np.pi, m)
    ring = np.column_stack([np.cos(angle), np.sin(angle)]) + 0.05 * rng.normal(size=(m, 2))
    blob = 0.2 * rng.normal(size=(m, 2))
    aside = np.array([4, 0])
    X = np.vstack([moons, ring + aside, blob + aside])
    return X, np.concatenate([which, np.full(m, 2), np.full(m, 3)])


def mnist(n: int = 70_000) -> Set:
    """The first rows of MNIST, in single precision."""
    X, y = load("mnist")
    return X[:n].astype(np.float32), y[:n]


def text(n: int) -> Set:
    """The posts on cars, motorcycles, baseball and hockey, again and again."""
    X, y = load("news20_rec")
    times = -(-n // X.shape[0])
    return vstack([X] * times, format="csr")[:n], np.tile(y, times)[:n]


def real(name: str) -> Set:
    """All rows of a set."""
    return load(name)


#: What is drawn for a number of rows.
KINDS = {"MNIST-like": mnist_like, "blobs": blobs, "shapes": shapes, "mnist": mnist, "text": text}
