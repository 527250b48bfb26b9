"""Rows of weight 0, after a fit of the others: what the model says of them."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin.front_door.partition import Alternative
from maxmargin.front_door.subsample import Subsample
from maxmargin.sizes import Sizes
from maxmargin.weights import WeightedSizes


def know_all_rows(model: Any, some: NDArray[np.intp], X: Any, n: int) -> None:
    """Make a front door that was fitted to some of n rows one that knows them all.

    The model never saw the others: what it says of them is what it says of rows left out.
    """
    partition, sample = model._partition, model._sample
    if sample.metric.precomputed:  # distances to all rows are still what predict takes
        model.n_features_in_ = n
        for fitted in (partition, *(other.partition for other in model.alternatives_)):
            space = fitted.classifier.space
            space.columns = some if space.columns is None else some[space.columns]
    values = model._values(model._check_new(X))
    labels = np.argmax(values, axis=1).astype(np.int32)
    labels[some], values[some] = partition.labels, partition.left_out
    sizes = _among_all(sample.sizes, some, n)
    model._sample = Subsample(sample.metric, sizes, some[sample.seen], sample.rows)
    model._partition = replace(
        partition,
        labels=labels,
        left_out=values,
        exemplars=[some[rows] for rows in partition.exemplars],
        n_disagreements=model.n_disagreements_,
        weights=sizes.weights,
    )
    model._chosen = _renumbered(model._chosen, some)
    model.alternatives_ = [_renumbered(other, some) for other in model.alternatives_]
    model.exemplars_ = model._partition.exemplars


def _among_all(sizes: Sizes, some: NDArray[np.intp], n: int) -> WeightedSizes:
    """The limits of some rows as those of all, of which the others weigh nothing."""
    pins, masses = np.full(n, -1, np.int32), np.zeros(n, np.intp)
    pins[some], masses[some] = sizes.pins, sizes.mass
    return WeightedSizes(sizes.quota, sizes.lower, sizes.upper, pins, sizes.free, masses)


def _renumbered(alternative: Alternative, some: NDArray[np.intp]) -> Alternative:
    partition = alternative.partition
    rows = [some[rows] for rows in partition.exemplars]
    partition = replace(partition, exemplars=rows)
    return replace(alternative, rows=some[alternative.rows], partition=partition, everywhere=None)
