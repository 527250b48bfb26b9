"""Labels of many rows from a few landmarks: block after block, in time linear in the rows."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve, solve_triangular

from maxmargin._core.interrupts import check_interrupt
from maxmargin.sizes import Sizes

#: Rows from which the second moments of the features are estimated.
MOMENT_ROWS = 8000
#: Relative ridge on the landmarks' kernel: their coefficients are not all needed.
JITTER = 1e-3
MAX_SWEEPS = 5
#: Moves, as a share of the rows, below which the labels have settled.
SETTLED_SHARE = 1e-3
#: 1 − leverage is divided by.
LARGEST_LEVERAGE = 0.99

Features = Callable[[], Iterator[tuple[slice, NDArray[np.floating]]]]


@dataclass(frozen=True)
class Transferred:
    """The labels of all rows, and the least-squares model with a bias that they leave.

    Attributes
    ----------
    labels : ndarray of shape (n,)
    coef : ndarray of shape (r, k)
    intercept : ndarray of shape (k,)
    left_out : ndarray of shape (n, k)
        What models that never saw a row say of it.
    n_sweeps : int
    """

    labels: NDArray[np.int32]
    coef: NDArray[np.float64]
    intercept: NDArray[np.float64]
    left_out: NDArray[np.float64]
    n_sweeps: int


class LandmarkSweeps:
    """Least squares on the kernel of all rows against r landmarks.

    A row's features are its kernel against the landmarks; the penalty is λ αᵀ K_rr α, so that
    the model is the one with the whole kernel where all rows are landmarks. Rows come in
    blocks, and no array is larger than n × k.

    Parameters
    ----------
    features : callable
        Iterates over (block of rows, their n_block × r features), in the same blocks each
        time.
    landmarks : ndarray of shape (r, r)
        The kernel between the landmarks.
    moments : ndarray of shape (m, r)
        The features of a random sample of the rows.
    sizes : Sizes
        Limits for all n rows.
    alpha : float
        λ/n: the same for a subset and for all rows.
    """

    def __init__(
        self,
        features: Features,
        landmarks: NDArray[np.float64],
        moments: NDArray[np.float64],
        sizes: Sizes,
        alpha: float,
    ) -> None:
        self.features = features
        self.sizes = sizes
        self.n = len(sizes.pins)
        self.alpha = alpha
        self.penalty = penalty = landmarks.copy()
        penalty.flat[:: len(penalty) + 1] += JITTER
        self.mean = moments.mean(axis=0)
        gram = moments.T @ moments / len(moments)
        # Both per row, so that sums over n rows are divided by n below.
        self.plain = cho_factor(gram + alpha * penalty, lower=True)
        self.centred = cho_factor(
            gram - np.outer(self.mean, self.mean) + alpha * penalty, lower=True
        )

    def project(
        self, features: NDArray[np.float64], values: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The coefficients and the intercept that come nearest to values at some rows."""
        m = len(features)
        mean, level = features.mean(axis=0), values.mean(axis=0)
        gram = (features - mean).T @ (features - mean) / m
        gram += self.penalty * (self.alpha / 100)  # to copy a model, not to smooth it again
        coef = cho_solve(cho_factor(gram), (features - mean).T @ (values - level) / m)
        return coef, level - mean @ coef

    def run(
        self,
        coef: NDArray[np.float64],
        intercept: NDArray[np.float64],
        max_sweeps: int = MAX_SWEEPS,
    ) -> Transferred:
        """Label all rows by a first model, improve the labels, and fit the last model."""
        n, k = self.n, self.sizes.n_clusters
        labels = np.empty(n, np.int32)
        products = np.zeros((len(self.mean), k))  # KᵀH
        for block, K in self._blocks():
            labels[block] = self._pinned(K @ coef + intercept, block)
            products += K.T @ _indicators(labels[block], k)
        counts = np.bincount(labels, minlength=k).astype(np.float64)
        A = cho_solve(self.plain, products) / n
        sweeps, moves = 0, n
        while sweeps < max_sweeps and moves > SETTLED_SHARE * n:
            sweeps += 1
            moves = 0
            for block, K in self._blocks():
                # n_c/n is what keeps clusters from dying out: see objectives/leave_one_out.py
                new = self._pinned(K @ A - counts / n, block)
                changed = new != labels[block]
                if not changed.any():
                    continue
                change = _indicators(new[changed], k)
                change -= _indicators(labels[block][changed], k)
                step = K[changed].T @ change
                products += step
                A += cho_solve(self.plain, step) / n
                labels[block] = new
                counts += change.sum(axis=0)
                moves += int(changed.sum())
        if not self.sizes.hold(labels):
            labels = self.sizes.assign(self._values(A, -counts / n))
            counts = np.bincount(labels, minlength=k).astype(np.float64)
            products[:] = 0
            for block, K in self._blocks():
                products += K.T @ _indicators(labels[block], k)
        shares = counts / n
        coef = cho_solve(self.centred, products / n - np.outer(self.mean, shares))
        return self._finish(labels, coef, shares - self.mean @ coef, sweeps)

    def _values(
        self, coef: NDArray[np.float64], intercept: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        values = np.empty((self.n, len(intercept)))
        for block, K in self._blocks():
            values[block] = K @ coef + intercept
        return values

    def _finish(
        self,
        labels: NDArray[np.int32],
        coef: NDArray[np.float64],
        intercept: NDArray[np.float64],
        sweeps: int,
    ) -> Transferred:
        """What the model says of rows that it did not see: their leverage is what it owes them."""
        n, k = self.n, self.sizes.n_clusters
        left_out = np.empty((n, k))
        inverse = solve_triangular(self.centred[0], np.eye(len(self.mean)), lower=True)
        for block, K in self._blocks():
            half = (K - self.mean) @ inverse.T
            leverage = (1 + np.einsum("ij,ij->i", half, half)) / n
            leverage = np.minimum(leverage, LARGEST_LEVERAGE)[:, None]
            own = leverage * _indicators(labels[block], k)
            left_out[block] = (K @ coef + intercept - own) / (1 - leverage)
        return Transferred(labels, coef, intercept, left_out, sweeps)

    def _pinned(self, values: NDArray[np.floating], block: slice) -> NDArray[np.int32]:
        pins = self.sizes.pins[block]
        return np.where(pins >= 0, pins, np.argmax(values, axis=1)).astype(np.int32)

    def _blocks(self) -> Iterator[tuple[slice, NDArray[np.floating]]]:
        for item in self.features():
            check_interrupt()
            yield item


def _indicators(labels: NDArray[np.integer], k: int) -> NDArray[np.float64]:
    return (labels[:, None] == np.arange(k)).astype(np.float64)
