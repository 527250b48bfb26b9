"""UMC-RLS, Steep-RLS, Stoc-RLS, EvoMMC and FastEvoMMC behind one estimator."""

import warnings
from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from maxmargin._runtime.interrupts import StopFlag, stopping_all_threads
from maxmargin._runtime.memory import require_memory
from maxmargin._runtime.restarts import run_all
from maxmargin._runtime.validation import check_bool, check_choice, check_int, check_positive
from maxmargin._runtime.warnings import MaxMarginWarning
from maxmargin.kernels.kernel import Kernel, Matrix, check_precomputed
from maxmargin.kernels.nystroem import NystroemMap
from maxmargin.kernels.seeding import nearest_seed
from maxmargin.objectives.rls import QuadraticForm
from maxmargin.search import SEARCHES, Search, Start
from maxmargin.search.base import Found
from maxmargin.sizes import Bound, Proportions, Sizes, read_pins, read_sizes


class RLSClustering(ClusterMixin, BaseEstimator):
    """Clusters for which regularised least squares fits best.

    Finds the labels that maximise Σ_c h_cᵀ R h_c, where h_c marks the rows of cluster c and
    R = K(K + λI)⁻¹ maps labels to the predictions of a least-squares classifier trained on
    them. The ``search`` decides which published method this is: UMC-RLS (``"shaking"``),
    Steep-RLS, Stoc-RLS, EvoMMC (``"evolutionary"``) or, with
    ``approximation="nystroem"``, FastEvoMMC.

    Parameters
    ----------
    n_clusters : int, default=2
        The number of clusters k.
    kernel : str or callable, default="rbf"
        A kernel of :func:`sklearn.metrics.pairwise.pairwise_kernels`, ``"precomputed"`` (X is
        then the kernel matrix), or a function of two rows. Linear and cosine kernels work
        in the primal where there are fewer features than rows, and make no n × n array.
    gamma : float or {"median", "neighbors", "scale"}, default="median"
        The width of the kernels that have one: a number, or a rule. ``"median"`` takes the
        median distance between rows as the width σ, ``"neighbors"`` the median distance to
        the 7th neighbour (gamma = 1/(2σ²) for the Gaussian); ``"scale"`` is scikit-learn's
        rule.
    degree, coef0 : float, default=3 and 1.0
        Parameters of the polynomial and sigmoid kernels.
    kernel_params : dict, default=None
        Keyword arguments for a kernel that is a function.
    alpha : float, default=0.0001
        The strength of the regularisation per row: λ = alpha · n.
    search : {"shaking", "steepest", "stochastic", "evolutionary"} or Search, \
default="shaking"
        How labels move: a name, or an object such as ``Shaking(rounds=20)`` from
        ``maxmargin.search``.
    polish : bool, default=True
        Whether to go on to a local optimum by steepest descent after each search: no single
        move within the size limits gains, nor, where limits stand in the way, any swap.
    proportions : None, "balanced" or array of k shares, default="balanced"
        The sizes aimed at. ``"balanced"`` guides the search to equal sizes, and the polish
        may still move rows within the bounds. None lets each run aim at other sizes, and
        keeps the run with the largest leave-one-out score: for clusters of unequal size.
        An array of shares that sum to 1 is met exactly (± 1 row), cluster c has share c.
    min_size, max_size : int, float, array of k or None, default=0.1 and None
        Hard bounds. An int is a number of rows, a float a share of n / n_clusters (of the
        cluster's own size where ``proportions`` give one).
    approximation : None or "nystroem", default=None
        Whether to work with the kernel itself (n × n) or with its Nyström map on
        ``n_components`` random landmarks.
    n_components : int, default=100
        The number of landmarks.
    init : {"random", "k-means++"} or array of n labels, default="random"
        Where runs start. Labels that you give are improved, not erased: shaking begins with
        few claims and aims at the sizes of the start.
    n_init : int, default=5
        The number of runs from different starts; the one with the largest objective is kept
        (with ``proportions=None`` the one with the largest leave-one-out score).
    random_state : int, RandomState instance or None, default=None
        Fixes starts, landmarks and mutations.
    n_jobs : int or None, default=None
        Runs at the same time. The labels do not depend on it.
    verbose : int, default=0
        1 prints a line for each run.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of each row, numbered by decreasing size. Clusters with pinned rows,
        proportions or bounds of their own keep their numbers.
    objective_ : float
        Σ_c h_cᵀ R h_c at the labels. Comparable between runs with the same data, kernel,
        alpha and size limits only: with free sizes, one cluster is always best.
    objective_path_ : ndarray
        The objective after each round of the best run's search, and after its polish.
    n_iter_ : int
        The rounds, sweeps, moves or generations of the best run's search.
    n_moves_ : int
        The label changes of the best run that were chosen among all rows (claims, steepest
        moves, swaps).
    loo_score_ : float
        R² of the leave-one-out predictions of the labels, in closed form: the quantity to
        compare kernels and alphas by when there are no true labels. 0 for one cluster.
    dual_coef_ : ndarray of shape (n_samples, n_clusters)
        The model fitted to the final labels; only where the kernel is used itself.
    coef_ : ndarray of shape (n_clusters, n_features or number of Nyström features)
        The model fitted to the final labels; only for linear kernels in the primal and
        for the Nyström map.
    gamma_ : float
        The width in use; only for kernels that have one.
    n_disagreements_ : int
        Rows whose label is not what ``predict`` says of them: 0 at a local optimum unless
        size limits or pins forced them.
    n_pinned_ : int
        Rows whose label y fixed.
    n_clusters_ : int
        The number of clusters that have rows.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray
        Their names, where X has string names.

    Notes
    -----
    Time O(n³) and memory 8n² bytes with the kernel itself (half of that is kept for float32
    data); O(nr²) and O(nr) with r landmarks or features.

    References
    ----------
    .. [1] Pahikkala, Airola, Gieseke and Kramer, "On Unsupervised Training of Multi-Class
       Regularized Least-Squares Classifiers", JCST 29(1), 2014.
    .. [2] Gieseke, Pahikkala and Kramer, "Fast Evolutionary Maximum Margin Clustering",
       ICML 2009.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from sklearn.metrics import adjusted_rand_score
    >>> from maxmargin import RLSClustering
    >>> X, y = make_moons(300, noise=0.05, random_state=0)
    >>> model = RLSClustering(n_clusters=2, random_state=0).fit(X)
    >>> print(f"{adjusted_rand_score(y, model.labels_):.2f}")
    1.00
    >>> model.predict([[1.0, -0.5], [0.0, 1.0]])
    array([0, 1], dtype=int32)
    """

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        kernel: str | Callable[..., float] = "rbf",
        gamma: float | str = "median",
        degree: float = 3,
        coef0: float = 1.0,
        kernel_params: dict[str, Any] | None = None,
        alpha: float = 1e-4,
        search: str | Search = "shaking",
        polish: bool = True,
        proportions: Proportions = "balanced",
        min_size: Bound = 0.1,
        max_size: Bound = None,
        approximation: str | None = None,
        n_components: int = 100,
        init: str | ArrayLike = "random",
        n_init: int = 5,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.alpha = alpha
        self.search = search
        self.polish = polish
        self.proportions = proportions
        self.min_size = min_size
        self.max_size = max_size
        self.approximation = approximation
        self.n_components = n_components
        self.init = init
        self.n_init = n_init
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, y: ArrayLike | None = None) -> Self:
        """Cluster the rows of X.

        Parameters
        ----------
        X : array-like or CSR matrix of shape (n_samples, n_features)
            The data, or with ``kernel="precomputed"`` the kernel matrix.
        y : array-like of shape (n_samples,), default=None
            Partial labels if it contains −1 (unknown): the other entries pin their rows to a
            cluster. Without any −1 it is ignored.

        Returns
        -------
        self : RLSClustering
        """
        search = self._check_parameters()
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32])
        if self.kernel == "precomputed" and issparse(X):
            X = X.toarray()
        n, k = X.shape[0], self.n_clusters
        if n < k:
            raise ValueError(f"n_clusters must be at most n_samples = {n}; got {k}.")
        sizes = read_sizes(n, k, self.proportions, self.min_size, self.max_size, read_pins(y, n, k))
        seeds = np.random.SeedSequence(check_random_state(self.random_state).randint(2**31 - 1))
        space_seed, *run_seeds = seeds.spawn(1 + self.n_init)
        given = self._given_start(sizes)

        with stopping_all_threads() as stop:
            self._fit_space(X, np.random.default_rng(space_seed))
            runs = self._starts(X, sizes, given, search, run_seeds)
            form = self._quadratic_form(X, stop)

            def run(job: tuple[Start, np.random.Generator], stop: StopFlag) -> Found:
                start, rng = job
                found = search.run(form, sizes, start, rng, stop)
                if self.polish:
                    found.labelling.polish()
                return found

            results = run_all(
                run,
                runs,
                n_jobs=self.n_jobs,
                stop=stop,
                report=self._report if self.verbose else None,
            )
        best = max(results, key=lambda found: self._merit(form, sizes, found))
        self._keep(X, form, sizes, best)
        return self

    def fit_predict(self, X: Any, y: ArrayLike | None = None) -> NDArray[np.int32]:
        """Cluster the rows of X and return their labels; y pins rows as in ``fit``."""
        return self.fit(X, y).labels_

    def decision_function(self, X: Any) -> NDArray[np.floating]:
        """Evaluate the models of the clusters.

        Returns
        -------
        ndarray of shape (n_samples,) for two clusters, (n_samples, n_clusters) otherwise
            For two clusters the model of cluster 1 minus that of cluster 0.
        """
        values = self._values(self._check_new(X))
        return values[:, 1] - values[:, 0] if values.shape[1] == 2 else values

    def predict(self, X: Any) -> NDArray[np.int32]:
        """Return the cluster whose model is largest, for rows old or new."""
        return np.argmax(self._values(self._check_new(X)), axis=1).astype(np.int32)

    # -- the parts of fit, in their order ------------------------------------------------

    def _check_parameters(self) -> Search:
        check_int("n_clusters", self.n_clusters, low=1)
        check_positive("alpha", self.alpha)
        check_int("n_components", self.n_components, low=1)
        check_int("n_init", self.n_init, low=1)
        check_bool("polish", self.polish)
        check_choice("approximation", self.approximation, (None, "nystroem"))
        if isinstance(self.init, str):
            check_choice("init", self.init, ("random", "k-means++"))
        if self.approximation is not None and self.kernel == "precomputed":
            raise ValueError(
                'approximation="nystroem" needs the rows themselves; with kernel="precomputed" '
                "use approximation=None."
            )
        search = self.search
        if isinstance(search, str):
            check_choice("search", search, tuple(SEARCHES))
            search = SEARCHES[search]()
        if not isinstance(search, Search):
            raise ValueError(
                f"search must be one of {', '.join(map(repr, SEARCHES))} or a Search; "
                f"got {search!r}."
            )
        search.check()
        return search

    def _given_start(self, sizes: Sizes) -> NDArray[np.int32] | None:
        """Labels that the user gave, with the pins put in."""
        if isinstance(self.init, str):
            return None
        n, k = len(sizes.pins), sizes.n_clusters
        labels = np.asarray(self.init)
        if labels.shape != (n,) or not np.all(np.isin(labels, np.arange(k))):
            raise ValueError(
                f'init must be "random", "k-means++" or {n} labels from 0 to {k - 1}; got an '
                f"array of shape {labels.shape} with values {np.unique(labels)[:5].tolist()}."
            )
        return np.where(sizes.pins >= 0, sizes.pins, labels).astype(np.int32)

    def _fit_space(self, X: Matrix, rng: np.random.Generator) -> None:
        """Choose the width; then an explicit map, or the kernel itself."""
        n, d = X.shape
        self._kernel = Kernel(
            self.kernel,
            gamma=self.gamma,
            degree=self.degree,
            coef0=self.coef0,
            params=self.kernel_params,
        )
        if self._kernel.precomputed:
            check_precomputed(X)
        self._kernel.fit(X, rng)
        if self._kernel.gamma_ is not None:
            self.gamma_ = self._kernel.gamma_
        self._map = None
        if self.approximation == "nystroem":
            m = self.n_components
            if m > n:
                warnings.warn(
                    f"n_components = {m} is more than the {n} rows of X; all rows are landmarks.",
                    MaxMarginWarning,
                    stacklevel=3,
                )
            self._map = NystroemMap(self._kernel, X[np.sort(rng.permutation(n)[:m])])
        self._primal = self._map is not None or (self._kernel.linear and d < n)
        width = (self._map.rank if self._map is not None else d) if self._primal else n
        kept = X.dtype.itemsize
        require_memory(
            n * width * (kept if self._primal else 8 + (kept if kept == 4 else 0)),
            f"RLSClustering on {n} rows",
            'Use approximation="nystroem" with a few hundred n_components.',
        )

    def _features(self, X: Matrix) -> Matrix:
        return self._kernel.prepare(X) if self._map is None else self._map.transform(X)

    def _starts(
        self,
        X: Matrix,
        sizes: Sizes,
        given: NDArray[np.int32] | None,
        search: Search,
        seeds: list[np.random.SeedSequence],
    ) -> list[tuple[Start, np.random.Generator]]:
        if given is not None and not search.random:
            seeds = seeds[:1]  # further runs from the same labels would repeat the first
        runs = []
        for number, seed in enumerate(seeds):
            rng = np.random.default_rng(seed)
            quota = sizes.draw_quota(rng, number)
            if given is not None:
                labels = given
                if np.any(sizes.lower < sizes.upper):
                    quota = np.bincount(given, minlength=sizes.n_clusters).astype(np.float64)
            elif self.init == "k-means++":
                labels = nearest_seed(self._kernel, X, sizes.n_clusters, rng)
                labels = np.where(sizes.pins >= 0, sizes.pins, labels).astype(np.int32)
            else:
                labels = sizes.random_labels(rng, quota)
            informed = given is not None or self.init == "k-means++"
            runs.append((Start(labels, informed, quota, number), rng))
        return runs

    def _quadratic_form(self, X: Matrix, stop: StopFlag) -> QuadraticForm:
        lam = self.alpha * X.shape[0]
        if self._primal:
            return QuadraticForm.from_features(self._features(X), lam)
        return QuadraticForm.from_gram(self._kernel.gram(X), lam, dtype=X.dtype, stop=stop)

    def _merit(self, form: QuadraticForm, sizes: Sizes, found: Found) -> float:
        """What the best run is chosen by.

        The objective grows with unequal sizes: it cannot compare runs that aim at different
        ones, the leave-one-out score can.
        """
        labelling = found.labelling
        if sizes.free:
            return form.loo_score(labelling.scores, labelling.labels)
        return labelling.value

    def _report(self, number: int, found: Found) -> None:
        print(
            f"[RLSClustering] run {number} of {self.n_init}: objective "
            f"{found.labelling.value:.6g} after {found.n_iter} iterations"
        )

    def _keep(self, X: Matrix, form: QuadraticForm, sizes: Sizes, best: Found) -> None:
        """Refit the model on the final labels and keep what users ask for."""
        k = sizes.n_clusters
        self.labels_ = sizes.number(best.labelling.labels)
        scores = form.scores(self.labels_, k)
        self.objective_ = form.value(self.labels_, k)
        self.objective_path_ = np.array([*best.path, self.objective_])
        self.n_iter_ = best.n_iter
        self.n_moves_ = best.labelling.n_moves
        self.loo_score_ = form.loo_score(scores, self.labels_)
        predictions = form.predictions(scores, self.labels_)
        self.n_disagreements_ = int(np.sum(np.argmax(predictions, axis=0) != self.labels_))
        self.n_pinned_ = sizes.n_pinned
        self.n_clusters_ = len(np.unique(self.labels_))
        coefficients = form.coefficients(scores, self.labels_)
        if self._primal:
            self.coef_ = coefficients.T
        else:
            self.dual_coef_ = coefficients
            self._X_fit = None if self._kernel.precomputed else X
        if self.n_clusters_ < k:
            warnings.warn(
                f"{k - self.n_clusters_} of {k} clusters ended without rows; set min_size to "
                f"keep them alive.",
                MaxMarginWarning,
                stacklevel=3,
            )

    # -- the parts of predict ------------------------------------------------------------

    def _check_new(self, X: Any) -> Matrix:
        check_is_fitted(self)
        return validate_data(
            self, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=False
        )

    def _values(self, X: Matrix) -> NDArray[np.floating]:
        if self._primal:
            features = self._features(X)
            return np.asarray(features @ self.coef_.T)
        values = np.empty((X.shape[0], self.n_clusters))
        rows_fit = X[:0] if self._kernel.precomputed else self._X_fit
        for block, rows in self._kernel.rows_against(X, rows_fit):
            values[block] = rows @ self.dual_coef_
        return values

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags
