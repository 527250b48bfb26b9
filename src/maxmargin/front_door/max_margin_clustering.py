"""The front door: good clusters with nothing to set but their number."""

import copy
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from maxmargin._runtime.context import all_or_nothing, fitting, forget_fit
from maxmargin._runtime.parallel import one_thread
from maxmargin._runtime.parameters import NONE, OF_EVERY_FIT, POSITIVE, Bool, Integer, OneOf
from maxmargin._runtime.warnings import warn_user
from maxmargin.blocks.rows import in_blocks, is_source, read_rows
from maxmargin.estimators.base import ModelMixin
from maxmargin.estimators.linked import takes_links
from maxmargin.estimators.weighted import takes_weights
from maxmargin.front_door.candidates import CandidatePool, generate
from maxmargin.front_door.choice import Choice, choose, describe, pairwise_agreement
from maxmargin.front_door.effort import EFFORTS, Effort
from maxmargin.front_door.number import NumberOfClusters, choose_number, warn_of_weak_evidence
from maxmargin.front_door.partition import Alternative, PartitionMixin, warn_of_empty_clusters
from maxmargin.front_door.rows_left_out import know_all_rows
from maxmargin.front_door.stability import stability_of
from maxmargin.front_door.subsample import Subsample, look
from maxmargin.front_door.transfer import SWEPT_ROWS, carry_over
from maxmargin.preprocessing.automatic import ENCODER, read_encoded
from maxmargin.sizes import (
    SIZE_PARAMETERS,
    Bound,
    Proportions,
    Sizes,
    partial_labels,
    read_pins,
    sizes_of,
)
from maxmargin.spaces.metric import METRICS, STANDARDIZE, Matrix, Metric, Weights
from maxmargin.weights import weighted_sizes

N_ALTERNATIVES = 3
AUTO_MIN_SIZE = 0.1  # what min_size="auto" is where no clean gap says more


class MaxMarginClustering(PartitionMixin, ModelMixin, BaseEstimator):
    """Clusters that a large-margin model predicts best when rows are left out.

    Chooses the space (Gaussian widths, neighbour graphs), the start and the sizes by itself, and
    with ``n_clusters=None`` their number too: many candidate groupings are found, each is scored by
    how well least squares predicts the label of a row that it did not see, and the one is taken
    that the good ones agree with. See ``chosen_``, ``selection_`` and ``alternatives_``.

    Parameters
    ----------
    n_clusters : int or None, default=None
        Their number. None chooses it, from 1 to 100, and warns where the evidence is weak.
    proportions : None, "balanced" or array of k shares, default=None
        The sizes: None lets the data decide; ``"balanced"`` guides the search to equal ones; an
        array of shares that sum to 1 is met exactly (± 1 row).
    min_size, max_size : int, float, array of k or None, default="auto" and None
        Hard bounds, in rows (int) or a share of n / n_clusters (float). ``"auto"`` is 0.1, but
        smaller clusters are found where empty space lies around them.
    standardize : bool or "auto", default="auto"
        Whether dense columns get mean 0 and variance 1 first, cut at three deviations, and those
        of two values less (:class:`~maxmargin.preprocessing.TableScaler`). ``"auto"`` does not for
        principal components and pixels; else it leaves out columns of noise (``chosen_``).
    kernels : None or subset of {"gaussian", "graph"}, default=None
        The spaces in which candidates are sought; None is both.
    encoder : "auto", None or transformer, default="auto"
        Makes rows of numbers of X first, if these are not in blocks. ``"auto"`` is a
        :class:`~maxmargin.TableEncoder` for a data frame with more than numbers, or with gaps.
    metric : {"euclidean", "cosine", "precomputed"}, default="euclidean"
        How rows are compared. Sparse rows are always scaled to unit length, which is
        ``"cosine"``. ``"precomputed"``: X holds distances.
    effort : {"fast", "normal", "thorough"}, default="normal"
        How many spaces and starts are tried, and on how many rows at most everything is chosen
        (1000, 2000, 4000): a random subset, whose model is carried over to all rows.
    stability : "auto" or bool, default="auto"
        Whether quick fits measure ``stability_``; ``"auto"`` is with ``effort="thorough"``.
    time_budget : float or None, default=None
        Seconds after which no further space is begun; the best so far is returned, with a warning.
    random_state : int, RandomState instance or None, default=None
        Fixes starts and subsets.
    n_jobs : int or None, default=None
        Spaces at the same time. The result does not depend on it.
    verbose : int, default=0
        1 prints the stage and the time left.
    on_interrupt : {"raise", "keep"}, default="raise"
        What Ctrl-C does during ``fit``. ``"raise"``: the model stays as it was before.
        ``"keep"``: the best so far is the answer, if there is one, with a warning, and
        ``complete_`` is False. A second Ctrl-C is raised.

    Attributes
    ----------
    labels_, n_clusters_ : ndarray of shape (n_samples,) and int
        The cluster of each row, by decreasing size (those with pins or bounds keep their numbers),
        and the number of clusters.
    loo_score_ : float
        R² of the leave-one-out predictions of the labels; 0 for one cluster.
    margin_ : ndarray of shape (n_samples,)
        How far a model that never saw the row puts its own cluster above the best other one.
    left_out_ : ndarray of shape (n_samples, n_clusters)
        What models that never saw a row say of it, cluster by cluster; not of rows in blocks.
    uncertain_ : ndarray of bool of shape (n_samples,)
        Rows with a negative margin: left out, they would go elsewhere.
    chosen_ : dict
        ``"why"``, ``"standardized"`` or not, columns ``"left_out"``, ``"kernel"``, ``"gamma"``,
        ``"alpha"``, ``"source"`` and ``"start"`` of the labels, ``"score"``; perhaps ``"number"``.
    selection_ : dict of arrays
        All candidates: ``"source"``, ``"start"``, ``"score"``, ``"missed_pins"`` (pinned rows that
        would go elsewhere), ``"rank"`` (by score, less a fine for these), ``"vote"``,
        ``"smallest_size"``, and ``"loo <space>"``, the R² in each space that judges.
    alternatives_ : list of Alternative
        Up to three groupings that differ (ARI below .8), by rank: see :meth:`use_alternative`.
    exemplars_ : list of arrays
        For each cluster, up to three rows that stand for it.
    stability_ : float
        The median agreement (ARI) of answers for subsets of 70 % of the rows.
    k_curve_, k_confidence_ : dict of arrays and float
        With ``n_clusters=None``: the evidence for each number of clusters, and its parts; the
        probability that the number is exact.
    complete_ : bool
        False if the time budget, Ctrl-C or a callback ended the search.
    n_disagreements_, n_pinned_ : int
        Rows whose label is not what ``predict`` says of them; rows whose label y fixed.
    encoder_ : transformer or None, which made rows of numbers of X; see its ``columns_``
    n_features_in_, feature_names_in_ : int and ndarray
        The number of columns given, and their names, where X has string names.

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
    """

    _parameters = {
        **OF_EVERY_FIT,
        **SIZE_PARAMETERS,
        "min_size": OneOf("auto") | SIZE_PARAMETERS["min_size"],
        "n_clusters": NONE | Integer(1),
        "standardize": STANDARDIZE,
        "stability": OneOf("auto") | Bool(),
        "encoder": ENCODER,
        "metric": OneOf(*METRICS),
        "effort": OneOf(*EFFORTS),
        "time_budget": NONE | POSITIVE,
    }

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        proportions: Proportions = None,
        min_size: Bound | str = "auto",
        max_size: Bound = None,
        standardize: bool | str = "auto",
        kernels: Sequence[str] | None = None,
        encoder: Any = "auto",
        metric: str = "euclidean",
        effort: str = "normal",
        stability: bool | str = "auto",
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
        self.encoder = encoder
        self.metric = metric
        self.effort = effort
        self.stability = stability
        self.time_budget = time_budget
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.on_interrupt = on_interrupt

    @takes_links
    @takes_weights
    @all_or_nothing
    def fit(self, X: Any, y: ArrayLike | None = None, sample_weight: Weights = None) -> Self:
        """Cluster the rows of X.

        Parameters
        ----------
        X : array-like, frame, CSR matrix, path, Dask array or Rows, (n_samples, n_features)
            The data, which need not fit in memory; with ``metric="precomputed"`` distances. A
            frame, a Parquet or CSV file and a Dask dataframe may have flags, categories, dates
            and gaps.
        y : array-like of shape (n_samples,), default=None
            Partial labels if some are unknown (−1, NaN or None): the others pin their rows to a
            cluster. A complete y is ignored, and so is one of −1 and 1 alone.

        Returns
        -------
        self : MaxMarginClustering
        """
        effort = self._effort()
        y = None if partial_labels(y) is None else y  # what is to be said of it is said once
        deadline = time.perf_counter() + (np.inf if self.time_budget is None else self.time_budget)
        forget_fit(self)
        X = self._read(X)
        metric = Metric(self.metric, self.standardize)
        with fitting(self, X, y, deadline=deadline) as context, one_thread():
            seed = np.random.SeedSequence(check_random_state(self.random_state).randint(2**31 - 1))
            many = X.shape[0] > SWEPT_ROWS and not (issparse(X) or metric.precomputed)
            rows = metric.fit(X).prepare(in_blocks(X) if many else X)  # many are not copied
            n, k, number, known = X.shape[0], self.n_clusters, None, None
            limits = self._limits(n, y, sample_weight)
            if k is None:
                given = (limits, read_pins(y, n, n), effort, seed, context, sample_weight)
                k, number, known = choose_number(metric, X, rows, *given)
            sizes = limits(k)
            rng = np.random.default_rng(seed.spawn(1)[0])
            subsample, proposals = look(self, metric, X, rows, sizes, effort, rng)
            pool = generate(
                *(subsample.distances(rows, known), effort, {k: subsample.limits}),
                *(seed.spawn(1)[0], context),
            )
            choice = choose(
                *(pool, k, subsample.limits, int(seed.generate_state(1)[0] % 2**31)),
                asked=self.n_clusters is not None,
                proposals=proposals,
                seen=subsample.seen,
                rows=metric.table(X[subsample.seen]),
            )
            self._keep(subsample, pool, choice, number, rows)
            thorough = self.stability == "auto" and self.effort == "thorough" and not context.late
            if self.stability is True or thorough:
                self.stability_ = stability_of(self, X, y, self.labels_, context, sample_weight)
            if context.out_of_time and not (context.complete or context.interrupted):
                warn_user(
                    f"time_budget = {self.time_budget} s ended before all spaces were explored; "
                    f"the answer is the best of those that were."
                )
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the membership of rows in the clusters (n_samples, n_clusters).

        The softmax of the models' values times one number, by which the memberships of the rows of
        ``fit`` are most likely, as models that did not see them say. The largest one is that of
        ``predict``.
        """
        values = self._values(self._check_new(X))
        return self._partition.classifier.memberships(values)

    def use_alternative(self, i: int, X: Any = None) -> "MaxMarginClustering":
        """Return a fitted model with one of the ``alternatives_`` as its answer.

        Its model was made by ``fit``: nothing is searched or solved again.

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
        Integer(0, len(self.alternatives_) - 1).check("i", i)
        subsample, taken = self._sample, self.alternatives_[i]
        rows = subsample.all_rows(None if X is None else self._check_new(X))
        other = copy.copy(self)
        with one_thread():
            other._take(taken, rows)
        others = [self._chosen if j == i else a for j, a in enumerate(self.alternatives_)]
        agreement = pairwise_agreement([taken.labels, *(a.labels for a in others)])[0, 1:]
        other.alternatives_ = [
            replace(alternative, agreement=float(ari))
            for alternative, ari in zip(others, agreement, strict=True)
        ]
        why = f"alternative {i} was taken instead"
        other.chosen_ = describe(other._partition, taken, why, self)
        return other

    # -- the parts of fit, in their order ------------------------------------------------

    def _read(self, X: Any, reset: bool = True) -> Matrix:
        """The rows as numbers, or in blocks: those of a table by an encoder."""
        whole = SWEPT_ROWS if reset and self.metric != "precomputed" else np.inf if reset else 0
        asked = not isinstance(self.encoder, str | None)
        known = not reset and self.encoder_ is not None
        if known or (reset and (asked or hasattr(X, "columns") or is_source(X))):
            return read_encoded(self, X, reset=reset, whole=whole, accept_sparse="csr")
        self.encoder_: Any = None
        return read_rows(self, X, reset=reset, whole=whole, accept_sparse="csr")

    def _effort(self) -> Effort:
        if self.n_clusters is None and not isinstance(self.proportions, str | None):
            raise ValueError(
                f"proportions must be None or 'balanced' if n_clusters=None: shares are of a known "
                f"number of clusters; got {self.proportions!r}."
            )
        effort = EFFORTS[self.effort]
        return effort if self.kernels is None else effort.restricted(self.kernels)

    def _limits(self, n: int, y: ArrayLike | None, weights: Weights) -> Callable[[int], Sizes]:
        """The size limits of n rows at each number of clusters."""
        if weights is None:
            return lambda k: sizes_of(self, n, k, y, AUTO_MIN_SIZE)
        return lambda k: weighted_sizes(self, k, y, weights, AUTO_MIN_SIZE)

    def _keep(
        self,
        subsample: Subsample,
        pool: CandidatePool,
        choice: Choice,
        number: NumberOfClusters | None,
        rows: Matrix,
    ) -> None:
        """Fit models to the chosen candidate and its alternatives, and keep what users ask for."""
        self._sample = subsample
        self.n_pinned_ = subsample.sizes.n_pinned
        best = choice.fitted(choice.best, subsample, pool)
        self._take(best, rows)
        others = choice.others(N_ALTERNATIVES)
        self.alternatives_ = [choice.fitted(other, subsample, pool) for other in others]
        self.selection_ = choice.table(list(pool.judges))
        self.chosen_ = describe(self._partition, best, choice.why, self)
        warn_of_empty_clusters(self.n_clusters_, subsample.sizes.n_clusters)
        if number is not None:
            self.k_curve_ = number.curve
            self.k_confidence_ = number.confidence
            self.chosen_["number"] = number.why
            self.chosen_["why"] += f" {number.why}"
            warn_of_weak_evidence(subsample.sizes.n_clusters, number)

    def _take(self, taken: Alternative, rows: Matrix) -> None:
        """Make a grouping of the subsample the answer for all rows."""
        self._chosen = taken
        partition = taken.partition
        if not self._sample.whole:
            partition = carry_over(partition, self._sample, rows, taken.everywhere)
        self._partition = partition
        self.labels_ = partition.labels
        self.loo_score_ = partition.loo_score
        self.exemplars_ = partition.exemplars
        self.n_clusters_ = len(np.unique(partition.labels))
        self.n_disagreements_ = partition.disagreements(rows)

    _know_all_rows = know_all_rows

    # -- the parts of predict ------------------------------------------------------------

    def _check_new(self, X: Any) -> Matrix:
        check_is_fitted(self)
        return self._read(X, reset=False)

    def _bare(self) -> Self:
        bare, classifier = super()._bare(), SimpleNamespace(classifier=self._partition.classifier)
        bare.__dict__ |= {"_sample": SimpleNamespace(metric=self._sample.metric)}
        bare.__dict__ |= {"_partition": classifier}
        return bare

    def _values(self, X: Matrix) -> NDArray[np.float64]:
        return self._partition.classifier.values(self._sample.metric.prepare(X))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse, tags.input_tags.pairwise = True, self.metric == "precomputed"
        return tags
