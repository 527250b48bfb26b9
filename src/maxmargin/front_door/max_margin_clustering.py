"""The front door: good clusters with nothing to set but their number."""

import copy
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from maxmargin._runtime.context import FitContext, all_or_nothing, fitting
from maxmargin._runtime.memory import require_memory
from maxmargin._runtime.threads import one_thread
from maxmargin._runtime.validation import check_choice, check_int, check_positive
from maxmargin._runtime.warnings import warn_user
from maxmargin.estimators.base import ModelMixin
from maxmargin.front_door.choice import Choice, Landscape, best_model, survey
from maxmargin.front_door.effort import EFFORTS, GAUSSIANS, KERNELS, Effort
from maxmargin.front_door.explanation import Alternative, chosen, selection_table
from maxmargin.front_door.number import NumberChoice, choose_number
from maxmargin.front_door.partition import FittedPartition, fit_partition
from maxmargin.front_door.subsample import Subsample
from maxmargin.objectives.classifier import margins
from maxmargin.objectives.leave_one_out import LeaveOneOut
from maxmargin.selection.cells import Cell
from maxmargin.selection.ranking import pairwise_agreement
from maxmargin.sizes import Bound, Proportions, Sizes, read_pins, sizes_of
from maxmargin.spaces.kernel import Matrix
from maxmargin.spaces.metric import Metric

N_ALTERNATIVES = 3
#: Rows for each cluster that are looked at, at least.
ROWS_PER_CLUSTER = 5
#: For distances, a kernel, its inverse and products, besides 4 bytes for each criterion.
BYTES_PER_PAIR = 40


class MaxMarginClustering(ModelMixin, BaseEstimator):
    """Clusters that a large-margin model predicts best when rows are left out.

    Chooses the space (Gaussian widths, neighbour graphs), the start and the sizes by itself,
    and with ``n_clusters=None`` their number too: many candidate groupings are found, each is
    scored by how well least squares predicts the label of a row that it did not see, and the
    one is taken that the good ones agree with. What was chosen, and what else could be, is
    kept: see ``chosen_``, ``selection_`` and ``alternatives_``.

    Parameters
    ----------
    n_clusters : int or None, default=None
        The number of clusters. None chooses it, two at least and from 1000 rows at most, and
        warns where the evidence is weak.
    proportions : None, "balanced" or array of k shares, default=None
        The sizes of the clusters: None lets the data decide; ``"balanced"`` guides the search
        to equal sizes; an array of shares that sum to 1 is met exactly (± 1 row).
    min_size, max_size : int, float, array of k or None, default=0.1 and None
        Hard bounds. An int is a number of rows, a float a share of n / n_clusters.
    standardize : bool, default=True
        Whether dense columns get mean 0 and variance 1 first (values beyond three standard
        deviations are cut there). Turn it off for columns that share one unit.
    kernels : None or subset of {"gaussian", "graph"}, default=None
        The spaces in which candidates are sought; None is both.
    metric : {"euclidean", "cosine", "precomputed"}, default="euclidean"
        How rows are compared. Sparse rows are always scaled to unit length, which is
        ``"cosine"``. ``"precomputed"``: X is a matrix of distances.
    effort : {"fast", "normal", "thorough"}, default="normal"
        How many spaces and starts are tried, and on how many rows at most everything is chosen
        (1000, 2000, 4000). With more rows than that, a random subset decides, and the model is
        carried over to all rows in time linear in their number.
    time_budget : float or None, default=None
        Seconds after which no further space is begun; the best so far is returned, with a
        warning, and ``complete_`` is False.
    random_state : int, RandomState instance or None, default=None
        Fixes starts and subsets.
    n_jobs : int or None, default=None
        Spaces explored at the same time. The result does not depend on it.
    verbose : int, default=0
        1 prints the stage and the time left.
    on_interrupt : {"raise", "keep"}, default="raise"
        What Ctrl-C does during ``fit``. ``"raise"``: the model stays as it was before.
        ``"keep"``: the best of the spaces explored so far is the answer, with a warning, and
        ``complete_`` is False. A second Ctrl-C is raised, and so is the first one where nothing
        is there to keep.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of each row, numbered by decreasing size. Clusters with pinned rows,
        proportions or bounds of their own keep their numbers.
    n_clusters_ : int
        The number of clusters.
    loo_score_ : float
        R² of the leave-one-out predictions of the labels; 0 for one cluster.
    margin_ : ndarray of shape (n_samples,)
        How far a model that never saw the row puts its own cluster above the best other one.
    left_out_ : ndarray of shape (n_samples, n_clusters)
        What models that never saw a row say of it, cluster by cluster.
    uncertain_ : ndarray of bool of shape (n_samples,)
        Rows with a negative margin: left out, they would go elsewhere.
    chosen_ : dict
        What was chosen: ``"why"`` (a sentence), ``"kernel"``, ``"gamma"``, ``"alpha"`` of the
        model, ``"source"`` and ``"start"`` of the labels, their ``"score"``; with
        ``n_clusters=None`` also ``"number"``, why there are so many.
    selection_ : dict of arrays
        All candidates: ``"source"``, ``"start"``, ``"score"``, ``"missed_pins"`` (pinned rows
        that would go elsewhere), ``"rank"`` (by score, less a fine for these), ``"vote"``,
        ``"smallest_size"``, and ``"loo <cell>"``, the R² in each cell that judges.
    alternatives_ : list of Alternative
        Up to three groupings that differ from the chosen one and from each other (ARI below
        .8 on the rows that were looked at), by rank: see :meth:`use_alternative`.
    exemplars_ : list of arrays
        For each cluster, up to three rows that stand for it, the most typical one first.
    k_curve_ : dict of arrays
        With ``n_clusters=None``: what was measured at each number of clusters.
    k_confidence_ : int
        With ``n_clusters=None``: how many of the three rules agree (1 to 3).
    complete_ : bool
        False if the time budget, Ctrl-C or a callback ended the search.
    n_disagreements_ : int
        Rows whose label is not what ``predict`` says of them.
    n_pinned_ : int
        Rows whose label y fixed.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray
        Their names, where X has string names.

    See Also
    --------
    RLSClustering : One space, one search, every parameter in your hands.

    Notes
    -----
    Time O(m³ + n) for n rows of which m (at most 1000, 2000 or 4000, by effort) decide.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from sklearn.metrics import adjusted_rand_score
    >>> from maxmargin import MaxMarginClustering
    >>> X, y = make_moons(300, noise=0.05, random_state=0)
    >>> model = MaxMarginClustering(n_clusters=2, random_state=0).fit(X)
    >>> print(f"{adjusted_rand_score(y, model.labels_):.2f}")
    1.00
    >>> model.predict([[1.0, -0.5], [0.0, 1.0]]).shape
    (2,)
    >>> int(model.uncertain_.sum())
    0
    """

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        proportions: Proportions = None,
        min_size: Bound = 0.1,
        max_size: Bound = None,
        standardize: bool = True,
        kernels: Sequence[str] | None = None,
        metric: str = "euclidean",
        effort: str = "normal",
        time_budget: float | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        on_interrupt: str = "raise",
    ) -> None:
        self.n_clusters = n_clusters
        self.proportions = proportions
        self.min_size = min_size
        self.max_size = max_size
        self.standardize = standardize
        self.kernels = kernels
        self.metric = metric
        self.effort = effort
        self.time_budget = time_budget
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
            The data, or with ``metric="precomputed"`` the distances between the rows.
        y : array-like of shape (n_samples,), default=None
            Partial labels if it contains −1 (unknown): the other entries pin their rows to a
            cluster. Without any −1 it is ignored.

        Returns
        -------
        self : MaxMarginClustering
        """
        for name in [name for name in vars(self) if name.endswith("_")]:
            delattr(self, name)  # of an earlier fit
        effort, deadline = self._check_parameters()
        geometry = Metric(self.metric, self.standardize)
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32])
        seed = np.random.SeedSequence(check_random_state(self.random_state).randint(2**31 - 1))
        with fitting(self, X, y, deadline=deadline) as context, one_thread():
            self._fit_rows(geometry, geometry.fit(X).rows(X), y, seed, effort, context)
        return self

    @property
    def left_out_(self) -> NDArray[np.float64]:
        """What models that never saw a row say of it, cluster by cluster."""
        check_is_fitted(self)
        return self._answer.left_out

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the membership of rows in the clusters (n_samples, n_clusters).

        The softmax of the models' values times one number, chosen so that the memberships of
        the rows of ``fit``, computed by models that did not see them, are as likely as can be.
        The largest membership is that of ``predict``.
        """
        values = self._values(self._check_new(X))
        return self._answer.classifier.memberships(values)

    def use_alternative(self, i: int, X: Any = None) -> "MaxMarginClustering":
        """Return a fitted model with one of the ``alternatives_`` as its answer.

        Parameters
        ----------
        i : int
            Which one.
        X : array-like or CSR matrix, default=None
            The rows of ``fit``; needed only if there were more of them than were looked at.

        Returns
        -------
        MaxMarginClustering
            A copy; its ``alternatives_`` hold the answer of this one instead. This model stays
            as it is.
        """
        check_is_fitted(self)
        if not self.alternatives_:
            raise ValueError(f"there are no alternatives to use; got i = {i!r}.")
        check_int("i", i, low=0, high=len(self.alternatives_) - 1)
        scene, taken = self._scene, self.alternatives_[i]
        rows = scene.rows
        if not scene.whole:
            if X is None:
                raise ValueError(
                    f"X must be given: the alternatives were found on {len(scene.seen)} of "
                    f"{scene.n} rows; got None."
                )
            rows = scene.geometry.rows(self._check_new(X))
            if rows.shape[0] != scene.n:
                raise ValueError(f"X must hold the {scene.n} rows of fit; got {rows.shape[0]}.")
            if not scene.holds(rows):
                raise ValueError("X must hold the rows of fit in their order; got other values.")
        other = copy.copy(self)
        with one_thread():
            terrain = scene.terrain()
            criterion = terrain.criterion(taken.cell)
            other._take(
                fit_partition(scene, terrain, taken.cell, criterion, taken.labels, rows), rows
            )
        own = Alternative(
            self._answer.found,
            self.chosen_["score"],
            self._answer.cell,
            self.chosen_["source"],
            self.chosen_["start"],
            scene.seen,
            taken.agreement,
        )
        others = [own if j == i else a for j, a in enumerate(self.alternatives_)]
        agreement = pairwise_agreement([taken.labels, *(a.labels for a in others)])[0, 1:]
        other.alternatives_ = [
            replace(alternative, agreement=float(ari))
            for alternative, ari in zip(others, agreement, strict=True)
        ]
        why = f"alternative {i} was taken instead"
        other.chosen_ = chosen(other._answer, taken.score, taken.source, taken.start, why)
        return other

    # -- the parts of fit, in their order ------------------------------------------------

    def _fit_rows(
        self,
        geometry: Metric,
        rows: Matrix,
        y: ArrayLike | None,
        seed: np.random.SeedSequence,
        effort: Effort,
        context: FitContext,
    ) -> None:
        number = self._number_of_clusters(geometry, rows, y, seed, effort, context)
        k = number.k
        sizes = self._limits(rows.shape[0], k, y)
        max_rows = max(effort.max_rows, ROWS_PER_CLUSTER * k)
        rng = np.random.default_rng(seed.spawn(1)[0])
        scene = self._scene = Subsample.of(geometry, rows, sizes, max_rows, rng)
        m = len(scene.seen)
        require_memory(
            m * m * (BYTES_PER_PAIR + 4 * len(effort.cells)),
            f"MaxMarginClustering on {m} rows",
            'Use effort="fast".',
        )
        terrain, limits = scene.terrain(), scene.limits

        def answer_with(cell: Cell, criterion: LeaveOneOut, labels: NDArray[np.int32]) -> None:
            self._take(fit_partition(scene, terrain, cell, criterion, labels, rows), rows)

        if k == 1:
            cell = GAUSSIANS[1]
            answer_with(cell, terrain.criterion(cell), np.zeros(m, np.int32))
            self._keep_one(number)
            return
        landscape = survey(terrain, effort, {k: limits}, seed.spawn(1)[0], context=context)
        mixture_seed = int(seed.generate_state(1)[0] % 2**31)
        choice = landscape.choose(k, limits, mixture_seed)
        labels = limits.number(choice.candidates[choice.best].labels)
        cell = best_model(landscape, labels)
        answer_with(cell, landscape.models[cell], labels)
        self._keep_selection(landscape, choice, limits, number)
        if not context.complete and not context.interrupted and context.late:
            warn_user(
                f"time_budget = {self.time_budget} s ended before all spaces were explored; the "
                f"answer is the best of those that were."
            )

    def _check_parameters(self) -> tuple[Effort, float]:
        if self.n_clusters is not None:
            check_int("n_clusters", self.n_clusters, low=1)
        elif not (self.proportions is None or isinstance(self.proportions, str)):
            raise ValueError(
                f"proportions must be None or 'balanced' if n_clusters=None: shares belong to a "
                f"known number of clusters; got {self.proportions!r}."
            )
        check_choice("effort", self.effort, tuple(EFFORTS))
        effort = EFFORTS[self.effort]
        if self.kernels is not None:
            if not isinstance(self.kernels, (list, tuple, set, frozenset)) or not self.kernels:
                raise ValueError(
                    f"kernels must be None or a list of {', '.join(map(repr, KERNELS))}; got "
                    f"{self.kernels!r}."
                )
            for kernel in self.kernels:
                check_choice("kernels", kernel, KERNELS)
            effort = effort.restricted(tuple(self.kernels))
        if self.time_budget is None:
            return effort, np.inf
        return effort, time.perf_counter() + check_positive("time_budget", self.time_budget)

    def _limits(self, n: int, k: int, y: ArrayLike | None) -> Sizes:
        return sizes_of(self, n, k, y)

    def _number_of_clusters(
        self,
        geometry: Metric,
        rows: Matrix,
        y: ArrayLike | None,
        seed: np.random.SeedSequence,
        effort: Effort,
        context: FitContext,
    ) -> NumberChoice:
        if self.n_clusters is not None:
            return NumberChoice(self.n_clusters, None)
        return choose_number(
            geometry,
            rows,
            lambda n, k: self._limits(n, k, y),
            read_pins(y, rows.shape[0], rows.shape[0]),
            effort,
            seed,
            context=context,
        )

    def _take(self, answer: FittedPartition, rows: Matrix) -> None:
        """Make an answer that of this model."""
        self._answer = answer
        self.labels_ = answer.labels
        self.margin_ = margins(answer.left_out, answer.labels)
        self.uncertain_ = self.margin_ < 0
        self.loo_score_ = answer.loo_score
        self.exemplars_ = answer.exemplars
        self.n_clusters_ = len(np.unique(answer.labels))
        predicted = np.argmax(answer.classifier.values(rows), axis=1)
        self.n_disagreements_ = int(np.sum(predicted != answer.labels))
        self.n_pinned_ = self._scene.sizes.n_pinned

    def _keep_one(self, number: NumberChoice) -> None:
        """One cluster: there was nothing to choose."""
        self.alternatives_: list[Alternative] = []
        self.selection_: dict[str, NDArray[Any]] = {}
        asked = "one cluster was asked for" if self.n_clusters == 1 else "nothing shows more"
        self.chosen_ = chosen(self._answer, 0.0, "", "", asked)
        self._keep_number(number)

    def _keep_selection(
        self, landscape: Landscape, choice: Choice, limits: Sizes, number: NumberChoice
    ) -> None:
        best = choice.candidates[choice.best]
        score = float(choice.ranking.fit[choice.best])
        self.selection_ = selection_table(choice, list(landscape.judges))
        self.chosen_ = chosen(self._answer, score, best.source, best.start, choice.why)
        self.alternatives_ = []
        for p in choice.ranking.distinct(choice.best, N_ALTERNATIVES):
            labels = limits.number(choice.candidates[p].labels)
            self.alternatives_.append(
                Alternative(
                    labels,
                    float(choice.ranking.fit[p]),
                    best_model(landscape, labels),
                    choice.candidates[p].source,
                    choice.candidates[p].start,
                    self._scene.seen,
                    float(choice.ranking.agreement[p, choice.best]),
                )
            )
        if self.n_clusters_ < limits.n_clusters:
            warn_user(
                f"{limits.n_clusters - self.n_clusters_} of {limits.n_clusters} clusters ended "
                f"without rows; set min_size to keep them alive."
            )
        self._keep_number(number)

    def _keep_number(self, number: NumberChoice) -> None:
        if number.found is not None:
            self.k_curve_ = number.found.curve
            self.k_confidence_ = number.found.agreement
            self.chosen_["number"] = number.found.why
            self.chosen_["why"] += f" {number.found.why}"
            number.warn()

    # -- the parts of predict ------------------------------------------------------------

    def _values(self, X: Matrix) -> NDArray[np.float64]:
        return self._answer.classifier.values(self._scene.geometry.rows(X))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self.metric == "precomputed"
        return tags
