"""The width of a domain, chosen without labels."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin._runtime.context import FitContext
from maxmargin.selection.reading import Reader, Reading
from maxmargin.selection.scene import Scene
from maxmargin.solvers.one_class import OneClass

#: Widths σ that are tried, in units of the median distance to the 7th neighbour: for pieces at
#: levels of their own narrow ones, and for the basins of peaks wide ones.
NARROW = (0.15, 0.35, 0.7)
WIDE = (8.0, 5.3, 3.5, 2.4, 1.6, 1.0, 0.7)
#: The ν of the domains. At 0.9 most rows are support vectors and the height is close to a
#: density, which is what levels are read from.
NU_OF_NARROW = 0.9
NU_OF_WIDE = 0.5
#: Shares of the rows that a cluster has at least, and never fewer than SMALLEST rows.
SHARES = (0.01, 0.05)
SMALLEST = 5
#: The split gap up to which a user hears that there may be no clusters at all.
NO_GAP = -0.02

Solve = Callable[[float], OneClass]  # gamma → the weights of the rows


def choose_domain(
    scene: Scene,
    gammas: Sequence[float],
    solve: Solve,
    read: Reader,
    *,
    context: FitContext | None = None,
) -> tuple[Reading, dict[str, NDArray[Any]]]:
    """Choose the width, and what to read from its domain.

    Of all readings, rows of no cluster given to the nearest one, that with the largest split
    gap is taken: its clusters are harder to split than to tell apart.

    Parameters
    ----------
    scene : Scene
    gammas : sequence of float
        The widths that are tried.
    solve : callable
        gamma → the weights of the rows.
    read : Reader
        gamma and these weights → clusters.
    context : FitContext or None
        Runs the widths, and may end the search early.

    Returns
    -------
    best : Reading
    table : dict of arrays
        All readings: ``"gamma"``, ``"min_cluster_size"``, ``"n_clusters"``, ``"split_gap"``
        (where a reading was given up early, a value that its gap does not exceed; −inf for
        one cluster) and ``"chosen"``.
    """
    context = context or FitContext()
    found = context.map(lambda gamma: read(gamma, solve(gamma)), gammas, task="width")
    readings = [reading for some in found for reading in some]
    gaps = _split_gaps(scene, readings)
    best = int(np.argmax(gaps))
    table = {
        "gamma": np.array([reading.gamma for reading in readings]),
        "min_cluster_size": np.array([reading.smallest for reading in readings]),
        "n_clusters": np.array([max(1, reading.n_clusters) for reading in readings]),
        "split_gap": gaps,
        "chosen": np.arange(len(readings)) == best,
    }
    return readings[best], table


def _split_gaps(scene: Scene, readings: Sequence[Reading]) -> NDArray[np.float64]:
    """The split gap of every reading, or what it does not exceed; −inf for one cluster."""
    gaps = np.full(len(readings), -np.inf)
    # few clusters are judged soonest, and most of the crowded readings are then given up early
    for i in sorted(range(len(readings)), key=lambda i: readings[i].n_clusters):
        if readings[i].n_clusters >= 2:
            gaps[i] = scene.split_gap(scene.complete(readings[i].labels), beat=gaps.max())
    return gaps


def smallest_sizes(n: int) -> tuple[int, ...]:
    """The sizes of the smallest cluster that are tried for n rows.

    Examples
    --------
    >>> from maxmargin.selection.domains import smallest_sizes
    >>> smallest_sizes(1000), smallest_sizes(150), smallest_sizes(6)
    ((10, 50), (5, 7), (3,))
    """
    return tuple(sorted({max(min(SMALLEST, n // 2), int(share * n)) for share in SHARES}))
