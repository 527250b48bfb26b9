"""Labels of rows in blocks: what is said of a row goes with its block, and is not kept."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import gen_batches

from maxmargin._runtime.memory import require_memory
from maxmargin._runtime.ties import first_of_largest
from maxmargin.blocks import Block, Rows
from maxmargin.blocks.columns import Column, keep
from maxmargin.front_door.partition import KernelClassifier, margins, outside_rows
from maxmargin.search.sweeps import left_out_values, leverages
from maxmargin.sizes import Sizes

#: Rows that are compared with the landmarks at once, as for rows in memory.
LABELLED_ROWS = 1024


@dataclass(frozen=True)
class RowModel:
    """All that a block needs to label its rows; pure, so that it may go anywhere.

    Attributes
    ----------
    model : KernelClassifier
    half, level : ndarray
        See :meth:`~maxmargin.search.sweeps.LandmarkSweeps.leverage_directions`.
    n : int
        The number of all rows.
    """

    model: KernelClassifier
    half: NDArray[np.float64]
    level: NDArray[np.float64]
    n: int

    def say(
        self, rows: Any, dtype: Any = np.float32, weights: Any = 1.0
    ) -> tuple[NDArray[np.floating], NDArray[np.float64], NDArray[np.int32]]:
        """The values of the model at some rows, their leverages, and what ``predict`` says."""
        model, k = self.model, len(self.model.intercept)
        K = model.space.represent(rows)
        # one product for both
        products = K @ np.hstack([model.coef, self.half]).astype(K.dtype)
        values = (products[:, :k] + model.intercept).astype(dtype, copy=False)
        leverage = leverages(products[:, k:] - self.level, self.n, weights)
        predicted = first_of_largest(values, rows)
        outside = outside_rows(K)
        if len(outside):
            predicted[outside] = first_of_largest(model.values(rows[outside]), rows)
        return values, leverage, predicted

    def values(self, block: Block) -> tuple[NDArray[np.floating]]:
        """What the model says of the rows of a block."""
        return (np.concatenate([self.say(rows)[0] for _, rows in _batches(block)]),)

    def left_out(
        self, rows: NDArray[np.floating], labels: NDArray[np.int32]
    ) -> NDArray[np.float32]:
        """What models that never saw some rows say of them."""
        parts = []
        for at in gen_batches(len(rows), LABELLED_ROWS):
            values, leverage, _ = self.say(rows[at])
            parts.append(left_out_values(values, labels[at], leverage))
        return np.concatenate(parts).astype(np.float32)

    def label(
        self, block: Block, pins: NDArray[np.int32], given: NDArray[np.int32] | None = None
    ) -> tuple[NDArray[np.int32], NDArray[np.float32], float, int, NDArray[np.intp]]:
        """The labels of a block, margins, squared errors, where predict disagrees, and sizes."""
        k = len(self.model.intercept)
        labels, sure = np.empty(len(pins), np.int32), np.empty(len(pins), np.float32)
        missed, n_disagreements = 0.0, 0
        for at, rows in _batches(block):
            values, leverage, predicted = self.say(rows)
            pinned = np.where(pins[at] >= 0, pins[at], predicted)
            new = pinned if given is None else given[at]
            left_out = left_out_values(values, new, leverage)
            labels[at], sure[at] = new, margins(left_out, new)
            left_out[np.arange(len(new)), new] -= 1
            missed += float(np.sum(np.square(left_out)))
            n_disagreements += int(np.count_nonzero(predicted != new))
        return labels, sure, missed, n_disagreements, np.bincount(labels, minlength=k)


def label_blocks(
    found: RowModel, rows: Rows, sizes: Sizes
) -> tuple[NDArray[np.int32], Column, float, int]:
    """Label all rows within the limits: one pass, and two more where a bound is broken.

    Returns the labels, their margins (which stay where the rows are), the squared error, and with
    how many predict disagrees.
    """
    n, k = rows.shape[0], sizes.n_clusters
    pins = sizes.pins if sizes.n_pinned else np.broadcast_to(np.int32(-1), n)  # is one number
    columns, (missed, n_disagreements, counts) = keep(rows, 2, found.label, pins)
    if not sizes.within(counts):
        require_memory(
            12 * n * k,
            f"the bounds on the sizes of {k} clusters with {n} rows",
            "Leave out min_size, max_size and proportions.",
        )
        values = np.empty((n, k), np.float32)
        rows.sum(found.values, out=(values,))
        labels = sizes.assign(values.astype(np.float64))
        columns, (missed, n_disagreements, _) = keep(rows, 2, found.label, pins, labels)
    labels, sure = columns
    return np.asarray(labels), sure, missed, n_disagreements


def _batches(block: Block) -> Iterator[tuple[slice, Any]]:
    for batch in gen_batches(block.stop - block.start, LABELLED_ROWS):
        yield batch, block._read(block.start + batch.start, block.start + batch.stop)
