"""Several starts on some of the rows; the best one goes on with all of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import adjusted_rand_score

from maxmargin._runtime.context import FitContext
from maxmargin.blocks import Rows
from maxmargin.objectives.hinge import Frame
from maxmargin.objectives.kernel_norm import ONE_KERNEL, KernelNorm
from maxmargin.sizes import Sizes
from maxmargin.solvers.alternation import Alternation
from maxmargin.solvers.base import Limits, Optimizer, Outcome
from maxmargin.solvers.cutting_plane import CuttingPlane

#: Runs that are polished: what is behind after a few steps does not win.
POLISHED = 5
#: Objectives that differ by this share, with many clusters, say little about who is right.
NOISE = 0.03


def _objective(outcome: Outcome) -> float:
    return outcome.objective


def _description(outcome: Outcome) -> str:
    return (
        f"objective {outcome.objective:.6g} after {outcome.n_cuts} cuts and "
        f"{outcome.n_steps} passes"
    )


def lowest(outcomes: Sequence[Outcome]) -> Outcome:
    """The run with the lowest objective."""
    return min(outcomes, key=_objective)


def most_agreed(outcomes: Sequence[Outcome]) -> Outcome:
    """The run that the others agree with most, where low objectives have most to say."""
    objectives = np.array([outcome.objective for outcome in outcomes])
    low = max(float(objectives.min()), np.finfo(np.float64).tiny)
    says = np.exp(-(objectives / low - 1) / NOISE)
    agreement = [
        sum(
            voice * adjusted_rand_score(other.labels, outcome.labels)
            for voice, other in zip(says, outcomes, strict=True)
        )
        for outcome in outcomes
    ]
    return outcomes[int(np.argmax(agreement))]


@dataclass(frozen=True)
class Multistart:
    """Runs of optimisers, compared by their objective.

    Attributes
    ----------
    optimizers : sequence of Optimizer
        Each start is improved by all of them, not necessarily to the end.
    polish : Optimizer or None
        Brings the best runs to an end.
    alpha, balance : float
        Of the objective.
    context : FitContext
        Makes the runs, and may end them early.
    norm : KernelNorm
        The penalty of the objective; by default that of one kernel.
    choose : function of outcomes
        Picks one of the polished runs: the lowest objective.
    """

    optimizers: Sequence[Optimizer]
    polish: Optimizer | None
    alpha: float
    balance: float
    context: FitContext
    norm: KernelNorm = ONE_KERNEL
    choose: Callable[[Sequence[Outcome]], Outcome] = lowest

    def best(
        self,
        rows: Rows,
        frame: Frame | Sequence[Frame],
        limits: Limits,
        starts: Sequence[NDArray[np.int32]],
    ) -> Outcome:
        """Run from labels, polish the runs with the lowest objectives, and choose one of them.

        Each start may have a frame of its own, in which kernels that know nothing of its labels
        have no length.
        """
        frames = [frame] * len(starts) if isinstance(frame, Frame) else frame
        jobs = list(product(zip(starts, frames, strict=True), self.optimizers))

        def run(job: tuple[tuple[NDArray[np.int32], Frame], Optimizer]) -> Outcome:
            (labels, frame), optimizer = job
            k = limits.sizes.n_clusters
            problem = CuttingPlane(
                rows, frame, labels, k, self.alpha, self.balance, self.norm, optimizer.swap
            )
            problem.begin()
            return optimizer.run(problem, limits)

        ahead: list[Outcome] = []  # the others are let go: their cuts are large
        for outcome in self.context.imap(run, jobs, task="run", describe=_description):
            ahead = sorted([*ahead, outcome], key=_objective)[:POLISHED]
        if self.polish is not None and not self.context.late:
            ahead = self.context.map(
                partial(self._polish, limits=limits), ahead, task="polish", otherwise=ahead
            )
        return self.choose(ahead)

    def _polish(self, outcome: Outcome, limits: Limits) -> Outcome:
        """Go on with a run until labels and hyperplanes are at rest."""
        assert self.polish is not None, "asked for only where there is one"
        left = replace(limits, max_iter=max(0, limits.max_iter - outcome.n_cuts))
        return outcome.followed_by(self.polish.run(outcome.problem, left))

    def go_on(
        self,
        outcome: Outcome,
        rows: Rows,
        limits: Limits,
        columns: NDArray[np.intp] | None = None,
    ) -> Outcome:
        """Take the cuts of a run on some of the rows (and columns) along to all rows."""
        optimizer = self.optimizers[0] if self.polish is None else self.polish

        def carried(optimizer: Optimizer) -> Outcome:
            planes = outcome.planes if self.context.interrupted else None
            problem = outcome.problem.carried_to(rows, limits.pins, columns, planes)
            return optimizer.run(problem, limits)

        only_labels = partial(carried, Alternation(max_rounds=0))
        ends = self.context.map(
            lambda rows: self.context.attempt(partial(carried, optimizer), only_labels),
            [rows],
            task=f"pass over all {rows.shape[0]} rows",
            describe=_description,
        )
        return outcome.followed_by(ends[0])


def rows_to_start_with(
    sizes: Sizes, size: int, rng: np.random.Generator
) -> NDArray[np.intp] | None:
    """Draw the rows that runs are compared on; None for all rows.

    Pinned rows come first, but they say nothing of clusters without pins: half at least are
    drawn from the others.
    """
    n = len(sizes.pins)
    if n <= size:
        return None
    order = rng.permutation(n)
    pinned, free = order[sizes.pins[order] >= 0], order[sizes.pins[order] < 0]
    n_pinned = max(min(len(pinned), size // 2), size - len(free))
    return np.sort(np.concatenate([pinned[:n_pinned], free[: size - n_pinned]]))
