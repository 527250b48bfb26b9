"""From the rows that everything was chosen on to all rows."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import gen_batches

from maxmargin._core.interrupts import check_interrupt
from maxmargin.blocks import Rows
from maxmargin.blocks.remembered import RememberedRows
from maxmargin.blocks.samples import sample_rows
from maxmargin.front_door.choice import pairwise_agreement
from maxmargin.front_door.partition import N_EXEMPLARS, FittedPartition, KernelClassifier
from maxmargin.front_door.subsample import Subsample
from maxmargin.front_door.transfer_blocks import LABELLED_ROWS, RowModel, label_blocks
from maxmargin.search.sweeps import MOMENT_ROWS, LandmarkSweeps, largest, left_out_values
from maxmargin.sizes import Sizes
from maxmargin.spaces.kernel import KERNEL_TOLERANCE
from maxmargin.spaces.metric import Matrix
from maxmargin.spaces.pairwise import GaussianSpace, PairwiseDistances

#: Landmarks of the model for all rows, taken from the rows that were looked at.
N_LANDMARKS = 1000
#: Rows in a block: labels change from block to block, so that it must not depend on the machine.
BLOCK_ROWS = 4096
#: Rows whose labels are swept; more of them would not change the model.
SWEPT_ROWS = 20_000
#: Labels of the rows that were looked at must agree so much (adjusted Rand index) before and after.
STILL_THE_ANSWER = 0.5
#: The precision of features that are swept again and again: its last digit moves values by 1e-4.
KEPT = np.float32
#: An error of the kernel that does not matter to many rows.
KERNEL_ERROR = 1e-4


def carry_over(
    partition: FittedPartition,
    subsample: Subsample,
    rows: Matrix,
    everywhere: NDArray[np.int32] | None = None,
) -> FittedPartition:
    """Carry a partition of the subsample over to all rows, at the same width and alpha.

    λ = alpha · n then grows with the rows, so that the degrees of freedom stay the same. Labels
    are swept until they settle, those of a sample where there are very many rows, and one pass
    says of every row what the model thinks of it. The labels of the rows that were looked at
    must stay much as they are; ``everywhere`` holds those of all rows where they are known.
    """
    metric, sizes, seen = subsample.metric, subsample.sizes, subsample.seen
    rng = np.random.default_rng(0)
    swept = np.sort(sample_rows(sizes.pins, SWEPT_ROWS, rng, sizes.weights))
    if isinstance(rows, Rows):  # those that are asked for again and again are read once
        rows = RememberedRows(rows, np.concatenate([seen, swept]))
    marks = np.sort(seen[:N_LANDMARKS])
    columns = marks if metric.precomputed else None
    tol = KERNEL_TOLERANCE if rows.shape[0] <= SWEPT_ROWS else KERNEL_ERROR
    space = GaussianSpace(partition.classifier.space.gamma, tol).fit(
        PairwiseDistances(metric.take(rows, marks), metric, columns)
    )
    limits = sizes if len(swept) == rows.shape[0] else sizes.subset(swept)
    sweeps = _sweeps(space, rows, swept, marks, limits, partition.settings.strength)
    at_seen = space.represent(rows[seen]).astype(np.float64)
    first = sweeps.project(at_seen, partition.classifier.values(rows[seen]))
    if everywhere is not None and len(swept) == rows.shape[0]:
        settled = sweeps.fit(everywhere)
    else:
        settled = sweeps.run(*first)
        now = largest(at_seen @ settled.coef + settled.intercept, sizes.pins[seen])
        if pairwise_agreement([partition.found, now])[0, 1] < STILL_THE_ANSWER:
            # More rows must improve the answer, not replace it: what was chosen is what is told.
            settled = sweeps.run(*first, max_sweeps=0)
    anchors = space.represent(rows[marks]) @ settled.coef + settled.intercept
    model = KernelClassifier(space, settled.coef, settled.intercept, anchors)
    found = RowModel(model, *sweeps.leverage_directions(rows.shape[0]), rows.shape[0])
    del sweeps  # and the features that it keeps
    if isinstance(rows, Rows) and not rows.in_memory:
        return _carry_over_blocks(partition, found, rows, swept, sizes)
    given = settled.labels if len(swept) == rows.shape[0] else None
    labels, left_out, n_disagreements = _all_rows(found, rows, sizes, given)
    model = model.calibrated(left_out[swept], labels[swept], limits.weights)
    numbers = sizes.numbers(labels)  # by size among all rows, not among those seen
    old = np.argsort(numbers)
    labels = numbers[labels]
    return FittedPartition(
        partition.settings,
        model.reordered(old),
        labels,
        partition.found,
        left_out[:, old],
        _exemplars(partition, labels, old),
        n_disagreements,
        weights=sizes.weights,
    )


def _carry_over_blocks(
    partition: FittedPartition, found: RowModel, rows: Rows, swept: NDArray[np.intp], sizes: Sizes
) -> FittedPartition:
    """The same for rows in blocks, of which nothing is kept but labels and margins."""
    labels, sure, missed, n_disagreements = label_blocks(found, rows, sizes)
    left_out = found.left_out(rows[swept], labels[swept])
    model = found.model.calibrated(left_out, labels[swept])
    numbers = sizes.numbers(labels)
    old = np.argsort(numbers)
    labels = numbers[labels]
    return FittedPartition(
        *(partition.settings, model.reordered(old), labels, partition.found, np.empty((0, 0))),
        *(_exemplars(partition, labels, old), n_disagreements, sure, missed),
    )


def _sweeps(
    space: GaussianSpace,
    rows: Matrix,
    swept: NDArray[np.intp],
    marks: NDArray[np.intp],
    limits: Sizes,
    alpha: float,
) -> LandmarkSweeps:
    """Sweeps over some rows; the moments are those of a sample of them."""
    kept: dict[int, NDArray[np.floating]] = {}  # of at most SWEPT_ROWS: 80 MB

    def features() -> Iterator[tuple[slice, NDArray[np.floating]]]:
        for block in gen_batches(len(swept), BLOCK_ROWS):
            if block.start not in kept:
                kept[block.start] = space.represent(rows[swept[block]]).astype(KEPT)
            yield block, kept[block.start]

    sample = np.sort(np.random.default_rng(0).permutation(len(swept))[:MOMENT_ROWS])
    landmarks, moments = (
        space.represent(rows[some]).astype(np.float64) for some in (marks, swept[sample])
    )
    weights = None if limits.weights is None else limits.weights[sample]
    return LandmarkSweeps(features, landmarks, moments, limits, alpha, weights)


def _all_rows(
    found: RowModel, rows: Matrix, sizes: Sizes, given: NDArray[np.int32] | None
) -> tuple[NDArray[np.int32], NDArray[np.floating], int]:
    """Labels of all rows, what models that never saw a row say of it, and how many predict says.

    One pass. Labels that are given stay; others are what the model says.
    """
    n, k = rows.shape[0], sizes.n_clusters
    labels = np.empty(n, np.int32) if given is None else given
    values = np.empty((n, k), np.float64 if given is not None else np.float32)
    leverage, predicted = np.empty(n), np.empty(n, np.int32)
    for block in gen_batches(n, LABELLED_ROWS):
        check_interrupt()
        own = 1.0 if sizes.weights is None else sizes.weights[block]
        said = found.say(rows[block], values.dtype, own)
        values[block], leverage[block], predicted[block] = said
        if given is None:
            labels[block] = np.where(sizes.pins[block] >= 0, sizes.pins[block], predicted[block])
    if given is None and not sizes.hold(labels):
        labels = sizes.assign(values.astype(np.float64))
    for block in gen_batches(n, LABELLED_ROWS):
        values[block] = left_out_values(values[block], labels[block], leverage[block])
    return labels, values, int(np.count_nonzero(predicted != labels))


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
