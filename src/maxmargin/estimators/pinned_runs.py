"""Cutting planes with pinned rows: runs that do not know them, and runs that do.

Hyperplanes that must keep a few pins are pushed about by them. So clusters are looked for as if
no row were pinned, and the pins name them. Only where that leaves a pin in the wrong cluster,
there are runs that know of them: from the usual starts, and from what least squares finds. Their
labels must be predicted better to be taken.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from maxmargin.blocks.rows import in_blocks
from maxmargin.estimators.kernel_features import KernelFeatures, StartLabels
from maxmargin.objectives.leave_one_out import loo_score
from maxmargin.search.pinned import labels_with_pins, without_pins
from maxmargin.search.shaking import Shaking
from maxmargin.search.starts import least_squares_form
from maxmargin.solvers.multistart import RLS_ROWS, Multistart
from maxmargin.solvers.optimizers import OptimizerResult
from maxmargin.spaces.kernel import Kernel

#: The R² of leave-one-out predictions by which labels of runs that know the pins must be better.
CLEARLY_BETTER = 0.03


def best_with_pins(
    rows: KernelFeatures, init: str | NDArray[np.int32], runs: Multistart
) -> OptimizerResult:
    """The best run from starts of a name, or from labels.

    All runs know the pins where a paper is followed to the letter, where proportions tell
    clusters apart, and for very many rows, where least squares takes too long.
    """

    def with_pins() -> OptimizerResult:
        return rows.best(runs, rows.starts(init, None, False, runs))

    sizes, guided = rows.limits.sizes, isinstance(init, str) and not runs.to_the_letter
    if not (guided and rows.features.shape[0] <= RLS_ROWS and np.all(sizes.alike())):
        return with_pins()
    unpinned = replace(rows, limits=replace(rows.limits, sizes=without_pins(sizes)))
    found = unpinned.best(runs, unpinned.starts(init, None, False, runs))
    missed = np.any((sizes.pins >= 0) & (sizes.named(found.labels) != sizes.pins))
    found = _named(found, rows, runs, bool(missed))
    if not missed:
        return found
    return runs.context.attempt(lambda: _better(rows, runs, found, with_pins()), lambda: found)


def _named(
    found: OptimizerResult, rows: KernelFeatures, runs: Multistart, missed: bool
) -> OptimizerResult:
    """A run that did not know the pins, with their names; where some are missed it goes on."""
    limits = rows.limits
    names = limits.sizes.names(found.labels)
    problem = found.problem.carried_to(
        in_blocks(rows.features), limits.pins, weights=limits.sizes.weights, numbers=names
    )
    if missed:
        optimizer = runs.optimizers[-1].polish() or runs.optimizers[-1]
        return found.followed_by(optimizer.run(problem, limits))
    labels = problem.rank_within(limits).labels
    return replace(found, problem=problem, planes=problem.planes, labels=labels)


def _better(
    rows: KernelFeatures, runs: Multistart, found: OptimizerResult, pinned: OptimizerResult
) -> OptimizerResult:
    """The run with pins whose labels are predicted best, if that is better than without."""
    sizes, k = rows.limits.sizes, rows.limits.sizes.n_clusters
    table = rows.features if rows.tables[0] is None else rows.tables[0]
    kernel = Kernel("rbf", gamma="auto", n_clusters=k)
    form = least_squares_form(kernel, table, sizes, rows.rng)
    labels = labels_with_pins(Shaking(), form.narrowed(), sizes, rows.n_init, rows.rng)
    others = [pinned, rows.best(runs, StartLabels([labels], [rows.scaling]))]

    def score(result: OptimizerResult) -> float:
        known = np.asarray(result.labels, np.int32)
        return loo_score(form, form.scores(known, k), known)

    best = max(others, key=score)
    return best if score(best) > score(found) + CLEARLY_BETTER else found
