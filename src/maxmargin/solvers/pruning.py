"""Kernels that hardly count are left out of the model."""

from dataclasses import replace

import numpy as np

from maxmargin.objectives.hinge import Planes
from maxmargin.solvers.alternation import relabelled
from maxmargin.solvers.base import Limits, Outcome

#: The share of all weight below which a kernel is not worth its evaluation.
SMALLEST_SHARE = 1e-3


def pruned(outcome: Outcome, limits: Limits) -> Outcome:
    """Take the kernels with next to no weight out of the hyperplanes, and label the rows again.

    For p > 1 no kernel that knows anything has the weight 0 exactly, and for p = 1 weights get
    there in the limit only.
    """
    problem, norm = outcome.problem, outcome.problem.norm
    weights = norm.kernel_weights(norm.lengths(outcome.planes.weights))
    few = weights < SMALLEST_SHARE * weights.sum()
    if not few.any():
        return outcome
    kept = norm.scaled(outcome.planes.weights.copy(), np.where(few, 0.0, 1.0))
    problem.planes = Planes(kept, outcome.planes.bias)
    ranking = relabelled(problem, limits)
    return replace(
        outcome,
        planes=problem.planes,
        labels=ranking.labels,
        objective=problem.objective(ranking),
    )
