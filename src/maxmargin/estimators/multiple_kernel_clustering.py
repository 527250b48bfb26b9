"""MKC: the weights of several kernels are learned together with the clusters."""

from dataclasses import replace
from itertools import compress
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from maxmargin._runtime.context import all_or_nothing, fitting
from maxmargin._runtime.parallel import one_thread
from maxmargin._runtime.parameters import AUTO, InstanceOf, Listed, Number, OneOf, check_fits
from maxmargin._runtime.warnings import warn_user
from maxmargin.blocks import Rows
from maxmargin.blocks.rows import in_blocks, read_rows, read_whole
from maxmargin.estimators.base import ModelMixin
from maxmargin.estimators.kernel_features import KernelFeatures, StartLabels
from maxmargin.estimators.linked import takes_links
from maxmargin.objectives.hinge import ONE_KERNEL, KernelNorm
from maxmargin.search.starts import SEEDS, read_init
from maxmargin.sizes import Bound, Proportions, Sizes
from maxmargin.solvers import Alternation, Optimizer
from maxmargin.solvers.multistart import (
    HINGE_PARAMETERS,
    Multistart,
    fitted_attributes,
    limits_of,
    pruned,
    read_optimizers,
    rows_to_start_with,
    shortcomings,
)
from maxmargin.solvers.optimizers import OptimizerResult
from maxmargin.spaces.features import in_all_columns
from maxmargin.spaces.kernel import as_rows
from maxmargin.spaces.kernel_list import KERNEL_LIST, read_kernels, read_stack, spaces_of_stack
from maxmargin.spaces.several import (
    KERNEL_WEIGHTS,
    NamedSpace,
    Several,
    default_kernels,
    read_weights,
)

#: The norm of the weights of several sources: below 2, a source that knows nothing gets next to
#: none; above 1, clusters that several sources know beat those that one of them knows.
SHARED = 1.25


class MultipleKernelClustering(ModelMixin, BaseEstimator):
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
        sparse data the linear and the cosine kernel; for more than ten clusters, and no more
        columns than clusters, the Gaussian ones alone. With ``"precomputed"``, ``fit`` takes a
        list of kernel matrices.
    kernel_weights : {"learned", "uniform"} or array of M numbers, default="learned"
        Weights from outside are kept as they are: one kernel, which is the weighted sum. They
        have no ``norm`` to keep.
    norm : float or "auto", default="auto"
        p, from 1 to infinity. With 1 few kernels get any weight, and one often gets all; with
        2, the paper's choice, all kernels get some, even those that know nothing. ``"auto"`` is
        1 for kernels of the same columns, which compete, and 1.25 for kernels of different
        columns, transformers and kernel matrices, which should share; 2 for ``"mkc"``.
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
    optimizer : {"auto", "cccp", "alternation", "cpmmc", "mkc"} or object, default="auto"
        As in :class:`CuttingPlaneClustering`; ``"mkc"`` is the paper to the letter (as an object
        :class:`~maxmargin.solvers.CPM3C`), ``"cpmmc"`` its form for two clusters.
    init : {"auto", "consensus", "kernels", "mixed", "k-means++", "random"} or array of n labels, \
default="auto"
        Where runs start. ``"kernels"``: what each kernel finds by itself, and their plain sum;
        for more than ten clusters, what each finds by least squares.
        ``"consensus"``: these, and what the kernels agree on from there, when each is weighed
        by the signal-to-noise ratio R²/(1 − R²) of its leave-one-out predictions. The others
        draw seeds in the features of all kernels. ``"auto"`` is ``"consensus"`` for several
        sources, ``"kernels"`` for one, and ``"mixed"`` for the paper to the letter.
        With one kernel all of this is what that kernel starts with. Labels that are given are
        improved in one run, on all rows.
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

    _inits = ("auto", "consensus", "kernels", *SEEDS)
    _parameters = {
        **HINGE_PARAMETERS,
        "init": OneOf(*_inits) | Listed("labels, one for each row"),
        "kernels": KERNEL_LIST,
        "kernel_weights": KERNEL_WEIGHTS,
        "norm": AUTO | Number("a number >= 1, or infinity", lambda p: p >= 1),
        "optimizer": OneOf("auto", "cccp", "alternation", "cpmmc", "mkc")
        | InstanceOf(Optimizer, "an Optimizer of maxmargin.solvers"),
    }

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
        min_size: Bound | str = "auto",
        max_size: Bound = None,
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

    @takes_links
    @all_or_nothing
    def fit(self, X: Any, y: ArrayLike | None = None) -> Self:
        """Cluster the rows of X.

        Parameters
        ----------
        X : array-like, CSR matrix, path, Dask array or Rows, of shape (n_samples, n_features)
            The data, which need not fit in memory. With ``kernels="precomputed"`` a list or stack
            of M kernel matrices of shape (n_samples, n_samples).
        y : array-like of shape (n_samples,), default=None
            Partial labels if some are unknown (−1, NaN or None): the others pin their rows to
            a cluster. A complete y is ignored, and so is one of −1 and 1 alone (two classes).

        Returns
        -------
        self : MultipleKernelClustering
        """
        optimizers = read_optimizers(self)
        self._check_norm()
        X = self._read_rows(X)
        limits = limits_of(self, optimizers, _n_rows(X), y)
        given = read_init(self.init, limits.sizes, self._inits)
        rng = np.random.default_rng(check_random_state(self.random_state).randint(2**31 - 1))

        with fitting(self, X, y) as context, one_thread():
            runs = Multistart.of(self, optimizers, context)
            init = self._init_name(runs) if given is None else given
            some = rows_to_start_with(init, SEEDS, self.init_size, limits.sizes, rng)
            if isinstance(X, Rows) and some is None and given is None:
                X = read_whole(X)
            space = Several(self._kernels(X, rng))
            fixed = read_weights(self.kernel_weights, len(space.spaces))
            features = space.fit_represent(X, rng)
            norm = KernelNorm(space.slices, self._p(space, optimizers[-1]))
            rows = KernelFeatures.of(space.tables(X), features, norm, limits, self.n_init, rng)
            sample = rows.subset(some)
            starts = sample.starts(init, fixed, space.several_sources, runs)
            runs = self._with_all_kernels(runs, starts, rows.norm)
            best = sample.best(runs, starts)
            weights, columns = best.kernel_weights if fixed is None else fixed, rows.columns
            if some is not None:
                best, weights, columns = self._on_all_rows(runs, best, rows, weights)
            numbers = self._keep(best, limits.sizes, space, weights, columns)
            self.norm_ = norm.p
            self.n_disagreements_ = self._n_disagreeing(X, best.labels, numbers)
            for message in (*shortcomings(best, runs), *rows.shortcomings(space.names)):
                warn_user(message)
        return self

    # -- the parts of fit, in their order ------------------------------------------------

    def _check_norm(self) -> None:
        check_fits(
            f"kernel_weights={self.kernel_weights!r}",
            ("norm",) if self._learned else (),
            {"norm": None if isinstance(self.norm, str) else self.norm},
            "Weights that are given have no norm to keep: leave it out.",
        )

    @property
    def _learned(self) -> bool:
        return isinstance(self.kernel_weights, str) and self.kernel_weights == "learned"

    def _read_rows(self, X: Any) -> Any:
        """Rows, or a list of kernel matrices."""
        if not self._precomputed:
            return as_rows(read_rows(self, X, accept_sparse="csr"))
        stack = read_stack(X)
        self.__dict__.pop("feature_names_in_", None)
        self.n_features_in_ = stack[0].shape[1]
        return stack

    @property
    def _precomputed(self) -> bool:
        return isinstance(self.kernels, str) and self.kernels == "precomputed"

    def _init_name(self, runs: Multistart) -> str:
        if self.init == "auto" and runs.optimizers[-1].to_the_letter:
            return "mixed"
        return str(self.init)

    def _kernels(self, X: Any, rng: np.random.Generator) -> list[NamedSpace]:
        if self._precomputed:
            return spaces_of_stack(X)
        if self.kernels is None:
            return default_kernels(X, self.n_components, rng, self.n_clusters)
        names = getattr(self, "feature_names_in_", None)
        spaces = read_kernels(self.kernels, self.n_components, X.shape[1], names)
        for one in spaces:
            if hasattr(one.space, "kernel"):
                one.space.kernel.n_clusters = self.n_clusters  # what gamma="auto" asks for
        return spaces

    def _p(self, space: Several, optimizer: Optimizer) -> float:
        """Kernels of one source compete for all of the weight; sources should share it."""
        if not isinstance(self.norm, str):
            return float(self.norm)
        shared = SHARED if space.several_sources else 1.0
        return 2.0 if optimizer.to_the_letter else shared

    def _with_all_kernels(
        self, runs: Multistart, starts: StartLabels, norm: KernelNorm
    ) -> Multistart:
        """Runs that stay near starts which runs have found."""
        if starts.warm and isinstance(self.optimizer, str) and self.optimizer == "auto":
            runs = replace(runs, optimizers=[Alternation()])
        # weights that are given make one kernel of all
        return replace(runs, norm=norm if self._learned else ONE_KERNEL, choose=starts.choose)

    def _on_all_rows(
        self,
        runs: Multistart,
        best: OptimizerResult,
        rows: KernelFeatures,
        weights: NDArray[np.float64],
    ) -> tuple[OptimizerResult, NDArray[np.float64], NDArray[np.intp]]:
        """Go on with the kernels that have any weight; also gives weights, and their columns."""
        alive = rows.norm.columns(weights > 0)
        features = in_blocks(rows.some_columns(alive), self.n_jobs)
        best = pruned(runs.go_on(best, features, rows.limits, alive), rows.limits)
        if self._learned:
            weights[weights > 0] = best.kernel_weights
        return best, weights, rows.columns[alive]

    def _keep(
        self,
        best: OptimizerResult,
        sizes: Sizes,
        space: Several,
        weights: NDArray[np.float64],
        columns: NDArray[np.intp],
    ) -> NDArray[np.int32]:
        """Keep kernels of any weight, with their columns; returns the numbers of clusters."""
        attributes, numbers = fitted_attributes(best, sizes)
        self.__dict__ |= attributes
        self.kernel_weights_ = dict(zip(space.names, weights.tolist(), strict=True))
        self._space = space.kept(weights > 0)
        coef = in_all_columns(attributes["coef_"], columns, space.slices[-1].stop)
        self.coef_ = np.hstack([coef[:, part] for part in compress(space.slices, weights > 0)])
        return numbers

    # -- the parts of predict ------------------------------------------------------------

    def _check_new(self, X: Any) -> Any:
        check_is_fitted(self)
        if self._space.spaces[0].matrix is None:  # whatever kernels is set to by now
            return as_rows(super()._check_new(X))
        return read_stack(X, (len(self.kernel_weights_), self.n_features_in_))

    def _values(self, X: Any) -> NDArray[np.floating]:
        return self._space.values(X, self.coef_.T, self.intercept_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = not self._precomputed
        return tags


def _n_rows(X: Any) -> int:
    """Of a matrix, or of several kernel matrices."""
    return (X[0] if isinstance(X, list) else X).shape[0]
