"""Labels from a few seed rows, in the space of a kernel."""

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import gen_batches
from sklearn.utils.extmath import row_norms

from maxmargin.spaces.kernel import Kernel, Matrix


def nearest_seed(kernel: Kernel, X: Matrix, k: int, rng: np.random.Generator) -> NDArray[np.int32]:
    """Draw k seeds by k-means++ (Arthur and Vassilvitskii 2007); each row takes its nearest.

    Distances are those of the kernel's space, ‖x − s‖² = k(x, x) + k(s, s) − 2 k(x, s), so
    that every kernel can be seeded, a precomputed one too. As in scikit-learn, each seed is
    the best of 2 + log k draws.
    """
    n = X.shape[0]
    norms = self_products(kernel, X)
    trials = 2 + int(np.log(k))

    def distances_to(seeds: NDArray[np.intp]) -> NDArray[np.float64]:
        products = kernel(X[seeds], X).astype(np.float64)
        return np.maximum(norms + norms[seeds, None] - 2 * products, 0)

    closest = distances_to(rng.integers(n, size=1))[0]
    labels = np.zeros(n, np.int32)
    for c in range(1, k):
        total = closest.sum()
        draws = rng.choice(n, trials, p=closest / total) if total > 0 else rng.integers(n, size=1)
        candidates = distances_to(draws)
        new = candidates[np.argmin(np.minimum(candidates, closest).sum(axis=1))]
        labels[new < closest] = c
        closest = np.minimum(closest, new)
    return labels


def nearest_random_row(
    kernel: Kernel, X: Matrix, k: int, rng: np.random.Generator
) -> NDArray[np.int32]:
    """Draw k rows at random; each row takes its nearest."""
    seeds = rng.permutation(X.shape[0])[:k]
    products = kernel(X[seeds], X).astype(np.float64)
    closeness = 2 * products - self_products(kernel, X[seeds])[:, None]
    return np.argmax(closeness, axis=0).astype(np.int32)


def self_products(kernel: Kernel, X: Matrix) -> NDArray[np.float64]:
    """k(x, x) for every row."""
    if kernel.precomputed:
        return np.asarray(X.diagonal(), dtype=np.float64)
    if kernel.linear:
        return row_norms(kernel.prepare(X), squared=True).astype(np.float64)
    blocks = gen_batches(X.shape[0], 64)
    return np.concatenate([kernel(X[b], X[b]).diagonal() for b in blocks]).astype(np.float64)
