"""How low the domain's height falls on the way from one point to another."""

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.extmath import row_norms

from maxmargin._core.segments import lowest_on_segments
from maxmargin.objectives.domain import Domain
from maxmargin.spaces.kernel import row_blocks
from maxmargin.spaces.pairs import Pairs

#: Memory for squared distances of the ends of segments, in blocks of this size.
BLOCKS = 8


def levels_of_segments(
    points: NDArray[np.float64],
    heights: NDArray[np.float64],
    start: NDArray[np.intp],
    stop_at: NDArray[np.intp],
    domain: Domain,
    *,
    steps: int,
) -> NDArray[np.float64]:
    """The lowest height on each segment, at its ends and at ``steps`` points inside.

    Parameters
    ----------
    points : array of shape (p, d)
    heights : array of shape (p,)
        The domain's heights there.
    start, stop_at : arrays of shape (e,)
        The ends of the segments.
    domain : Domain
    steps : int
    """
    levels = np.minimum(heights[start], heights[stop_at])
    for block in row_blocks(len(start), len(domain.weights) // BLOCKS):
        # a block of the edges of a graph shares most of its ends
        ends, place = np.unique(np.append(start[block], stop_at[block]), return_inverse=True)
        first, second = np.split(place.astype(np.intp), 2)
        levels[block] = _lowest(
            *(domain.squared(points[ends]), first, second, points[ends], levels[block]),
            *(domain.weights, domain.gamma, steps),
        )
    return levels


def levels_of_edges(
    pairs: Pairs,
    alpha: NDArray[np.float64],
    heights: NDArray[np.float64],
    start: NDArray[np.intp],
    stop_at: NDArray[np.intp],
    gamma: float,
    *,
    steps: int,
    floor: float = -np.inf,
) -> NDArray[np.float64]:
    """The same between rows whose distances may be known; ``alpha`` are the rows' weights.

    Edges with an end below ``floor`` are not looked at inside.
    """
    levels = np.minimum(heights[start], heights[stop_at])
    high = levels >= floor
    start, stop_at = start[high], stop_at[high]
    if pairs.full is None:
        support = np.flatnonzero(alpha)
        domain = Domain(pairs.rows[support], alpha[support], gamma)
        levels[high] = levels_of_segments(pairs.rows, heights, start, stop_at, domain, steps=steps)
    else:
        levels[high] = _lowest(
            pairs.full, start, stop_at, pairs.rows, levels[high], alpha, gamma, steps
        )
    return levels


def _lowest(
    squared: NDArray[np.float64],
    start: NDArray[np.intp],
    stop_at: NDArray[np.intp],
    points: NDArray[np.float64],
    levels: NDArray[np.float64],
    weights: NDArray[np.float64],
    gamma: float,
    steps: int,
) -> NDArray[np.float64]:
    lengths = row_norms(points[start] - points[stop_at], squared=True)
    lowest = levels.copy()
    m = squared.shape[1]
    room = np.empty(m, dtype=np.intp), np.empty(m), np.empty(steps)
    lowest_on_segments(*(squared, start, stop_at, lengths, weights, gamma, steps, *room, lowest))
    return lowest
