"""The engine of least-squares clustering: start → search → polish → best of the runs.

What is to be labelled is a quadratic form R with limits on the sizes. A search moves labels from
a start; the engine brings what it found within the limits and to rest.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from maxmargin._runtime.parameters import Allowed
from maxmargin.objectives.leave_one_out import loo_score
from maxmargin.sizes import Sizes
from maxmargin.spaces.quadratic_form import Labelling, QuadraticForm


@dataclass(frozen=True)
class Problem:
    """What is to be labelled.

    Attributes
    ----------
    form : QuadraticForm
        The objective.
    sizes : Sizes
        The limits on the clusters, and the pins.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from maxmargin import RLSClustering
    >>> from maxmargin.search import Found, Search
    >>> class Stay(Search):
    ...     def run(self, problem, start, rng):
    ...         labelling = problem.labelling(start.labels)
    ...         print(labelling.labels.shape, f"{labelling.value:.0f}", labelling.movable.sum())
    ...         return Found(labelling, [labelling.value], n_iter=0)
    >>> _ = RLSClustering(3, search=Stay(), n_init=1, random_state=0).fit(load_iris().data)
    (150,) 60 150
    """

    form: QuadraticForm
    sizes: Sizes

    def labelling(self, labels: NDArray[np.int32]) -> Labelling:
        """A labelling that starts from these labels and leaves them as they are."""
        return Labelling(self.form, self.sizes, labels.copy())


@dataclass(frozen=True)
class Start:
    """Where a run begins.

    Attributes
    ----------
    labels : ndarray of shape (n,)
    informed : bool
        Whether the labels say something about the data, so that a search should improve
        them and not erase them.
    quota : ndarray of shape (k,)
        The sizes that the search aims at.
    number : int
        Which restart this is, from 0.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from maxmargin import RLSClustering
    >>> from maxmargin.search import Shaking
    >>> class Told(Shaking):
    ...     def run(self, problem, start, rng):
    ...         print(start.number, start.informed, start.quota.tolist())
    ...         return super().run(problem, start, rng)
    >>> _ = RLSClustering(3, search=Told(), n_init=2, random_state=0).fit(load_iris().data)
    0 False [50.0, 50.0, 50.0]
    1 False [50.0, 50.0, 50.0]
    """

    labels: NDArray[np.int32]
    informed: bool
    quota: NDArray[np.float64]
    number: int

    @classmethod
    def at_random(
        cls, sizes: Sizes, rng: np.random.Generator, number: int, aim: int = 0
    ) -> "Start":
        """Labels by chance; free sizes aim at the quota, or from ``aim`` = 1 on at others."""
        quota = sizes.draw_quota(rng, aim)
        return cls(sizes.random_labels(rng, quota), False, quota, number)


@dataclass(frozen=True)
class Found:
    """Where a run ended.

    Attributes
    ----------
    labelling : Labelling
        Within its size limits.
    path : list of float
        f after each round.
    n_iter : int
        The number of rounds, sweeps, moves or generations: what the search counts.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from maxmargin import RLSClustering
    >>> from maxmargin.search import Shaking
    >>> class Told(Shaking):
    ...     def run(self, problem, start, rng):
    ...         found = super().run(problem, start, rng)
    ...         print(found.n_iter, len(found.path), found.path[-1] == found.labelling.value)
    ...         return found
    >>> _ = RLSClustering(3, search=Told(rounds=8), n_init=1, random_state=0).fit(load_iris().data)
    8 8 True
    """

    labelling: Labelling
    path: list[float]
    n_iter: int


class Search(BaseEstimator, ABC):
    """A way to find labels; its parameters are set, cloned and printed as an estimator's.

    Examples
    --------
    A search that stays where it starts, so that the polish does all the work:

    >>> from sklearn.datasets import load_iris
    >>> from maxmargin import RLSClustering
    >>> from maxmargin.search import Found, Search
    >>> class Stay(Search):
    ...     def run(self, problem, start, rng):
    ...         labelling = problem.labelling(start.labels)
    ...         return Found(labelling, [labelling.value], n_iter=0)
    >>> model = RLSClustering(3, search=Stay(), random_state=0).fit(load_iris().data)
    >>> model.search, model.n_iter_
    (Stay(), 0)
    """

    #: Whether two runs from the same start can end differently.
    random = False

    #: What the parameters may be.
    _parameters: Mapping[str, Allowed] = {}

    @abstractmethod
    def run(self, problem: Problem, start: Start, rng: np.random.Generator) -> Found:
        """Search from the start; rows that are pinned do not move."""

    def from_labels(self) -> "list[Search]":
        """The search as it goes on from labels that say something, in more than one way or one."""
        return [self]


@dataclass(frozen=True)
class Run:
    """What is kept of a run: much less than its scores.

    Attributes
    ----------
    labels : ndarray of shape (n,)
    objective : float
        f at the labels.
    loo_score : float
        R² of their leave-one-out predictions.
    path : list of float
        f after each round of the search.
    n_iter, n_moves : int
        The rounds of the search, and the label changes in all.
    """

    labels: NDArray[np.int32]
    objective: float
    loo_score: float
    path: list[float]
    n_iter: int
    n_moves: int

    def __str__(self) -> str:
        return f"objective {self.objective:.6g} after {self.n_iter} iterations"


@dataclass(frozen=True)
class Engine:
    """Makes labels that least squares predicts well, within size limits and pins.

    Attributes
    ----------
    form : QuadraticForm
        R of the rows.
    sizes : Sizes
    polish : bool
        Whether a run goes on to a local optimum of the objective.
    """

    form: QuadraticForm
    sizes: Sizes
    polish: bool = True

    def run(self, search: Search, start: Start, rng: np.random.Generator) -> Run:
        """Search from a start, and bring the labels to rest within the limits."""
        found = search.run(Problem(self.form, self.sizes), start, rng)
        end = self._settle(found.labelling)
        loo = loo_score(self.form, end.scores, end.labels)
        return Run(end.labels, end.value, loo, found.path, found.n_iter, end.n_moves)

    def settled(self, labels: NDArray[np.integer]) -> NDArray[np.int32]:
        """Bring labels that come from elsewhere to rest within the limits."""
        named = self.sizes.pinned(self.sizes.matched_by_size(labels))
        return self._settle(Labelling(self.form, self.sizes, named)).labels

    def _settle(self, labelling: Labelling) -> Labelling:
        """Name the clusters by the pins, mend the sizes, and polish."""
        labelling.align()
        labelling.repair()
        if self.polish:
            labelling.polish()
        return labelling


def best_run(runs: Sequence[Run], by_loo: bool) -> Run:
    """The run with the largest objective, or leave-one-out score.

    The objective grows with unequal sizes: it cannot compare runs that aim at different ones,
    the leave-one-out score can.
    """
    return max(runs, key=lambda run: run.loo_score if by_loo else run.objective)
