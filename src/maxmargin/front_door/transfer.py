"""From the rows that everything was chosen on to all rows."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from maxmargin.front_door.choice import SAME_PARTITION, pairwise_agreement
from maxmargin.front_door.partition import N_EXEMPLARS, FittedPartition, Subsample
from maxmargin.search.sweeps import MOMENT_ROWS, LandmarkSweeps
from maxmargin.spaces.metric import Matrix

#: Landmarks of the model for all rows, taken from the rows that were looked at.
N_LANDMARKS = 1000
#: Rows in a block: labels change from block to block, so that it must not depend on the machine.
BLOCK_ROWS = 1024


def carry_over(partition: FittedPartition, subsample: Subsample, rows: Matrix) -> FittedPartition:
    """Carry a partition of the subsample over to all rows, at the same width and alpha.

    λ = alpha · n then grows with the rows, so that the degrees of freedom stay the same. The
    labels of the rows that were looked at must stay nearly as they are.
    """
    metric, sizes, seen = subsample.metric, subsample.sizes, subsample.seen
    n, chosen = rows.shape[0], partition.classifier
    marks = np.sort(seen[:N_LANDMARKS])
    model = replace(
        chosen, basis=metric.take(rows, marks), columns=marks if metric.precomputed else None
    )

    def features() -> Iterator[tuple[slice, NDArray[np.float64]]]:
        for start in range(0, n, BLOCK_ROWS):
            block = slice(start, min(start + BLOCK_ROWS, n))
            yield block, model.kernel(rows[block])

    sample = np.sort(np.random.default_rng(0).permutation(n)[:MOMENT_ROWS])
    landmarks = model.kernel(rows[marks])
    sweeps = LandmarkSweeps(
        features, landmarks, model.kernel(rows[sample]), sizes, partition.space.strength
    )
    first = sweeps.project(model.kernel(rows[seen]), chosen.values(rows[seen]))
    end = sweeps.run(*first)
    if pairwise_agreement([partition.found, end.labels[seen]])[0, 1] < SAME_PARTITION:
        # More rows must improve the answer, not replace it: what was chosen is what is told.
        end = sweeps.run(*first, max_sweeps=0)
    model = replace(
        model, coef=end.coef, intercept=end.intercept, anchors=landmarks @ end.coef + end.intercept
    ).calibrated(end.left_out, end.labels)
    numbers = sizes.numbers(end.labels)  # by size among all rows, not among those seen
    old = np.argsort(numbers)
    labels = numbers[end.labels]
    return FittedPartition(
        partition.space,
        model.reordered(old),
        labels,
        partition.found,
        end.left_out[:, old],
        _exemplars(partition, labels, old),
    )


def _exemplars(
    partition: FittedPartition, labels: NDArray[np.int32], old: NDArray[np.intp]
) -> list[NDArray[np.intp]]:
    """The exemplars of the clusters that are theirs still, or else any rows of the cluster."""
    typical = []
    for c, before in enumerate(old):
        rows = partition.exemplars[before]
        rows = rows[labels[rows] == c]
        typical.append(rows if len(rows) else np.flatnonzero(labels == c)[:N_EXEMPLARS])
    return typical
