"""IterSVR: support vector regression on its own signs."""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state

from maxmargin._runtime.context import FitContext, all_or_nothing, fitting
from maxmargin._runtime.parallel import one_thread
from maxmargin._runtime.parameters import (
    NONNEGATIVE,
    OF_EVERY_FIT,
    STARTS,
    STRENGTH,
    Integer,
    OneOf,
)
from maxmargin._runtime.warnings import warn_user
from maxmargin.estimators.bisecting import BisectingMixin
from maxmargin.solvers.bisection import (
    FITS,
    Balance,
    Bisection,
    IterativeRegression,
    regressions_end_early,
    two_means,
)


class IterativeSVRClustering(BisectingMixin, BaseEstimator):
    """Two clusters by regression on their own signs; more by splitting again.

    From 2-means on, a support vector regression is fitted to the current labels ±1, its bias is
    set so that the sizes stay in balance, and the signs of its values are the new labels, until
    they come to rest: IterSVR [1]_. A regression is punished for values beyond ±1, and so lets
    labels go that a classifier would cling to.

    Parameters
    ----------
    n_clusters : int, default=2
        The number of clusters k. More than two come from splits of splits: a part that m
        clusters are to come from is cut into those of ⌊m/2⌋ and of ⌈m/2⌉ of them.
    kernel : str or callable, default="rbf"
        A kernel of :func:`sklearn.metrics.pairwise.pairwise_kernels`, ``"precomputed"`` (X is
        then the kernel matrix), or a symmetric function of two rows.
    gamma : float or {"median", "neighbors", "scale"}, default="median"
        The width of the kernels that have one, as in :class:`RLSClustering`. The papers choose
        it by the true labels.
    degree, coef0 : float, default=3 and 1.0
        Parameters of the polynomial and sigmoid kernels.
    kernel_params : dict, default=None
        Keyword arguments for a kernel that is a function.
    C : float, default=1.0
        The weight of the loss, as in :class:`sklearn.svm.SVR`: the objective is
        ½ ‖w‖² + C Σ loss. Labels hardly leave their start if it is large.
    loss : {"absolute_error", "squared_error"}, default="absolute_error"
        The loss of the regression: ε-insensitive with ε = 0 as in the paper, or squared,
        for which one factorisation of the kernel serves all regressions.
    balance : float, default=0.03
        The largest difference of the sizes of two clusters, as a share of their rows: the
        paper's l / n. Raise it for clusters of unequal size.
    n_init : int, default=10
        Starts by 2-means for each split; the one with the lowest objective is kept.
    max_iter : int, default=100
        Regressions at most from one start; a warning says when that was not enough.
    random_state : int, RandomState instance or None, default=None
        Fixes the starts.
    n_jobs : int or None, default=None
        Starts at the same time. The labels do not depend on it.
    verbose : int, default=0
        1 prints a line for each start, with the time left.
    on_interrupt : {"raise", "keep"}, default="raise"
        What Ctrl-C does during ``fit``. ``"raise"``: the model stays as it was before.
        ``"keep"``: the best of what was done so far is the answer, with a warning, and
        ``complete_`` is False: splits that are missing are made by one start. A second Ctrl-C
        is raised, and so is the first one where nothing is there to keep.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of each row, numbered by decreasing size.
    objective_ : float
        ‖w‖² / (2 C n) plus the mean loss, as a mean over the splits with their rows as weights.
        1 means that nothing was found.
    dual_coef_ : ndarray of shape (n_samples, n_clusters - 1)
        The regression of each split.
    intercept_ : ndarray of shape (n_clusters - 1,)
        Their biases.
    gamma_ : float
        The width in use; only for kernels that have one.
    n_iter_ : int
        The most regressions from the best start of a split.
    n_disagreements_ : int
        Rows whose label is not what ``predict`` says of them: rows that are equal.
    n_clusters_ : int
        The number of clusters.
    complete_ : bool
        False if Ctrl-C or a callback ended the fit early.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray
        Their names, where X has string names.

    Notes
    -----
    Memory 24 n² bytes; each regression O(n²) to O(n³).

    References
    ----------
    .. [1] Zhang, Tsang and Kwok, "Maximum Margin Clustering Made Practical", ICML 2007.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.metrics import adjusted_rand_score
    >>> from maxmargin import IterativeSVRClustering
    >>> X, y = load_digits(n_class=2, return_X_y=True)
    >>> model = IterativeSVRClustering(n_clusters=2, random_state=0).fit(X)
    >>> print(f"{adjusted_rand_score(y, model.labels_):.2f}")
    1.00
    """

    _parameters = {
        **OF_EVERY_FIT,
        "n_clusters": Integer(1),
        "C": STRENGTH,
        "loss": OneOf(*FITS),
        "balance": NONNEGATIVE,
        "n_init": STARTS,
        "max_iter": Integer(1),
    }

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        kernel: str | Callable[..., float] = "rbf",
        gamma: float | str = "median",
        degree: float = 3,
        coef0: float = 1.0,
        kernel_params: dict[str, Any] | None = None,
        C: float = 1.0,
        loss: str = "absolute_error",
        balance: float = 0.03,
        n_init: int = 10,
        max_iter: int = 100,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        on_interrupt: str = "raise",
    ) -> None:
        self.n_clusters = n_clusters
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.C = C
        self.loss = loss
        self.balance = balance
        self.n_init = n_init
        self.max_iter = max_iter
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
        self : IterativeSVRClustering
        """
        X, kernel = self._read_rows(X)
        rng = np.random.default_rng(check_random_state(self.random_state).randint(2**31 - 1))
        with fitting(self, X, y) as context, one_thread(), regressions_end_early():
            K = self._gram(X, kernel, rng)

            def split(rows: NDArray[np.intp], n_clusters: int) -> Bisection:
                return self._split(K[np.ix_(rows, rows)], n_clusters, context, rng)

            made = self._keep_splits(K, split)
            self._count_disagreements(X)
            self.n_iter_ = max((found.n_iter for found in made), default=0)
            if not context.interrupted and any(found.spent for found in made):
                warn_user(
                    f"C = {self.C:.3g} is large for X, whose kernel has values up to "
                    f"{np.abs(K).max():.3g}: regressions ended before they had an answer. Rescale "
                    f"X, or choose a smaller C."
                )
            elif not context.interrupted and not all(found.converged for found in made):
                warn_user(
                    f"labels were still moving after max_iter = {self.max_iter} regressions: "
                    f"raise max_iter."
                )
        return self

    def _split(
        self, K: NDArray[np.float64], n_clusters: int, context: FitContext, rng: np.random.Generator
    ) -> Bisection:
        """The best of the runs from several starts; a short one where it is late."""
        late = context.late
        regression = IterativeRegression(self.loss, self.C, 1 if late else self.max_iter)
        sizes = Balance.between(n_clusters, self.balance)
        starts = (two_means(K, rng) for _ in range(1 if late else self.n_init))
        distinct = {start.tobytes(): start for start in starts}
        runs = context.map(
            lambda start: regression.run(K, start, sizes),
            distinct.values(),
            task="run",
            describe=lambda found: f"objective {found.objective:.6g}",
        )
        return min(runs, key=lambda found: found.objective)
