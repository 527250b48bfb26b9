"""Cuts outside, the concave-convex procedure inside: Algorithms 1 and 2 of CPM3C."""

import numpy as np
from numpy.typing import NDArray

from maxmargin._core.interrupts import check_interrupt
from maxmargin.objectives.hinge import Ranking
from maxmargin.solvers.base import Best, Limits, Optimizer, Outcome
from maxmargin.solvers.cutting_plane import CuttingPlane
from maxmargin.solvers.labels import cheapest_labels

#: CCCP ends when a step lowers the objective by less than this share of it (the paper's α %).
SETTLED = 0.01
MAX_STEPS = 50
#: The paper keeps all cuts, and may go round in circles: its small problems become large ones.
MAX_CUTS_TO_THE_LETTER = 100
#: With more than two clusters and few cuts, labels that settle have run away to where no cut
#: was made yet: a new cut after every other step finds better ones, in less time.
FEW_STEPS = 2
#: Cuts without a better objective after which alternation takes over.
PATIENCE = 4


class Published(Optimizer):
    """CPM3C to the letter.

    A constraint is linearised with the rival that it was made with (eqs. 18–19), so that the
    objective may rise for three clusters and more; nothing but the balance of the biases
    keeps a cluster from disappearing, and the last hyperplanes are kept, not the best ones.
    """

    swap = False

    def run(self, problem: CuttingPlane, limits: Limits) -> Outcome:
        """Algorithm 1."""
        path = [[problem.solve()]]
        n_cuts, n_steps = 1, 0
        while True:
            ranking, steps = settle(problem, limits, limits.pins, path[-1], MAX_STEPS)
            n_steps += steps
            converged = ranking.loss - problem.solution.slack <= limits.tol
            if converged or n_cuts >= min(limits.max_iter, MAX_CUTS_TO_THE_LETTER):
                break
            problem.add(ranking)
            path.append([problem.solve()])
            n_cuts += 1
        return Outcome(
            problem, problem.planes, ranking.labels, problem.objective(ranking),
            problem.solution.gap, path, n_cuts, n_steps, converged,
        )  # fmt: skip


class CCCP(Optimizer):
    """CPM3C with the repairs that it needs.

    Label and rival trade places when a row moves to its rival, so that no step can raise the
    objective. Where labels break the size limits when a cut is due, the cheapest ones within
    them are taken, and the rows that these force are held until the next cut. The best
    hyperplanes are kept; alternation should polish them.
    """

    def run(self, problem: CuttingPlane, limits: Limits) -> Outcome:
        """Algorithm 1, with the size limits, until no constraint is violated or gains cease."""
        held = limits.pins
        best = Best()
        path = [[problem.solve()]]
        n_cuts, n_steps = 1, 0
        while True:
            ranking, steps = settle(problem, limits, held, path[-1], FEW_STEPS)
            ranking, held = self._within_limits(problem, limits, held, ranking)
            n_steps += steps
            best.see(problem, ranking)
            done = ranking.loss - problem.solution.slack <= limits.tol or best.age > PATIENCE
            if done or n_cuts >= limits.max_iter:
                break
            problem.add(ranking)
            path.append([problem.solve()])
            n_cuts += 1
        problem.relabel(best.labels)
        problem.planes = best.planes
        return Outcome(
            problem, best.planes, best.labels, best.objective, problem.solution.gap, path,
            n_cuts, n_steps, done,
        )  # fmt: skip

    def _within_limits(
        self,
        problem: CuttingPlane,
        limits: Limits,
        held: NDArray[np.int16],
        ranking: Ranking,
    ) -> tuple[Ranking, NDArray[np.int16]]:
        """Labels within the limits, and the rows that are held in them for the next cut."""
        pins = limits.pins
        if np.array_equal(held, pins) and limits.sizes.hold(ranking.labels):
            return ranking, pins
        losses = problem.hinge.losses(problem.planes)
        labels = cheapest_labels(losses, limits.sizes)
        forced = (pins >= 0) | (labels != np.argmin(losses, axis=1))
        held = np.where(forced, labels, np.int16(-1))
        problem.relabel(labels)
        return problem.rank(labels), held


def settle(
    problem: CuttingPlane,
    limits: Limits,
    held: NDArray[np.int16],
    path: list[float],
    max_steps: int,
) -> tuple[Ranking, int]:
    """Algorithm 2: move the rows to their largest values and solve again, until that settles.

    ``path`` takes the objective of each problem. Returns the last ranking, which the cuts are
    linearised at, and the passes made.
    """
    for steps in range(1, max_steps + 1):
        check_interrupt()
        ranking = problem.rank(held)
        moved = problem.relabel(ranking.labels)
        settled = len(path) > 1 and path[-2] - path[-1] <= SETTLED * abs(path[-1])
        if not moved or settled or steps == max_steps:
            break
        path.append(problem.solve())
    return ranking, steps
