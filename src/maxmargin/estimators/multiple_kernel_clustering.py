"""MKC: the weights of several kernels are learned together with the clusters."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import compress
from numbers import Real
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted, validate_data

from maxmargin._runtime.context import FitContext, all_or_nothing, fitting
from maxmargin._runtime.threads import one_thread
from maxmargin._runtime.warnings import warn_user
from maxmargin.blocks import MemoryRows
from maxmargin.estimators.hinge_clustering import (
    FEW_CLUSTERS,
    MIN_SIZE,
    RLS_ROWS,
    SHORT_ROUNDS,
    HingeClustering,
)
from maxmargin.estimators.kernel_starts import Begin, KernelStarts
from maxmargin.objectives.hinge import Frame
from maxmargin.objectives.kernel_norm import ONE_KERNEL, KernelNorm
from maxmargin.search.starts import SEEDS
from maxmargin.sizes import Bound, Proportions
from maxmargin.solvers import Alternation, Limits, Outcome
from maxmargin.solvers.multistart import lowest, most_agreed, rows_to_start_with
from maxmargin.solvers.pruning import pruned
from maxmargin.spaces.kernel import entries_in_a_row, row_blocks
from maxmargin.spaces.side_by_side import SideBySide
from maxmargin.spaces.space import as_rows
from maxmargin.spaces.stacks import read_stack, views_of_stack
from maxmargin.spaces.views import GramView, View, default_kernels, read_kernels
from maxmargin.spaces.weights import read_weights

#: The norm of the weights of several sources: below 2, a source that knows nothing gets next to
#: none; above 1, clusters that several sources know beat those that one of them knows.
SHARED = 1.25


class MultipleKernelClustering(HingeClustering):
    """Clusters from several kernels or views, whose weights are learned with the clusters.

    Finds labels, a hyperplane for each cluster and kernel weights β that minimise
    ½ α Σ_m ‖v_m‖²/β_m plus the mean hinge loss under Σ β_m^p ≤ 1: MKC [1]_. Each kernel may see
    columns of its own, so that data from several sources is clustered together; a source that
    knows nothing of the clusters gets no weight.

    Parameters
    ----------
    n_clusters : int, default=2
        The number of clusters k.
    kernels : list, "precomputed" or None, default=None
        What is combined. Each item of a list is

        - the name of a kernel of :func:`sklearn.metrics.pairwise.pairwise_kernels`:
          ``"rbf"``;
        - a pair of a name and its parameters: ``("poly", {"degree": 2})``;
        - a dict, which may name the columns that the kernel sees, and the kernel itself:
          ``{"kernel": "rbf", "gamma": 0.1, "columns": ["a", "b"], "name": "size"}``; columns
          are names, numbers, a slice or a mask;
        - a symmetric function of two rows, or a pair of a function and its arguments;
        - a scikit-learn transformer, whose output is taken for the features of a kernel.

        Widths (``gamma``) are as in :class:`RLSClustering`, by default ``"median"``. None takes
        the linear kernel, the polynomial one of degree 2 and Gaussian ones of three widths; for
        sparse data the linear and the cosine kernel. With ``"precomputed"``, ``fit`` takes a
        list of kernel matrices.
    kernel_weights : {"learned", "uniform"} or array of M numbers, default="learned"
        Weights from outside are kept as they are: one kernel, which is the weighted sum.
    norm : float or "auto", default="auto"
        p, from 1 to infinity. With 1 few kernels get any weight, and one often gets all; with
        2, the paper's choice, all kernels get some, even those that know nothing. ``"auto"`` is
        1 for kernels of the same columns, which compete, and 1.25 for kernels of different
        columns, transformers and kernel matrices: several sources, which should share.
    alpha : float or "auto", default="auto"
        The strength of the regularisation (the paper's C is 1/α), for kernels that are centred
        and have a mean diagonal of 1. ``"auto"`` is 0.03 (2/k)^{3/2}.
    balance : float, default=0.0
        The largest difference between the biases of two hyperplanes, the paper's l / n.
    proportions, min_size, max_size
        The sizes of the clusters, as in :class:`CuttingPlaneClustering`.
    n_components : int, default=200
        The number of landmarks of each kernel that is not linear. For so many rows or fewer
        the features are exact (kernel PCA), else by the Nyström map.
    optimizer : {"auto", "cccp", "alternation", "mkc"}, default="auto"
        As in :class:`CuttingPlaneClustering`; ``"mkc"`` is the paper to the letter, without
        size bounds: use it with ``norm=2``.
    init : {"auto", "consensus", "kernels", "mixed", "k-means++", "random"} or array of n labels, \
default="auto"
        Where runs start. ``"kernels"``: what each kernel finds by itself, and their plain sum.
        ``"consensus"``: these, and what the kernels agree on from there, when each is weighed
        by the signal-to-noise ratio R²/(1 − R²) of its leave-one-out predictions. The others
        draw seeds in the features of all kernels. ``"auto"`` is ``"consensus"`` for several
        sources, ``"kernels"`` for one, and ``"mixed"`` for the paper to the letter.
    n_init : int, default=6
        The number of starts for each kernel by itself, or of seeds.
    init_size : int or None, default=2048
        Runs are made and compared on so many random rows; the best one goes on with all rows
        and takes its cuts along, without the kernels that got no weight. None takes all rows
        (4096 at most for ``"consensus"`` and ``"kernels"``, whose time is cubic in them).
    tol, max_iter, random_state, n_jobs, verbose, on_interrupt
        As in :class:`CuttingPlaneClustering`.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of each row, numbered by decreasing size. Clusters with pinned rows,
        proportions or bounds of their own keep their numbers.
    kernel_weights_ : dict of str to float
        β_m by the name of the kernel, with Σ β_m^p = 1; see
        :class:`~maxmargin.plots.KernelWeightsDisplay`. Weights of less than a thousandth of
        all are 0, and their kernels are not kept. Weights from outside have the sum 1.
    coef_ : ndarray of shape (n_clusters, number of features of the kernels that are kept)
        The hyperplanes, for the features of the kernels side by side.
    intercept_ : ndarray of shape (n_clusters,)
    objective_ : float
        The penalty and the mean hinge loss at the labels. Comparable between runs with the
        same alpha, norm, balance and bounds only.
    objective_path_ : list of ndarray
        As in :class:`CuttingPlaneClustering`.
    dual_gap_ : float
        The duality gap of the last cone program.
    alpha_, norm_ : float
        The strength and the norm in use.
    n_cuts_, n_iter_, n_disagreements_, n_pinned_, n_clusters_, complete_ : int or bool
        As in :class:`CuttingPlaneClustering`.
    n_features_in_ : int
        The number of features, or with kernel matrices of rows.
    feature_names_in_ : ndarray
        Their names, where X has string names.

    Notes
    -----
    The kernels are centred and scaled to a mean diagonal of 1 before they are combined;
    without that the weights would compare units of measurement. With one kernel this is
    :class:`CuttingPlaneClustering`.

    References
    ----------
    .. [1] Zhao, Kwok and Zhang, "Multiple Kernel Clustering", SDM 2009.

    Examples
    --------
    Two sources, one of which knows nothing of the clusters:

    >>> import numpy as np
    >>> from sklearn.datasets import make_blobs
    >>> from sklearn.metrics import adjusted_rand_score
    >>> from maxmargin import MultipleKernelClustering
    >>> X, y = make_blobs(300, centers=3, cluster_std=0.7, random_state=0)
    >>> noise = np.random.default_rng(0).normal(size=(300, 2))
    >>> views = [
    ...     {"kernel": "rbf", "columns": [0, 1], "name": "blobs"},
    ...     {"kernel": "rbf", "columns": [2, 3], "name": "noise"},
    ... ]
    >>> model = MultipleKernelClustering(3, kernels=views, random_state=0)
    >>> model = model.fit(np.hstack([X, noise]))
    >>> model.kernel_weights_
    {'blobs': 1.0, 'noise': 0.0}
    >>> bool(adjusted_rand_score(y, model.labels_) > 0.9)
    True
    """

    _to_the_letter = "mkc"
    _inits = ("auto", "consensus", "kernels", *SEEDS)

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        kernels: Any = None,
        kernel_weights: str | ArrayLike = "learned",
        norm: float | str = "auto",
        alpha: float | str = "auto",
        balance: float = 0.0,
        proportions: Proportions = None,
        min_size: Bound = MIN_SIZE,
        max_size: Bound = None,
        n_components: int = 200,
        optimizer: str = "auto",
        init: str | ArrayLike = "auto",
        n_init: int = 6,
        init_size: int | None = 2048,
        tol: float = 0.01,
        max_iter: int = 500,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        on_interrupt: str = "raise",
    ) -> None:
        self.n_clusters = n_clusters
        self.kernels = kernels
        self.kernel_weights = kernel_weights
        self.norm = norm
        self.alpha = alpha
        self.balance = balance
        self.proportions = proportions
        self.min_size = min_size
        self.max_size = max_size
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

    @all_or_nothing
    def fit(self, X: Any, y: ArrayLike | None = None) -> Self:
        """Cluster the rows of X.

        Parameters
        ----------
        X : array-like or CSR matrix of shape (n_samples, n_features)
            The data. With ``kernels="precomputed"`` a list or stack of M kernel matrices of
            shape (n_samples, n_samples).
        y : array-like of shape (n_samples,), default=None
            Partial labels if it contains −1 (unknown): the other entries pin their rows to a
            cluster. Without any −1 it is ignored.

        Returns
        -------
        self : MultipleKernelClustering
        """
        self._check_parameters()
        X = self._read_rows(X)
        n = _n_rows(X)
        sizes, given, rng = self._read(n, y)

        with fitting(self, X, y) as context, one_thread():
            limits = Limits(sizes, self.tol, self.max_iter)
            some = rows_to_start_with(sizes, self._n_start_rows(n, given), rng)
            views = self._views(X, rng)
            fixed = read_weights(self.kernel_weights, len(views))
            tables = [view.of(X) for view in views]
            maps = SideBySide([view.map for view in views])
            features = maps.fit_transform(tables, rng)
            kernels = KernelNorm(maps.views, self._p(views))
            frame = Frame.of(MemoryRows(features), kernels)
            tables = [
                table if view.plain else None for view, table in zip(views, tables, strict=True)
            ]
            scene = KernelStarts(tables, features, frame, kernels, limits, self.n_init, rng)
            scene = scene if some is None else scene.take(some)
            constant = [not frame.scale[columns].any() for columns in kernels.views]
            if fixed is not None:  # one kernel, which is the weighted sum of all
                frame = frame.weighted(kernels, fixed)
            if given is None:
                begin = self._starts(scene, frame, fixed, views, context)
            else:
                begin = Begin([given], [frame])
            runs = self._multistart(context, kernels if fixed is None else ONE_KERNEL)
            runs = replace(runs, choose=begin.choose)
            if begin.good and self.optimizer == "auto":
                runs = replace(runs, optimizers=[Alternation(SHORT_ROUNDS)])
            run = partial(
                runs.best, MemoryRows(scene.features), begin.frames, scene.limits, begin.labels
            )
            best = pruned(run(), scene.limits)
            weights = _learned_weights(best) if fixed is None else fixed
            alive = np.arange(features.shape[1])
            if some is not None:
                alive = kernels.columns(weights > 0)
                features = features[:, alive] if np.any(weights == 0) else features
                best = runs.go_on(best, MemoryRows(features, self.n_jobs), limits, alive)
                best = pruned(best, limits)
                if fixed is None:
                    weights[weights > 0] = _learned_weights(best)
            self._keep(best, sizes, context)
            self._keep_kernels(views, kernels, weights, alive)
        for view in compress(views, constant):
            warn_user(
                f"the kernel {view.name!r} is constant on X: it says nothing of the clusters."
            )
        return self

    # -- the parts of fit, in their order ------------------------------------------------

    def _check_parameters(self) -> None:
        super()._check_parameters()
        p = self.norm
        number = isinstance(p, Real) and not isinstance(p, (bool, np.bool_)) and float(p) >= 1
        if not number and not (isinstance(p, str) and p == "auto"):
            raise ValueError(f'norm must be "auto" or a number >= 1, or infinity; got {p!r}.')

    def _read_rows(self, X: Any) -> Any:
        """Rows, or a list of kernel matrices."""
        if not self._precomputed:
            X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32])
            return as_rows(X)
        stack = read_stack(X)
        self.__dict__.pop("feature_names_in_", None)
        self.n_features_in_ = stack[0].shape[1]
        return stack

    @property
    def _precomputed(self) -> bool:
        return isinstance(self.kernels, str) and self.kernels == "precomputed"

    def _n_start_rows(self, n: int, given: NDArray[np.int32] | None) -> int:
        size = super()._n_start_rows(n, given)
        return size if given is not None or self._init_name() in SEEDS else min(size, RLS_ROWS)

    def _views(self, X: Any, rng: np.random.Generator) -> list[View]:
        if self._precomputed:
            return views_of_stack(X)
        if self.kernels is None:
            return default_kernels(X, self.n_components, rng)
        names = getattr(self, "feature_names_in_", None)
        return read_kernels(self.kernels, self.n_components, X.shape[1], names)

    def _p(self, views: Sequence[View]) -> float:
        """Kernels of one source compete for all of the weight; sources should share it."""
        if not isinstance(self.norm, str):
            return float(self.norm)
        return SHARED if _several_sources(views) else 1.0

    def _init_name(self) -> str:
        if self.init == "auto" and self._by_the_letter:
            return "mixed"
        return str(self.init)

    def _starts(
        self,
        scene: KernelStarts,
        frame: Frame,
        fixed: NDArray[np.float64] | None,
        views: Sequence[View],
        context: FitContext,
    ) -> Begin:
        """What runs with all kernels begin with."""
        init = self._init_name()
        few = self.n_clusters <= FEW_CLUSTERS
        kind = "mixed" if few else "rls"
        if fixed is None and len(views) > 1 and init not in SEEDS:
            found = scene.found(kind, self._multistart(context))
            agree = init == "consensus" or (init == "auto" and _several_sources(views))
            choose = lowest if few else most_agreed
            plain = Begin(found, [frame] * len(found), choose, good=True)
            return context.attempt(lambda: scene.agreed(found), lambda: plain) if agree else plain
        if init in SEEDS:
            labels = scene.seeded(init, frame)
        elif fixed is None or len(views) == 1:
            labels = scene.of_one(0, kind)
        else:
            labels = scene.of_sum(kind, frame, fixed)
        return Begin(labels, [frame] * len(labels))

    def _keep_kernels(
        self,
        views: Sequence[View],
        kernels: KernelNorm,
        weights: NDArray[np.float64],
        alive: NDArray[np.intp],
    ) -> None:
        """Name the weights, and keep the maps and the hyperplanes of kernels that have any.

        ``coef_`` is known for the features in ``alive``.
        """
        self.norm_ = kernels.p
        self.kernel_weights_ = {
            view.name: float(weight) for view, weight in zip(views, weights, strict=True)
        }
        every = np.zeros((self.n_clusters, kernels.views[-1].stop))
        every[:, alive] = self.coef_
        self._kept = list(compress(views, weights > 0))
        parts = [
            view.map.in_all_columns(every[:, columns])
            for view, columns in zip(self._kept, compress(kernels.views, weights > 0), strict=True)
        ]
        self._ends = np.cumsum([part.shape[1] for part in parts])
        self.coef_ = np.hstack(parts)

    # -- the parts of predict ------------------------------------------------------------

    def _check_new(self, X: Any) -> Any:
        check_is_fitted(self)
        if not isinstance(self._kept[0], GramView):  # whatever kernels is set to by now
            return as_rows(super()._check_new(X))
        return read_stack(X, (len(self.kernel_weights_), self.n_features_in_))

    def _values(self, X: Any) -> NDArray[np.floating]:
        n = _n_rows(X)
        values = np.tile(self.intercept_, (n, 1))
        parts = np.split(self.coef_, self._ends[:-1], axis=1)
        for view, part in zip(self._kept, parts, strict=True):
            table, coefficients = view.of(X), np.ascontiguousarray(part.T)
            for block in row_blocks(n, entries_in_a_row(table)):
                values[block] += view.map.transform(table[block]) @ coefficients
        return values

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = not self._precomputed
        return tags


def _several_sources(views: Sequence[View]) -> bool:
    return len({view.source for view in views}) > 1


def _n_rows(X: Any) -> int:
    """Of a matrix, or of several kernel matrices."""
    return (X[0] if isinstance(X, list) else X).shape[0]


def _learned_weights(outcome: Outcome) -> NDArray[np.float64]:
    norm = outcome.problem.norm
    return norm.kernel_weights(norm.lengths(outcome.planes.weights))
