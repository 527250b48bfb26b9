"""Labels of many rows from a few landmarks: block after block, in time linear in the rows."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve, solve_triangular

from maxmargin._core.interrupts import check_interrupt
from maxmargin.sizes import Sizes
from maxmargin.spaces.metric import Weights

#: Rows from which the second moments of the features are estimated.
MOMENT_ROWS = 8000
#: Relative ridge on the landmarks' kernel: their coefficients are not all needed.
JITTER = 1e-3
MAX_SWEEPS = 20
#: Moves, as a share of the rows, below which the labels have settled.
SETTLED_SHARE = 1e-3
#: 1 − leverage is divided by.
LARGEST_LEVERAGE = 0.99
#: Rows beyond which leverages are estimated: they are small then, and the exact ones cost as much
#: as all the rest.
EXACT_LEVERAGE_ROWS = 10_000
#: Random directions of the estimate, which is right to a half.
N_DIRECTIONS = 8

Features = Callable[[], Iterator[tuple[slice, NDArray[np.floating]]]]


@dataclass(frozen=True)
class Settled:
    """Labels that have settled, and the least-squares model with a bias that they leave.

    Attributes
    ----------
    labels : ndarray of shape (n,)
    coef : ndarray of shape (r, k)
    intercept : ndarray of shape (k,)
    n_sweeps : int
    """

    labels: NDArray[np.int32]
    coef: NDArray[np.float64]
    intercept: NDArray[np.float64]
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
    weights : ndarray of shape (m,) or None, default=None
        What the rows of the sample count for. All rows count for what ``sizes`` say.
    """

    def __init__(
        self,
        features: Features,
        landmarks: NDArray[np.float64],
        moments: NDArray[np.float64],
        sizes: Sizes,
        alpha: float,
        weights: Weights = None,
    ) -> None:
        self.features = features
        self.sizes = sizes
        self.n = len(sizes.pins)
        self.weights = np.ones(self.n) if sizes.weights is None else sizes.weights
        self.alpha = alpha
        self.penalty = penalty = landmarks.copy()
        penalty.flat[:: len(penalty) + 1] += JITTER
        self.mean = np.average(moments, axis=0, weights=weights)
        total = len(moments) if weights is None else weights.sum()
        scaled = moments if weights is None else np.sqrt(weights)[:, None] * moments
        gram = scaled.T @ scaled / total  # of one array with itself: half of the work
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
        centred = features - mean
        gram = centred.T @ centred / m
        gram += self.penalty * (self.alpha / 100)  # to copy a model, not to smooth it again
        coef = cho_solve(cho_factor(gram), centred.T @ (values - level) / m)
        return coef, level - mean @ coef

    def run(
        self,
        coef: NDArray[np.float64],
        intercept: NDArray[np.float64],
        max_sweeps: int = MAX_SWEEPS,
    ) -> Settled:
        """Label all rows by a first model, improve the labels, and fit the last model."""
        n, k = self.n, self.sizes.n_clusters
        labels = np.empty(n, np.int32)
        products = np.zeros((len(self.mean), k))  # KᵀH
        for block, K in self._blocks():
            labels[block] = largest(_product(K, coef) + intercept, self.sizes.pins[block])
            products += _product(K.T, self._counted(labels, block))
        counts = self._counts(labels)
        A = cho_solve(self.plain, products) / n
        sweeps, moves = 0, n
        while sweeps < max_sweeps and moves > SETTLED_SHARE * n:
            sweeps += 1
            moves = 0
            for block, K in self._blocks():
                # n_c/n is what keeps clusters from dying out: see objectives/leave_one_out.py
                new = largest(_product(K, A) - counts / n, self.sizes.pins[block])
                changed = new != labels[block]
                if not changed.any():
                    continue
                change = _indicators(new[changed], k)
                change -= _indicators(labels[block][changed], k)
                change *= self.weights[block][changed, None]
                step = _product(K[changed].T, change)
                products += step
                A += cho_solve(self.plain, step) / n
                labels[block] = new
                counts += change.sum(axis=0)
                moves += int(changed.sum())
        if not self.sizes.hold(labels):
            values = np.empty((n, k))
            for block, K in self._blocks():
                values[block] = _product(K, A) - counts / n
            labels = self.sizes.assign(values)
            counts = self._counts(labels)
            products[:] = 0
            for block, K in self._blocks():
                products += _product(K.T, self._counted(labels, block))
        coef, intercept = self._model(products, counts / n)
        return Settled(labels, coef, intercept, sweeps)

    def fit(self, labels: NDArray[np.int32]) -> Settled:
        """Fit the model to labels of all rows that are known, and change none of them."""
        k = self.sizes.n_clusters
        products = np.zeros((len(self.mean), k))
        for block, K in self._blocks():
            products += _product(K.T, self._counted(labels, block))
        return Settled(labels, *self._model(products, self._counts(labels) / self.n), 0)

    def _counts(self, labels: NDArray[np.int32]) -> NDArray[np.float64]:
        counts = np.bincount(labels, self.weights, minlength=self.sizes.n_clusters)
        return counts.astype(np.float64, copy=False)

    def _counted(self, labels: NDArray[np.int32], block: slice) -> NDArray[np.float64]:
        """The indicators of a block of rows, times what they count for."""
        return _indicators(labels[block], self.sizes.n_clusters) * self.weights[block, None]

    def _model(
        self, products: NDArray[np.float64], shares: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The coefficients and the intercept from KᵀH and the shares of the clusters."""
        coef = cho_solve(self.centred, products / self.n - np.outer(self.mean, shares))
        return coef, shares - self.mean @ coef

    def leverage_directions(self, n: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """What the features k of a row are multiplied with, and the level of the products.

        (1 + ‖L⁻¹(k − mean)‖²)/n, L the Cholesky factor of the centred moments, is how much the
        models of n rows owe to the row. Of many rows, the products are with random signs.
        """
        r = len(self.mean)
        half = solve_triangular(self.centred[0], np.eye(r), lower=True).T
        if n > EXACT_LEVERAGE_ROWS:
            signs = np.random.default_rng(0).choice([-1.0, 1.0], size=(r, N_DIRECTIONS))
            half = half @ signs / np.sqrt(N_DIRECTIONS)
        return half, self.mean @ half

    def _blocks(self) -> Iterator[tuple[slice, NDArray[np.floating]]]:
        for item in self.features():
            check_interrupt()
            yield item


def largest(values: NDArray[np.floating], pins: NDArray[np.integer]) -> NDArray[np.int32]:
    """The cluster of the largest value, or that which a row is pinned to."""
    return np.where(pins >= 0, pins, np.argmax(values, axis=1)).astype(np.int32)


def leverages(
    products: NDArray[np.floating], n: int, weights: NDArray[np.float64] | float = 1.0
) -> NDArray[np.float64]:
    """How much models of n rows owe to rows, from their products with the directions."""
    norms = np.einsum("ij,ij->i", products, products, dtype=np.float64)
    return np.minimum(weights * (1 + norms) / n, LARGEST_LEVERAGE)


def left_out_values(
    values: NDArray[np.floating], labels: NDArray[np.integer], leverage: NDArray[np.float64]
) -> NDArray[np.float64]:
    """What models that never saw the rows say of them, (f − ℓ h)/(1 − ℓ) with the leverage ℓ."""
    own = leverage[:, None] * _indicators(labels, values.shape[1])
    return np.asarray((values - own) / (1 - leverage[:, None]))


def _product(K: NDArray[np.floating], right: NDArray[np.float64]) -> NDArray[np.float64]:
    """In the precision of the features of a block; sums over blocks are in double precision."""
    return (K @ right.astype(K.dtype, copy=False)).astype(np.float64, copy=False)


def _indicators(labels: NDArray[np.integer], k: int) -> NDArray[np.float64]:
    return (labels[:, None] == np.arange(k)).astype(np.float64)
