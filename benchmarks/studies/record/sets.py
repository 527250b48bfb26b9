"""The data: scikit-learn's bundled sets and generators, nothing to download."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_digits,
    load_iris,
    load_wine,
    make_blobs,
    make_circles,
    make_classification,
    make_moons,
    make_s_curve,
)
from sklearn.metrics.pairwise import euclidean_distances, rbf_kernel
from sklearn.preprocessing import scale

#: Rows that are not fitted, but predicted.
N_NEW = 50

Rows = Any  # a dense array, a CSR array or a list of kernel matrices
Pair = tuple[NDArray[np.float64], NDArray[np.int64]]
MAKERS: dict[str, Callable[[], Pair]] = {}


@dataclass(frozen=True)
class Set:
    """Rows to fit, rows to predict, and the true clusters of the former."""

    rows: Rows
    new: Rows
    truth: NDArray[np.int64]

    def pins(self, step: int) -> NDArray[np.int64]:
        """Partial labels: every ``step``-th row is known, the others are −1."""
        known = np.arange(len(self.truth)) % step == 0
        return np.where(known, self.truth, -1)


@cache
def load(name: str, form: str = "dense") -> Set:
    """Return a set in one of the ``FORMS`` that an estimator takes."""
    X, y = MAKERS[name]()
    rows, new = FORMS[form](X[:-N_NEW], X[-N_NEW:])
    return Set(rows, new, y[:-N_NEW])


# -- the forms -----------------------------------------------------------------------------


def _kernels(X: NDArray, new: NDArray) -> tuple[Rows, Rows]:
    """Kernel matrices of the first half of the columns and of the others."""
    half = X.shape[1] // 2
    views = (slice(0, half), slice(half, None))
    return (
        [rbf_kernel(X[:, view]) for view in views],
        [rbf_kernel(new[:, view], X[:, view]) for view in views],
    )


FORMS: dict[str, Callable[[NDArray, NDArray], tuple[Rows, Rows]]] = {
    "dense": lambda X, new: (X, new),
    "csr": lambda X, new: (csr_array(X), csr_array(new)),
    "float32": lambda X, new: (X.astype(np.float32), new.astype(np.float32)),
    "kernel": lambda X, new: (rbf_kernel(X, gamma=0.1), rbf_kernel(new, X, gamma=0.1)),
    "distances": lambda X, new: (euclidean_distances(X), euclidean_distances(new, X)),
    "kernels": _kernels,
}

# -- the sets ------------------------------------------------------------------------------

CORNERS = ((-8.0, -8.0), (8.0, -8.0), (0.0, 8.0))


def _named(maker: Callable[[], Pair]) -> Callable[[], Pair]:
    MAKERS[maker.__name__] = maker
    return maker


def _blobs(n: int | list[int], centers: Any, std: float = 1.0) -> Pair:
    return make_blobs(n, centers=np.array(centers), cluster_std=std, random_state=0)


@_named
def two() -> Pair:
    """Two clusters far apart."""
    return _blobs(150, [[-6, 0, 0], [6, 0, 0]])


@_named
def three() -> Pair:
    """Three clusters far apart."""
    return _blobs(170, CORNERS)


@_named
def four() -> Pair:
    """Four clusters far apart, in five dimensions."""
    return _blobs(210, 12 * np.eye(5)[:4])


@_named
def unequal() -> Pair:
    """Three clusters far apart, of 60, 28 and 12 % of the rows."""
    return _blobs([120, 56, 24], CORNERS)


@_named
def moons() -> Pair:
    """Two crescents that do not touch."""
    return make_moons(230, noise=0.05, random_state=0)


@_named
def circles() -> Pair:
    """A ring around a disc."""
    return make_circles(230, factor=0.3, noise=0.04, random_state=0)


@_named
def topics() -> Pair:
    """Word counts of three topics with words of their own: sparse by nature."""
    rng = np.random.RandomState(0)
    y = rng.randint(3, size=200)
    rates = np.full((3, 300), 0.02)
    for topic in range(3):
        rates[topic, 100 * topic : 100 * topic + 60] = 0.5
    return rng.poisson(rates[y]).astype(float), y


@_named
def sources() -> Pair:
    """Three clusters in the first two columns, noise in the other two."""
    X, y = three()
    return np.hstack([X, np.random.RandomState(0).normal(size=X.shape)]), y


@_named
def scattered() -> Pair:
    """Two clusters far apart, and one row in twenty anywhere (class 2)."""
    X, y = _blobs(300, [[-6, 0], [6, 0]], 0.7)
    rng = np.random.RandomState(0)
    anywhere = rng.choice(300, 15, replace=False)
    X[anywhere] = rng.uniform(-14, 14, size=(15, 2))
    y[anywhere] = 2
    return X, y


@_named
def many() -> Pair:
    """More rows than are looked at, far apart."""
    return _blobs(2650, [[-9, -9], [9, -9], [0, 9], [0, 0]])


@_named
def overlapping() -> Pair:
    """Three clusters that overlap."""
    return _blobs(400, [[-2, -2], [2, -2], [0, 2]], 1.3)


@_named
def slanted() -> Pair:
    """Three long clusters, side by side."""
    X, y = _blobs(290, [[-9, 0], [0, 0], [9, 0]])
    return X @ np.array([[0.6, -0.6], [-0.4, 0.8]]), y


@_named
def noisy_moons() -> Pair:
    """Two crescents that touch."""
    return make_moons(400, noise=0.2, random_state=0)


@_named
def generated() -> Pair:
    """Two classes of two clusters each, among columns that know nothing."""
    return make_classification(500, 12, n_informative=4, class_sep=1.5, random_state=0)


@_named
def curve() -> Pair:
    """One bent sheet: no clusters."""
    X, along = make_s_curve(300, noise=0.05, random_state=0)
    return X, (along > 0).astype(np.int64)


@_named
def many_overlapping() -> Pair:
    """More rows than are looked at, which overlap."""
    return _blobs(3050, 3 * np.eye(6)[:5], 1.1)


@_named
def iris() -> Pair:
    """Three kinds of flowers."""
    return _shuffled(*load_iris(return_X_y=True))


@_named
def wine() -> Pair:
    """Three kinds of wine."""
    X, y = load_wine(return_X_y=True)
    return _shuffled(scale(X), y)


@_named
def cancer() -> Pair:
    """Two kinds of tumours."""
    X, y = load_breast_cancer(return_X_y=True)
    return scale(X), y


@_named
def diabetes() -> Pair:
    """Patients: no clusters to speak of."""
    X, progress = load_diabetes(return_X_y=True)
    return 20 * X, (progress > 140).astype(np.int64)


@_named
def zeros_and_ones() -> Pair:
    """The digits 0 and 1."""
    return load_digits(n_class=2, return_X_y=True)


@_named
def digits() -> Pair:
    """All digits, the first 650."""
    X, y = load_digits(return_X_y=True)
    return X[:650], y[:650]


@_named
def all_digits() -> Pair:
    """All 1797 digits."""
    return load_digits(return_X_y=True)


def _shuffled(X: NDArray[np.float64], y: NDArray[np.int64]) -> Pair:
    order = np.random.RandomState(0).permutation(len(X))
    return X[order], y[order]
