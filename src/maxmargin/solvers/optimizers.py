"""Optimisers: they improve hyperplanes and labels together, from labels to begin with."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from maxmargin._core.interrupts import check_interrupt
from maxmargin._runtime.parameters import Allowed, Integer
from maxmargin.objectives.hinge import Hyperplanes, RowRanking
from maxmargin.sizes import cheapest_labels
from maxmargin.solvers.cutting_plane import CuttingPlane, Limits

#: CCCP ends when a step lowers the objective by less than this share of it (the paper's α %).
LEAST_DECREASE = 0.01
#: Cuts in a round of alternation, at most, and the rounds after which runs are compared.
CUTS_IN_ROUND = 30
SHORT_ROUNDS = 6
#: Alternation ends when no more than this share of the labels changes, or when the objective
#: does not fall by this share of it for a while.
FEW_LABELS = 0.0005
SMALL_GAIN = 0.001


@dataclass(frozen=True)
class OptimizerResult:
    """Where a run ended.

    Attributes
    ----------
    problem : CuttingPlane
        With its cuts, to go on from.
    planes : Hyperplanes
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
    voices : int
        The starts that it stands for.
    """

    problem: CuttingPlane
    planes: Hyperplanes
    labels: NDArray[np.int16]
    objective: float
    gap: float
    path: list[list[float]]
    n_cuts: int
    n_steps: int
    converged: bool
    voices: int = 1

    @property
    def kernel_weights(self) -> NDArray[np.float64]:
        """The best β for the hyperplanes."""
        norm = self.problem.norm
        return norm.kernel_weights(norm.lengths(self.planes.weights))

    def followed_by(self, end: "OptimizerResult") -> "OptimizerResult":
        """The end of a run that began with this one."""
        return replace(
            end,
            path=self.path + end.path,
            n_cuts=self.n_cuts + end.n_cuts,
            n_steps=self.n_steps + end.n_steps,
            voices=self.voices,
        )


class Incumbent:
    """The best hyperplanes and labels so far.

    Parameters
    ----------
    gain : float
        The share of the objective by which it must fall to count as progress.

    Attributes
    ----------
    age : int
        How often what was seen was no progress.
    """

    planes: Hyperplanes
    labels: NDArray[np.int16]

    def __init__(self, gain: float = 0.0) -> None:
        self.objective = np.inf
        self.gain = gain
        self.age = 0
        self._progress = np.inf

    def see(self, problem: CuttingPlane, ranking: RowRanking) -> None:
        """Keep what the problem has now if it is better."""
        objective = problem.objective(ranking)
        self.age += 1
        if objective < self._progress * (1 - self.gain):
            self._progress, self.age = objective, 0
        if objective < self.objective:
            self.objective, self.planes, self.labels = objective, problem.planes, ranking.labels


class Optimizer(BaseEstimator, ABC):
    """A way to improve hyperplanes and labels; its parameters are set and cloned as usual.

    Examples
    --------
    One optimiser after the other:

    >>> from sklearn.datasets import load_iris
    >>> from maxmargin import CuttingPlaneClustering
    >>> from maxmargin.solvers import CCCP, Alternation, Optimizer
    >>> class Both(Optimizer):
    ...     def run(self, problem, limits):
    ...         rough = CCCP(max_steps=1).run(problem, limits)
    ...         return rough.followed_by(Alternation().run(rough.problem, limits))
    >>> model = CuttingPlaneClustering(3, optimizer=Both(), random_state=0).fit(load_iris().data)
    >>> model.optimizer, model.n_clusters_
    (Both(), 3)
    """

    #: The parameters that it takes into account of those that not all optimisers do.
    takes: tuple[str, ...] = ("proportions", "min_size", "max_size")
    #: Whether it is a paper to the letter, to which nothing is added.
    to_the_letter = False
    #: Whether it stays near its start, which should be a good one then.
    local = False
    #: Whether label and rival trade places where a row moves to its rival.
    swap = True
    #: Whether cuts that are of no use are dropped.
    drops_cuts = True
    #: Whether rows are centred, and hyperplanes have biases.
    centred = True
    #: The number of clusters that it is for; None for any.
    n_clusters: int | None = None
    #: What the parameters may be.
    _parameters: Mapping[str, Allowed] = {}

    def begin(self, problem: CuttingPlane, limits: Limits) -> None:
        """Make the first cut: from the means of the clusters."""
        problem.begin()

    @abstractmethod
    def run(self, problem: CuttingPlane, limits: Limits) -> OptimizerResult:
        """Go on from a problem that has at least one cut."""

    def short(self) -> "Optimizer":
        """As long as runs from several starts are compared."""
        return self

    def polish(self) -> "Optimizer | None":
        """What brings the best runs to their end."""
        return Alternation()


class Alternation(Optimizer):
    """Exact steps in turn: the convex fit to fixed labels, the best labels for fixed planes.

    CCCP lets labels go after every problem that it solves; with many clusters and few cuts
    they run away. Here the cuts know the loss of the current labels up to the tolerance
    before any label moves, and the best hyperplanes so far go on: the objective never rises. It
    stays near its start, which should therefore be a good one.

    Runs from several starts are compared after six rounds; the best ones go on.

    Parameters
    ----------
    max_rounds : int, default=50
        Rounds at most.
    patience : int, default=6
        Rounds without progress after which it ends.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from maxmargin import CuttingPlaneClustering
    >>> from maxmargin.solvers import Alternation
    >>> model = CuttingPlaneClustering(3, optimizer=Alternation(max_rounds=20), random_state=0)
    >>> model.fit(load_iris().data).n_clusters_
    3
    """

    local = True
    _parameters = {"max_rounds": Integer(1), "patience": Integer(1)}

    def __init__(self, max_rounds: int = 50, patience: int = 6) -> None:
        self.max_rounds = max_rounds
        self.patience = patience

    def run(self, problem: CuttingPlane, limits: Limits) -> OptimizerResult:
        """Alternate until labels or objective come to rest."""
        best = Incumbent(SMALL_GAIN)
        path: list[float] = []
        n_cuts, n_steps = 0, 1
        settled = False
        ranking = problem.rank(problem.labels)
        if not limits.hold(problem.labels, ranking.counts):
            ranking = problem.rank_within(limits)
            problem.relabel(ranking.labels)
        best.see(problem, ranking)
        while not settled and len(path) < self.max_rounds and n_cuts < limits.max_iter:
            fit, fitted = Incumbent(), False
            fit.see(problem, ranking)
            for _ in range(min(CUTS_IN_ROUND, limits.max_iter - n_cuts)):
                check_interrupt()
                problem.solve()
                ranking = problem.rank(problem.labels)
                fit.see(problem, ranking)
                n_steps += 1
                fitted = ranking.loss - problem.solution.slack <= limits.tol
                if fitted:
                    break
                problem.add(ranking)
                n_cuts += 1
            problem.planes = fit.planes  # cutting planes swing: the last ones may be bad
            path.append(fit.objective)
            ranking = problem.rank_within(limits)
            n_steps += 1
            best.see(problem, ranking)
            moved = problem.relabel(ranking.labels)
            few = moved <= FEW_LABELS * problem.rows.shape[0]
            settled = (fitted and few) or best.age >= self.patience
        problem.planes = best.planes
        gap = problem.solution.gap if path else np.nan  # of a problem that nobody solved
        return OptimizerResult(
            problem, best.planes, best.labels, best.objective, gap, [path], n_cuts, n_steps, settled
        )

    def short(self) -> "Alternation":
        """A few rounds: what is behind by then does not win."""
        return Alternation(min(SHORT_ROUNDS, self.max_rounds), self.patience)

    def polish(self) -> "Alternation":
        """The other rounds."""
        return self


class CCCP(Optimizer):
    """Cuts outside, the concave-convex procedure inside: CPM3C with the repairs that it needs.

    Label and rival trade places when a row moves to its rival, so that no step can raise the
    objective. Where labels break the size limits when a cut is due, the cheapest ones within
    them are taken, and the rows that these force are held until the next cut. The best
    hyperplanes are kept; alternation polishes them.

    Parameters
    ----------
    max_steps : int, default=2
        Steps of CCCP between two cuts, at most. With more than two clusters and few cuts,
        labels that settle have run away to where no cut was made yet: a new cut after every
        other step finds better ones, in less time.
    patience : int, default=4
        Cuts without a better objective after which alternation takes over.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from maxmargin import CuttingPlaneClustering
    >>> from maxmargin.solvers import CCCP
    >>> model = CuttingPlaneClustering(3, optimizer=CCCP(patience=8), random_state=0)
    >>> model.set_params(optimizer__max_steps=5).fit(load_iris().data).n_clusters_
    3
    """

    _parameters = {"max_steps": Integer(1), "patience": Integer(0)}

    def __init__(self, max_steps: int = 2, patience: int = 4) -> None:
        self.max_steps = max_steps
        self.patience = patience

    def run(self, problem: CuttingPlane, limits: Limits) -> OptimizerResult:
        """Algorithm 1, with the size limits, until no constraint is violated or gains cease."""
        held = limits.pins
        best = Incumbent()
        path = [[problem.solve()]]
        n_cuts, n_steps = 1, 0
        while True:
            ranking, steps = settle(problem, held, path[-1], self.max_steps)
            ranking, held = _within_limits(problem, limits, held, ranking)
            n_steps += steps
            best.see(problem, ranking)
            done = ranking.loss - problem.solution.slack <= limits.tol or best.age > self.patience
            if done or n_cuts >= limits.max_iter:
                break
            problem.add(ranking)
            path.append([problem.solve()])
            n_cuts += 1
        problem.relabel(best.labels)
        problem.planes = best.planes
        return OptimizerResult(
            problem, best.planes, best.labels, best.objective, problem.solution.gap, path,
            n_cuts, n_steps, done,
        )  # fmt: skip


def settle(
    problem: CuttingPlane, held: NDArray[np.int16], path: list[float], max_steps: int
) -> tuple[RowRanking, int]:
    """Algorithm 2: move the rows to their largest values and solve again, until that settles.

    ``path`` takes the objective of each problem. Returns the last ranking, which the cuts are
    linearised at, and the passes made.
    """
    for steps in range(1, max_steps + 1):
        check_interrupt()
        ranking = problem.rank(held)
        moved = problem.relabel(ranking.labels)
        settled = len(path) > 1 and path[-2] - path[-1] <= LEAST_DECREASE * abs(path[-1])
        if not moved or settled or steps == max_steps:
            break
        path.append(problem.solve())
    return ranking, steps


def _within_limits(
    problem: CuttingPlane, limits: Limits, held: NDArray[np.int16], ranking: RowRanking
) -> tuple[RowRanking, NDArray[np.int16]]:
    """Labels within the limits, and the rows that are held in them for the next cut."""
    pins = limits.sizes.pins
    only_pins = held is limits.there or np.array_equal(held, pins)
    if only_pins and limits.hold(ranking.labels, ranking.counts):
        return ranking, limits.pins
    losses = problem.hinge.losses(problem.planes)
    labels = cheapest_labels(losses, limits.sizes)
    forced = (pins >= 0) | (labels != np.argmin(losses, axis=1))
    held = np.where(forced, labels, np.int16(-1))
    problem.relabel(labels)
    return problem.rank(labels), held
