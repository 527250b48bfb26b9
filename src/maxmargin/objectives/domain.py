"""The domain of the data: where a weighted sum of Gaussians is at least 1."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from maxmargin._core.trajectories import climb
from maxmargin.spaces.kernel import row_blocks
from maxmargin.spaces.metric import squared_distances
from maxmargin.spaces.pairs import gaussian


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
    >>> from maxmargin.objectives.domain import Domain
    >>> domain = Domain(np.array([[0.0], [2.0]]), np.array([1.0, 1.0]), gamma=1.0)
    >>> domain.heights(np.array([[0.0], [1.0], [5.0]])).round(3).tolist()
    [1.018, 0.736, 0.0]
    """

    support: NDArray[np.float64]
    weights: NDArray[np.float64]
    gamma: float
    _center: NDArray[np.float64] = field(init=False, repr=False)
    _centred: NDArray[np.float64] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        center = self.support.mean(axis=0)
        object.__setattr__(self, "_center", center)
        object.__setattr__(self, "_centred", np.ascontiguousarray(self.support - center))

    def squared(self, X: NDArray[np.floating]) -> NDArray[np.float64]:
        """Squared distances of points to the support."""
        return squared_distances(X - self._center, self._centred)

    def heights(self, X: NDArray[np.floating]) -> NDArray[np.float64]:
        """The height g of points."""
        heights = np.empty(len(X))
        for block in row_blocks(len(X), len(self.support)):
            heights[block] = gaussian(self.squared(X[block]), self.gamma) @ self.weights
        return heights

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
            points, self._centred, self.weights, self.gamma, tol, max_iter, *room
        )
        return points + self._center, longest, n_open
