"""Everything that one fit of the front door chooses, on the rows that it looks at."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from maxmargin._runtime.context import FitContext
from maxmargin.front_door.effort import CONCENTRATED, CONCENTRATED_JUDGE, GAUSSIANS, JUDGES, Effort
from maxmargin.objectives.leave_one_out import LeaveOneOut
from maxmargin.selection.candidates import Candidate, Explored, by_affinity, explore
from maxmargin.selection.cells import Cell, Terrain
from maxmargin.selection.mixture import Mixture, judge_mixture
from maxmargin.selection.ranking import Ranking, rank
from maxmargin.sizes import Sizes

#: Candidates from which the mixture of Gaussians begins.
MIXTURE_STARTS = 4
#: A candidate that fits like this has clean gaps around it: no mixture may overrule it.
NEARLY_PERFECT = 0.99
#: The share of the pins that a mixture may contradict more than the best candidate does.
PINS_IN_DOUBT = 0.1


@dataclass(frozen=True)
class Choice:
    """The candidates for one number of clusters, and the one that was chosen.

    Attributes
    ----------
    candidates : list of Candidate
    ranking : Ranking
        Their scores in the cells that judge.
    best : int
        Which candidate was chosen.
    mixture : Mixture or None
        The judge of the special case, where it was asked.
    why : str
    """

    candidates: list[Candidate]
    ranking: Ranking
    best: int
    mixture: Mixture | None
    why: str


@dataclass(frozen=True)
class Landscape:
    """What all cells found, for every number of clusters that was asked for.

    Attributes
    ----------
    terrain : Terrain
    judges : dict of Cell to LeaveOneOut
        The cells that score candidates.
    models : dict of Cell to LeaveOneOut
        The Gaussian cells that the final model may be in.
    found : list of Explored
    """

    terrain: Terrain
    judges: dict[Cell, LeaveOneOut]
    models: dict[Cell, LeaveOneOut]
    found: list[Explored]

    def best_labels(self, k: int) -> NDArray[np.int32]:
        """The candidate with k clusters that the good ones agree with most."""
        partitions = [c.labels for cell in self.found for c in cell.candidates[k]]
        return partitions[rank(partitions, list(self.judges.values())).best]

    def choose(self, k: int, sizes: Sizes, seed: int) -> Choice:
        """Choose among the candidates with k clusters."""
        candidates = [c for cell in self.found for c in cell.candidates[k]]
        judges = list(self.judges.values())
        ranking = rank([c.labels for c in candidates], judges, sizes.pins)
        first = [ranking.best, *ranking.distinct(ranking.best, MIXTURE_STARTS - 1)]
        mixture = judge_mixture(
            self.terrain.coordinates,
            k,
            [candidates[p].labels for p in first],
            variance=self.terrain.variance,
            seed=seed,
        )
        labels = None
        if mixture is not None and mixture.adequate:
            labels = _within_pins(mixture.labels, sizes, ranking.missed_pins[ranking.best])
        if labels is not None:
            clean = ranking.fit[ranking.best] >= NEARLY_PERFECT
            candidates.append(Candidate(labels, "gaussian mixture", "mixture"))
            ranking = rank([c.labels for c in candidates], judges, sizes.pins)
            if not clean or ranking.fit[-1] >= NEARLY_PERFECT:
                why = (
                    f"a mixture of {k} Gaussians describes the rows, and more of them do not "
                    f"describe them better"
                )
                return Choice(candidates, ranking, len(candidates) - 1, mixture, why)
        best = ranking.best
        alike = int(np.sum(ranking.agreement[best] > 0.8)) - 1
        others = {0: "no other is", 1: "one other is"}.get(alike, f"{alike} others are")
        why = (
            f"of {len(candidates)} candidates, it agrees best with those that predict "
            f"themselves best when rows are left out; {others} nearly the same"
        )
        return Choice(candidates, ranking, best, mixture, why)


def survey(
    terrain: Terrain,
    effort: Effort,
    limits: Mapping[int, Sizes],
    seed: np.random.SeedSequence,
    *,
    context: FitContext | None = None,
    task: str = "space",
) -> Landscape:
    """Search all cells for candidates.

    When it is late, cells that have not begun are left out; one always is
    explored. ``task`` is what it is told a group of cells is called.
    """
    context = context or FitContext()
    groups = by_affinity(effort.cells)
    jobs = list(zip(groups, seed.spawn(len(groups)), strict=True))

    def run(job: tuple[tuple[Cell, ...], np.random.SeedSequence]) -> list[Explored]:
        cells, child = job
        return explore(terrain, cells, limits, effort.n_shakes, child, (*judging, *modelling))

    judging = [cell for cell in JUDGES if cell in effort.cells]
    if terrain.concentration > CONCENTRATED:
        judging = [CONCENTRATED_JUDGE]
    modelling = [cell for cell in GAUSSIANS if cell in effort.cells] or list(GAUSSIANS[1::2])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # of spectral starts
        results = context.map(run, jobs, task=task)
    found = [explored for group in results for explored in group]
    known = {cell.cell: cell.criterion for cell in found if cell.criterion is not None}

    def criteria(wanted: list[Cell]) -> dict[Cell, LeaveOneOut]:
        """All that are wanted; if it is late those that were made, or else one."""
        for cell in wanted:
            enough = context.late and any(other in known for other in wanted)
            if cell not in known and not enough:
                known[cell] = terrain.criterion(cell)
        return {cell: known[cell] for cell in wanted if cell in known}

    return Landscape(terrain, criteria(judging), criteria(modelling), found)


def _within_pins(
    labels: NDArray[np.int32], sizes: Sizes, missed: float
) -> NDArray[np.int32] | None:
    """Put the pins into labels that know nothing of them, unless they contradict too many."""
    labels = sizes.named(labels)
    pinned = sizes.pins >= 0
    contradicted = np.count_nonzero(pinned & (labels != sizes.pins))
    labels = np.where(pinned, sizes.pins, labels).astype(np.int32)
    agrees = contradicted <= missed + PINS_IN_DOUBT * sizes.n_pinned
    return labels if agrees and sizes.hold(labels) else None


def best_model(landscape: Landscape, labels: NDArray[np.int32]) -> Cell:
    """The Gaussian cell in which the labels predict themselves best."""
    scores = {cell: model.scores([labels])[0] for cell, model in landscape.models.items()}
    return max(scores, key=lambda cell: scores[cell])
