"""Support vector clustering: SVC and SGD-LMSVC behind one estimator."""

from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from maxmargin._runtime.callbacks import CallbackSupportMixin
from maxmargin._runtime.context import FitContext, all_or_nothing, fitting
from maxmargin._runtime.threads import one_thread
from maxmargin._runtime.validation import (
    check_bool,
    check_choice,
    check_int,
    check_nonnegative,
    check_positive,
    check_share,
)
from maxmargin._runtime.warnings import warn_user
from maxmargin.assignment.equilibria import EPSILON
from maxmargin.assignment.nearest import NearestRow, numbers_by_size
from maxmargin.estimators.phase_one import SOLVERS, PhaseOne
from maxmargin.estimators.streaming import ReservoirMixin
from maxmargin.objectives.domain import Domain
from maxmargin.selection import domains, plateau
from maxmargin.selection.reading import AllLevels, Basins, LevelZero, Reader, Reading
from maxmargin.selection.scene import Scene
from maxmargin.spaces.kernel import require_differences, require_squares
from maxmargin.spaces.pairs import distinct_rows

RULES = ("auto", "plateau")
ASSIGNMENTS = ("graph", "equilibria")
#: Of the rows: the smallest piece that is a cluster, unless ``gamma="auto"`` chooses.
SMALLEST_SHARE = 0.01
#: Steps that a counter holds.
MOST_STEPS = 2**62


class SupportVectorClustering(ReservoirMixin, CallbackSupportMixin, ClusterMixin, BaseEstimator):
    """The connected pieces of the domain of the data; their number emerges.

    A one-class support vector machine with a Gaussian kernel encloses the rows: f(x) =
    Σ α_i k(x_i, x) − 1 is at least 0 inside (phase 1). Rows that can reach each other without
    leaving that domain are a cluster (phase 2). Clusters can have any shape, and nobody has to
    say how many there are.

    Parameters
    ----------
    gamma : "auto", "plateau" or float, default="auto"
        The width of the kernel k(x, x') = exp(−gamma · ‖x − x'‖²).

        - ``"auto"``: widths and levels are chosen by the split gap, without labels: the
          clusters are pieces of {f ≥ level} with a level of their own each (``levels_``).
        - ``"plateau"``: the middle of the longest stretch of widths with the same number of
          clusters, 2 at least; the clusters are the pieces of {f ≥ 0}.
        - a number: the clusters are the pieces of {f ≥ 0}.
    nu : float in (0, 1), default=None
        An upper bound on the share of rows outside of the domain, and a lower bound on the
        share of support vectors. Excludes ``C``; with neither, 0.9 for pieces at levels of
        their own (``gamma="auto"`` and ``assignment="graph"``) and 0.5 otherwise.
    C : float, default=None
        The bound 0 ≤ α ≤ C on a weight, which the paper writes C × N. Every C ≥ 1 is a hard
        margin: all rows are inside.
    solver : {"exact", "sgd", "libsvm"}, default="exact"
        How the weights α are found: by pairs or single coordinates to a duality gap, by the
        stochastic gradient descent of SGD-LMSVC (with C), or by scikit-learn's OneClassSVM
        (with nu).
    assignment : {"graph", "equilibria"}, default="graph"
        How rows are joined: along edges between neighbours that stay inside the domain, or by
        the peaks of f that rows on the boundary climb to (Algorithm 2 of the paper).
    min_cluster_size : int, float or None, default=None
        Pieces with fewer rows are no clusters; their rows go to the cluster of the nearest row
        that has one. A float is a share of the rows. None lets ``gamma="auto"`` choose, and is
        0.01 (and two rows) otherwise. Not used by ``assignment="equilibria"``.
    outlier_fraction : float in [0, 1), default=0.0
        The share of rows, those with the smallest f, that get the label −1.
    n_landmarks : int or None, default=2000
        With more rows than this, the domain is that of as many random ones, and the others
        get the cluster of the nearest. None uses all rows. Also the size of the reservoir of
        ``partial_fit``.
    epsilon : float, default=0.01
        Rows with abs(f) ≤ epsilon are the boundary that ``assignment="equilibria"`` starts
        from.
    tol : float, default=1e-4
        How far f may be from its optimum on the boundary (not used by ``"sgd"``).
    max_iter : int, default=10_000_000
        The most steps of the solver.
    theta : float, default=0.01
        ``solver="sgd"`` ends when a step changes w by at most this: the paper's θ.
    min_epochs : float, default=10.0
        The rounds before ``theta`` is looked at, in units of the number of rows; 0 is the
        paper's way, which most often ends long before each row was seen.
    average : bool, default=True
        Whether ``solver="sgd"`` returns a weighted mean of its steps; False is the paper's
        last step.
    random_state : int, RandomState instance or None, default=None
        Fixes the landmarks, the reservoir and the stochastic gradient descent.
    n_jobs : int or None, default=None
        Widths at the same time. The labels do not depend on it.
    verbose : int, default=0
        1 prints a line for each width, with the time left.
    on_interrupt : {"raise", "keep"}, default="raise"
        What Ctrl-C does during ``fit``. ``"raise"``: the model stays as it was before.
        ``"keep"``: the best of the widths done so far is the answer, with a warning, and
        ``complete_`` is False. A second Ctrl-C is raised, and so is the first one where
        nothing is there to keep.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of each row, numbered by decreasing size; −1 for outliers. After
        ``partial_fit``, of the rows of ``reservoir_``.
    n_clusters_ : int
        The number of clusters.
    gamma_, nu_, C_ : float
        The width and the two forms of the bound in use.
    support_ : ndarray of shape (n_SV,)
        The rows that are support vectors.
    support_vectors_ : ndarray of shape (n_SV, n_features)
        These rows.
    dual_coef_ : ndarray of shape (1, n_SV)
        Their weights α.
    levels_ : ndarray of shape (n_clusters_,)
        The level of f at which each cluster stands apart from the others. 0 unless
        ``gamma="auto"``.
    duality_gap_ : float
        Of the solution of phase 1, as a share of its objective.
    n_iter_ : int
        The steps of the solver.
    candidates_ : dict of ndarrays
        What ``gamma="auto"`` compared: ``"gamma"``, ``"min_cluster_size"`` (of the
        landmarks), ``"n_clusters"``, ``"split_gap"`` (for candidates given up early, a value
        that it does not exceed) and ``"chosen"``.
    plateau_ : Plateau
        The numbers of clusters over the widths that ``gamma="plateau"`` looked at.
    equilibria_ : ndarray of shape (n_equilibria, n_features)
        Where trajectories end; only with ``assignment="equilibria"``.
    landmarks_ : ndarray
        The rows that the domain was made from.
    outlier_threshold_ : float
        Rows with a smaller f are outliers; −inf with ``outlier_fraction=0``.
    reservoir_ : ndarray
        The rows that ``partial_fit`` kept.
    n_samples_seen_ : int
        The rows that were fitted, in all batches.
    complete_ : bool
        False if Ctrl-C or a callback ended the search for a width early.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray
        Their names, where X has string names.

    Notes
    -----
    With m = ``n_landmarks``: time O(m²) for phase 1 and the graph; memory 8 m² bytes and as
    much again for each width at work up to 4096 rows, O(m) beyond, and with equilibria also
    the pairs of peaks; then one search for the nearest landmark for each row. Columns are
    compared as they are: bring them to one scale first.

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

    def __init__(
        self,
        gamma: float | str = "auto",
        *,
        nu: float | None = None,
        C: float | None = None,
        solver: str = "exact",
        assignment: str = "graph",
        min_cluster_size: float | None = None,
        outlier_fraction: float = 0.0,
        n_landmarks: int | None = 2000,
        epsilon: float = EPSILON,
        tol: float = 1e-4,
        max_iter: int = 10_000_000,
        theta: float = 0.01,
        min_epochs: float = 10.0,
        average: bool = True,
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
        self.epsilon = epsilon
        self.tol = tol
        self.max_iter = max_iter
        self.theta = theta
        self.min_epochs = min_epochs
        self.average = average
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.on_interrupt = on_interrupt

    @all_or_nothing
    def fit(self, X: Any, y: ArrayLike | None = None) -> Self:
        """Cluster the rows of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data, dense.
        y : None
            Ignored.

        Returns
        -------
        self : SupportVectorClustering
        """
        self._check_parameters()
        X = validate_data(self, X, dtype=[np.float64, np.float32], ensure_min_samples=2)
        require_squares(X)
        self._forget()
        for name in ("_reservoir", "reservoir_"):
            self.__dict__.pop(name, None)
        self._fit_rows(X, y)
        return self

    def predict(self, X: Any) -> NDArray[np.int32]:
        """Return the cluster of the nearest row that has one; −1 for outliers."""
        X = self._check_new(X)
        labels = self._nearest.labels_of(X).astype(np.int32)
        if self.outlier_threshold_ > -np.inf:
            labels[self._domain.heights(X) - 1 < self.outlier_threshold_] = -1
        return labels

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Evaluate f: at least 0 inside of the domain."""
        X = self._check_new(X)  # which may have to fit the domain first
        return self._domain.heights(X) - 1

    # -- the parts of fit, in their order ------------------------------------------------

    def _check_parameters(self) -> None:
        if isinstance(self.gamma, str):
            if self.gamma not in RULES:
                names = ", ".join(map(repr, RULES))
                raise ValueError(
                    f"gamma must be a number > 0 or one of {names}; got {self.gamma!r}."
                )
        else:
            check_positive("gamma", self.gamma)
        if self.nu is not None and self.C is not None:
            raise ValueError(
                f"nu and C exclude each other: set one of them to None; got nu={self.nu!r} and "
                f"C={self.C!r}."
            )
        if self.nu is not None:
            check_share("nu", self.nu)
        if self.C is not None:
            check_positive("C", self.C)
        check_choice("solver", self.solver, SOLVERS)
        if self.solver == "libsvm" and self.C is not None:
            raise ValueError(
                f'solver="libsvm" takes nu and not C; got C={self.C!r}. Use solver="exact".'
            )
        check_choice("assignment", self.assignment, ASSIGNMENTS)
        size = self.min_cluster_size
        rows = isinstance(size, Integral) and not isinstance(size, bool) and size >= 1
        if not (size is None or rows or (isinstance(size, Real) and 0 < size < 1)):
            raise ValueError(
                f"min_cluster_size must be None, an int >= 1 (rows) or a number in (0, 1) (a share "
                f"of them); got {size!r}."
            )
        check_share("outlier_fraction", self.outlier_fraction, zero=True)
        if self.n_landmarks is not None:
            check_int("n_landmarks", self.n_landmarks, low=2)
        check_positive("epsilon", self.epsilon)
        check_positive("tol", self.tol)
        check_int("max_iter", self.max_iter, low=1, high=MOST_STEPS)
        check_positive("theta", self.theta)
        check_nonnegative("min_epochs", self.min_epochs)
        check_bool("average", self.average)

    def _generator(self) -> np.random.Generator:
        return np.random.default_rng(check_random_state(self.random_state).randint(2**31 - 1))

    def _fit_rows(self, X: NDArray[np.floating], y: ArrayLike | None = None) -> None:
        """Fit the domain to rows; y is for callbacks only."""
        require_differences(X)
        n, rng = len(X), self._generator()
        some = np.arange(n)
        if self.n_landmarks is not None and n > self.n_landmarks:
            some = np.sort(rng.choice(n, self.n_landmarks, replace=False))
        if self.gamma == "auto":
            some = distinct_rows(X, some)
        with fitting(self, X, y) as context, one_thread():
            scene = Scene.of_rows(X[some])
            solve = self._phase_one(scene, int(rng.integers(2**31)))
            read = self._phase_two(scene, n)
            if self.gamma == "auto":
                found = self._by_split_gap(scene, solve, read, context)
            else:
                gamma = self.gamma
                if gamma == "plateau":
                    width = self._by_plateau(scene, solve, read, context)
                    (found,) = read(width, solve(width))
                else:  # nothing is there to keep before the end
                    (found,) = read(float(gamma), solve(float(gamma)))
            self._keep_domain(X, some, found)
            self._keep_labels(X, X[some], found)

    def _phase_one(self, scene: Scene, seed: int) -> PhaseOne:
        nu = self.nu
        if nu is None and self.C is None:
            narrow = self.gamma == "auto" and self.assignment == "graph"
            nu = domains.NU_OF_NARROW if narrow else domains.NU_OF_WIDE
        return PhaseOne(
            *(scene.pairs, nu, self.C, self.solver, self.tol, self.max_iter),
            *(self.theta, self.min_epochs, self.average, seed),
        )

    def _phase_two(self, scene: Scene, n: int) -> Reader:
        if self.assignment == "equilibria":
            return Basins(scene, self.epsilon)
        if self.gamma == "auto" and self.min_cluster_size is None:
            return AllLevels(scene, domains.smallest_sizes(scene.n))
        size = SMALLEST_SHARE if self.min_cluster_size is None else self.min_cluster_size
        # rows are counted in X: of landmarks and kinds there are fewer
        rows = size if isinstance(size, Integral) else max(2, size * n)
        smallest = max(1, round(rows * scene.n / n))
        if self.gamma == "auto":
            return AllLevels(scene, (smallest,))
        return LevelZero(scene, smallest)

    def _by_split_gap(
        self, scene: Scene, solve: PhaseOne, read: Reader, context: FitContext
    ) -> Reading:
        widths = domains.WIDE if self.assignment == "equilibria" else domains.NARROW
        best, self.candidates_ = domains.choose_domain(
            *(scene, scene.gammas(widths), solve.exact, read),
            context=context,
        )
        gap = float(self.candidates_["split_gap"].max())
        if -np.inf < gap <= domains.NO_GAP:
            warn_user(
                f"the clusters are easier to split than to tell apart (split gap {gap:.3f}): there "
                f"may be none in these data."
            )
        if self.solver == "exact":
            return best
        readings = read(best.gamma, solve(best.gamma))
        return next(reading for reading in readings if reading.smallest == best.smallest)

    def _by_plateau(
        self, scene: Scene, solve: PhaseOne, read: Reader, context: FitContext
    ) -> float:
        found = self.plateau_ = plateau.find_plateau(
            *(scene.gammas(plateau.WIDTHS), solve.exact, read),
            context=context,
        )
        if found.length < plateau.SHORT:
            warn_user(
                f"the longest plateau of the number of clusters has {found.length} of "
                f"{len(found.gammas)} widths: it says little; see plateau_."
            )
        elif found.at_edge:
            warn_user(
                "the plateau of the number of clusters ends with the widths tried: see plateau_."
            )
        return found.gamma

    def _keep_domain(self, X: NDArray[np.floating], some: NDArray[np.intp], found: Reading) -> None:
        solution = found.solution
        heavy = np.flatnonzero(solution.alpha)
        self.landmarks_ = some
        self.support_ = some[heavy]
        self.support_vectors_ = X[self.support_]
        self.dual_coef_ = solution.alpha[np.newaxis, heavy]
        self.gamma_, self.nu_, self.C_ = found.gamma, solution.nu, solution.C
        self.duality_gap_, self.n_iter_ = solution.gap, solution.n_iter
        if found.equilibria is not None:
            self.equilibria_ = found.equilibria
        self._domain = Domain(
            self.support_vectors_.astype(np.float64), solution.alpha[heavy], found.gamma
        )
        if not solution.converged:
            warn_user(
                f"phase 1 did not converge in max_iter={self.max_iter} steps: its duality gap is "
                f"{solution.gap:.1e} of the objective."
            )
        for note in found.notes:
            warn_user(note)

    def _keep_labels(
        self, X: NDArray[np.floating], rows: NDArray[np.floating], found: Reading
    ) -> None:
        """Number the clusters, give them the rows that are left, and mark outliers."""
        pieces, levels = found.labels, found.levels
        if len(levels) < 2:
            pieces, levels = np.zeros_like(pieces), np.ones(1)
            warn_user(
                "all rows are in one cluster"
                + ("." if self.gamma == "auto" else ": a larger gamma may tell more apart.")
            )
        inside = pieces >= 0
        labels = NearestRow(rows[inside], pieces[inside]).labels_of(X)
        self.outlier_threshold_ = -np.inf
        n_outliers = min(round(self.outlier_fraction * len(X)), len(X) - 1)
        if n_outliers:
            f = self._domain.heights(X) - 1
            # between two rows: f of a row rounds differently in other company
            low, high = np.partition(f, [n_outliers - 1, n_outliers])[n_outliers - 1 :][:2]
            self.outlier_threshold_ = float(low + high) / 2
            labels[f < self.outlier_threshold_] = -1
        numbers = numbers_by_size(labels, len(levels))
        self._nearest = NearestRow(rows[inside], numbers[pieces[inside]])
        self.labels_ = np.append(numbers, -1)[labels].astype(np.int32)
        self.n_clusters_ = len(levels)
        self.levels_ = np.empty(len(levels))
        self.levels_[numbers] = levels - 1
        self.n_samples_seen_ = len(X)

    # -- smaller things ------------------------------------------------------------------

    def _check_new(self, X: Any) -> NDArray[np.floating]:
        check_is_fitted(self)
        self._fit_if_due()
        X = validate_data(self, X, dtype=[np.float64, np.float32], reset=False)
        require_squares(X)
        return X
