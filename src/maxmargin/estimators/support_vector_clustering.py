"""Support vector clustering: SVC and SGD-LMSVC behind one estimator."""

from dataclasses import replace
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from maxmargin._runtime.context import all_or_nothing, fitting, forget_fit
from maxmargin._runtime.parallel import one_thread
from maxmargin._runtime.parameters import (
    NONE,
    OF_EVERY_FIT,
    POSITIVE,
    SHARE,
    SHARE_OR_ZERO,
    InstanceOf,
    Integer,
    OneOf,
    check_fits,
    named,
)
from maxmargin._runtime.progress import CallbackSupportMixin
from maxmargin._runtime.units import Units
from maxmargin._runtime.warnings import warn_user
from maxmargin.blocks import Rows
from maxmargin.blocks.columns import collected
from maxmargin.blocks.mapped import MappedRows
from maxmargin.blocks.rows import read_rows
from maxmargin.domain import ASSIGNMENTS, Assignment, DomainClusters, width
from maxmargin.domain.domain import Domain
from maxmargin.domain.domain_graph import numbers_by_size, weights_of_kinds
from maxmargin.domain.finder import DomainFinder, draw_landmarks, landmarks, most_agreed
from maxmargin.domain.outliers import Outliers, find_outliers
from maxmargin.estimators.base import PredictMixin
from maxmargin.estimators.online import OnlineReservoir
from maxmargin.estimators.streaming import Reservoir, ReservoirMixin
from maxmargin.estimators.weighted import takes_weights
from maxmargin.solvers import ONE_CLASS_SOLVERS, OneClassSolver, OnlineSGD
from maxmargin.spaces.metric import Matrix, Weights


class SupportVectorClustering(
    ReservoirMixin, PredictMixin, CallbackSupportMixin, ClusterMixin, BaseEstimator
):
    """The connected pieces of the domain of the data; their number emerges.

    A one-class support vector machine with a Gaussian kernel encloses the rows: f(x) =
    Σ α_i k(x_i, x) − 1 is at least 0 inside (phase 1). Rows that can reach each other without
    leaving that domain are a cluster, of any shape (phase 2).

    Parameters
    ----------
    gamma : "auto", "plateau" or float, default="auto"
        The width of the kernel k(x, x') = exp(−gamma · ‖x − x'‖²). ``"auto"``: widths and levels
        are chosen by the split gap, without labels, and the clusters are pieces of {f ≥ level} with
        a level of their own each (``levels_``). Otherwise they are the pieces of {f ≥ 0};
        ``"plateau"`` is the middle of the longest stretch of widths with the same number of them.
    nu : float in (0, 1), default=None
        An upper bound on the share of rows outside of the domain, and a lower bound on the
        share of support vectors. Excludes ``C``; with neither, 0.9 for pieces at levels of their
        own (``gamma="auto"`` and ``assignment="graph"``) and 0.5 otherwise.
    C : float, default=None
        The bound 0 ≤ α ≤ C on a weight, which the paper writes C × N. Every C ≥ 1 is a hard
        margin: all rows are inside.
    solver : {"exact", "sgd", "online", "libsvm"} or OneClassSolver, default="exact"
        How the weights α are found: by pairs or single coordinates to a duality gap
        (:class:`~maxmargin.solvers.SMO`), by the stochastic gradient descent of SGD-LMSVC
        (:class:`~maxmargin.solvers.SGD`), in one pass (:class:`~maxmargin.solvers.OnlineSGD`, which
        ``partial_fit`` goes on with, with nu only), or by scikit-learn
        (:class:`~maxmargin.solvers.LibSVM`, with nu only); or an object: ``SGD(theta=0.001)``. A
        ``gamma`` that is not given is chosen with the exact one.
    assignment : {"graph", "equilibria"} or Assignment, default="graph"
        How rows are joined: along edges between neighbours that stay inside the domain
        (:class:`~maxmargin.domain.Graph`), or by the peaks of f that rows on the boundary
        climb to (:class:`~maxmargin.domain.Equilibria`, Algorithm 2 of the paper).
    min_cluster_size : int, float or None, default=None
        Smaller pieces are no clusters; their rows go to the cluster of the nearest row that
        has one. An int is rows, a float a share. None lets ``gamma="auto"`` choose for ``"graph"``
        (0.01, 0.05 or five rows), which takes 0.01 (and two rows) otherwise; ``"equilibria"`` 1.
    outlier_fraction : float in [0, 1), default=0.0
        The share of rows, those with the smallest f, that are labelled −1; equal rows together.
    n_landmarks : int or None, default=2000
        With more rows than this, the domain is that of as many random ones, and the others get
        the cluster of the nearest; ``gamma="auto"`` takes that of five such domains which the
        others agree with most, each of means of neighbours where these take much noise away.
        None uses all. Also the size of the reservoir.
    random_state : int, RandomState instance or None, default=None
        Fixes the landmarks, the reservoir and the stochastic gradient descent.
    n_jobs : int or None, default=None
        Widths at the same time. The labels do not depend on it.
    verbose : int, default=0
        1 prints a line for each width.
    on_interrupt : {"raise", "keep"}, default="raise"
        What Ctrl-C does during ``fit``. ``"raise"``: the model stays as it was before.
        ``"keep"``: the best of the widths so far is the answer, with a warning, and
        ``complete_`` is False; where there is none, and the second time, it is raised.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of each row, by decreasing size; −1 for outliers. After ``partial_fit``, of the
        rows of ``reservoir_``, once ``predict`` has fitted them.
    n_clusters_, gamma_, nu_, C_ : int and float
        The number of clusters; the width and the two forms of the bound in use.
    support_, support_vectors_, dual_coef_ : (n_SV,), (n_SV, n_features) and (1, n_SV)
        Which rows are support vectors, these rows (or what stands for them), and their weights α.
    levels_ : ndarray of shape (n_clusters,)
        The level of f at which each cluster stands apart. 0 unless ``gamma="auto"``.
    duality_gap_, n_iter_ : float and int
        Of the solution of phase 1, as a share of its objective (of a stream NaN), and its steps.
    candidates_ : dict of ndarrays
        What ``gamma="auto"`` compared: ``"gamma"``, ``"min_cluster_size"`` (of the landmarks),
        ``"n_clusters"``, ``"split_gap"`` (or a value that it does not exceed), ``"chosen"``.
    plateau_ : Plateau
        The numbers of clusters over the widths that ``gamma="plateau"`` looked at.
    equilibria_ : ndarray of shape (n_equilibria, n_features)
        Where trajectories end; only with ``assignment="equilibria"``.
    landmarks_ : ndarray
        The rows that the domain was made from, or from means of their neighbours.
    outlier_threshold_ : float
        Rows with a smaller f are outliers; and of those that tie there, the loneliest ones.
    reservoir_, n_samples_seen_ : ndarray and int
        What ``partial_fit`` kept (of ``"online"`` also violations), and how many rows were fitted.
    complete_ : bool
        False if Ctrl-C or a callback ended the search for a width early.
    n_features_in_, feature_names_in_ : int and ndarray
        The number of features, and their names where X has string names.

    Notes
    -----
    With m = ``n_landmarks``: time O(m²) for phase 1 and the graph; memory 8 m² bytes and as
    much again for each width at work up to 4096 rows, O(m) beyond; then a search for the nearest
    landmark for each row. Columns are compared as they are: bring them to one scale first.

    References
    ----------
    .. [1] Ben-Hur, Horn, Siegelmann and Vapnik, "Support Vector Clustering", JMLR 2, 2001.
    .. [2] Pham, Le, Le and Tran, "Fast Support Vector Clustering", ESANN 2016.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from sklearn.metrics import adjusted_rand_score
    >>> from maxmargin import SupportVectorClustering
    >>> X, y = make_moons(300, noise=0.05, random_state=0)
    >>> model = SupportVectorClustering().fit(X)
    >>> model.n_clusters_, round(adjusted_rand_score(y, model.labels_), 2)
    (2, 1.0)
    >>> model.predict([[1.0, -0.5], [0.0, 1.0]])
    array([0, 1], dtype=int32)
    """

    _predicts_with = ("_nearest", "_domain", "_outliers", "outlier_threshold_")
    _parameters = {
        **OF_EVERY_FIT,
        "gamma": OneOf("auto", "plateau") | POSITIVE,
        "nu": NONE | SHARE,
        "C": NONE | POSITIVE,
        "solver": OneOf(*ONE_CLASS_SOLVERS)
        | InstanceOf(OneClassSolver, "a OneClassSolver of maxmargin.solvers"),
        "assignment": OneOf(*ASSIGNMENTS)
        | InstanceOf(Assignment, "an Assignment of maxmargin.domain"),
        "min_cluster_size": NONE
        | replace(Integer(1), words="an int >= 1 (rows)")
        | replace(SHARE, words="a number in (0, 1) (a share of them)"),
        "outlier_fraction": SHARE_OR_ZERO,
        "n_landmarks": NONE | Integer(2),
    }

    _units, _outliers = Units(np.zeros(1), 1.0, np.inf), None  # of files that do not say it

    def __init__(
        self,
        gamma: float | str = "auto",
        *,
        nu: float | None = None,
        C: float | None = None,
        solver: str | OneClassSolver = "exact",
        assignment: str | Assignment = "graph",
        min_cluster_size: float | None = None,
        outlier_fraction: float = 0.0,
        n_landmarks: int | None = 2000,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        on_interrupt: str = "raise",
    ) -> None:
        self.gamma = gamma
        self.nu = nu
        self.C = C
        self.solver = solver
        self.assignment = assignment
        self.min_cluster_size = min_cluster_size
        self.outlier_fraction = outlier_fraction
        self.n_landmarks = n_landmarks
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.on_interrupt = on_interrupt

    @takes_weights
    @all_or_nothing
    def fit(self, X: Any, y: ArrayLike | None = None, sample_weight: Any = None) -> Self:
        """Cluster the rows of X.

        Parameters
        ----------
        X : array-like, CSR matrix, path, Dask array or Rows, of shape (n_samples, n_features)
            The data, which need not fit in memory.
        y : None
            Ignored.

        Returns
        -------
        self : SupportVectorClustering
        """
        self._parts(sample_weight)
        X = read_rows(self, X, ensure_min_samples=2, accept_sparse="csr")
        forget_fit(self, ("n_features_in_", "feature_names_in_"))
        self.__dict__.pop("_reservoir", None)
        self._fit_rows(X, y, sample_weight)
        return self

    def predict(self, X: Any) -> NDArray[np.int32]:
        """Return the cluster of the nearest row that has one; −1 for outliers."""
        return self._labels_of(self._check_new(X))

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Evaluate f: at least 0 inside of the domain."""
        return self._heights(self._check_new(X)) - 1

    def _matrix_labels(self, X: Matrix) -> NDArray[np.int32]:
        labels = self._nearest.labels_of(X).astype(np.int32)
        limit = self.outlier_threshold_ + 1
        outliers = self._outliers or Outliers(limit, limit)
        if outliers.above > -np.inf:
            labels[outliers.mark(X, self._domain.heights(X))] = -1
        return labels

    def _heights(self, X: Matrix, domain: Domain | None = None) -> NDArray[np.float64]:
        ask = (domain or self._domain).heights
        return collected(X, ask) if isinstance(X, Rows) else ask(X)

    # -- the parts of fit, in their order ------------------------------------------------

    def _parts(self, weights: Weights = None) -> tuple[OneClassSolver, Assignment, float | None]:
        """The solver, the assignment and ν, if they fit each other and rows with weights."""
        if self.nu is not None and self.C is not None:
            raise ValueError(
                f"nu and C exclude each other: set one of them to None; got nu={self.nu!r} and "
                f"C={self.C!r}."
            )
        solver = named(self.solver, ONE_CLASS_SOLVERS)
        assignment = named(self.assignment, ASSIGNMENTS)
        nu = self.nu
        if nu is None and self.C is None:
            nu = width.NU_OF_LEVELS if self._own_levels(assignment) else width.NU_OF_ONE_LEVEL
        given = {"nu": nu, "C": self.C, "sample_weight": weights}
        check_fits(f"solver={self.solver!r}", solver.takes, given, "Use solver='exact'.")
        return solver, assignment, nu

    def _own_levels(self, assignment: Assignment) -> bool:
        """Whether each cluster has a level of its own."""
        return bool(self.gamma == "auto" and assignment.own_levels)

    def _empty_reservoir(self, X: NDArray[np.floating]) -> Reservoir | OnlineReservoir:
        sample = super()._empty_reservoir(X)
        solver, _, nu = self._parts()
        if not isinstance(solver, OnlineSGD) or nu is None:
            return sample
        return OnlineReservoir.empty(sample, solver, self.gamma, nu, Units.of(X))

    def _generator(self) -> np.random.Generator:
        return np.random.default_rng(check_random_state(self.random_state).randint(2**31 - 1))

    def _fit_rows(
        self,
        X: NDArray[np.floating],
        y: ArrayLike | None = None,
        weights: Weights = None,
        known: OneClassSolver | None = None,
    ) -> None:
        """Fit the domain to rows, to all if it is known; y is for callbacks only."""
        self._units = Units.of(X)
        rows = self._in_units(X)
        rng = self._generator()
        solver, assignment, nu = self._parts()
        rule = isinstance(self.gamma, str)
        gamma = self.gamma if rule else self._units.of_gamma(float(self.gamma))
        with fitting(self, X, y) as context, one_thread():
            m = X.shape[0] if known else self.n_landmarks
            draws = draw_landmarks(rows, m, rng, self.gamma == "auto")
            limits = self.min_cluster_size, X.shape[0], int(rng.integers(2**31))
            finder = DomainFinder(known or solver, assignment, gamma, nu, self.C, *limits)
            marks, means = landmarks(rows, draws, weights)
            tries = []
            for mark, some in zip(marks, draws, strict=True):
                own = None if weights is None else weights_of_kinds(rows, some, weights)
                tries.append(partial(finder.find, mark, context, own, means))
            found = list(context.in_turn(tries))
            best = most_agreed(rows, marks, [clusters for clusters, _ in found], rng)
            clusters, told = found[best]
            self._keep_domain(marks[best], draws[best], clusters)
            self._keep_choice(**told)
            self._keep_labels(rows, marks[best], clusters, weights)

    def _keep_choice(
        self,
        candidates_: dict[str, NDArray[Any]] | None = None,
        plateau_: width.Plateau | None = None,
    ) -> None:
        """Keep what the width was chosen by, in the units of the user."""
        given = self._units.given_gamma
        if candidates_ is not None:
            self.candidates_ = candidates_ | {"gamma": given(candidates_["gamma"])}
        if plateau_ is not None:
            self.plateau_ = replace(plateau_, gammas=given(plateau_.gammas))

    def _keep_domain(
        self, rows: NDArray[np.floating], some: NDArray[np.intp], found: DomainClusters
    ) -> None:
        solution = found.solution
        heavy = np.flatnonzero(solution.alpha)
        self.landmarks_ = some
        self.support_ = some[heavy]
        self.support_vectors_ = self._units.given(rows[heavy])
        self.dual_coef_ = solution.alpha[np.newaxis, heavy]
        self.gamma_ = float(self._units.given_gamma(solution.gamma))
        self.nu_, self.C_ = solution.nu, solution.C
        self.duality_gap_, self.n_iter_ = solution.gap, solution.n_iter
        if found.equilibria is not None:
            self.equilibria_ = found.equilibria / self._units.factor
        self._domain = Domain.of_weights(rows, solution.alpha, solution.gamma)
        if not solution.converged:
            warn_user(
                f"phase 1 did not converge in {solution.n_iter} steps: its duality gap is "
                f"{solution.gap:.1e} of the objective. Give the solver a larger max_iter."
            )
        for note in found.notes:
            warn_user(note)

    def _keep_labels(
        self,
        X: NDArray[np.floating],
        rows: NDArray[np.floating],
        found: DomainClusters,
        weights: Weights,
    ) -> None:
        """Number the clusters, give them the rows that are left, and mark outliers."""
        levels, nearest = found.levels, found.nearest(rows)
        if found.n_clusters < 2:
            levels = np.ones(1)
            warn_user(
                "all rows are in one cluster"
                + ("." if self.gamma == "auto" else ": a larger gamma may tell more apart.")
            )
        ask = nearest.labels_of
        labels = collected(X, ask) if isinstance(X, Rows) else ask(X)
        self._outliers, marked = find_outliers(
            self._domain, partial(self._heights, X), self.outlier_fraction, weights
        )
        labels[marked] = -1
        self.outlier_threshold_ = self._outliers.below - 1
        numbers = numbers_by_size(labels, len(levels), weights)
        nearest.labels = numbers[nearest.labels]
        self._nearest = nearest
        self.labels_ = np.append(numbers, -1)[labels].astype(np.int32)
        self.n_clusters_ = len(levels)
        self.levels_ = np.empty(len(levels))
        self.levels_[numbers] = levels - 1
        self.n_samples_seen_ = X.shape[0]

    def _in_units(self, X: Matrix) -> Matrix:
        """Rows in safe units; in blocks, if they come so."""
        scaled = self._units.scaled
        return MappedRows(X, scaled, X.step) if isinstance(X, Rows) else scaled(X)

    def _check_new(self, X: Any) -> NDArray[np.floating]:
        check_is_fitted(self)
        self._fit_if_due()
        X = read_rows(self, X, reset=False, accept_sparse="csr")
        return self._in_units(self._nearest.in_its_form(X))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
