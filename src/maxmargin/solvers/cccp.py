"""Cuts outside, the concave-convex procedure inside: Algorithms 1 and 2 of CPM3C."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from maxmargin._runtime.interrupts import StopFlag
from maxmargin.objectives.hinge import Planes, Ranking
from maxmargin.sizes import Sizes
from maxmargin.solvers.cutting_plane import CuttingPlane
from maxmargin.solvers.labels import cheapest_labels

#: CCCP ends when a step lowers the objective by less than this share of it (the paper's α%).
SETTLED = 0.01


@dataclass
class Outcome:
    planes: Planes
    labels: NDArray[np.int16]
    objective: float
    gap: float
    n_cuts: int
    n_steps: int
    converged: bool
    path: list = field(default_factory=list)


def run_cccp(problem, sizes, tol, max_cuts, max_steps, stop, floor=True):
    pins = sizes.pins.astype(np.int16)
    held = pins
    best = None
    n_cuts = n_steps = 0
    path = [[problem.solve()]] if problem.n_cuts else []
    converged = False
    while True:
        # inside: the rows move to their largest values until the objective settles
        for step in range(max_steps):
            ranking = problem.rank(held)
            n_steps += 1
            moved = problem.relabel(ranking.labels)
            if moved == 0:
                break
            value = problem.solve()
            settled = path[-1][-1] - value <= SETTLED * abs(value)
            path[-1].append(value)
            if settled:
                ranking = problem.rank(held)
                problem.relabel(ranking.labels)
                break
        forced = held is not pins
        if floor and (forced or not sizes.hold(ranking.labels)):
            losses = problem.hinge.losses(problem.planes)
            labels = cheapest_labels(losses, sizes, stop)
            top = np.argmin(losses, axis=1)
            held = np.where((top != labels) | (pins >= 0), labels, np.int16(-1))
            held = held if np.any(held != pins) else pins
            problem.relabel(labels)
            ranking = problem.rank(held)
        objective = problem.objective(ranking)
        if best is None or objective < best.objective:
            best = Outcome(problem.planes, ranking.labels.copy(), objective, problem.solution.gap, 0, 0, False)
        if ranking.loss - problem.solution.slack <= tol:
            converged = True
            break
        if n_cuts >= max_cuts:
            break
        problem.add(ranking)
        path.append([problem.solve()])
        n_cuts += 1
    best.n_cuts, best.n_steps, best.converged, best.path = n_cuts, n_steps, converged, path
    return best
