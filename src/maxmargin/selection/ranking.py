"""Which candidate to take, and which ones to show beside it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from maxmargin.objectives.leave_one_out import LeaveOneOut

#: Errors below this are all as good as none: a perfect fit in one cell must not outweigh all
#: the others.
SMALLEST_ERROR = 0.002
#: Candidates whose score is this much lower count 1/e as much in the vote.
VOTE_SCALE = 0.05
#: What a pinned row that would go elsewhere costs.
PIN_FINE = 0.1
#: Partitions that agree more than this are one answer.
SAME = 0.8


@dataclass(frozen=True)
class Ranking:
    """Scores of partitions over cells.

    Attributes
    ----------
    errors : ndarray of shape (n_partitions, n_cells)
        1 − R² of the leave-one-out predictions of each partition in each cell.
    scores : ndarray of shape (n_partitions,)
        Minus the mean logarithm of the errors, less a fine for every pinned row that would go
        elsewhere if it were left out.
    missed_pins : ndarray of shape (n_partitions,)
        How many these are, in the mean over cells.
    votes : ndarray of shape (n_partitions,)
        Agreement (ARI) with all partitions, those with a high score counting most.
    agreement : ndarray of shape (n_partitions, n_partitions)
        The ARI between partitions.
    """

    errors: NDArray[np.float64]
    scores: NDArray[np.float64]
    missed_pins: NDArray[np.float64]
    votes: NDArray[np.float64]
    agreement: NDArray[np.float64]

    @property
    def best(self) -> int:
        """The partition that the good ones agree with most: a medoid, not the maximum.

        Among partitions whose scores are level, the one that many searches found is more
        often the right one than the one with the last percent of the score.
        """
        return int(np.argmax(self.votes))

    @property
    def fit(self) -> NDArray[np.float64]:
        """Scores as a share: 1 minus the geometric mean of the errors over the cells."""
        return 1 - np.exp(-self.scores - PIN_FINE * self.missed_pins)

    def distinct(self, first: int, n: int) -> list[int]:
        """``first``, then by score up to n partitions that differ from all before them."""
        chosen = [first]
        for p in np.argsort(-self.scores, kind="stable"):
            if len(chosen) > n:
                break
            if np.all(self.agreement[p, chosen] < SAME):
                chosen.append(int(p))
        return chosen[1:]


def rank(
    partitions: Sequence[NDArray[np.integer]],
    criteria: Sequence[LeaveOneOut],
    pins: NDArray[np.integer] | None = None,
) -> Ranking:
    """Score every partition in every cell, and let the partitions vote.

    A pinned row is one of many to the error, but it is what the user knows.
    """
    errors = np.column_stack([1 - criterion.scores(partitions) for criterion in criteria])
    scores = -np.log(np.maximum(errors, SMALLEST_ERROR)).mean(axis=1)
    missed = np.zeros(len(partitions))
    if pins is not None and np.any(pins >= 0):
        missed = np.mean([c.missed_pins(partitions, pins) for c in criteria], axis=0)
        scores -= PIN_FINE * missed
    agreement = pairwise_agreement(partitions)
    weights = np.exp((scores - scores.max()) / VOTE_SCALE)
    votes = np.maximum(agreement, 0) @ (weights / weights.sum())
    return Ranking(errors, scores, missed, votes, agreement)


def pairwise_agreement(partitions: Sequence[NDArray[np.integer]]) -> NDArray[np.float64]:
    """The adjusted Rand index between all partitions, from one product of their indicators.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.selection.ranking import pairwise_agreement
    >>> a, b = np.array([0, 0, 1, 1]), np.array([1, 1, 0, 0])
    >>> pairwise_agreement([a, b, np.array([0, 1, 0, 1])]).round(9).tolist()
    [[1.0, 1.0, -0.5], [1.0, 1.0, -0.5], [-0.5, -0.5, 1.0]]
    """
    n = len(partitions[0])
    widths = [int(labels.max()) + 1 for labels in partitions]
    first = np.concatenate([[0], np.cumsum(widths)])
    H = np.zeros((n, first[-1]), np.float32)
    for start, labels in zip(first, partitions, strict=False):
        H[np.arange(n), start + labels] = 1
    common = (H.T @ H).astype(np.float64)  # rows that two clusters share; exact below 2²⁴
    pairs = common * (common - 1) / 2
    together = np.add.reduceat(np.add.reduceat(pairs, first[:-1], axis=0), first[:-1], axis=1)
    own = together.diagonal()
    expected = np.outer(own, own) / max(n * (n - 1) / 2, 1)
    largest = (own[:, None] + own[None]) / 2
    trivial = largest == expected  # both one cluster, or both n clusters
    span = np.where(trivial, 1.0, largest - expected)
    return np.where(trivial, 1.0, (together - expected) / span)
