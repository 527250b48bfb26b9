"""Least-squares clustering for many alphas at the price of one eigendecomposition."""

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

from numpy.typing import ArrayLike

from maxmargin.estimators.kernel_path import KernelPath
from maxmargin.estimators.rls_clustering import RLSClustering


def rls_path(
    X: Any,
    y: ArrayLike | None = None,
    *,
    alphas: Sequence[float],
    sample_weight: ArrayLike | None = None,
    **parameters: Any,
) -> list[RLSClustering]:
    """Fit :class:`RLSClustering` for many alphas, with one eigendecomposition of the kernel.

    With K = V diag(s) Vᵀ, R(λ) = V diag(s/(s + λ)) Vᵀ for every λ. The models are those that a fit
    for each alpha would find, up to rounding in R: K and its width are made once. With features (a
    linear kernel with many rows, ``approximation="nystroem"``) and for rows in blocks each alpha is
    a fit by itself.

    Parameters
    ----------
    X : array-like or CSR matrix of shape (n_samples, n_features)
        The data, or with ``kernel="precomputed"`` the kernel.
    y : array-like of shape (n_samples,), default=None
        Partial labels, as in ``RLSClustering.fit``.
    alphas : sequence of float
        The strengths of the regularisation per row.
    sample_weight : array-like of shape (n_samples,), default=None
        What each row counts for.
    **parameters : dict
        The other parameters of :class:`RLSClustering`.

    Returns
    -------
    list of RLSClustering
        A fitted model for each alpha, in their order; compare them by ``loo_score_``.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from maxmargin import rls_path
    >>> X = load_iris().data
    >>> models = rls_path(X, alphas=np.logspace(-5, -1, 9), n_clusters=3, random_state=0)
    >>> best = max(models, key=lambda model: model.loo_score_)
    >>> print(f"{best.alpha:g} {best.loo_score_:.2f}")
    3.16228e-05 0.93
    """
    if len(alphas) == 0:
        raise ValueError("alphas must have at least one alpha; got none.")
    if "alpha" in parameters:
        raise ValueError("alpha is what varies here: give alphas, and no alpha.")
    models = [RLSClustering(alpha=alpha, **parameters) for alpha in alphas]
    path = KernelPath.of(models[0], X, sample_weight)
    weights = {} if sample_weight is None else {"sample_weight": sample_weight}
    for model in models:
        with nullcontext() if path is None else path.lent_to(model):
            model.fit(X, y, **weights)
    return models
