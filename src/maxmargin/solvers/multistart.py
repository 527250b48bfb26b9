"""Several starts on some of the rows; the best one goes on with all of them."""

from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import adjusted_rand_score

from maxmargin._runtime.context import FitContext
from maxmargin._runtime.parameters import (
    AUTO,
    NONE,
    OF_EVERY_FIT,
    POSITIVE,
    STARTS,
    STRENGTH,
    STRENGTH_OR_ZERO,
    Allowed,
    Integer,
    check_fits,
    named,
)
from maxmargin.blocks import Rows
from maxmargin.blocks.samples import sample_rows
from maxmargin.objectives.hinge import ONE_KERNEL, Hyperplanes, KernelNorm, Scaling
from maxmargin.sizes import SIZE_PARAMETERS, Sizes, sizes_of
from maxmargin.solvers import CCCP, OPTIMIZERS, Alternation, Optimizer
from maxmargin.solvers.cutting_plane import CuttingPlane, Limits
from maxmargin.solvers.optimizers import OptimizerResult
from maxmargin.weights import weighted_sizes

#: Up to so many clusters CCCP finds labels by itself; above, alternation from a good start.
FEW_CLUSTERS = 4
#: The strength of the regularisation for two clusters. More clusters need longer hyperplanes.
ALPHA = 0.03
#: The floor of a cluster, as a share of n/k, where the optimiser knows size bounds.
MIN_SIZE = 0.5
#: The rows that a least-squares start looks at, at most: its time is cubic in them.
RLS_ROWS = 4096
#: Runs that are polished: what is behind after a few steps does not win, least of all where its
#: objective is twice the lowest.
POLISHED, HOPELESS = 5, 2.0
#: Objectives that differ by this share, with many clusters, say little about who is right.
CLOSE_CALL = 0.03
#: Cuts at most, and of the papers to the letter, which drop none of them.
MANY_CUTS, FEW_CUTS = 500, 100
#: The share of all weight below which a kernel is not worth its evaluation.
NEGLIGIBLE_WEIGHT = 1e-3
#: What the estimators with a hinge loss have in common.
HINGE_PARAMETERS: Mapping[str, Allowed] = {
    **OF_EVERY_FIT,
    **SIZE_PARAMETERS,
    "min_size": AUTO | SIZE_PARAMETERS["min_size"],
    "n_clusters": Integer(1, 32767),
    "alpha": AUTO | STRENGTH,
    "balance": STRENGTH_OR_ZERO,
    "n_components": Integer(1),
    "n_init": STARTS,
    "init_size": NONE | Integer(1),
    "tol": POSITIVE,
    "max_iter": AUTO | Integer(1),
}


def read_optimizers(estimator: Any) -> list[Optimizer]:
    """What the parameter ``optimizer`` means; an error if it does not fit the size bounds."""
    given = estimator.optimizer
    if isinstance(given, str) and given == "auto":
        many = estimator.n_clusters > FEW_CLUSTERS
        return [Alternation()] if many else [CCCP(), Alternation()]
    optimizer = named(given, OPTIMIZERS)
    check_fits(
        f"optimizer={given!r}",
        optimizer.takes,
        _size_bounds(estimator),
        "It knows no bounds on sizes: leave it out, or use another optimizer.",
    )
    if optimizer.n_clusters not in (None, estimator.n_clusters):
        raise ValueError(
            f"n_clusters must be {optimizer.n_clusters} with optimizer={given!r}; got "
            f"{estimator.n_clusters!r}."
        )
    return [optimizer]


def _size_bounds(estimator: Any) -> dict[str, Any]:
    """The bounds that the user set, by the name of the parameter; None where there is none."""
    proportions, floor = estimator.proportions, estimator.min_size
    no_floor = floor == "auto" if isinstance(floor, str) else not np.any(floor)
    return {
        "proportions": None if isinstance(proportions, str) else proportions,
        "min_size": None if no_floor else floor,
        "max_size": estimator.max_size,
    }


def limits_of(
    estimator: Any,
    optimizers: Sequence[Optimizer],
    n: int,
    y: ArrayLike | None,
    weights: NDArray[np.float64] | None = None,
) -> Limits:
    """What the parameters of an estimator, y and weights ask of runs on n rows."""
    floor = MIN_SIZE if "min_size" in optimizers[-1].takes else None
    k = estimator.n_clusters
    if weights is None:
        sizes = sizes_of(estimator, n, k, y, floor)
    else:
        sizes = weighted_sizes(estimator, k, y, weights, floor)
    most = estimator.max_iter
    if isinstance(most, str):
        most = FEW_CUTS if optimizers[-1].to_the_letter else MANY_CUTS
    return Limits(sizes, estimator.tol, most)


def _objective(result: OptimizerResult) -> float:
    return result.objective


def _description(result: OptimizerResult) -> str:
    return (
        f"objective {result.objective:.6g} after {result.n_cuts} cuts and {result.n_steps} passes"
    )


def lowest(results: Sequence[OptimizerResult]) -> OptimizerResult:
    """The run with the lowest objective."""
    return min(results, key=_objective)


def most_agreed(results: Sequence[OptimizerResult]) -> OptimizerResult:
    """The run that the others agree with most, where low objectives have most to say."""
    objectives = np.array([result.objective for result in results])
    low = max(float(objectives.min()), np.finfo(np.float64).tiny)
    says = np.exp(-(objectives / low - 1) / CLOSE_CALL)
    agreement = [
        sum(
            voice * other.voices * adjusted_rand_score(other.labels, result.labels)
            for voice, other in zip(says, results, strict=True)
        )
        for result in results
    ]
    return results[int(np.argmax(agreement))]


@dataclass(frozen=True)
class Multistart:
    """Runs of optimisers, compared by their objective.

    Attributes
    ----------
    optimizers : sequence of Optimizer
        Each start is improved by all of them.
    alpha, balance : float
        Of the objective.
    context : FitContext
        Makes the runs, and may end them early.
    norm : KernelNorm
        The penalty of the objective; by default that of one kernel.
    choose : function of results
        Picks one of the polished runs: the lowest objective.
    """

    optimizers: Sequence[Optimizer]
    alpha: float
    balance: float
    context: FitContext
    norm: KernelNorm = ONE_KERNEL
    choose: Callable[[Sequence[OptimizerResult]], OptimizerResult] = lowest

    @classmethod
    def of(
        cls, estimator: Any, optimizers: Sequence[Optimizer], context: FitContext
    ) -> "Multistart":
        """As the parameters of an estimator say, for one kernel."""
        alpha = estimator.alpha
        if isinstance(alpha, str):
            alpha = ALPHA * (2 / estimator.n_clusters) ** 1.5
        return cls(optimizers, float(alpha), float(estimator.balance), context)

    @property
    def to_the_letter(self) -> bool:
        """Whether they are a paper's."""
        return self.optimizers[-1].to_the_letter

    @property
    def local(self) -> bool:
        """Whether runs stay near their starts."""
        return all(optimizer.local for optimizer in self.optimizers)

    def best(
        self,
        rows: Rows,
        scaling: Scaling | Sequence[Scaling],
        limits: Limits,
        starts: Sequence[NDArray[np.int32]],
    ) -> OptimizerResult:
        """Run from labels, polish the runs with the lowest objectives, and choose one of them.

        Each start may have a scaling of its own, in which kernels that know nothing of its labels
        have no length. Starts that differ in names only make one run, which has all their voices.
        """
        scalings = [scaling] * len(starts) if isinstance(scaling, Scaling) else scaling
        short = [optimizer.short() for optimizer in self.optimizers]
        pairs = list(zip(starts, scalings, strict=True))
        keys = [(limits.sizes.number(labels).tobytes(), id(one)) for labels, one in pairs]
        voices = Counter(keys)
        distinct = [pairs[keys.index(key)] for key in voices]
        jobs = list(product(zip(distinct, voices.values(), strict=True), short))

        def run(
            job: tuple[tuple[tuple[NDArray[np.int32], Scaling], int], Optimizer],
        ) -> OptimizerResult:
            ((labels, scaling), voices), optimizer = job
            if not optimizer.centred:
                scaling = scaling.uncentred(self.norm)
            k = limits.sizes.n_clusters
            problem = CuttingPlane(
                rows, scaling, labels, k, self.alpha, self.balance, self.norm, optimizer.swap,
                optimizer.drops_cuts, tied=not optimizer.centred, weights=limits.sizes.weights,
            )  # fmt: skip
            optimizer.begin(problem, limits)
            return replace(optimizer.run(problem, limits), voices=voices)

        ahead: list[OptimizerResult] = []  # the others are let go: their cuts are large
        for result in self.context.imap(run, jobs, task="run", describe=_description):
            ahead = sorted([*ahead, result], key=_objective)
            before = np.cumsum([0, *(one.voices for one in ahead)])
            ahead = ahead[: np.count_nonzero(before < POLISHED)]
        ahead = [one for one in ahead if one.objective <= HOPELESS * ahead[0].objective]
        polish = self.optimizers[-1].polish()
        if polish is not None and not self.context.late:
            ahead = self.context.map(
                partial(_polished, polish, limits), ahead, task="polish", otherwise=ahead
            )
        return self.choose(ahead)

    def go_on(
        self,
        result: OptimizerResult,
        rows: Rows,
        limits: Limits,
        columns: NDArray[np.intp] | None = None,
    ) -> OptimizerResult:
        """Take the cuts of a run on some of the rows (and columns) along to all rows."""
        optimizer = self.optimizers[-1].polish() or self.optimizers[-1]
        limits = limits.beside(rows)

        def carried(optimizer: Optimizer) -> OptimizerResult:
            planes = result.planes if self.context.interrupted else None
            problem = result.problem.carried_to(
                rows, limits.pins, columns, planes, limits.sizes.weights
            )
            return optimizer.run(problem, limits)

        only_labels = partial(carried, Alternation(max_rounds=0))
        ends = self.context.map(
            lambda rows: self.context.attempt(partial(carried, optimizer), only_labels),
            [rows],
            task=f"pass over all {rows.shape[0]} rows",
            describe=_description,
        )
        return result.followed_by(ends[0])


def _polished(polish: Optimizer, limits: Limits, result: OptimizerResult) -> OptimizerResult:
    """Go on with a run until labels and hyperplanes are at rest."""
    left = replace(limits, max_iter=max(0, limits.max_iter - result.n_cuts))
    return result.followed_by(polish.run(result.problem, left))


def pruned(result: OptimizerResult, limits: Limits) -> OptimizerResult:
    """Take the kernels with next to no weight out of the hyperplanes, and label the rows again.

    For p > 1 no kernel that knows anything has the weight 0 exactly, and for p = 1 weights get
    there in the limit only.
    """
    problem, weights = result.problem, result.kernel_weights
    few = weights < NEGLIGIBLE_WEIGHT * weights.sum()
    if not few.any():
        return result
    kept = problem.norm.scaled(result.planes.weights.copy(), np.where(few, 0.0, 1.0))
    problem.planes = Hyperplanes(kept, result.planes.bias)
    ranking = problem.rank_within(limits)
    return replace(
        result, planes=problem.planes, labels=ranking.labels, objective=problem.objective(ranking)
    )


def rows_to_start_with(
    init: str | NDArray[np.int32],
    seeds: Container[str],
    size: int | None,
    sizes: Sizes,
    rng: np.random.Generator,
) -> NDArray[np.intp] | None:
    """Draw the rows that runs are compared on; None for all rows.

    Labels that are given are for all rows. Starts that are not by seeds are by least squares,
    whose time is cubic: they get 4096 rows at most.
    """
    n = len(sizes.pins)
    size = n if size is None else max(size, sizes.n_clusters)
    if not isinstance(init, str):
        size = n
    elif init not in seeds:
        size = min(size, RLS_ROWS)
    return None if n <= size else np.sort(sample_rows(sizes.pins, size, rng, sizes.weights))


def fitted_attributes(
    best: OptimizerResult, sizes: Sizes
) -> tuple[dict[str, Any], NDArray[np.int32]]:
    """The fitted attributes of a clusterer, with clusters numbered and rows as they are.

    Also gives the numbers of the run's clusters. Labels that stayed with the rows come here.
    """
    found = np.asarray(best.labels)
    numbers = sizes.numbers(found)
    labels, problem = numbers[found], best.problem
    planes = best.planes.renumbered(numbers)
    coef, intercept = planes.unscaled(problem.scaling)
    attributes = {
        "labels_": labels,
        "coef_": coef,
        "intercept_": intercept,
        "objective_": best.objective,
        "objective_path_": [np.array(steps) for steps in best.path],
        "dual_gap_": best.gap,
        "alpha_": problem.alpha,
        "n_cuts_": best.n_cuts,
        "n_iter_": best.n_steps,
        "n_pinned_": sizes.n_pinned,
        "n_clusters_": len(np.unique(labels)),
    }
    return attributes, numbers


def shortcomings(best: OptimizerResult, runs: Multistart) -> Iterator[str]:
    """What the best run did not reach, for warnings."""
    k, balance, objective = best.problem.k, runs.balance, best.objective
    n_empty, trivial = k - len(np.unique(np.asarray(best.labels))), max(0.0, 1 - balance)
    if n_empty:
        bounded = runs.optimizers[-1].takes
        yield (
            f"{n_empty} of {k} clusters ended without rows; "
            f"{'set min_size' if bounded else 'use another optimizer'}"
            f"{' or lower balance' if balance > 0 else ''} to keep them alive."
        )
    elif k > 1 and balance > 0 and objective >= trivial:
        yield (
            f"balance = {balance:g} is so large that one cluster for all rows has an "
            f"objective, {trivial:.3g}, no higher than what was found, {objective:.3g}; "
            f"choose a smaller one."
        )
    elif k > 1 and objective >= 1 - 1e-9:
        yield (
            "no margin was found: rows are equal, or alpha is too large. The labels are by chance."
        )
    if best.gap > 1e-6 * max(1.0, objective):
        yield (
            f"alpha = {runs.alpha:.3g} is too small for the precision of the numbers: the "
            f"best hyperplanes are known up to a gap of {best.gap:.2g} only; choose a "
            f"larger one."
        )
    if runs.context.complete and not best.converged:
        own_cap = getattr(runs.optimizers[-1], "max_cuts", None)
        cap = "max_cuts" if own_cap is not None and best.n_cuts >= own_cap else "max_iter"
        yield (
            f"the best run ended at a cap after {best.n_cuts} cuts, with labels or hyperplanes "
            f"still moving: raise {cap}, tol or alpha."
        )
