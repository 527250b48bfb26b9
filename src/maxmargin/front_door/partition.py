"""The partition that was chosen, with its model: a least-squares classifier for new rows."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax, softmax
from sklearn.utils.validation import check_is_fitted

from maxmargin._runtime.memory import row_blocks
from maxmargin._runtime.ties import count_other_labels, first_of_largest
from maxmargin._runtime.warnings import warn_user
from maxmargin.blocks.columns import Column
from maxmargin.front_door.subsample import Subsample
from maxmargin.objectives.leave_one_out import LeaveOneOut, r_squared, share_explained
from maxmargin.spaces.metric import Matrix, Weights, gaussian
from maxmargin.spaces.pairwise import GaussianSettings, GaussianSpace, PairwiseDistances

N_EXEMPLARS = 3
#: Rows of a cluster among which they are chosen.
EXEMPLAR_ROWS = 200
#: γ‖x − s‖² to the nearest basis row beyond which a row is outside of the data: two widths.
OUTSIDE = 2.0
#: A model that misses labels by less is exact; how often it is corrected at most.
SMALLEST_MISS, MOST_CORRECTIONS = 1e-11, 6
#: Sharpness is sought between these.
SHARPNESS = (1e-2, 1e3)


#: Basis rows that are asked first whether a row is near.
ASKED_FIRST = 128


def outside_rows(K: NDArray[np.floating]) -> NDArray[np.intp]:
    """Rows that are outside of the data, by their kernel with the basis rows.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.front_door.partition import outside_rows
    >>> outside_rows(np.array([[0.9, 0.1], [0.1, 0.05]]))
    array([1])
    """
    near = np.exp(-OUTSIDE)
    left = np.flatnonzero(K[:, :ASKED_FIRST].max(axis=1) <= near)
    return left[K[left].max(axis=1) <= near]


@dataclass(frozen=True)
class KernelClassifier:
    """A function for each cluster, Σ_i α_ic exp(−γ‖x − x_i‖²) + b_c.

    A row farther than two widths from all basis rows gets the values of the nearest of them:
    with a kernel that has died out only b would decide, and every outlier would go to the
    largest cluster.

    Attributes
    ----------
    space : GaussianSpace
        The kernel with the rows x_i.
    coef : ndarray of shape (m, k)
    intercept : ndarray of shape (k,)
    anchors : ndarray of shape (m, k)
        The values at the basis rows.
    sharpness : float
        Memberships are the softmax of the values times this.
    """

    space: GaussianSpace
    coef: NDArray[np.float64]
    intercept: NDArray[np.float64]
    anchors: NDArray[np.float64]
    sharpness: float = 1.0

    def values(self, rows: Matrix) -> NDArray[np.float64]:
        """The value of each cluster's function at prepared rows (n × k)."""
        values = np.empty((rows.shape[0], len(self.intercept)))
        for block in row_blocks(rows.shape[0], len(self.coef)):
            D = self.space.squared(rows[block])
            nearest = np.argmin(D, axis=1)
            outside = self.space.gamma * D[np.arange(len(D)), nearest] > OUTSIDE
            K = gaussian(D, self.space.gamma, out=D)
            # in double precision, so that what ties does so in any company
            values[block] = K.astype(np.float64, copy=False) @ self.coef + self.intercept
            values[block][outside] = self.anchors[nearest[outside]]
        return values

    def memberships(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Shares that sum to 1, largest where the value is."""
        return softmax(self.sharpness * values, axis=1)

    def reordered(self, order: NDArray[np.intp]) -> "KernelClassifier":
        """The same with other numbers for the clusters: cluster c was ``order[c]``."""
        return replace(
            self,
            coef=self.coef[:, order],
            intercept=self.intercept[order],
            anchors=self.anchors[:, order],
        )

    def calibrated(
        self, left_out: NDArray[np.floating], labels: NDArray[np.integer], weights: Weights = None
    ) -> "KernelClassifier":
        """Choose the sharpness so that memberships mean what they say on rows left out."""
        return replace(self, sharpness=calibrate(left_out, labels, weights))


@dataclass(frozen=True, eq=False)
class FittedPartition:
    """Labels with the model that they leave, and how sure that is of each row.

    Attributes
    ----------
    settings : GaussianSettings
        Of the model's space.
    classifier : KernelClassifier
    labels : ndarray of shape (n,)
        Of the rows that were looked at, or of all rows.
    found : ndarray
        Of the rows that were looked at, as they were found.
    left_out : ndarray of shape (n, k)
        What models that never saw a row say of it.
    exemplars : list of arrays
        Rows that stand for each cluster.
    n_disagreements : int or None
        Rows whose label is not what the classifier says, where that is known.
    sure : column of n numbers or None
        Of rows in blocks, of which ``left_out`` is not kept: the margins of their labels, which
        are fetched when they are asked for.
    missed : float
        And the squared errors of what is said of them, in all.
    weights : ndarray of shape (n,) or None
        What rows count for.
    """

    settings: GaussianSettings
    classifier: KernelClassifier
    labels: NDArray[np.int32]
    found: NDArray[np.int32]
    left_out: NDArray[np.floating]
    exemplars: list[NDArray[np.intp]]
    n_disagreements: int | None = None
    sure: Column | None = None
    missed: float = 0.0
    weights: NDArray[np.float64] | None = None

    @cached_property
    def margin(self) -> NDArray[np.float64]:
        """How far models that never saw a row put its own cluster above the best other one."""
        if self.sure is not None:
            return np.asarray(self.sure).astype(np.float64)
        return margins(self.left_out, self.labels)

    @property
    def loo_score(self) -> float:
        """R² of what is said of rows left out; 0 for one cluster."""
        if self.sure is not None:
            return share_explained(self.missed, self.labels)
        missed = self.left_out.copy()
        missed[np.arange(len(self.labels)), self.labels] -= 1
        return r_squared(missed, self.labels, self.weights)

    def __getstate__(self) -> dict[str, Any]:
        # what workers of a cluster have is of no use elsewhere
        sure = None if self.sure is None else np.asarray(self.sure)
        known = {name: value for name, value in vars(self).items() if name != "margin"}
        return {**known, "sure": sure}

    def disagreements(self, rows: Matrix) -> int:
        """How many labels are not what the classifier says of the rows."""
        if self.n_disagreements is not None:
            return self.n_disagreements
        return count_other_labels(
            *(self.classifier.anchors, self.labels, rows),
            lambda some: first_of_largest(self.classifier.values(some), some),
        )


class PartitionMixin:
    """What an estimator says of the rows by the partition that it found."""

    _partition: FittedPartition

    @property
    def margin_(self) -> NDArray[np.float64]:
        """How far a model that never saw the row puts its own cluster above the best other one."""
        check_is_fitted(self)
        return self._partition.margin

    @property
    def uncertain_(self) -> NDArray[np.bool_]:
        """Rows with a negative margin: left out, they would go elsewhere."""
        return self.margin_ < 0

    @property
    def left_out_(self) -> NDArray[np.floating]:
        """What models that never saw a row say of it, cluster by cluster."""
        check_is_fitted(self)
        if self._partition.sure is not None:
            raise AttributeError("left_out_ is not kept for rows in blocks; margin_ is.")
        return self._partition.left_out


@dataclass(frozen=True, eq=False)
class Alternative:
    """A grouping that could be the answer too.

    Attributes
    ----------
    labels : ndarray of shape (n_rows,)
    score : float
        1 minus the geometric mean, over the spaces that judge, of the leave-one-out error.
    settings : GaussianSettings
        Of the space in which it predicts itself best.
    source, start : str
        Where it was found.
    rows : ndarray of shape (n_rows,)
        Which rows of X it is about: all, unless there were too many to look at.
    agreement : float
        The adjusted Rand index with the chosen grouping.
    partition : FittedPartition
        Its model of these rows.
    everywhere : ndarray or None
        The labels of all rows, where it was found on all of them.
    """

    labels: NDArray[np.int32]
    score: float
    settings: GaussianSettings
    source: str
    start: str
    rows: NDArray[np.intp]
    agreement: float
    partition: FittedPartition
    everywhere: NDArray[np.int32] | None = None

    @property
    def sizes(self) -> NDArray[np.intp]:
        """The number of rows in each cluster."""
        return np.bincount(self.labels)


def fit_partition(
    subsample: Subsample,
    distances: PairwiseDistances,
    settings: GaussianSettings,
    criterion: LeaveOneOut,
    labels: NDArray[np.int32],
) -> FittedPartition:
    """Fit the classifier with a bias to the labels of the rows that were looked at.

    Its residuals on them are A_b H, which the criterion knows already: so α = A_b H/λ, and the
    values are H − A_b H.
    """
    k, n = subsample.sizes.n_clusters, criterion.n
    space = settings.space(distances)
    rows = np.arange(n)
    weights = distances.weights
    residuals, intercept = _solved(criterion, distances, space, settings.lam(n), labels, k)
    fitted = -residuals if weights is None else -residuals / weights[:, None]
    fitted[rows, labels] += 1
    left_out = -residuals / criterion.diagonal[:, None]
    left_out[rows, labels] += 1
    classifier = KernelClassifier(
        space, coef=criterion.dual(residuals, settings.lam(n)), intercept=intercept, anchors=fitted
    ).calibrated(left_out, labels, weights)
    members = (np.flatnonzero(labels == c) for c in range(k))
    typical = [
        subsample.seen[_typical(distances.squared, space.gamma, inside)] for inside in members
    ]
    return FittedPartition(settings, classifier, labels, labels, left_out, typical, weights=weights)


def _solved(
    criterion: LeaveOneOut,
    distances: PairwiseDistances,
    space: GaussianSpace,
    lam: float,
    labels: NDArray[np.int32],
    k: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The residuals A_b H and the biases, to double precision.

    A_b is kept in single precision: what the model by it misses of K α + λ W⁻¹ α + b = H, 1ᵀα = 0,
    with K in double precision, is solved for again, as long as less and less is missed.
    """
    residuals = criterion.residuals(labels, k)
    bias = np.bincount(labels, criterion.bias, minlength=k).astype(np.float64)
    if criterion.dropped is not None:  # R knows another kernel than K
        return residuals, bias
    H, K = np.eye(k)[labels], distances.kernel(space.gamma)
    weights = 1.0 if criterion.weights is None else criterion.weights[:, None]
    before, best = np.inf, (residuals, bias)
    for _ in range(MOST_CORRECTIONS):
        missed = H - K @ (residuals / lam) - residuals / weights - bias
        size = float(np.abs(missed).max())
        if not size < before / 2:
            break
        before, best = size, (residuals, bias)
        if size < SMALLEST_MISS:
            break
        bias = bias + criterion.bias @ missed
        residuals = residuals + criterion.residual @ missed.astype(np.float32)
        residuals -= np.outer(criterion.bias, residuals.sum(axis=0))
    return best


def _typical(
    squared: NDArray[np.float64], gamma: float, inside: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Exemplars of a cluster, chosen among some of its rows where it has many."""
    some = inside[:: -(-len(inside) // EXEMPLAR_ROWS)] if len(inside) else inside
    return some[exemplars(squared[np.ix_(some, inside)], gamma)]


def exemplars(squared: NDArray[np.float64], gamma: float) -> NDArray[np.intp]:
    """Choose up to three of some rows so that every row is near to one of them.

    Each one raises Σ_i max_e exp(−γ d²_ei) most (facility location): the first lies where most
    rows are, the next where the first ones are far. ``squared`` are the distances of those that
    may be chosen (by rows) to all.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.front_door.partition import exemplars
    >>> X = np.array([[0.0], [1.0], [2.0], [8.0], [9.0]])
    >>> exemplars((X - X.T) ** 2, 1.0).tolist()
    [1, 3, 0]
    """
    affinity = gaussian(squared, gamma)
    covered = np.zeros(affinity.shape[1])
    chosen: list[int] = []
    for _ in range(min(N_EXEMPLARS, len(affinity))):
        gains = np.maximum(affinity - covered, 0).sum(axis=1)
        gains[chosen] = -1
        chosen.append(int(np.argmax(gains)))
        covered = np.maximum(covered, affinity[chosen[-1]])
    return np.array(chosen, dtype=np.intp)


def calibrate(
    left_out: NDArray[np.floating], labels: NDArray[np.integer], weights: Weights = None
) -> float:
    """The sharpness with the largest likelihood of the labels, one row of doubt added.

    Without that row, clusters that are told apart without error would get memberships of 0
    and 1 whatever the distance to the boundary.
    """
    n, k = left_out.shape
    if k == 1:
        return 1.0

    def surprise(log_sharpness: float) -> float:
        log_p = log_softmax(np.exp(log_sharpness) * left_out, axis=1)
        own = log_p[np.arange(n), labels]
        total = own.sum() if weights is None else weights @ own
        return float(-total - log_p.mean(axis=1).mean())

    low, high = np.log(SHARPNESS)
    return float(np.exp(minimize_scalar(surprise, bounds=(low, high), method="bounded").x))


def margins(values: NDArray[np.floating], labels: NDArray[np.integer]) -> NDArray[np.float64]:
    """How far the value of a row's own cluster is above the best other one."""
    n, k = values.shape
    if k == 1:
        return values[:, 0].astype(np.float64)
    others = values.copy()
    own = others[np.arange(n), labels].copy()
    others[np.arange(n), labels] = -np.inf
    return (own - others.max(axis=1)).astype(np.float64, copy=False)


def warn_of_empty_clusters(found: int, wanted: int) -> None:
    """Say that clusters have no rows."""
    if found < wanted:
        warn_user(
            f"{wanted - found} of {wanted} clusters ended without rows; set min_size to keep them "
            f"alive."
        )
