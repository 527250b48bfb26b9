"""A judge for the case in which margins are the wrong question: a mixture of Gaussians.

The leave-one-out error prefers the shorter boundary. Where clusters are long and touch or cross
each other, or one lies inside another, the boundary between them is not the shortest one, and a
mixture of Gaussians with covariances of their own finds them. It finds nonsense where clusters
are not Gaussian. So it is asked whether it is the right model at all: more Gaussians must not
describe the rows better, its clusters must not be too far from Gaussian, and it must be sure of
its labels.
"""

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture

from maxmargin._core.k_means import k_means

#: The parameters of the mixture must not be more than this share of the rows.
PARAMETERS_PER_ROW = 0.5
#: The share of the variance that the coordinates in use must hold: few projections of
#: anything look Gaussian.
EXPLAINED = 0.9
#: Coordinates with less than this share of the variance are rounding.
NOTHING = 1e-6
#: Mardia's kurtosis relative to that of a Gaussian; .67 for discs.
KURTOSIS = (0.6, 1.5)
#: The mean posterior of the labels.
CERTAINTY = 0.93
#: A Gaussian with fewer rows than this share of n/k that is twice as wide as all rows together (its
#: variance, in units of theirs) holds outliers and is no cluster.
LEFT_OVER, LEFT_OVER_WIDTH = 0.25, 4.0
#: A floor for variances: coordinates have variance 1.
VARIANCE_FLOOR = 1e-4
MAX_ITER = 100


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
    n_coordinates : int
        How many of the coordinates it is a mixture in.
    """

    labels: NDArray[np.int32]
    adequate: bool
    kurtosis: float
    certainty: float
    reason: str
    n_coordinates: int


def judge_mixture(
    X: NDArray[np.float64],
    k: int,
    starts: Sequence[NDArray[np.integer]] = (),
    *,
    variance: float | None = None,
    seed: int = 0,
) -> Mixture | None:
    """Fit k Gaussians to coordinates X and say whether to believe them.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Leading principal coordinates; as many of them are used as the rows can bear.
    k : int
    starts : sequence of label arrays
        Where EM begins, besides k-means; the largest likelihood wins.
    variance : float, default=None
        The variance of all coordinates, those that X lacks too.
    seed : int, default=0

    Returns
    -------
    Mixture or None
        None if the coordinates that can be used do not hold enough of the variance.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.front_door.sources.mixture import judge_mixture
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([0, 1], 300)
    >>> X = rng.normal(size=(600, 2)) * [6, 0.5] + np.array([[0, 1.5], [0, -1.5]])[y]
    >>> judge_mixture(X, 2, starts=[y]).adequate
    True
    >>> angle = rng.uniform(0, 2 * np.pi, 600)
    >>> ring = np.column_stack([np.cos(angle), np.sin(angle)]) + 0.05 * rng.normal(size=(600, 2))
    >>> judge_mixture(ring, 2).reason
    'more Gaussians fit better'
    """
    n = len(X)
    variances = X.var(axis=0)
    total = float(variances.sum()) if variance is None else variance
    d = int(np.count_nonzero(variances > NOTHING * total))
    while d > 0 and k * d * (d + 3) / 2 > PARAMETERS_PER_ROW * n:
        d -= 1
    if k < 2 or d == 0 or variances[:d].sum() < EXPLAINED * total:
        return None
    plain = X[:, :d] - X[:, :d].mean(axis=0)
    X = plain / np.sqrt(variances[:d])
    fits = [_em(X, labels, k) for labels in (k_means(plain, k, seed, n_init=2), *starts)]
    model = max(fits, key=lambda fit: fit.lower_bound_)
    posterior = model.predict_proba(X)
    labels = np.argmax(posterior, axis=1).astype(np.int32)
    kurtosis = _kurtosis(X, model, posterior)
    certainty = float(posterior.max(axis=1).mean())
    widths = np.trace(model.covariances_, axis1=1, axis2=2)
    few = np.bincount(labels, minlength=k) < LEFT_OVER * n / k
    more = (_em(X, k_means(plain, m, seed, n_init=2), m).bic(X) for m in _more(k, n))
    if not KURTOSIS[0] <= kurtosis <= KURTOSIS[1]:
        reason = "the clusters are not Gaussian"
    elif np.any(few & (widths > LEFT_OVER_WIDTH * d)):
        reason = "a Gaussian holds what is left over"
    elif certainty < CERTAINTY:
        reason = "the Gaussians overlap too much"
    elif any(bic < model.bic(X) for bic in more):
        reason = "more Gaussians fit better"
    else:
        reason = ""
    said = reason or "nothing speaks against it"
    return Mixture(labels, not reason, kurtosis, certainty, said, d)


def _more(k: int, n: int) -> Iterator[int]:
    """Numbers of Gaussians that must not fit better.

    Fewer may: the user knows that there are k clusters, and the penalty of the BIC is hard on
    small ones.
    """
    return (m for m in sorted({k + 1, k + 2, 2 * k}) if m < n)


def _em(X: NDArray[np.float64], labels: NDArray[np.integer], k: int) -> GaussianMixture:
    """EM from labels; scikit-learn itself would begin with k-means on the scaled rows."""
    d = X.shape[1]
    means, precisions = np.zeros((k, d)), np.empty((k, d, d))
    counts = np.bincount(labels, minlength=k)
    for c in range(k):
        members = X[labels == c] if counts[c] else X
        means[c] = members.mean(axis=0)
        covariance = np.cov(members.T, bias=True).reshape(d, d) if len(members) > 1 else 0
        precisions[c] = np.linalg.inv(covariance + 1e-2 * np.eye(d))
    model = GaussianMixture(
        k,
        covariance_type="full",
        reg_covar=VARIANCE_FLOOR,
        max_iter=MAX_ITER,
        weights_init=np.maximum(counts, 1) / np.maximum(counts, 1).sum(),
        means_init=means,
        precisions_init=precisions,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X)


def _kurtosis(
    X: NDArray[np.float64], model: GaussianMixture, posterior: NDArray[np.floating]
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


def mixture_gain(X: NDArray[np.float64], clusters: NDArray[np.intp]) -> float:
    """Log-likelihood per row that Gaussians of one shape at the clusters gain over one Gaussian.

    Less what its further parameters are worth by the Bayesian information criterion.
    """
    n, d = X.shape
    counts = np.bincount(clusters)
    means = np.stack([X[clusters == c].mean(axis=0) for c in range(len(counts))])

    def log_densities(centres: NDArray[np.float64], S: NDArray[np.float64]) -> NDArray[np.float64]:
        root = np.linalg.cholesky(S + ridge)
        at = np.linalg.solve(root, X.T).T
        squared = ((at[:, None] - np.linalg.solve(root, centres.T).T) ** 2).sum(axis=2)
        return -squared / 2 - np.log(root.diagonal()).sum()

    total, inside = X - X.mean(axis=0), X - means[clusters]
    ridge = (1e-3 * np.square(total).sum() / (n * d) + 1e-300) * np.eye(d)
    one = log_densities(X.mean(axis=0, keepdims=True), total.T @ total / n)[:, 0]
    many = logsumexp(log_densities(means, inside.T @ inside / n) + np.log(counts / n), axis=1)
    return float((many - one).mean() - (len(counts) - 1) * (d + 1) / 2 * np.log(n) / n)
