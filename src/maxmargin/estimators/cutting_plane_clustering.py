"""CPMMC and CPM3C: the hinge loss, cutting planes, linear time."""

from collections.abc import Callable
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state

from maxmargin._runtime.context import all_or_nothing, fitting
from maxmargin._runtime.parallel import one_thread
from maxmargin._runtime.parameters import NONE, Function, InstanceOf, Listed, OneOf
from maxmargin._runtime.warnings import warn_user
from maxmargin.blocks import Rows
from maxmargin.blocks.rows import in_blocks, read_rows, read_whole
from maxmargin.estimators.base import ModelMixin
from maxmargin.estimators.kernel_features import KernelFeatures
from maxmargin.estimators.linked import takes_links
from maxmargin.estimators.pinned_runs import best_with_pins
from maxmargin.estimators.weighted import takes_weights
from maxmargin.objectives.hinge import KernelNorm
from maxmargin.search.starts import SEEDS, read_init
from maxmargin.sizes import Bound, Proportions, Sizes
from maxmargin.solvers import Optimizer
from maxmargin.solvers.cutting_plane import Limits
from maxmargin.solvers.multistart import (
    HINGE_PARAMETERS,
    Multistart,
    fitted_attributes,
    limits_of,
    read_optimizers,
    rows_to_start_with,
    shortcomings,
)
from maxmargin.solvers.optimizers import OptimizerResult
from maxmargin.spaces.features import explicit_space, in_all_columns, require_features
from maxmargin.spaces.kernel import PARAMETERS, Kernel, as_rows
from maxmargin.spaces.metric import Matrix, warn_of_far_rows
from maxmargin.spaces.several import gaussians, many_in_few_columns
from maxmargin.spaces.space import Space


class CuttingPlaneClustering(ModelMixin, BaseEstimator):
    """Clusters with the largest margin between hyperplanes, in linear time.

    Finds labels and one hyperplane for each cluster that minimise ½ α Σ_p ‖w_p‖² plus the
    mean hinge loss of Crammer and Singer: CPM3C [1]_. For two clusters it is that of CPMMC [2]_.
    Only sums over rows are needed, so that data may have millions of rows, or be sparse text.

    Parameters
    ----------
    n_clusters : int, default=2
        The number of clusters k.
    alpha : float or "auto", default="auto"
        The strength of the regularisation, the papers' β, for rows that are centred and have
        mean squared length 1. ``"auto"`` is 0.03 (2/k)^{3/2}.
    balance : float, default=0.0
        The largest difference between the biases of two hyperplanes, the paper's l / n. With 0
        all hyperplanes pass through the mean of the rows, which favours clusters of equal
        size. One cluster for all rows has the objective 1 − balance: stay well below 1.
    proportions : None, "balanced" or array of k shares, default=None
        An array of shares that sum to 1 is met exactly (± 1 row). None and ``"balanced"``
        leave the sizes to the bounds.
    min_size, max_size : int, float, array of k or None, default="auto" and None
        Hard bounds. An int is a number of rows, a float a share of n / n_clusters. With
        ``min_size=0`` clusters may disappear: a large margin can always be had by that.
        Use a small ``min_size`` and a larger ``balance`` for clusters of unequal size.
        ``min_size="auto"`` is 0.5, or None for the paper to the letter.
    kernel : str, callable or None, default=None
        A kernel of :func:`sklearn.metrics.pairwise.pairwise_kernels`, ``"precomputed"`` or a
        symmetric function of two rows, as explicit features: exact (kernel PCA) for at most
        ``n_components`` rows, else by the Nyström map. ``"auto"`` tries the linear kernel and
        Gaussian ones of three widths (for sparse data the linear and the cosine kernel) and
        keeps the one with the lowest objective. None is ``"linear"``; but hyperplanes through
        the mean of the rows part few clusters where there are few columns, and with more than
        ten clusters of dense rows, and no more columns than clusters, it is ``"rbf"``
        (with ``optimizer="alternation"``, which ``"auto"`` is then).
    gamma : float or {"auto", "median", "neighbors", "scale"}, default="auto"
        The width of the kernels that have one, as in :class:`RLSClustering`.
    degree, coef0 : float, default=3 and 1.0
        Parameters of the polynomial and sigmoid kernels.
    kernel_params : dict, default=None
        Keyword arguments for a kernel that is a function.
    n_components : int, default=200
        The number of landmarks of the Nyström map.
    optimizer : {"auto", "cccp", "alternation", "cpmmc", "cpm3c"} or object, default="auto"
        ``"cccp"`` adds cuts and lets labels move after every problem that it solves, with
        repairs to the paper that make it monotone and keep clusters alive; ``"alternation"``
        fits the hyperplanes to fixed labels, then relabels the rows, and stays near its
        start; ``"cpmmc"`` (two clusters) and ``"cpm3c"`` are the papers to the letter, which
        know no size bounds. ``"auto"`` tries the first two for up to four clusters, and takes
        alternation for more. Objects have parameters of their own:
        :class:`~maxmargin.solvers.CCCP`, :class:`~maxmargin.solvers.Alternation`,
        :class:`~maxmargin.solvers.CPMMC`, :class:`~maxmargin.solvers.CPM3C`.
    init : {"auto", "mixed", "k-means++", "random", "rls"} or array of n labels, \
default="auto"
        Where runs start: rows by their nearest of k seeds, which are drawn by k-means++, at
        random, or by turns (``"mixed"``); or labels found by least squares with a Gaussian
        kernel (``"rls"``). ``"auto"`` is ``"rls"`` for alternation alone, else ``"mixed"``.
        Labels that are given are improved in one run, on all rows.
    n_init : int, default=6
        The number of starts. The five runs with the lowest objectives are polished by
        alternation, and the lowest one is kept. With ``init="rls"`` the
        number of runs of the least-squares start, which is improved once.
    init_size : int or None, default=2048
        Runs are made and compared on so many random rows; the best one goes on with all
        rows and takes its cuts along. None takes all rows for all runs (4096 at most for a
        least-squares start).
    tol : float, default=0.01
        The violation of a constraint that is good enough, the papers' ε.
    max_iter : int or "auto", default="auto"
        Cuts at most in a run; a warning says when the best run ended there. ``"auto"`` is 500,
        and 100 for ``"cpmmc"`` and ``"cpm3c"``, which keep all of them.
    random_state : int, RandomState instance or None, default=None
        Fixes starts, landmarks and the rows of ``init_size``.
    n_jobs : int or None, default=None
        Runs, then blocks of rows, at the same time. The result does not depend on it.
    verbose : int, default=0
        1 prints a line for each run, with the time left.
    on_interrupt : {"raise", "keep"}, default="raise"
        What Ctrl-C does during ``fit``. ``"raise"``: the model stays as it was before.
        ``"keep"``: the best of the runs done so far is the answer, with a warning, and
        ``complete_`` is False. A second Ctrl-C is raised, and so is the first one where
        nothing is there to keep.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of each row, numbered by decreasing size. Clusters with pinned rows,
        proportions or bounds of their own keep their numbers.
    coef_ : ndarray of shape (n_clusters, n_features or number of features of the map)
        The hyperplanes, for rows as they are.
    intercept_ : ndarray of shape (n_clusters,)
    objective_ : float
        ½ α Σ ‖w_p‖² + the mean hinge loss at the labels. Comparable between runs with the
        same alpha, balance and bounds only.
    objective_path_ : list of ndarray
        Of the best run: for each cut of CCCP the objective under the cuts so far after each
        step, which never rises, then the objective itself after each round of alternation.
    dual_gap_ : float
        The duality gap of the last small quadratic program: 0 up to rounding.
    alpha_ : float
        The strength in use.
    kernel_ : str or callable
        The kernel in use.
    gamma_ : float
        The width in use; only for kernels that have one.
    n_cuts_ : int
        Cuts made by the best run.
    n_iter_ : int
        Passes over the rows that the best run made to rank them.
    n_disagreements_ : int
        Rows whose label is not what ``predict`` says of them: forced by size limits or pins.
    n_pinned_ : int
        Rows whose label y fixed.
    n_clusters_ : int
        The number of clusters that have rows.
    complete_ : bool
        False if Ctrl-C or a callback ended the runs early.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray
        Their names, where X has string names.

    Notes
    -----
    Each pass costs O(nnz · k); the number of passes does not grow with n. Memory beyond the
    data: a few bytes for each row and live cut, and 8k bytes for each row while size limits
    bind.

    References
    ----------
    .. [1] Zhao, Wang and Zhang, "Efficient Multiclass Maximum Margin Clustering", ICML 2008.
    .. [2] Zhao, Wang and Zhang, "Efficient Maximum Margin Clustering via Cutting Plane
       Algorithm", SDM 2008.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.metrics import adjusted_rand_score
    >>> from maxmargin import CuttingPlaneClustering
    >>> X, y = load_digits(n_class=2, return_X_y=True)
    >>> model = CuttingPlaneClustering(n_clusters=2, random_state=0).fit(X)
    >>> print(f"{adjusted_rand_score(y, model.labels_):.2f}")
    1.00
    >>> (model.decision_function(X[:2]) > 0).tolist()
    [True, False]
    """

    _inits = ("auto", *SEEDS, "rls")
    _parameters = {
        **HINGE_PARAMETERS,
        "init": OneOf(*_inits) | Listed("labels, one for each row"),
        "kernel": NONE | OneOf(*PARAMETERS, "precomputed", "auto") | Function(),
        "optimizer": OneOf("auto", "cccp", "alternation", "cpmmc", "cpm3c")
        | InstanceOf(Optimizer, "an Optimizer of maxmargin.solvers"),
    }

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        alpha: float | str = "auto",
        balance: float = 0.0,
        proportions: Proportions = None,
        min_size: Bound | str = "auto",
        max_size: Bound = None,
        kernel: str | Callable[..., float] | None = None,
        gamma: float | str = "auto",
        degree: float = 3,
        coef0: float = 1.0,
        kernel_params: dict[str, Any] | None = None,
        n_components: int = 200,
        optimizer: str | Optimizer = "auto",
        init: str | ArrayLike = "auto",
        n_init: int = 6,
        init_size: int | None = 2048,
        tol: float = 0.01,
        max_iter: int | str = "auto",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        on_interrupt: str = "raise",
    ) -> None:
        self.n_clusters = n_clusters
        self.alpha = alpha
        self.balance = balance
        self.proportions = proportions
        self.min_size = min_size
        self.max_size = max_size
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.n_components = n_components
        self.optimizer = optimizer
        self.init = init
        self.n_init = n_init
        self.init_size = init_size
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.on_interrupt = on_interrupt

    @takes_links
    @takes_weights
    @all_or_nothing
    def fit(self, X: Any, y: ArrayLike | None = None, sample_weight: Any = None) -> Self:
        """Cluster the rows of X.

        Parameters
        ----------
        X : array-like, CSR matrix, path, Dask array or Rows, of shape (n_samples, n_features)
            The data, which need not fit in memory; or with ``kernel="precomputed"`` the kernel.
        y : array-like of shape (n_samples,), default=None
            Partial labels if some are unknown (−1, NaN or None): the others pin their rows to
            a cluster. A complete y is ignored, and so is one of −1 and 1 alone (two classes).

        Returns
        -------
        self : CuttingPlaneClustering
        """
        optimizers, kernel = read_optimizers(self), self._kernel(self.kernel or "linear")
        X = read_rows(self, X, accept_sparse="csr")
        limits = limits_of(self, optimizers, X.shape[0], y, sample_weight)
        given = read_init(self.init, limits.sizes, self._inits)
        rng = np.random.default_rng(check_random_state(self.random_state).randint(2**31 - 1))

        with fitting(self, X, y) as context, one_thread():
            runs = Multistart.of(self, optimizers, context)
            init = self._init_name(runs) if given is None else given
            some = rows_to_start_with(init, SEEDS, self.init_size, limits.sizes, rng)
            if isinstance(X, Rows) and (kernel.precomputed or (some is None and given is None)):
                X = read_whole(X)
            if self.kernel is None and runs.local and many_in_few_columns(self.n_clusters, X):
                kernel = self._kernel("rbf")
            kernels = self._candidates(kernel, X, rng)
            X = as_rows(X, kernel.precomputed)
            tries = (partial(self._try, one, X, some, limits, init, runs, rng) for one in kernels)
            best, space, rows = min(context.in_turn(tries), key=lambda tried: tried[0].objective)
            if some is not None:
                best = runs.go_on(best, in_blocks(rows.features, self.n_jobs), limits)
            numbers = self._keep(best, limits.sizes, space, rows)
            warn_of_far_rows(X, space.kernel.name)
            self.n_disagreements_ = self._n_disagreeing(X, best.labels, numbers)
            for message in shortcomings(best, runs):
                warn_user(message)
        return self

    # -- the parts of fit, in their order ------------------------------------------------

    def _kernel(self, kernel: str | Callable[..., float]) -> Kernel:
        """The kernel; with ``"auto"`` a Gaussian one."""
        return Kernel(
            "rbf" if self._auto else kernel,
            gamma=self.gamma,
            degree=self.degree,
            coef0=self.coef0,
            params=self.kernel_params,
            n_clusters=self.n_clusters,
        )

    @property
    def _auto(self) -> bool:
        return isinstance(self.kernel, str) and self.kernel == "auto"

    def _init_name(self, runs: Multistart) -> str:
        if self.init != "auto":
            return str(self.init)
        return "rls" if runs.local else "mixed"

    def _candidates(self, kernel: Kernel, X: Matrix, rng: np.random.Generator) -> list[Kernel]:
        """The kernel, or with ``"auto"`` those that are compared."""
        if not self._auto:
            return [kernel]
        if issparse(X):
            return [Kernel("linear"), Kernel("cosine")]
        return [Kernel("linear"), *gaussians(X, self.gamma, rng, self.n_clusters)]

    def _try(
        self,
        kernel: Kernel,
        X: Matrix,
        some: NDArray[np.intp] | None,
        limits: Limits,
        init: str | NDArray[np.int32],
        runs: Multistart,
        rng: np.random.Generator,
    ) -> tuple[OptimizerResult, Space, KernelFeatures]:
        """The best run with a kernel on some of the rows, its space, and all rows in it."""
        space = explicit_space(kernel, self.n_components)
        require_features(space, X)
        features = space.fit(X, rng).features(X)
        table = None if kernel.precomputed else X
        norm = KernelNorm((slice(0, features.shape[1]),))
        rows = KernelFeatures.of([table], features, norm, limits, self.n_init, rng)
        sample = rows.subset(some)
        if limits.sizes.n_pinned:
            return best_with_pins(sample, init, runs), space, rows
        return sample.best(runs, sample.starts(init, None, False, runs)), space, rows

    def _keep(
        self, best: OptimizerResult, sizes: Sizes, space: Space, rows: KernelFeatures
    ) -> NDArray[np.int32]:
        """Returns the numbers of the run's clusters."""
        self.__dict__.pop("gamma_", None)  # of an earlier fit with another kernel
        attributes, numbers = fitted_attributes(best, sizes)
        self.__dict__.update(attributes)
        self.coef_ = in_all_columns(attributes["coef_"], rows.columns, rows.n_columns)
        self._space = space
        self.kernel_ = space.kernel.metric
        if space.kernel.gamma_ is not None:
            self.gamma_ = space.kernel.gamma_
        return numbers

    # -- the parts of predict ------------------------------------------------------------

    def _values(self, X: Matrix) -> NDArray[np.floating]:
        X = as_rows(X, self._space.kernel.precomputed)
        return self._space.values(X, np.ascontiguousarray(self.coef_.T), self.intercept_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = isinstance(self.kernel, str) and self.kernel == "precomputed"
        return tags
