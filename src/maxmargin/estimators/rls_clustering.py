"""UMC-RLS, Steep-RLS, Stoc-RLS, EvoMMC and FastEvoMMC behind one estimator."""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state

from maxmargin._runtime.context import all_or_nothing, fitting
from maxmargin._runtime.memory import require_memory
from maxmargin._runtime.parameters import (
    OF_EVERY_FIT,
    STARTS,
    STRENGTH,
    Bool,
    InstanceOf,
    Integer,
    Listed,
    OneOf,
    named,
)
from maxmargin._runtime.ties import DOUBT, count_other_labels
from maxmargin._runtime.warnings import warn_user
from maxmargin.blocks.rows import Rows, read_rows, read_whole
from maxmargin.estimators.base import ModelMixin
from maxmargin.estimators.linked import takes_links
from maxmargin.estimators.sampled_fit import fit_some, rows_that_fit
from maxmargin.estimators.weighted import takes_weights
from maxmargin.search import SEARCHES, Search
from maxmargin.search.engine import Engine, Run
from maxmargin.search.exhaustive import TINY, Exhaustive
from maxmargin.search.pinned import Unpinned, best_of_pinned, jobs_from_pins, without_pins
from maxmargin.search.starts import INITS, read_init, runs_from
from maxmargin.sizes import SIZE_PARAMETERS, Bound, Proportions, Sizes, sizes_of
from maxmargin.spaces.exact import ExactKernel, has_digits
from maxmargin.spaces.features import Features
from maxmargin.spaces.kernel import Kernel, as_rows
from maxmargin.spaces.metric import Matrix, Weights, warn_of_far_rows
from maxmargin.spaces.nystroem import Nystroem
from maxmargin.spaces.quadratic_form import QuadraticForm, value_from_scores
from maxmargin.weights import weighted_sizes

RLSSpace = ExactKernel | Features | Nystroem
#: Rows for each feature from which a linear kernel works with the features: near n = d a claim
#: costs a pass over all of X with them, and one row of the kernel without.
ROWS_PER_FEATURE = 4


class RLSClustering(ModelMixin, BaseEstimator):
    """Clusters for which regularised least squares fits best.

    Finds the labels that maximise Σ_c h_cᵀ R h_c, where h_c marks the rows of cluster c and
    R = K(K + λI)⁻¹ maps labels to the predictions of a least-squares classifier trained on
    them. The ``search`` decides which published method this is: UMC-RLS (``"shaking"``), Steep-RLS,
    Stoc-RLS, EvoMMC (``"evolutionary"``) or, with ``approximation="nystroem"``, FastEvoMMC.

    Parameters
    ----------
    n_clusters : int, default=2
        The number of clusters k.
    kernel : str or callable, default="rbf"
        A kernel of :func:`sklearn.metrics.pairwise.pairwise_kernels`, ``"precomputed"`` (X is
        then the kernel matrix), or a symmetric function of two rows. Linear and cosine kernels
        make no n × n array where there are at least four rows for each feature.
    gamma : float or {"auto", "median", "neighbors", "scale"}, default="auto"
        The width of the kernels that have one: a number, or a rule. ``"median"`` takes the
        median distance between rows as the width σ (gamma = 1/(2σ²) for the Gaussian), and
        so does ``"auto"`` for up to ten clusters; more are nearer to each other, and the width
        is the distance that a share of 5/k of all pairs stays below. ``"neighbors"`` takes the
        median distance to the 7th neighbour; ``"scale"`` is scikit-learn's rule.
    degree, coef0 : float, default=3 and 1.0
        Parameters of the polynomial and sigmoid kernels.
    kernel_params : dict, default=None
        Keyword arguments for a kernel that is a function.
    center : bool, default=True
        Whether the linear kernel is that of rows around their mean, so that the origin does not
        matter. False is the paper's form: hyperplanes through the origin.
    alpha : float, default=0.0001
        The strength of the regularisation per row: λ = alpha · n, or alpha · Σ sample_weight.
    search : {"shaking", "steepest", "stochastic", "evolutionary"} or Search, \
default="shaking"
        How labels move: a name, or an object such as ``Shaking(rounds=20)`` from
        ``maxmargin.search``.
    polish : bool, default=True
        Whether to go on to a local optimum by steepest descent after each search: no single
        move within the size limits gains, nor, where limits stand in the way, any swap. Up to
        16 rows all labellings are looked at, if these are at most 200,000.
    proportions : None, "balanced" or array of k shares, default="balanced"
        The sizes aimed at. ``"balanced"`` guides the search to equal sizes, and the polish
        may still move rows within the bounds. None lets each run aim at other sizes, and
        keeps the run with the largest leave-one-out score: for clusters of unequal size.
        An array of shares that sum to 1 is met exactly (± 1 row, and at least one row for
        each cluster); cluster c has share c.
    min_size, max_size : int, float, array of k or None, default=0.1 and None
        Hard bounds. An int is a number of rows, a float a share of n / n_clusters (of the
        cluster's own size where ``proportions`` give one).
    approximation : None or "nystroem", default=None
        Whether to work with the kernel itself (n × n) or with its Nyström map on
        ``n_components`` random landmarks.
    n_components : int, default=100
        The number of landmarks.
    init : {"auto", "random", "k-means++"} or array of n labels, default="auto"
        Where runs start: at random, or with more than ten clusters from k seeds (``"auto"``).
        Labels that you give are improved, not erased: shaking begins with few claims and aims
        at the sizes of the start, and the start polished as it is is tried as well.
    n_init : int, default=4
        The number of runs from different starts; the one with the largest objective is kept
        (with ``proportions=None`` the one with the largest leave-one-out score). Where y pins
        rows, these runs do not know them until they have found clusters; a few more begin with
        what the pins say, and are kept where leave-one-out is better by .005.
    random_state : int, RandomState instance or None, default=None
        Fixes starts, landmarks and mutations.
    n_jobs : int or None, default=None
        Runs at the same time. The labels do not depend on it.
    verbose : int, default=0
        1 prints a line for each run, with the time left.
    on_interrupt : {"raise", "keep"}, default="raise"
        What Ctrl-C does during ``fit``. ``"raise"``: the model stays as it was before. ``"keep"``:
        the best of the runs so far is the answer, with a warning, and ``complete_`` is False; a
        second Ctrl-C is raised, and so is the first one where nothing is there to keep.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of each row, numbered by decreasing size. Clusters with pinned rows,
        proportions or bounds of their own keep their numbers.
    objective_ : float
        Σ_c h_cᵀ R h_c at the labels. Comparable between runs with the same data, kernel,
        alpha and size limits only: with a Gaussian kernel and free sizes, one cluster is best.
    objective_path_ : ndarray
        The objective after each round of the best run's search, and after its polish.
    n_iter_ : int
        The rounds, sweeps, moves or generations of the best run's search.
    n_moves_ : int
        The label changes of the best run: claims, moves and swaps, without the mutations of
        the evolutionary search.
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
        size limits, pins or ties forced them.
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

    _parameters = {
        **OF_EVERY_FIT,
        **SIZE_PARAMETERS,
        "n_clusters": Integer(1),
        "alpha": STRENGTH,
        "search": OneOf(*SEARCHES) | InstanceOf(Search, "a Search of maxmargin.search"),
        "polish": Bool(),
        "center": Bool(),
        "approximation": OneOf(None, "nystroem"),
        "n_components": Integer(1),
        "init": OneOf(*INITS) | Listed("labels, one for each row"),
        "n_init": STARTS,
    }

    center = True  # of models in files that do not say it
    _path: Any = None  # what models with other alphas share with this one while it is fitted

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        kernel: str | Callable[..., float] = "rbf",
        gamma: float | str = "auto",
        degree: float = 3,
        coef0: float = 1.0,
        kernel_params: dict[str, Any] | None = None,
        center: bool = True,
        alpha: float = 1e-4,
        search: str | Search = "shaking",
        polish: bool = True,
        proportions: Proportions = "balanced",
        min_size: Bound = 0.1,
        max_size: Bound = None,
        approximation: str | None = None,
        n_components: int = 100,
        init: str | ArrayLike = "auto",
        n_init: int = 4,
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
        self.center = center
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
            Partial labels if some are unknown (−1, NaN or None): the others pin their rows to a
            cluster. A complete y is ignored, and so is one of −1 and 1 alone.

        Returns
        -------
        self : RLSClustering
        """
        search, kernel = named(self.search, SEARCHES), self._kernel()
        X = read_rows(self, X, accept_sparse="csr")
        n, k, weights = X.shape[0], self.n_clusters, sample_weight
        sizes = sizes_of(self, n, k, y) if weights is None else weighted_sizes(self, k, y, weights)
        given = read_init(self.init, sizes)
        if isinstance(X, Rows):
            if (some := self._rows_that_fit(X, kernel, sizes)) is not None:
                return fit_some(self, X, y, sizes, some)
            seeded = given is None and self.init != "random"
            X = read_whole(X) if seeded or self.approximation is None else X
        space_rng, *rngs = self._generators()

        with fitting(self, X, y) as context:
            path = self._path
            space = self._space_for(X, kernel, space_rng, weights) if path is None else path.space
            X = as_rows(X, space.kernel.precomputed)
            guided = sizes.n_pinned > 0 and given is None and n > TINY
            first = Unpinned(search, self.polish) if guided else search
            drawn = without_pins(sizes) if guided else sizes
            init = str(self.init) if given is None else given
            jobs = runs_from(init, first, space.kernel, X, drawn, rngs)
            if self.polish and not sizes.free and n <= TINY:  # then none is missed
                jobs.append((Exhaustive(), jobs[0][1], rngs[0]))
            lam = self.alpha * (n if weights is None else weights.sum())
            form = space.form(X, lam, weights) if path is None else path.form(lam)
            engine = Engine(form, sizes, self.polish)
            if guided:
                jobs += jobs_from_pins(search, form, sizes, rngs[0])
            runs = context.map(lambda job: engine.run(*job), jobs, task="run", describe=str)
            n_unpinned = len(rngs) if guided else len(jobs)
            best = best_of_pinned(runs, n_unpinned, by_loo=sizes.free)
            known = self._keep(space, form, sizes, best), self.labels_, X
            doubt = DOUBT if has_digits(space.kernel, lam, n) else 2.0
            self.n_disagreements_ = count_other_labels(*known, self._matrix_labels, doubt)
        return self

    # -- the parts of fit, in their order ------------------------------------------------

    def _generators(self) -> list[np.random.Generator]:
        """One for the space and one for each run, whatever the order that they run in."""
        seed = check_random_state(self.random_state).randint(2**31 - 1)
        return np.random.default_rng(seed).spawn(1 + self.n_init)

    def _kernel(self) -> Kernel:
        return Kernel(
            self.kernel,
            gamma=self.gamma,
            degree=self.degree,
            coef0=self.coef0,
            params=self.kernel_params,
            center=self.center,
            n_clusters=self.n_clusters,
        )

    def _space_for(
        self, X: Matrix, kernel: Kernel, rng: np.random.Generator, weights: Weights
    ) -> RLSSpace:
        """The kernel itself, its Nyström map, or features where there are few of them, fitted."""
        n, d = X.shape
        space: RLSSpace
        if self.approximation == "nystroem":
            if kernel.precomputed:
                raise ValueError(
                    'approximation="nystroem" needs the rows themselves; with '
                    'kernel="precomputed" use approximation=None.'
                )
            if self.n_components > n:
                warn_user(
                    f"n_components = {self.n_components} is more than the {n} rows of X; all rows "
                    f"are landmarks."
                )
            space = Nystroem(kernel, self.n_components)
        elif kernel.linear and ROWS_PER_FEATURE * d <= n:
            space = Features(kernel)
        else:
            space = ExactKernel(kernel)
        require_memory(
            space.memory(X),
            f"RLSClustering on {n} rows",
            'Use approximation="nystroem" with a few hundred n_components.',
        )
        warn_of_far_rows(X, kernel.name)
        space.fit(as_rows(X, kernel.precomputed), rng, weights)
        return space

    def _rows_that_fit(self, X: Rows, kernel: Kernel, sizes: Sizes) -> NDArray[np.intp] | None:
        """The rows that the Nyström map has memory for; None for all."""
        space = Nystroem(kernel, self.n_components if self.approximation else 0)
        return rows_that_fit(lambda n: space.form_memory(n, X.dtype), sizes)

    def _keep(self, space: RLSSpace, form: QuadraticForm, sizes: Sizes, best: Run) -> Any:
        """Refit the model on the final labels, keep what users ask for, and return its values."""
        for name in ("coef_", "dual_coef_", "gamma_"):
            self.__dict__.pop(name, None)  # of an earlier fit in another space
        self._space = space
        k = sizes.n_clusters
        self.labels_ = sizes.number(best.labels)
        scores = form.scores(self.labels_, k)
        self.objective_ = value_from_scores(scores, self.labels_, form.diagonal)
        self.objective_path_ = np.array([*best.path, self.objective_])
        self.n_iter_ = best.n_iter
        self.n_moves_ = best.n_moves
        self.loo_score_ = best.loo_score
        self.n_pinned_ = sizes.n_pinned
        self.n_clusters_ = len(np.unique(self.labels_))
        if space.kernel.gamma_ is not None:
            self.gamma_ = space.kernel.gamma_
        coefficients = form.coefficients(scores, self.labels_)
        if isinstance(space, ExactKernel):
            self.dual_coef_ = space.dual(coefficients)
        else:
            self.coef_ = coefficients.T
        if self.n_clusters_ < k:
            warn_user(
                f"{k - self.n_clusters_} of {k} clusters ended without rows; set min_size to "
                f"keep them alive."
            )
        return (form.predictions(scores, self.labels_) / form.weights).T

    # -- the parts of predict ------------------------------------------------------------

    def _values(self, X: Matrix) -> NDArray[np.floating]:
        coef = self.coef_.T if self._space.explicit else self.dual_coef_
        return self._space.values(as_rows(X, self._space.kernel.precomputed), coef)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags
