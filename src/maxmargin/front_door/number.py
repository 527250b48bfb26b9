"""The number of clusters, where the user does not know it."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from maxmargin._runtime.context import FitContext
from maxmargin._runtime.warnings import warn_user
from maxmargin.front_door.choice import survey
from maxmargin.front_door.effort import Effort
from maxmargin.selection.cells import Terrain
from maxmargin.selection.number import NumberOfClusters, count_clusters
from maxmargin.sizes import Sizes
from maxmargin.spaces.kernel import Matrix
from maxmargin.spaces.metric import Metric

#: The largest number that is considered.
K_MAX = 20
#: Rows for each cluster below which there is nothing to see.
ROWS_PER_CLUSTER = 5
#: Rows on which the number is chosen: many partitions are needed.
MAX_ROWS = 1000


@dataclass(frozen=True)
class NumberChoice:
    """The number of clusters, and the evidence for it (None if the user gave it)."""

    k: int
    found: NumberOfClusters | None

    def warn(self) -> None:
        """Say so where the evidence is weak."""
        found = self.found
        if found is None:
            return
        if found.maybe_one:
            message = (
                f"the rows may be one cluster: neither the gaps between {self.k} clusters nor "
                f"the density show more than one."
            )
        elif found.agreement < 2:
            message = (
                f"the evidence for n_clusters = {self.k} is weak: the split gap says "
                f"{found.k_gap}, the dips {found.k_dip}, the drop of the fit {found.k_drop}. "
                f"See k_curve_."
            )
        else:
            return
        warn_user(message)


def choose_number(
    geometry: Metric,
    rows: Matrix,
    limits: Callable[[int, int], Sizes],
    pins: NDArray[np.int32],
    effort: Effort,
    seed: np.random.SeedSequence,
    *,
    context: FitContext,
) -> NumberChoice:
    """Partition the rows into 2, 3, … clusters and choose among the numbers."""
    n = rows.shape[0]
    fewest = max(2, int(pins.max(initial=-1)) + 1)
    most = max(fewest, min(K_MAX, n // ROWS_PER_CLUSTER))
    if n <= fewest:
        return NumberChoice(min(n, fewest) if pins.max(initial=-1) >= 0 else 1, None)
    child = seed.spawn(1)[0]
    seen = np.sort(np.random.default_rng(child).permutation(n)[:MAX_ROWS])
    some = rows if len(seen) == n else geometry.take(rows, seen)
    terrain = Terrain.of(geometry, some)
    wanted: dict[int, Sizes] = {}
    refused: ValueError | None = None
    for k in range(fewest, most + 1):
        try:
            wanted[k] = limits(n, k).subset(seen)
        except ValueError as error:  # bounds in rows fit some numbers of clusters only
            refused = error
    if not wanted and refused is not None:
        raise refused
    brief = replace(effort, n_shakes=1)
    landscape = survey(terrain, brief, wanted, child, context=context, task="space for the number")

    found = count_clusters(
        terrain.coordinates,
        terrain.neighbors,
        {k: landscape.best_labels(k) for k in wanted},
        k_max=most,
        criteria=list(landscape.judges.values()),
    )
    one = found.k == 1 and fewest == 2
    k = 1 if one else min(wanted, key=lambda k: abs(k - found.k))  # found.k itself, if allowed
    return NumberChoice(k, found)
