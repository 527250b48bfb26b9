"""A judge for the one case in which margins are the wrong question: a mixture of Gaussians.

The leave-one-out error prefers the shorter boundary. Where clusters are long and touch each
other, or one lies inside another, the boundary between them is not the shortest one, and a
mixture of Gaussians with covariances of their own finds them. It finds nonsense where clusters
are not Gaussian. So it is asked whether it is the right model at all: it must beat mixtures of
fewer and of more Gaussians, its clusters must have the tails of a Gaussian, and it must be sure
of its labels.
"""

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture

#: The parameters of the mixture must not be more than this share of the rows.
PARAMETERS_PER_ROW = 0.5
#: Mardia's kurtosis relative to that of a Gaussian; .67 for discs, 1.5 and more for heavy tails.
KURTOSIS = (0.88, 1.12)
#: The mean posterior of the labels.
CERTAINTY = 0.93
#: A floor for variances relative to their mean.
RIDGE = 1e-4
#: From a k-means start; EM that has not settled by then is not a good model either.
MAX_ITER = 200


@dataclass(frozen=True)
class Mixture:
    """k Gaussians, and whether they describe the data.

    Attributes
    ----------
    labels : ndarray of shape (n,)
        The most probable Gaussian of each row.
    adequate : bool
        Whether the data may be what it says.
    kurtosis : float
        E‖x − m‖⁴ in the metric of each Gaussian, relative to d(d + 2): 1 for Gaussians.
    certainty : float
        The mean probability of the labels.
    reason : str
        What speaks against it, or that nothing does.
    """

    labels: NDArray[np.int32]
    adequate: bool
    kurtosis: float
    certainty: float
    reason: str


def judge_mixture(X: NDArray[np.floating], k: int, seed: int) -> Mixture | None:
    """Fit k Gaussians to coordinates X and say whether to believe them.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Leading principal coordinates; as many of them are used as the rows can bear.
    k : int
    seed : int

    Returns
    -------
    Mixture or None
        None if there are too few rows for any covariance.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.selection.mixture import judge_mixture
    >>> rng = np.random.default_rng(0)
    >>> long = rng.normal(size=(300, 2)) * [6, 0.5]
    >>> X = np.concatenate([long + [0, 1.5], long[::-1] - [0, 1.5]])
    >>> judge_mixture(X, 2, seed=0).adequate
    True
    >>> judge_mixture(rng.uniform(size=(600, 2)), 2, seed=0).reason
    'the clusters are not Gaussian'
    """
    n = len(X)
    d = X.shape[1]
    while d > 0 and k * d * (d + 3) / 2 > PARAMETERS_PER_ROW * n:
        d -= 1
    X = X[:, :d] - X[:, :d].mean(axis=0)
    scale = float(np.sqrt(np.mean(np.square(X)))) if d else 0.0
    if k < 2 or scale == 0:
        return None
    X = X / scale
    model = _fit(X, k, seed)
    posterior = model.predict_proba(X)
    labels = np.argmax(posterior, axis=1).astype(np.int32)
    kurtosis = _kurtosis(X, model, posterior)
    certainty = float(posterior.max(axis=1).mean())
    if not KURTOSIS[0] <= kurtosis <= KURTOSIS[1]:
        reason = "the clusters are not Gaussian"
    elif certainty < CERTAINTY:
        reason = "the Gaussians overlap too much"
    elif not _is_best(X, model, k, seed):
        reason = "another number of Gaussians fits better"
    else:
        reason = ""
    return Mixture(labels, not reason, kurtosis, certainty, reason or "nothing speaks against it")


def _fit(X: NDArray[np.floating], k: int, seed: int) -> GaussianMixture:
    model = GaussianMixture(
        k, covariance_type="full", reg_covar=RIDGE, max_iter=MAX_ITER, random_state=seed
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X)


def _is_best(X: NDArray[np.floating], model: GaussianMixture, k: int, seed: int) -> bool:
    """Whether neither fewer nor more Gaussians have a smaller BIC."""
    bic = model.bic(X)
    others = (m for m in (k + 1, k - 1, k + 2, 2 * k) if 1 <= m < len(X))
    return all(_fit(X, m, seed).bic(X) > bic for m in others)


def _kurtosis(
    X: NDArray[np.floating], model: GaussianMixture, posterior: NDArray[np.floating]
) -> float:
    """Weighted by the posterior: hard labels would cut the tails of clusters that overlap."""
    n, d = X.shape
    total = 0.0
    for mean, root, weight in zip(
        model.means_, model.precisions_cholesky_, posterior.T, strict=True
    ):
        distances = np.sum(np.square((X - mean) @ root), axis=1)
        total += float(weight @ np.square(distances))
    return total / (n * d * (d + 2))
