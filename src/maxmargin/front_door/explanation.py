"""What a fit of the front door tells about itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin.front_door.choice import Choice
from maxmargin.front_door.partition import FittedPartition
from maxmargin.selection.cells import Cell


@dataclass(frozen=True, eq=False)
class Alternative:
    """A grouping that could be the answer too.

    Attributes
    ----------
    labels : ndarray of shape (n_rows,)
    score : float
        1 minus the geometric mean, over the cells that judge, of the leave-one-out error.
    cell : Cell
        The space in which it predicts itself best.
    source, start : str
        Where it was found.
    rows : ndarray of shape (n_rows,)
        Which rows of X it is about: all, unless there were too many to look at.
    agreement : float
        The adjusted Rand index with the chosen grouping.
    """

    labels: NDArray[np.int32]
    score: float
    cell: Cell
    source: str
    start: str
    rows: NDArray[np.intp]
    agreement: float

    @property
    def sizes(self) -> NDArray[np.intp]:
        """The number of rows in each cluster."""
        return np.bincount(self.labels)


def selection_table(choice: Choice, judges: Sequence[Cell]) -> dict[str, NDArray[Any]]:
    """All candidates with their scores, as a dict of arrays."""
    ranking = choice.ranking
    order = np.argsort(-ranking.scores, kind="stable")
    rank = np.empty(len(order), np.intp)
    rank[order] = np.arange(1, len(order) + 1)
    return {
        "source": np.array([c.source for c in choice.candidates]),
        "start": np.array([c.start for c in choice.candidates]),
        "score": ranking.fit,
        "missed_pins": ranking.missed_pins,
        "rank": rank,
        "vote": ranking.votes,
        "smallest_size": np.array([np.bincount(c.labels).min() for c in choice.candidates]),
        **{f"loo {cell.name}": 1 - ranking.errors[:, j] for j, cell in enumerate(judges)},
    }


def chosen(
    answer: FittedPartition, score: float, source: str, start: str, why: str
) -> dict[str, Any]:
    """What was chosen, as a dict and as a sentence."""
    sizes = np.bincount(answer.labels).tolist()
    many = "1 cluster" if len(sizes) == 1 else f"{len(sizes)} clusters"
    gamma = answer.classifier.gamma
    sentence = (
        f"{many} of {', '.join(map(str, sizes))} rows: {why}. New rows are predicted by a "
        f"Gaussian kernel of width {1 / np.sqrt(2 * gamma):.3g} (gamma {gamma:.3g})."
    )
    return {
        "why": sentence,
        "kernel": answer.cell.kernel,
        "gamma": gamma,
        "alpha": answer.cell.strength,
        "source": source,
        "start": start,
        "score": score,
    }
