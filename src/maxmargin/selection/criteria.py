"""Criteria as objects: fit them to rows once, then ask what any labelling of the rows is worth."""

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.metrics import pairwise_distances_argmin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from maxmargin._runtime.memory import require_memory
from maxmargin._runtime.parameters import Integer, OneOf, check_parameters
from maxmargin._runtime.validation import validate_data
from maxmargin.objectives.leave_one_out import SMALLEST_ERROR, LeaveOneOut
from maxmargin.selection.split_gap import SplitGap
from maxmargin.spaces.metric import Matrix, Metric
from maxmargin.spaces.neighbors import N_NEIGHBORS, Neighbors
from maxmargin.spaces.pairwise import GAUSSIANS, PairwiseDistances


class Criterion(ABC, BaseEstimator):
    """What criteria have in common: the metric of the rows, and how labels are read.

    A subclass says what it learns of the rows (``_learn``) and what a labelling with at least
    two clusters is worth (``_worth``). One cluster is worth 0.
    """

    _parameters = {"noise": OneOf("nearest", "cluster"), "max_rows": Integer(2)}

    def __init__(
        self,
        *,
        metric: str = "euclidean",
        standardize: bool = True,
        noise: str = "nearest",
        max_rows: int = 2000,
        random_state: Any = 0,
    ) -> None:
        self.metric = metric
        self.standardize = standardize
        self.noise = noise
        self.max_rows = max_rows
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the metric of the rows.

        Parameters
        ----------
        X : array-like or CSR matrix of shape (n_samples, n_features)
            The rows, or with ``metric="precomputed"`` the distances between them.
        y : ignored

        Returns
        -------
        self
        """
        check_parameters(self)
        metric = Metric(self.metric, self.standardize)
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32])
        rows = metric.fit(X).prepare(X)
        self.n_rows_ = n = rows.shape[0]
        self.rows_ = np.arange(n)
        if n > self.max_rows:
            drawn = check_random_state(self.random_state).permutation(n)[: self.max_rows]
            self.rows_ = np.sort(drawn)
            rows = metric.take(rows, self.rows_)
        self._metric, self._seen = metric, rows
        self._learn(metric, rows)
        return self

    def score(self, labels: ArrayLike) -> float:
        """The worth of a labelling of the fitted rows: the larger the better, 0 for one cluster.

        Parameters
        ----------
        labels : array-like of shape (n_samples,)
            Any values; −1 is noise.

        Returns
        -------
        float
        """
        check_is_fitted(self)
        clusters = self._clusters(np.asarray(labels))
        return self._worth(clusters) if np.any(clusters) else 0.0

    @abstractmethod
    def _learn(self, metric: Metric, rows: Matrix) -> None:
        """Keep what ``_worth`` needs of the rows."""

    @abstractmethod
    def _worth(self, clusters: NDArray[np.intp]) -> float:
        """The worth of clusters 0, …, k − 1, k > 1."""

    def _clusters(self, labels: NDArray[Any]) -> NDArray[np.intp]:
        """Number the clusters of the rows in use 0, 1, …, with the noise dealt with."""
        if labels.shape != (self.n_rows_,):
            raise ValueError(
                f"labels must have one entry for each fitted row, shape ({self.n_rows_},); got "
                f"shape {labels.shape}."
            )
        if np.any(labels != labels):
            raise ValueError("labels must not contain NaN; noise is -1.")
        labels = labels[self.rows_]
        # Of labels that are words none is noise.
        is_noise = labels == -1 if labels.dtype.kind in "ifO" else np.zeros(len(labels), bool)
        clusters = np.unique(labels, return_inverse=True)[1]
        if self.noise == "cluster" or not is_noise.any() or is_noise.all():
            return clusters
        noise, clustered = np.flatnonzero(is_noise), np.flatnonzero(~is_noise)
        clusters[noise] = clusters[clustered[self._nearest(noise, clustered)]]
        return np.unique(clusters, return_inverse=True)[1]

    def _nearest(self, rows: NDArray[np.intp], among: NDArray[np.intp]) -> NDArray[np.intp]:
        """The position in ``among`` of the nearest row of each row."""
        if self._metric.precomputed:
            return np.argmin(self._seen[np.ix_(rows, among)], axis=1)
        return pairwise_distances_argmin(self._seen[rows], self._seen[among])


class LeaveOneOutCriterion(Criterion):
    """How well labels can be predicted from the other rows.

    A least-squares model with a Gaussian kernel that never saw a row predicts its cluster from
    all others; the closed form needs no model to be fitted twice. The score is 1 − the error,
    relative to that of a model that knows the sizes only: 1 for labels that follow from
    the rows, 0 for one cluster, below 0 for labels that contradict the rows. The error is
    the geometric mean over Gaussians of four widths, so that no width has to be chosen.

    Use it to compare labellings into the same number of clusters. Between different numbers
    it is biased to few: a border less is a place less to err. To choose the number, take
    :class:`SplitGapCriterion`.

    Parameters
    ----------
    metric : {"euclidean", "cosine", "precomputed"}, default="euclidean"
        How rows are compared. Sparse rows are always compared by cosine; with
        ``"precomputed"`` X holds distances.
    standardize : bool, default=True
        Whether dense columns get mean 0 and variance 1 first, and values beyond three
        standard deviations are cut there.
    noise : {"nearest", "cluster"}, default="nearest"
        What rows with the label −1 are: members of the cluster of their nearest row that has
        one, or one more cluster. If all rows are noise, they are one cluster.
    max_rows : int, default=2000
        If there are more rows, a random sample of so many stands for all: time grows with
        the cube of it, memory with the square.
    random_state : int, RandomState instance or None, default=0
        Fixes the sample.

    Attributes
    ----------
    rows_ : ndarray
        The rows in use.
    n_rows_ : int
        The number of rows that were fitted.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray
        Their names, where X has string names.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import make_moons
    >>> from maxmargin.selection import LeaveOneOutCriterion
    >>> X, y = make_moons(200, noise=0.05, random_state=0)
    >>> criterion = LeaveOneOutCriterion().fit(X)
    >>> halves = KMeans(2, n_init=1, random_state=0).fit_predict(X)
    >>> print(f"moons {criterion.score(y):.2f}, halves {criterion.score(halves):.2f}")
    moons 0.99, halves 0.96
    """

    def _learn(self, metric: Metric, rows: Matrix) -> None:
        n = rows.shape[0]
        # Distances, a kernel and R in eight bytes, the residuals of each space in four.
        require_memory(
            n * n * (3 * 8 + 4 * len(GAUSSIANS)), "LeaveOneOutCriterion", "Lower max_rows."
        )
        distances = PairwiseDistances(rows, metric)
        self._judges = [LeaveOneOut.in_space(distances, settings) for settings in GAUSSIANS]

    def _worth(self, clusters: NDArray[np.intp]) -> float:
        errors = [1 - judge.scores([clusters])[0] for judge in self._judges]
        return 1 - float(np.exp(np.mean(np.log(np.maximum(errors, SMALLEST_ERROR)))))


class SplitGapCriterion(Criterion):
    """Whether clusters are harder to split than to tell from each other.

    The score is the difference of two weaknesses of separation, both read from the graph of
    neighbours: that of the best split of any one cluster in two, less that of the worst
    separated pair of clusters. It is large if no cluster should be two and no two should be
    one, so that it can choose the number of clusters (two or more).

    One cluster has no pair; its score is 0 by definition. Above it is a labelling whose
    clusters are all better separated than any split inside them would be. Rows without
    clusters exceed 0 by chance: this criterion is no test of whether there are any.

    Parameters
    ----------
    metric : {"euclidean", "cosine", "precomputed"}, default="euclidean"
        How rows are compared. Sparse rows are always compared by cosine; with
        ``"precomputed"`` X holds distances.
    standardize : bool, default=True
        Whether dense columns get mean 0 and variance 1 first, and values beyond three
        standard deviations are cut there.
    noise : {"nearest", "cluster"}, default="nearest"
        What rows with the label −1 are: members of the cluster of their nearest row that has
        one, or one more cluster. If all rows are noise, they are one cluster.
    max_rows : int, default=20000
        If there are more rows, a random sample of so many stands for all.
    random_state : int, RandomState instance or None, default=0
        Fixes the sample.

    Attributes
    ----------
    rows_ : ndarray
        The rows in use.
    n_rows_ : int
        The number of rows that were fitted.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray
        Their names, where X has string names.

    See Also
    --------
    maxmargin.selection.split_gap.SplitGap : The gap, and the clusters that it comes from.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import make_blobs
    >>> from maxmargin.selection import SplitGapCriterion
    >>> X, _ = make_blobs(200, centers=4, random_state=3)
    >>> criterion = SplitGapCriterion().fit(X)
    >>> labels = {k: KMeans(k, n_init=5, random_state=0).fit_predict(X) for k in range(2, 8)}
    >>> max(labels, key=lambda k: criterion.score(labels[k]))
    4
    """

    def __init__(
        self,
        *,
        metric: str = "euclidean",
        standardize: bool = True,
        noise: str = "nearest",
        max_rows: int = 20_000,
        random_state: Any = 0,
    ) -> None:
        super().__init__(
            metric=metric,
            standardize=standardize,
            noise=noise,
            max_rows=max_rows,
            random_state=random_state,
        )

    def _learn(self, metric: Metric, rows: Matrix) -> None:
        find = Neighbors.of_distances if metric.precomputed else Neighbors.of_rows
        self._gap = SplitGap(find(rows, N_NEIGHBORS))

    def _worth(self, clusters: NDArray[np.intp]) -> float:
        return self._gap.score(clusters)


#: The criteria that have a name.
CRITERIA: dict[str, type[Criterion]] = {"loo": LeaveOneOutCriterion, "split_gap": SplitGapCriterion}
