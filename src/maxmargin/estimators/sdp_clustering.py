"""Maximum margin clustering by semidefinite programs: MMC, GMMC and the multi-class form."""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.cluster import KMeans
from sklearn.utils import check_random_state

from maxmargin._runtime.context import FitContext, all_or_nothing, fitting
from maxmargin._runtime.memory import available_memory
from maxmargin._runtime.parallel import one_thread
from maxmargin._runtime.parameters import (
    NONE,
    NONNEGATIVE,
    OF_EVERY_FIT,
    STRENGTH,
    Bool,
    Integer,
    OneOf,
)
from maxmargin._runtime.warnings import warn_user
from maxmargin.estimators.bisecting import BisectingMixin
from maxmargin.solvers.bisection import (
    Balance,
    Bisection,
    IterativeRegression,
    regressions_end_early,
    two_means,
)
from maxmargin.solvers.conic import SOLVERS, ConicSolution, imported
from maxmargin.solvers.relaxations import cost_of, features_of, orders_of, relaxed

#: A fit that takes longer is refused, with the estimate.
MOST_SECONDS = 3600.0
#: Rounds in which one-against-rest regressions and labels are fitted to each other, at most.
ROUNDS = 50

RELAXATIONS = ("mmc", "gmmc", "multiclass")


class SDPClustering(BisectingMixin, BaseEstimator):
    """Maximum margin clustering, relaxed to a semidefinite program: for a few dozen rows.

    Labels are replaced by a matrix that says which rows are together. The problem is convex
    then, and its solution does not depend on a start. The leading eigenvectors of the matrix give
    labels, which a polish may improve. The conic solvers come with ``maxmargin[sdp]``.

    Parameters
    ----------
    n_clusters : int, default=2
        The number of clusters k. ``"mmc"`` and ``"gmmc"`` cut rows in two, and more clusters come
        from splits of splits; ``"multiclass"`` finds all of them at once.
    relaxation : {"mmc", "gmmc", "multiclass"}, default="gmmc"
        ``"mmc"`` has a matrix for the products of labels, and no bias [1]_; ``"gmmc"`` has n
        variables instead of n², a bias and squared slacks [2]_; ``"multiclass"`` has a matrix
        for "the same cluster", and the hinge loss of Crammer and Singer [3]_.
    kernel : str or callable, default="rbf"
        A kernel of :func:`sklearn.metrics.pairwise.pairwise_kernels`, ``"precomputed"`` (X is
        then the kernel matrix), or a symmetric function of two rows.
    gamma : float or {"median", "neighbors", "scale"}, default="median"
        The width of the kernels that have one, as in :class:`RLSClustering`.
    degree, coef0 : float, default=3 and 1.0
        Parameters of the polynomial and sigmoid kernels.
    kernel_params : dict, default=None
        Keyword arguments for a kernel that is a function.
    C : float, default=1.0
        The weight of the loss, for rows that are centred in the space of the kernel and have
        mean squared length 1.
    balance : float, default=0.1
        The largest difference of the sizes of two clusters, as a share of their rows: the
        papers' l / n.
    polish : bool, default=True
        Whether labels go on by regression on their own signs, as in
        :class:`IterativeSVRClustering`. False keeps what the eigenvectors say.
    init_size : int or None, default=None
        The program is solved for so many random rows of each part, and the regression that is
        fitted to their labels labels the others. None takes all rows.
    sdp_solver : {"clarabel", "scs"}, default="clarabel"
        Who solves the program: an interior point method, exact, and slow above some 50 rows;
        or a splitting method, to about four digits.
    random_state : int, RandomState instance or None, default=None
        Fixes the rows of ``init_size``, and k-means on eigenvectors.
    n_jobs : int or None, default=None
        Has no effect: there is one run.
    verbose : int, default=0
        1 prints a line for each program.
    on_interrupt : {"raise", "keep"}, default="raise"
        What Ctrl-C does during ``fit``. ``"raise"``: the model stays as it was before.
        ``"keep"``: where a program was solved, the other splits are made by 2-means, with a
        warning, and ``complete_`` is False. A second Ctrl-C is raised, and so is the first one
        where nothing is there to keep.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of each row, numbered by decreasing size.
    bound_ : float
        The optimum of the first program: no labels have a lower objective of its kind. 0 for one
        cluster.
    dual_gap_ : float
        The largest duality gap of the programs, as a share of their objectives.
    objective_ : float
        That of the regressions, as in :class:`IterativeSVRClustering`.
    dual_coef_ : ndarray of shape (n_samples, n_clusters - 1)
        The regression of each split; with ``"multiclass"`` (n_samples, n_clusters), that of
        each cluster against the rest.
    intercept_ : ndarray
        Their biases.
    gamma_ : float
        The width in use; only for kernels that have one.
    n_disagreements_ : int
        Rows whose label is not what ``predict`` says of them.
    n_clusters_ : int
        The number of clusters that have rows.
    complete_ : bool
        False if Ctrl-C or a callback ended the fit early.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray
        Their names, where X has string names.

    Notes
    -----
    Time O(n⁶) by ``"clarabel"`` and thousands times O(n³) by ``"scs"``. What would take more than
    an hour, or more memory than there is, is refused before the work.

    References
    ----------
    .. [1] Xu, Neufeld, Larson and Schuurmans, "Maximum Margin Clustering", NIPS 2004.
    .. [2] Valizadegan and Jin, "Generalized Maximum Margin Clustering and Unsupervised Kernel
       Learning", NIPS 2006.
    .. [3] Xu and Schuurmans, "Unsupervised and Semi-Supervised Multi-Class Support Vector
       Machines", AAAI 2005.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from sklearn.metrics import adjusted_rand_score
    >>> from maxmargin import SDPClustering
    >>> X, y = make_moons(24, noise=0.05, random_state=0)
    >>> model = SDPClustering(2, gamma=2.0, random_state=0).fit(X)
    >>> model.labels_.shape
    (24,)
    """

    _parameters = {
        **OF_EVERY_FIT,
        "n_clusters": Integer(1),
        "relaxation": OneOf(*RELAXATIONS),
        "C": STRENGTH,
        "balance": NONNEGATIVE,
        "polish": Bool(),
        "init_size": NONE | Integer(1),
        "sdp_solver": OneOf(*SOLVERS),
    }

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        relaxation: str = "gmmc",
        kernel: str | Callable[..., float] = "rbf",
        gamma: float | str = "median",
        degree: float = 3,
        coef0: float = 1.0,
        kernel_params: dict[str, Any] | None = None,
        C: float = 1.0,
        balance: float = 0.1,
        polish: bool = True,
        init_size: int | None = None,
        sdp_solver: str = "clarabel",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        on_interrupt: str = "raise",
    ) -> None:
        self.n_clusters = n_clusters
        self.relaxation = relaxation
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.C = C
        self.balance = balance
        self.polish = polish
        self.init_size = init_size
        self.sdp_solver = sdp_solver
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.on_interrupt = on_interrupt

    @all_or_nothing
    def fit(self, X: Any, y: ArrayLike | None = None) -> Self:
        """Cluster the rows of X.

        Parameters
        ----------
        X : array-like or CSR matrix of shape (n_samples, n_features)
            The data, or with ``kernel="precomputed"`` the kernel matrix.
        y : Ignored
            There for the conventions of scikit-learn.

        Returns
        -------
        self : SDPClustering
        """
        X, kernel = self._read_rows(X)
        imported(self.sdp_solver)
        n_rows = min(X.shape[0], self.init_size or X.shape[0])
        self._refuse_too_large(orders_of(self.relaxation, n_rows, 0))
        rng = np.random.default_rng(check_random_state(self.random_state).randint(2**31 - 1))
        with fitting(self, X, y) as context, one_thread(), regressions_end_early():
            K = self._gram(X, kernel, rng)
            scale = _mean_square(K)
            K /= scale
            programs: list[ConicSolution] = []
            if self.relaxation == "multiclass" and self.n_clusters > 1:
                self._keep_clusters(K, self._clusters(K, context, programs, rng))
            else:
                self._keep_splits(
                    K,
                    lambda rows, n_clusters: self._split(
                        K[np.ix_(rows, rows)], n_clusters, context, programs, rng
                    ),
                )
            self.dual_coef_ /= scale
            self._count_disagreements(X)
            self._describe_programs(programs)
        return self

    # -- the parts of fit, in their order ------------------------------------------------

    def _refuse_too_large(self, orders: list[int]) -> None:
        seconds, size = cost_of(orders, self.sdp_solver)
        free = available_memory() or np.inf
        if seconds <= MOST_SECONDS and size <= free:
            return
        raise ValueError(
            f"relaxation={self.relaxation!r} with matrices of order {orders} would take "
            f"sdp_solver={self.sdp_solver!r} about {seconds / 3600:.3g} hours and "
            f"{size / 2**30:.3g} GiB; at most {MOST_SECONDS / 3600:g} h and "
            f"{free / 2**30:.3g} GiB are allowed. Set init_size to some 40 rows, or use another "
            f"estimator."
        )

    def _together(
        self,
        K: NDArray[np.float64],
        n_clusters: int,
        context: FitContext,
        programs: list[ConicSolution],
    ) -> NDArray[np.float64]:
        """The matrix that says which rows are together, centred rows for a model with a bias."""
        K = K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()
        n_features = features_of(K).shape[1] if self.relaxation == "multiclass" else 0
        self._refuse_too_large(orders_of(self.relaxation, len(K), n_features))
        ((together, found),) = context.map(
            lambda K: relaxed(
                self.relaxation, K, self.C, self.balance, n_clusters, self.sdp_solver
            ),
            [K],
            task="program",
            describe=lambda found: f"optimum {found[1].objective:.6g}",
        )
        programs.append(found)
        return together

    def _split(
        self,
        K: NDArray[np.float64],
        n_clusters: int,
        context: FitContext,
        programs: list[ConicSolution],
        rng: np.random.Generator,
    ) -> Bisection:
        """A part in two."""
        regression, n = IterativeRegression(C=self.C), len(K)
        if context.late:
            return regression.describe(K, two_means(K, rng))
        some = self._some(n, 2, rng)
        together = self._together(K[np.ix_(some, some)], 2, context, programs)
        signs = np.linalg.eigh(together)[1][:, -1]
        right = _not_all(signs > 0, signs)
        if len(some) < n:
            found = regression.describe(K[np.ix_(some, some)], right)
            values = K[:, some] @ found.coef + found.intercept
            right = _not_all(values > 0, values)
        if self.polish:
            return regression.run(K, right, Balance.between(n_clusters, self.balance))
        return regression.describe(K, right)

    def _clusters(
        self,
        K: NDArray[np.float64],
        context: FitContext,
        programs: list[ConicSolution],
        rng: np.random.Generator,
    ) -> NDArray[np.int32]:
        """All clusters at once."""
        k = self.n_clusters
        some = self._some(len(K), k, rng)
        together = self._together(K[np.ix_(some, some)], k, context, programs)
        values, vectors = np.linalg.eigh(together)
        leading = vectors[:, -k:] * np.sqrt(np.clip(values[-k:], 0, None))
        labels = _k_means(leading, k, rng)
        if len(some) < len(K):
            fits = self._against_rest(K[np.ix_(some, some)], labels)
            labels = np.argmax([K[:, some] @ fit.coef + fit.intercept for fit in fits], axis=0)
        for _ in range(ROUNDS if self.polish else 0):
            fits = self._against_rest(K, labels)
            new = np.argmax([K @ fit.coef + fit.intercept for fit in fits], axis=0)
            if np.array_equal(new, labels) or len(np.unique(new)) < len(np.unique(labels)):
                break
            labels = new
        return labels.astype(np.int32)

    def _against_rest(self, K: NDArray[np.float64], labels: NDArray[np.integer]) -> list[Bisection]:
        """A regression for each cluster; one that has no rows is never the largest."""
        regression = IterativeRegression(C=self.C)
        nothing = Bisection(np.zeros(len(K), np.bool_), np.zeros(len(K)), -2.0, 0.0)
        counts = np.bincount(labels, minlength=self.n_clusters)
        return [
            regression.describe(K, labels == c) if 0 < counts[c] < len(K) else nothing
            for c in range(self.n_clusters)
        ]

    def _keep_clusters(self, K: NDArray[np.float64], labels: NDArray[np.int32]) -> None:
        """A model for each cluster in place of a tree."""
        counts = np.bincount(labels, minlength=self.n_clusters)
        first = [np.argmax(labels == c) for c in range(self.n_clusters)]
        order = sorted(range(self.n_clusters), key=lambda c: (-counts[c], first[c]))
        self.labels_ = np.argsort(order)[labels].astype(np.int32)
        made = self._against_rest(K, self.labels_)
        coef = np.stack([found.coef for found in made], axis=1)
        self.dual_coef_ = self._space.dual(coef)
        self.intercept_ = np.array([found.intercept for found in made])
        self._sides = np.eye(self.n_clusters, dtype=np.int8)
        self._describe(K, made)
        self.n_clusters_ = len(np.unique(labels))
        if self.n_clusters_ < self.n_clusters:
            warn_user(
                f"{self.n_clusters - self.n_clusters_} of {self.n_clusters} clusters ended without "
                f"rows; use relaxation='gmmc' to keep them alive."
            )

    def _describe_programs(self, programs: list[ConicSolution]) -> None:
        self.bound_ = abs(programs[0].objective) if programs else 0.0
        self.dual_gap_ = max(
            (abs(p.objective - p.dual_objective) / (1 + abs(p.objective)) for p in programs),
            default=0.0,
        )
        if not all(program.solved for program in programs):
            warn_user(
                f"sdp_solver={self.sdp_solver!r} did not reach its tolerance: the optimum is known "
                f"up to a share of {self.dual_gap_:.2g} only."
            )

    def _some(self, n: int, least: int, rng: np.random.Generator) -> NDArray[np.intp]:
        """The rows that the program is solved for."""
        if self.init_size is None or n <= self.init_size:
            return np.arange(n)
        return np.sort(rng.permutation(n)[: max(least, self.init_size)])


def _mean_square(K: NDArray[np.float64]) -> float:
    """The mean squared length of rows that are centred; 1 where they are all equal."""
    length = float(np.mean(K.diagonal()) - np.mean(K))
    return length if length > 1e-12 * float(np.abs(K).max()) else 1.0


def _not_all(right: NDArray[np.bool_], values: NDArray[np.float64]) -> NDArray[np.bool_]:
    """The sides, or halves by the order of values where all are on one side."""
    if 0 < np.count_nonzero(right) < len(right):
        return right
    halves = np.zeros(len(right), np.bool_)
    halves[np.argsort(values, kind="stable")[len(right) // 2 :]] = True
    return halves


def _k_means(points: NDArray[np.float64], k: int, rng: np.random.Generator) -> NDArray[np.int32]:
    """Labels by k-means, of points that may be equal."""
    k = min(k, len(np.unique(points.round(9), axis=0)))
    return KMeans(k, n_init=10, random_state=int(rng.integers(2**31))).fit(points).labels_
