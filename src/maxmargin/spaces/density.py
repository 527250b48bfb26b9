"""The density of the rows, read from the distances of their neighbours."""

import numpy as np
from numpy.typing import NDArray

from maxmargin.spaces.neighbors import Neighbors

#: The mean log ratio of distances below which the dimension is not resolved.
FLATTEST = 1e-3


def log_density(neighbors: Neighbors, first: int, last: int) -> tuple[NDArray[np.float64], float]:
    """Estimate the density at each row from the distances of its neighbours.

    Returns
    -------
    levels : array of shape (n,)
        ℓ = −log mean(r_first, …, r_last), r_j the distance to the j-th neighbour. δ·ℓ is a log
        density up to a constant. Where these distances are all 0, the row counts as one of
        the densest among the others, or without others as denser than any gap is narrow.
    dimension : float
        δ = max(1, 1 / mean log(r_last / r_j), j < last): the intrinsic dimension by maximum
        likelihood. Distances of 0 are left out.
    """
    last = min(last, neighbors.m)
    if last < 1:
        return np.zeros(neighbors.n), 1.0
    first = min(first, last)
    radius = neighbors.distances[:, first - 1 : last].mean(axis=1)
    positive = radius > 0
    radius[~positive] = radius[positive].min() if positive.any() else np.finfo(np.float64).tiny
    nearer, furthest = neighbors.distances[:, : last - 1], neighbors.distances[:, last - 1 : last]
    some = nearer > 0
    ratios = np.log(np.broadcast_to(furthest, nearer.shape)[some]) - np.log(nearer[some])
    mean = float(ratios.mean()) if len(ratios) else 1.0
    return -np.log(radius), max(1.0, 1 / max(mean, FLATTEST))
