"""Labels outside, cuts inside: fit the hyperplanes, relabel the rows, and so on."""

import numpy as np

from maxmargin._core.interrupts import check_interrupt
from maxmargin.objectives.hinge import Ranking
from maxmargin.solvers.base import Best, Limits, Optimizer, Outcome
from maxmargin.solvers.cutting_plane import CuttingPlane
from maxmargin.solvers.labels import cheapest_labels

MAX_ROUNDS = 50
MAX_CUTS_IN_ROUND = 30
#: The rounds end when no more than this share of the labels changes, or after six rounds in
#: which the objective did not fall by this share of it.
FEW = 0.0005
LITTLE = 0.001
PATIENCE = 6


class Alternation(Optimizer):
    """Exact steps in turn: the convex fit to fixed labels, the best labels for fixed planes.

    CCCP lets labels go after every problem that it solves; with many clusters and few cuts
    they run away. Here the cuts know the loss of the current labels up to the tolerance
    before any label moves, and the best hyperplanes so far go on: the objective never rises. It
    stays near its start, which should therefore be a good one.

    Parameters
    ----------
    max_rounds : int
        Rounds at most.
    """

    def __init__(self, max_rounds: int = MAX_ROUNDS) -> None:
        self.max_rounds = max_rounds

    def run(self, problem: CuttingPlane, limits: Limits) -> Outcome:
        """Alternate until labels or objective come to rest."""
        n = len(problem.labels)
        best = Best(LITTLE)
        path: list[float] = []
        n_cuts, n_steps = 0, 1
        settled = False
        ranking = problem.rank(problem.labels)
        if not limits.sizes.hold(problem.labels):
            ranking = relabelled(problem, limits)
            problem.relabel(ranking.labels)
        best.see(problem, ranking)
        while not settled and len(path) < self.max_rounds and n_cuts < limits.max_iter:
            fit, fitted = Best(), False
            fit.see(problem, ranking)
            for _ in range(min(MAX_CUTS_IN_ROUND, limits.max_iter - n_cuts)):
                check_interrupt()
                problem.solve()
                ranking = problem.rank(problem.labels)
                fit.see(problem, ranking)
                n_steps += 1
                fitted = ranking.loss - problem.solution.slack <= limits.tol
                if fitted:
                    break
                problem.add(ranking)
                n_cuts += 1
            problem.planes = fit.planes  # cutting planes swing: the last ones may be bad
            path.append(fit.objective)
            ranking = relabelled(problem, limits)
            n_steps += 1
            best.see(problem, ranking)
            moved = problem.relabel(ranking.labels)
            settled = (fitted and moved <= FEW * n) or best.age >= PATIENCE
        problem.planes = best.planes
        return Outcome(
            problem,
            best.planes,
            best.labels,
            best.objective,
            problem.solution.gap if path else np.nan,  # of a problem that nobody solved
            [path],
            n_cuts,
            n_steps,
            settled,
        )


def relabelled(problem: CuttingPlane, limits: Limits) -> Ranking:
    """The labels of the smallest loss under the hyperplanes, within the limits."""
    ranking = problem.rank(limits.pins)
    if limits.sizes.hold(ranking.labels):
        return ranking
    labels = cheapest_labels(problem.hinge.losses(problem.planes), limits.sizes)
    return problem.rank(labels)
