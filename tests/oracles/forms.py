"""Random kernels and quadratic forms to test with."""

import numpy as np

from maxmargin.spaces.quadratic_form import QuadraticForm


def random_gram(rng, n=30, d=3, gamma=0.5):
    X = rng.normal(size=(n, d))
    return np.exp(-gamma * ((X[:, None] - X[None]) ** 2).sum(-1))


def random_form(rng, n=60, factored=False, lam=0.3, dtype=np.float64, rank=7):
    if factored:
        return QuadraticForm.from_features(rng.normal(size=(n, rank)).astype(dtype), lam)
    return QuadraticForm.from_gram(random_gram(rng, n), lam, dtype=dtype)


def dense(form):
    """R with its diagonal, whatever the shape of the form."""
    M = np.asarray(form.matrix, dtype=float)
    return M @ M.T if form.factored else M + np.diag(form.diagonal)


def random_sizes(rng, n, k, lower=0, upper=None, pins=None):
    from maxmargin.sizes import Sizes

    pins = np.full(n, -1, np.int32) if pins is None else pins
    return Sizes(
        np.full(k, n / k),
        np.full(k, lower, np.intp),
        np.full(k, n if upper is None else upper, np.intp),
        pins,
    )
