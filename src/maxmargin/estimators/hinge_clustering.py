"""What the clusterers that cut planes share: parameters, runs, and what is kept of the best."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state

from maxmargin._runtime.context import FitContext
from maxmargin._runtime.validation import (
    check_choice,
    check_int,
    check_nonnegative,
    check_positive,
)
from maxmargin._runtime.warnings import warn_user
from maxmargin.estimators.base import ModelMixin
from maxmargin.objectives.kernel_norm import ONE_KERNEL, KernelNorm
from maxmargin.pins import read_pins
from maxmargin.search.starts import read_init
from maxmargin.sizes import Bound, Proportions, Sizes, read_sizes
from maxmargin.solvers import CCCP, Alternation, Optimizer, Outcome, Published
from maxmargin.solvers.multistart import Multistart

#: Up to so many clusters CCCP finds labels by itself; above, alternation from a good start.
FEW_CLUSTERS = 4
#: The rows that a least-squares start looks at, at most: its time is cubic in them.
RLS_ROWS = 4096
#: Rounds of alternation after which runs are compared.
SHORT_ROUNDS = 6
MAX_CLUSTERS = 32767
#: The strength of the regularisation for two clusters. More clusters need longer hyperplanes.
ALPHA = 0.03
#: The floor of a cluster, as a share of n/k.
MIN_SIZE = 0.5


class HingeClustering(ModelMixin, BaseEstimator):
    """A clusterer with a hyperplane for each cluster and the hinge loss."""

    #: What the paper to the letter is called among the optimisers.
    _to_the_letter: str
    #: The names of starts.
    _inits: tuple[str, ...]

    n_clusters: int
    alpha: float | str
    balance: float
    proportions: Proportions
    min_size: Bound
    max_size: Bound
    n_components: int
    optimizer: str
    init: str | ArrayLike
    n_init: int
    init_size: int | None
    tol: float
    max_iter: int
    random_state: Any
    n_jobs: int | None
    verbose: int
    on_interrupt: str

    def _check_parameters(self) -> None:
        check_int("n_clusters", self.n_clusters, low=1, high=MAX_CLUSTERS)
        if not isinstance(self.alpha, str):
            check_positive("alpha", self.alpha)
        elif self.alpha != "auto":
            raise ValueError(f'alpha must be "auto" or a finite number > 0; got {self.alpha!r}.')
        check_nonnegative("balance", self.balance)
        check_positive("tol", self.tol)
        check_int("n_init", self.n_init, low=1)
        check_int("max_iter", self.max_iter, low=1)
        check_int("n_components", self.n_components, low=1)
        if self.init_size is not None:
            check_int("init_size", self.init_size, low=1)
        check_choice("optimizer", self.optimizer, ("auto", *self._short_runs()))

    def _read(
        self, n: int, y: ArrayLike | None
    ) -> tuple[Sizes, NDArray[np.int32] | None, np.random.Generator]:
        """The limits, labels to start with if there are any, and random numbers."""
        k = self.n_clusters
        if n < k:
            raise ValueError(f"n_clusters must be at most n_samples = {n}; got {k}.")
        sizes = self._read_sizes(n, y)
        given = read_init(self.init, sizes, self._inits)
        seed = check_random_state(self.random_state).randint(2**31 - 1)
        return sizes, given, np.random.default_rng(seed)

    @property
    def _by_the_letter(self) -> bool:
        return self.optimizer == self._to_the_letter

    def _read_sizes(self, n: int, y: ArrayLike | None) -> Sizes:
        k, pins = self.n_clusters, read_pins(y, n, self.n_clusters)
        sizes = read_sizes(n, k, self.proportions, self.min_size, self.max_size, pins)
        if not self._by_the_letter:
            return sizes
        free = self.proportions is None or isinstance(self.proportions, str)
        no_floor = self.min_size is None or np.all(np.isin(self.min_size, (0, MIN_SIZE)))
        if not (free and no_floor and self.max_size is None):
            raise ValueError(
                f'optimizer="{self.optimizer}" is the paper to the letter, which knows no size '
                f"bounds; leave out proportions, min_size and max_size, or use another optimizer."
            )
        return read_sizes(n, k, None, None, None, pins)

    def _multistart(self, context: FitContext, norm: KernelNorm = ONE_KERNEL) -> Multistart:
        alpha = self.alpha
        if isinstance(alpha, str):
            alpha = ALPHA * (2 / self.n_clusters) ** 1.5
        short = self._short_runs()
        optimizers = [short[name] for name in self._optimizer_names()]
        polish = None if self._by_the_letter else Alternation()
        return Multistart(optimizers, polish, float(alpha), float(self.balance), context, norm)

    def _short_runs(self) -> dict[str, Optimizer]:
        """The optimisers by name, as long as runs are compared."""
        return {
            "cccp": CCCP(),
            "alternation": Alternation(SHORT_ROUNDS),
            self._to_the_letter: Published(),
        }

    def _optimizer_names(self) -> tuple[str, ...]:
        if self.optimizer != "auto":
            return (self.optimizer,)
        many = self.n_clusters > FEW_CLUSTERS
        return ("alternation",) if many else ("cccp", "alternation")

    def _init_name(self) -> str:
        if self.init != "auto":
            return str(self.init)
        return "rls" if self._optimizer_names() == ("alternation",) else "mixed"

    def _n_start_rows(self, n: int, given: NDArray[np.int32] | None) -> int:
        if given is not None:
            return n
        size = n if self.init_size is None else max(self.init_size, self.n_clusters)
        return min(size, RLS_ROWS) if self._init_name() == "rls" else size

    def _keep(self, best: Outcome, sizes: Sizes, context: FitContext) -> None:
        """Number the clusters and keep what users ask for; hyperplanes in features as they are."""
        labels = best.labels.astype(np.int32)
        numbers = sizes.numbers(labels)
        problem = best.problem
        planes = best.planes.renumbered(numbers)
        self.labels_ = numbers[labels]
        self.coef_, self.intercept_ = planes.outside(problem.frame)
        self.objective_ = best.objective
        self.objective_path_ = [np.array(steps) for steps in best.path]
        self.dual_gap_ = best.gap
        self.alpha_ = problem.alpha
        self.n_cuts_ = best.n_cuts
        self.n_iter_ = best.n_steps
        unpinned = np.full(len(labels), -1, np.int16)
        free = problem.hinge.rank(planes, unpinned).labels
        self.n_disagreements_ = int(np.count_nonzero(free != self.labels_))
        self.n_pinned_ = sizes.n_pinned
        self.n_clusters_ = len(np.unique(self.labels_))
        for message in self._complaints(best, context.complete):
            warn_user(message)

    def _complaints(self, best: Outcome, complete: bool) -> Iterator[str]:
        k, trivial = self.n_clusters, max(0.0, 1 - self.balance)
        if self.n_clusters_ < k:
            way_out = "use another optimizer" if self._by_the_letter else "set min_size"
            yield (
                f"{k - self.n_clusters_} of {k} clusters ended without rows; {way_out}"
                f"{' or lower balance' if self.balance > 0 else ''} to keep them alive."
            )
        elif k > 1 and self.balance > 0 and self.objective_ >= trivial:
            yield (
                f"balance = {self.balance:g} is so large that one cluster for all rows has an "
                f"objective, {trivial:.3g}, no higher than what was found, {self.objective_:.3g}; "
                f"choose a smaller one."
            )
        elif k > 1 and self.objective_ >= 1 - 1e-9:
            yield (
                "no margin was found: rows are equal, or alpha is too large. The labels are by "
                "chance."
            )
        if self.dual_gap_ > 1e-6 * max(1.0, self.objective_):
            yield (
                f"alpha = {self.alpha_:.3g} is too small for the precision of the numbers: the "
                f"best hyperplanes are known up to a gap of {self.dual_gap_:.2g} only; choose a "
                f"larger one."
            )
        if complete and not best.converged:
            yield (
                f"the best run ended at a cap after {best.n_cuts} cuts, with labels or hyperplanes "
                f"still moving: raise max_iter, tol or alpha."
            )
