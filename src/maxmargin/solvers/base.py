"""What an optimiser is: cuts and labels go in, better ones come out."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from maxmargin.objectives.hinge import Planes, Ranking
from maxmargin.sizes import Sizes
from maxmargin.solvers.cutting_plane import CuttingPlane


@dataclass(frozen=True)
class Limits:
    """What an optimiser must keep to.

    Attributes
    ----------
    sizes : Sizes
        The bounds of the clusters, and the pins.
    tol : float
        ε: the violation of a constraint that is good enough.
    max_iter : int
        Cuts at most.
    """

    sizes: Sizes
    tol: float
    max_iter: int

    @property
    def pins(self) -> NDArray[np.int16]:
        """The cluster of each pinned row, −1 where the row is free."""
        return self.sizes.pins.astype(np.int16)


@dataclass(frozen=True)
class Outcome:
    """Where a run ended.

    Attributes
    ----------
    problem : CuttingPlane
        With its cuts, to go on from.
    planes : Planes
        The best ones that were seen.
    labels : ndarray of shape (n,)
        Theirs, within the limits.
    objective : float
        ½ α ‖W‖² + the mean loss of the labels.
    gap : float
        The duality gap of the last small problem.
    path : list of list of float
        The objective under the cuts after each step of CCCP, a list for each cut; the last
        list has the objective itself after each round of alternation.
    n_cuts, n_steps : int
        Cuts that were made, and passes that were made over the rows to rank them.
    converged : bool
        Whether the run ended before its caps.
    """

    problem: CuttingPlane
    planes: Planes
    labels: NDArray[np.int16]
    objective: float
    gap: float
    path: list[list[float]]
    n_cuts: int
    n_steps: int
    converged: bool

    def followed_by(self, end: "Outcome") -> "Outcome":
        """The end of a run that began with this one."""
        return replace(
            end,
            path=self.path + end.path,
            n_cuts=self.n_cuts + end.n_cuts,
            n_steps=self.n_steps + end.n_steps,
        )


class Best:
    """The best hyperplanes and labels so far.

    Parameters
    ----------
    little : float
        The share of the objective by which it must fall to count as news.

    Attributes
    ----------
    age : int
        How often what was seen was no news.
    """

    planes: Planes
    labels: NDArray[np.int16]

    def __init__(self, little: float = 0.0) -> None:
        self.objective = np.inf
        self.little = little
        self.news = np.inf
        self.age = 0

    def see(self, problem: CuttingPlane, ranking: Ranking) -> None:
        """Keep what the problem has now if it is better."""
        objective = problem.objective(ranking)
        self.age += 1
        if objective < self.news * (1 - self.little):
            self.news, self.age = objective, 0
        if objective < self.objective:
            self.objective, self.planes, self.labels = objective, problem.planes, ranking.labels


class Optimizer(ABC):
    """A way to improve cuts and labels together."""

    #: Whether label and rival trade places where a row moves to its rival.
    swap = True

    @abstractmethod
    def run(self, problem: CuttingPlane, limits: Limits) -> Outcome:
        """Go on from a problem that has at least one cut."""
