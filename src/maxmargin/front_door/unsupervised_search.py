"""A grid search for clusterers: no folds, no true labels, a criterion of the labels instead."""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata
from sklearn.base import BaseEstimator, ClusterMixin, MetaEstimatorMixin, clone
from sklearn.model_selection import ParameterGrid, ParameterSampler
from sklearn.utils import get_tags, indexable
from sklearn.utils.metaestimators import available_if
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import _num_samples, check_is_fitted, has_fit_parameter

from maxmargin._runtime.context import all_or_nothing, fitting, foreign_code
from maxmargin._runtime.parallel import as_far_as_wanted
from maxmargin._runtime.parameters import OF_EVERY_FIT, Allowed, Number, OneOf, shown
from maxmargin._runtime.progress import CallbackSupportMixin
from maxmargin._runtime.warnings import warn_user
from maxmargin.estimators.kernel_path import shared_paths
from maxmargin.estimators.linked import takes_links
from maxmargin.front_door.scored_fit import Score, ScoredFit, fit_and_score
from maxmargin.selection.criteria import CRITERIA
from maxmargin.sizes import partial_labels
from maxmargin.weights import read_weights


def _has(method: str) -> Callable[[Any], bool]:
    """Whether the best estimator, or before ``fit`` the one to search with, has a method."""

    def check(search: Any) -> bool:
        getattr(getattr(search, "best_estimator_", search.estimator), method)
        return True

    return check


class UnsupervisedSearch(CallbackSupportMixin, ClusterMixin, MetaEstimatorMixin, BaseEstimator):
    """Choose the parameters of a clusterer without true labels.

    What :class:`~sklearn.model_selection.GridSearchCV` is for classifiers, for any clusterer
    of scikit-learn's interface: every candidate of a grid clusters all rows, a criterion says
    what its labels are worth, and the best candidate is kept. There are no folds: most
    clusterers cannot label rows that they have not seen.

    Parameters
    ----------
    estimator : clusterer
        Anything that has ``labels_`` after ``fit``, or else ``predict``; also a pipeline that
        ends in one. It is cloned for each candidate.
    param_grid : dict, list of dicts, ParameterGrid or ParameterSampler
        The candidates: lists of values by the names of parameters, as for ``GridSearchCV``, or
        :class:`~sklearn.model_selection.ParameterSampler` for random ones. Eight values or more of
        ``alpha`` of an :class:`RLSClustering` share one eigendecomposition (:func:`rls_path`).
    criterion : {"loo", "split_gap"}, criterion or callable, default="loo"
        What labels are worth, the larger the better:

        - ``"loo"``: how well labels can be predicted from the other rows,
          :class:`~maxmargin.selection.LeaveOneOutCriterion`. For candidates with the same
          number of clusters; between different ones it is biased to few;
        - ``"split_gap"``: whether clusters are harder to split than to tell apart,
          :class:`~maxmargin.selection.SplitGapCriterion`. It can choose the number of
          clusters. Both give noise to the nearest cluster first, so that noise by itself
          costs nothing: ``n_noise`` in ``cv_results_`` shows it;
        - one of these objects with parameters of your own, or any object with ``fit(X)`` and
          ``score(labels)``;
        - a function of X and labels, such as :func:`sklearn.metrics.silhouette_score`. It
          gets the labels as they are, with −1 for noise.

        It sees X as it is given to ``fit``, whatever a pipeline makes of it: only so are
        candidates that transform X differently judged by the same measure.
    n_jobs : int or None, default=None
        Candidates at the same time. The result does not depend on it if the estimator's
        ``random_state`` is set.
    verbose : int, default=0
        1 prints a line for each candidate, with the time left.
    on_interrupt : {"raise", "keep"}, default="raise"
        What Ctrl-C does during ``fit``. ``"raise"``: the model stays as it was before.
        ``"keep"``: the best of the candidates done so far is the answer, with a warning, and
        ``complete_`` is False. A second Ctrl-C is raised, and so is the first one where
        nothing is there to keep.
    error_score : float or "raise", default=np.nan
        The score of a candidate that fails, in ``cv_results_``; it is never chosen, and a
        warning names it. With ``"raise"`` its error ends the search.

    Attributes
    ----------
    cv_results_ : dict of arrays
        A line for each candidate: ``params`` (dicts), ``param_<name>`` (masked where a
        candidate has no such parameter), ``score``, ``rank_score`` (1 is best; failed ones
        are last), ``n_clusters`` (without noise), ``n_noise`` (rows labelled −1),
        ``fit_time`` and ``score_time`` in seconds. ``pandas.DataFrame`` takes it as it is.
    best_index_ : int
        The line of the best candidate; of equal ones the first.
    best_params_ : dict
        Its parameters.
    best_score_ : float
        Its score.
    best_estimator_ : clusterer
        The best candidate as it was fitted. It has seen all rows, so there is nothing to
        refit; another fit could end in other labels than those that were scored.
    labels_ : ndarray of shape (n_samples,)
        Its labels, those that were scored.
    n_clusters_ : int
        The number of their clusters, without noise.
    complete_ : bool
        False if Ctrl-C or a callback ended the search early.
    n_features_in_ : int
        The number of features, if the best estimator knows it.
    feature_names_in_ : ndarray
        Their names, if the best estimator knows them.

    Examples
    --------
    >>> from sklearn.cluster import DBSCAN
    >>> from sklearn.datasets import make_moons
    >>> from sklearn.metrics import adjusted_rand_score
    >>> from maxmargin import UnsupervisedSearch
    >>> X, y = make_moons(300, noise=0.06, random_state=0)
    >>> search = UnsupervisedSearch(DBSCAN(), {"eps": [0.05, 0.1, 0.2, 0.4]}).fit(X)
    >>> search.best_params_
    {'eps': 0.2}
    >>> search.cv_results_["n_clusters"].tolist()
    [10, 11, 2, 1]
    >>> print(f"{adjusted_rand_score(y, search.labels_):.2f}")
    1.00
    """

    _parameters = {
        **OF_EVERY_FIT,
        "estimator": Allowed(
            "an estimator, with fit and set_params",
            lambda v: hasattr(v, "fit") and hasattr(v, "set_params") and not isinstance(v, type),
        ),
        "error_score": Number("a number", lambda _: True) | OneOf("raise"),
    }

    def __init__(
        self,
        estimator: Any,
        param_grid: Any,
        *,
        criterion: Any = "loo",
        n_jobs: int | None = None,
        verbose: int = 0,
        on_interrupt: str = "raise",
        error_score: float | str = np.nan,
    ) -> None:
        self.estimator = estimator
        self.param_grid = param_grid
        self.criterion = criterion
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.on_interrupt = on_interrupt
        self.error_score = error_score

    @takes_links
    @all_or_nothing
    def fit(
        self, X: Any, y: ArrayLike | None = None, *, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Cluster the rows with every candidate and keep the best.

        Parameters
        ----------
        X : array-like or CSR matrix of shape (n_samples, n_features)
            The rows, as the estimator takes them.
        y : array-like of shape (n_samples,), default=None
            Partial labels if some are unknown (−1, NaN or None): they are handed on to the
            estimator. A complete y is ignored, so that true labels cannot leak into the search.
        sample_weight : array-like of shape (n_samples,), default=None
            What each row counts for: handed on to an estimator that takes it, or to the last step
            of a pipeline. Criteria do not look at it.

        Returns
        -------
        self : UnsupervisedSearch
        """
        settings = self._settings()
        X, pins = indexable(X, None if partial_labels(y) is None else y)
        told = _told(self.estimator, sample_weight, X)
        with foreign_code():
            score = self._fit_criterion(X, settings)

        outcomes: list[ScoredFit] = []
        best, found = -1, None
        raising, n = self.error_score == "raise", len(settings)
        with fitting(self, X, y) as context, context.tasks.stage("candidate", n) as stage:
            # Generators in and out: of the candidates only the best one stays in memory.
            parts = [stage.part() for _ in settings]
            paths = shared_paths([self._candidate(s) for s in settings], X, sample_weight)
            jobs = (
                delayed(fit_and_score)(self._candidate(s), X, pins, score, raising, *shared, told)
                for s, *shared in zip(settings, parts, paths, strict=True)
            )
            n_jobs = self.n_jobs and min(self.n_jobs, n)
            results = Parallel(n_jobs=n_jobs, return_as="generator")(jobs)
            for outcome in context.follow(
                as_far_as_wanted(results),
                n,
                task="candidate",
                foreign=True,
                enough_of=lambda o: parts[len(outcomes)].end() if o.enough is None else o.enough,
                describe=lambda outcome: f"{settings[len(outcomes)]} {outcome}",
            ):
                fitted, outcome.fitted = outcome.fitted, None
                if not np.isnan(outcome.score) and (
                    found is None or outcome.score > outcomes[best].score
                ):
                    best, found = len(outcomes), fitted
                self._complain(len(outcomes), settings, outcome)
                outcomes.append(outcome)
            if found is None:
                first = next((o.error for o in outcomes if o.failed), "All scores are NaN.")
                raise ValueError(
                    f"None of the {len(outcomes)} candidates could be fitted and scored. {first}"
                )
            self._keep(settings[: len(outcomes)], outcomes, best, *found)
        return self

    def fit_predict(self, X: Any, y: ArrayLike | None = None, **params: Any) -> NDArray[Any]:
        """Search and return the labels of the best candidate; y as in ``fit``."""
        return self.fit(X, y, **params).labels_

    @available_if(_has("predict"))
    def predict(self, X: Any) -> Any:
        """Return ``best_estimator_.predict(X)``."""
        check_is_fitted(self)
        return self.best_estimator_.predict(X)

    @available_if(_has("decision_function"))
    def decision_function(self, X: Any) -> Any:
        """Return ``best_estimator_.decision_function(X)``."""
        check_is_fitted(self)
        return self.best_estimator_.decision_function(X)

    @available_if(_has("predict_proba"))
    def predict_proba(self, X: Any) -> Any:
        """Return ``best_estimator_.predict_proba(X)``."""
        check_is_fitted(self)
        return self.best_estimator_.predict_proba(X)

    @available_if(_has("transform"))
    def transform(self, X: Any) -> Any:
        """Return ``best_estimator_.transform(X)``."""
        check_is_fitted(self)
        return self.best_estimator_.transform(X)

    @available_if(_has("transform"))
    def fit_transform(self, X: Any, y: ArrayLike | None = None) -> Any:
        """Search and return what the best candidate makes of the rows; y as in ``fit``."""
        return self.fit(X, y).transform(X)

    # -- the parts of fit, in their order ------------------------------------------------

    def _settings(self) -> list[dict[str, Any]]:
        grid = self.param_grid
        try:
            if not isinstance(grid, (ParameterGrid, ParameterSampler)):
                grid = ParameterGrid(grid)
        except (TypeError, ValueError) as error:
            raise ValueError(
                f"param_grid must be a dict from parameters to lists of their values, or a list of "
                f"such dicts; got {shown(grid)}. {error}"
            ) from error
        settings = list(grid)
        if not settings:
            raise ValueError(
                f"param_grid must hold at least one candidate; got {shown(self.param_grid)}."
            )
        for setting in settings:
            self._candidate(setting)  # an unknown parameter is an error before any work
        return settings

    def _candidate(self, setting: Mapping[str, Any]) -> Any:
        """The estimator with parameters set; values that are estimators are cloned too."""
        return clone(self.estimator).set_params(**clone(setting, safe=False))

    def _fit_criterion(self, X: Any, settings: Sequence[Mapping[str, Any]]) -> Score:
        """The criterion as a function of X and labels, fitted where it can be."""
        criterion = self.criterion
        if isinstance(criterion, str) and criterion in CRITERIA:
            if any(get_tags(self._candidate(s)).input_tags.pairwise for s in settings):
                raise ValueError(
                    f"criterion={criterion!r} compares rows by their features, and the estimator "
                    f"takes X as a precomputed matrix. For distances give an object with "
                    f'metric="precomputed", such as LeaveOneOutCriterion(metric="precomputed"); '
                    f"for a kernel give a function of X and labels."
                )
            sought = {name.rpartition("__")[2] for s in settings for name in s}
            if criterion == "loo" and sought & {"n_clusters", "n_components"}:
                warn_user(
                    'criterion="loo" prefers few clusters: to choose their number, use '
                    'criterion="split_gap".'
                )
            criterion = CRITERIA[criterion]()
        if not isinstance(criterion, type):
            if hasattr(criterion, "fit") and hasattr(criterion, "score"):
                return _Fitted(clone(criterion, safe=False).fit(X))
            if callable(criterion):
                return criterion
        raise ValueError(
            f"criterion must be one of {', '.join(map(repr, CRITERIA))}, an object with fit(X) "
            f"and score(labels), or a function of X and labels; got {shown(criterion)}."
        )

    def _complain(
        self, this: int, settings: Sequence[Mapping[str, Any]], outcome: ScoredFit
    ) -> None:
        if outcome.failed:
            warn_user(
                f"The {outcome.failed} of candidate {this} failed, and its score is "
                f"{self.error_score}: {settings[this]}. {outcome.error}"
            )

    def _keep(
        self,
        settings: list[dict[str, Any]],
        outcomes: list[ScoredFit],
        best: int,
        estimator: Any,
        labels: NDArray[Any],
    ) -> None:
        table = {
            name: np.array([getattr(outcome, name) for outcome in outcomes])
            for name in ("score", "n_clusters", "n_noise", "fit_time", "score_time", "failed")
        }
        scores, failed = table["score"], table.pop("failed") != ""
        ranks = rankdata(np.where(np.isnan(scores), np.inf, -scores), method="min")
        if failed.any():
            table["score"] = np.where(failed, float(self.error_score), scores)
        self.cv_results_ = {
            "params": settings,
            **_columns(settings),
            **table,
            "rank_score": ranks.astype(np.int32),
        }
        self.best_index_ = best
        self.best_params_ = settings[best]
        self.best_score_ = outcomes[best].score
        self.best_estimator_ = estimator
        self.labels_ = labels
        self.n_clusters_ = outcomes[best].n_clusters
        for name in ("n_features_in_", "feature_names_in_"):
            self.__dict__.pop(name, None)  # of an earlier fit
            if hasattr(estimator, name):
                setattr(self, name, getattr(estimator, name))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags.pairwise = inner.input_tags.pairwise
        tags.input_tags.sparse = inner.input_tags.sparse
        tags.transformer_tags = deepcopy(inner.transformer_tags)
        return tags


@dataclass(frozen=True)
class _Fitted:
    """A fitted criterion as a function of X, which it knows, and labels."""

    criterion: Any

    def __call__(self, X: Any, labels: NDArray[Any]) -> float:
        return self.criterion.score(labels)


def _told(estimator: Any, sample_weight: Any, X: Any) -> dict[str, Any]:
    """The weights of rows as an argument of ``fit``, also of the last step of a pipeline."""
    if sample_weight is None:
        return {}
    steps = getattr(estimator, "steps", None)
    name, model = steps[-1] if steps else ("", estimator)
    if not has_fit_parameter(model, "sample_weight"):
        raise TypeError(f"{type(model).__name__} takes no sample_weight: its search takes none.")
    weights = read_weights(sample_weight, _num_samples(X))
    return {f"{name}__sample_weight" if steps else "sample_weight": weights}


def _columns(settings: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The values of each parameter, masked where a candidate does not set it."""
    columns = {}
    for name in sorted({name for setting in settings for name in setting}):
        # Filled one by one: NumPy would make a table of values that are sequences.
        column = np.ma.masked_all(len(settings), dtype=object)
        for i, setting in enumerate(settings):
            if name in setting:
                column[i] = setting[name]
        columns[f"param_{name}"] = column
    return columns
