"""The longest plateau of the number of clusters over the width."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from maxmargin._runtime.context import FitContext
from maxmargin._runtime.warnings import warn_user
from maxmargin.domain.width import ClustersAt

#: Widths σ in units of the median distance to the 7th neighbour, from wide to narrow.
PLATEAU_WIDTHS: list[float] = np.geomspace(8.0, 0.18, 23).tolist()
#: A plateau of fewer widths says little.
SHORT_PLATEAU = 3


@dataclass(frozen=True, eq=False)
class Plateau:
    """The number of clusters at every width, and the longest stretch on which it stays.

    Parameters
    ----------
    gammas : array of shape (w,)
        In ascending order, evenly spaced in the logarithm.
    n_clusters : array of shape (w,)
    first, last : int
        The ends of the plateau, both in it.
    """

    gammas: NDArray[np.float64]
    n_clusters: NDArray[np.intp]
    first: int
    last: int

    @property
    def gamma(self) -> float:
        """The width in the middle of the plateau."""
        return float(self.gammas[(self.first + self.last) // 2])

    @property
    def length(self) -> int:
        """The widths in the plateau; 0 if there is none."""
        return self.last - self.first + 1 if self.n_clusters[self.first] >= 2 else 0

    @property
    def at_edge(self) -> bool:
        """Whether the plateau may go on beyond the widths that were tried."""
        return self.length > 0 and (self.first == 0 or self.last == len(self.gammas) - 1)


def longest_plateau(n_clusters: NDArray[np.integer]) -> tuple[int, int]:
    """The ends of the longest run of one number of at least 2; the first one of equals.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.domain.plateau import longest_plateau
    >>> longest_plateau(np.array([1, 1, 1, 1, 2, 3, 3, 3, 5, 9]))
    (5, 7)
    """
    starts = np.flatnonzero(np.diff(n_clusters, prepend=-1))
    ends = np.append(starts[1:], len(n_clusters)) - 1
    lengths = np.where(n_clusters[starts] >= 2, ends - starts + 1, 0)
    best = int(np.argmax(lengths))
    return int(starts[best]), int(ends[best])


def find_plateau(
    gammas: Sequence[float], clusters_at: ClustersAt, context: FitContext | None = None
) -> Plateau:
    """Count the clusters at every width, from wide to narrow; warn of a plateau of little worth."""

    def count(gamma: float) -> int:
        return clusters_at(gamma)[0].n_clusters

    counts = np.array((context or FitContext()).map(count, gammas, task="width"), dtype=np.intp)
    found = Plateau(np.array(gammas[: len(counts)]), counts, *longest_plateau(counts))
    if found.length < SHORT_PLATEAU:
        warn_user(
            f"the longest plateau of the number of clusters has {found.length} of {len(counts)} "
            f"widths: it says little; see plateau_."
        )
    elif found.at_edge:
        warn_user("the plateau of the number of clusters ends with the widths tried: see plateau_.")
    return found
