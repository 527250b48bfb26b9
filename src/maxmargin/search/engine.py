"""The engine of least-squares clustering: start → search → polish → best of the runs."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from maxmargin.objectives.labelling import Labelling
from maxmargin.objectives.leave_one_out import loo_score
from maxmargin.search.base import Problem, Search, Start
from maxmargin.sizes import Sizes
from maxmargin.spaces.quadratic_form import QuadraticForm


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
