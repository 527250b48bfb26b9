"""The number of clusters, where the user does not know it."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from maxmargin._runtime.context import FitContext
from maxmargin._runtime.warnings import warn_user
from maxmargin.blocks.rows import sample_rows
from maxmargin.front_door.candidates import generate
from maxmargin.front_door.choice import best_labels
from maxmargin.front_door.effort import ROWS_PER_CLUSTER, Effort
from maxmargin.selection.number import NumberOfClusters, count_clusters
from maxmargin.sizes import Sizes
from maxmargin.spaces.metric import Matrix, Metric
from maxmargin.spaces.pairwise import PairwiseDistances

#: The largest number that is considered.
K_MAX = 20
#: Rows on which the number is chosen: many partitions are needed.
NUMBER_ROWS = 1000


def choose_number(
    metric: Metric,
    rows: Matrix,
    limits: Callable[[int], Sizes],
    pins: NDArray[np.int32],
    effort: Effort,
    seed: np.random.SeedSequence,
    context: FitContext,
) -> tuple[int, NumberOfClusters | None]:
    """Partition the rows into 2, 3, … clusters and choose among the numbers.

    Returns the number, and the evidence for it where there are rows enough to find any.
    """
    n = rows.shape[0]
    pinned = int(pins.max(initial=-1)) + 1
    fewest = max(2, pinned)
    most = max(fewest, min(K_MAX, n // ROWS_PER_CLUSTER))
    if n <= fewest:
        return (min(n, fewest) if pinned else 1), None
    child = seed.spawn(1)[0]
    seen, some = np.arange(n), rows
    if n > NUMBER_ROWS:
        seen = np.sort(sample_rows(pins, NUMBER_ROWS, np.random.default_rng(child)))
        some = metric.take(rows, seen)
    distances = PairwiseDistances(some, metric)
    wanted: dict[int, Sizes] = {}
    refused: ValueError | None = None
    for k in range(fewest, most + 1):
        try:
            wanted[k] = limits(k).subset(seen)
        except ValueError as error:  # bounds in rows fit some numbers of clusters only
            refused = error
    if not wanted and refused is not None:
        raise refused
    brief = replace(effort, n_shakes=1)
    pool = generate(distances, brief, wanted, child, context, task="space for the number")
    found = count_clusters(
        distances.coordinates,
        distances.neighbors,
        {k: best_labels(pool, k) for k in wanted},
        k_max=most,
        criteria=list(pool.judges.values()),
    )
    one = found.k == 1 and fewest == 2
    k = 1 if one else min(wanted, key=lambda k: abs(k - found.k))  # found.k itself, if allowed
    return k, found


def warn_of_weak_evidence(k: int, found: NumberOfClusters) -> None:
    """Say so where little speaks for the number."""
    if found.maybe_one:
        warn_user(
            f"the rows may be one cluster: neither the gaps between {k} clusters nor the density "
            f"show more than one."
        )
    elif found.agreement < 2:
        warn_user(
            f"the evidence for n_clusters = {k} is weak: the split gap says {found.k_gap}, the "
            f"dips {found.k_dip}, the drop of the fit {found.k_drop}. See k_curve_."
        )
