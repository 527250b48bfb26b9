"""The domain of the data: where a weighted sum of Gaussians is at least 1."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.extmath import row_norms

from maxmargin._core.segments import lowest_on_segments
from maxmargin._core.trajectories import climb
from maxmargin._runtime.units import center_of, shifted
from maxmargin.spaces.kernel import row_blocks
from maxmargin.spaces.pairwise import GaussianSpace, PairwiseDistances

#: Memory for squared distances of the ends of segments, in blocks of this size.
SEGMENT_BLOCKS = 8


@dataclass(frozen=True, eq=False)
class Domain:
    """The half-space w·φ(x) ≥ 1 of a Gaussian kernel, seen from the space of the rows.

    g(x) = Σ_s weights_s exp(−γ ‖x − s‖²) is the *height* of a point, f = g − 1 the paper's
    decision function; the domain is where f ≥ 0.

    Parameters
    ----------
    support : array of shape (s, d)
        The support vectors.
    weights : array of shape (s,)
        Their α > 0.
    gamma : float

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.domain.domain import Domain
    >>> domain = Domain(np.array([[0.0], [2.0]]), np.array([1.0, 1.0]), gamma=1.0)
    >>> domain.heights(np.array([[0.0], [1.0], [5.0]])).round(3).tolist()
    [1.018, 0.736, 0.0]
    """

    support: NDArray[np.float64]
    weights: NDArray[np.float64]
    gamma: float
    _center: NDArray[np.float64] = field(init=False, repr=False)
    _space: GaussianSpace = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_center", center_of(self.support))
        around = PairwiseDistances.of_rows(self.support)
        # Rows that are nearly alone differ by tails of the kernel: every digit counts.
        object.__setattr__(self, "_space", GaussianSpace(self.gamma, tol=0.0).fit(around))

    @classmethod
    def of_weights(
        cls, rows: NDArray[np.floating], alpha: NDArray[np.float64], gamma: float
    ) -> "Domain":
        """The domain of the rows that have a weight."""
        heavy = np.flatnonzero(alpha)
        return cls(rows[heavy].astype(np.float64), alpha[heavy], gamma)

    def squared(self, X: NDArray[np.floating]) -> NDArray[np.float64]:
        """Squared distances of points to the support."""
        return self._space.squared(shifted(X, self._center))

    def heights(self, X: NDArray[np.floating]) -> NDArray[np.float64]:
        """The height g of points."""
        return self._space.values(shifted(X, self._center), self.weights[:, np.newaxis])[:, 0]

    def lowest(
        self,
        points: NDArray[np.float64],
        heights: NDArray[np.float64],
        start: NDArray[np.intp],
        stop: NDArray[np.intp],
        *,
        steps: int,
    ) -> NDArray[np.float64]:
        """The lowest height on each segment, at its ends and at ``steps`` points inside.

        Parameters
        ----------
        points : array of shape (p, d)
        heights : array of shape (p,)
            Their heights.
        start, stop : arrays of shape (e,)
            The ends of the segments.
        steps : int
        """
        lowest = np.minimum(heights[start], heights[stop])
        for block in row_blocks(len(start), len(self.weights) // SEGMENT_BLOCKS):
            # a block of the edges of a graph shares most of its ends
            ends, place = np.unique(np.append(start[block], stop[block]), return_inverse=True)
            first, second = np.split(place.astype(np.intp), 2)
            lowest[block] = lowest_by_distances(
                *(self.squared(points[ends]), points[ends], first, second, lowest[block]),
                *(self.weights, self.gamma, steps),
            )
        return lowest

    def climb(
        self, X: NDArray[np.floating], tol: float, max_iter: int
    ) -> tuple[NDArray[np.float64], int, int]:
        """Follow the trajectories of points to their equilibria, where ∇f = 0.

        Returns
        -------
        ends : array of the shape of X
        longest : int
            The steps of the longest trajectory.
        n_open : int
            Trajectories that were still on their way after ``max_iter`` steps.
        """
        points = np.ascontiguousarray(X - self._center, dtype=np.float64)
        room = np.empty(len(self.support)), np.empty(X.shape[1])
        longest, n_open = climb(
            points, self._space.basis, self.weights, self.gamma, tol, max_iter, *room
        )
        return points + self._center, longest, n_open


def lowest_by_distances(
    squared: NDArray[np.float64],
    points: NDArray[np.float64],
    start: NDArray[np.intp],
    stop: NDArray[np.intp],
    at_ends: NDArray[np.float64],
    weights: NDArray[np.float64],
    gamma: float,
    steps: int,
) -> NDArray[np.float64]:
    """The lowest height on segments between p points, from their distances to the support.

    ``at_ends`` are the lower heights of both ends; ``steps`` points inside are looked at.
    """
    lengths = row_norms(points[start] - points[stop], squared=True)
    lowest = at_ends.copy()
    m = squared.shape[1]
    room = np.empty(m, dtype=np.intp), np.empty(m), np.empty(steps)
    lowest_on_segments(*(squared, start, stop, lengths, weights, gamma, steps, *room, lowest))
    return lowest
