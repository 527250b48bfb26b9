"""Moves of many rows at a time, where each by itself would look at all rows.

With a factor of R a move costs O(nr). A search makes some n of them, which for 30,000 rows is
hours: there, rows are claimed in batches, and single moves are taken row by row in sweeps.
"""

from typing import TYPE_CHECKING

import numpy as np

from maxmargin._core.interrupts import check_interrupt
from maxmargin._core.sweeps import settle_rows

if TYPE_CHECKING:
    from maxmargin.spaces.quadratic_form import Labelling

#: More rows than this are moved together.
MANY_TO_MOVE = 10_000
#: The part of all rows that is claimed before scores are brought up to date.
BATCH = 1 / 32
MOST_SWEEPS = 1000


def claim_together(labelling: "Labelling", cluster: int, quota: int) -> None:
    """A cluster takes the rows that raise f most, a batch of them at a time."""
    left, batch = float(quota), BATCH * float(np.sum(labelling.mass))
    while left >= 0.5:
        check_interrupt()
        gains = labelling.scores[cluster] - labelling.own
        others = np.flatnonzero((labelling.labels != cluster) & (labelling.barrier == 0))
        order = others[np.argsort(-gains[others], kind="stable")]
        masses = labelling.mass[order]
        taken = order[np.cumsum(masses) - masses / 2 <= min(left, batch)]
        if not len(taken):
            break
        labels = labelling.labels.copy()
        labels[taken] = cluster
        labelling.n_moves += len(taken)
        labelling.relabel(labels)
        left -= float(np.sum(labelling.mass[taken]))


def settle(labelling: "Labelling") -> None:
    """Row after row takes its best cluster within the limits, until none moves."""
    form, sizes = labelling.form, labelling.sizes
    labels, counts = labelling.labels.copy(), labelling.counts.copy()
    state, rows = form.state(labels, sizes.n_clusters), np.flatnonzero(labelling.movable)
    for _ in range(MOST_SWEEPS):
        moves, _ = settle_rows(
            *(form.matrix, form.factored, form.diagonal, labels, state, counts, labelling.mass),
            *(sizes.lower, sizes.upper, rows, form.tol),
        )
        labelling.n_moves += moves
        if moves == 0:
            break
    labelling.relabel(labels)
