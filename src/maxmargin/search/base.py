"""What a search is: a start goes in, a labelling comes out."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from maxmargin._runtime.parameters import Allowed
from maxmargin.objectives.labelling import Labelling
from maxmargin.sizes import Sizes
from maxmargin.spaces.quadratic_form import QuadraticForm


@dataclass(frozen=True)
class Problem:
    """What is to be labelled.

    Attributes
    ----------
    form : QuadraticForm
        The objective.
    sizes : Sizes
        The limits on the clusters, and the pins.
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
    """

    labels: NDArray[np.int32]
    informed: bool
    quota: NDArray[np.float64]
    number: int


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
    """

    labelling: Labelling
    path: list[float]
    n_iter: int


class Search(BaseEstimator, ABC):
    """A way to find labels; its parameters are set, cloned and printed as an estimator's."""

    #: Whether two runs from the same start can end differently.
    random = False

    #: What the parameters may be.
    _parameters: Mapping[str, Allowed] = {}

    @abstractmethod
    def run(self, problem: Problem, start: Start, rng: np.random.Generator) -> Found:
        """Search from the start; rows that are pinned do not move."""
