"""Whether what the sources found is the answer: where they are sure, or agree with each other."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from maxmargin.front_door.sources.source import Proposal

#: The adjusted Rand index above which two proposals are the same.
AGREEMENT = 0.85
#: Of the four sources, so many must agree.
SOURCES_NEEDED = 3
#: Leave-one-out R² from which it no longer tells a right grouping from a wrong one: clean gaps lie
#: around any cut through the narrow part of a shape.
SATURATED = 0.95
#: And R² that what the sources found must reach: a flag that is a cluster is seen by the search
#: only, and what sources find without it is no grouping.
PREDICTABLE = 0.9
#: By how much an unpolished proposal must beat the search by its own criterion.
HEAD_START = 0.02

Verdict = tuple[int, str]


def verdict(
    proposals: Sequence[Proposal],
    scores: NDArray[np.float64],
    agreement: NDArray[np.float64],
    searched: int,
    mixture: bool,
) -> Verdict | None:
    """Which proposal is to replace what the search chose, and why; None for none.

    Parameters
    ----------
    proposals : sequence of Proposal
    scores : ndarray of shape (n_candidates,)
        Minus the mean log of the leave-one-out errors; the last ones are those of the proposals.
    agreement : ndarray of shape (n_candidates, n_candidates)
        The adjusted Rand indices.
    searched : int
        The candidate that the search chose.
    mixture : bool
        Whether it is a mixture that describes the rows.

    Returns
    -------
    tuple of the place of the proposal (−1: the sources agree with the search) and the reason
    """
    first = len(scores) - len(proposals)
    mine, alike = scores[first:], agreement[first:, first:]
    # what agrees with the search and predicts itself better is the better of the two
    better = mine > scores[searched] + HEAD_START
    same = (agreement[first:, searched] >= AGREEMENT) & ~better
    fit = 1 - np.exp(-scores[searched])
    gaps = [p for p, proposal in enumerate(proposals) if proposal.gap]
    for p in gaps:
        if proposals[p].few:  # others cannot see it, or not all of it
            return p, proposals[p].why
    if not mixture and fit >= SATURATED:
        low = mine < -np.log(1 - PREDICTABLE)
        found = _agreed(proposals, mine, alike, low, same)
        if found is None:
            found = _peaks(proposals, alike, low, same)
        if found is not None:
            return found
    for p in gaps:
        return (-1, "") if same[p] else (p, proposals[p].why)
    if not mixture and fit >= PREDICTABLE:
        p = int(np.argmax(mine)) if len(mine) else -1
        if p >= 0 and better[p]:
            why = (
                f"found by {_name(proposals[p])}, it predicts itself better when rows are left "
                f"out than what the search found"
            )
            return p, why
    return None


def _agreed(
    proposals: Sequence[Proposal],
    scores: NDArray[np.float64],
    alike: NDArray[np.float64],
    low: NDArray[np.bool_],
    same: NDArray[np.bool_],
) -> Verdict | None:
    """What most sources agree on, each in a way of its own, in the same columns."""
    best = loudest(proposals, alike, SOURCES_NEEDED)
    if best is None:
        return None
    friends = _friends(best, proposals, alike)
    names = sorted({proposals[q].source for q in friends})
    best = max(friends, key=lambda q: scores[q])
    if same[best]:
        return -1, ""
    if low[best]:
        return None
    why = (
        f"{', '.join(names[:-1])} and {names[-1]}, which look at the rows in different ways, "
        f"agree on it{_columns(proposals[best])}; leave-one-out predictions do not tell groupings "
        f"apart here"
    )
    return best, why


def loudest(
    proposals: Sequence[Proposal], agreement: NDArray[np.float64], needed: int = 2
) -> int | None:
    """The proposal that most sources agree with, where so many do.

    The last rows and columns of ``agreement`` are those of the proposals.
    """
    first = len(agreement) - len(proposals)
    best, most = None, (needed, 0)
    for p in range(len(proposals)):
        friends = _friends(p, proposals, agreement[first:, first:])
        voices = len({proposals[q].source for q in friends}), len(friends)
        if voices > most:
            best, most = p, voices
    return best


def _friends(p: int, proposals: Sequence[Proposal], alike: NDArray[np.float64]) -> list[int]:
    return [
        q
        for q, other in enumerate(proposals)
        if other.columns == proposals[p].columns and alike[p, q] >= AGREEMENT and not other.gap
    ]


def _peaks(
    proposals: Sequence[Proposal],
    alike: NDArray[np.float64],
    low: NDArray[np.bool_],
    same: NDArray[np.bool_],
) -> Verdict | None:
    """A source that is sure in its middle setting, and says the same in all others."""
    for p, proposal in enumerate(proposals):
        if not proposal.why or proposal.gap or low[p]:
            continue
        others = [
            q
            for q, other in enumerate(proposals)
            if other.columns == proposal.columns and other.source == proposal.source
        ]
        if np.all(alike[p, others] >= AGREEMENT):
            return (-1, "") if same[p] else (p, proposal.why + _columns(proposal))
    return None


def _name(proposal: Proposal) -> str:
    return f"{proposal.source} ({proposal.setting}{_columns(proposal)})"


def _columns(proposal: Proposal) -> str:
    return " in columns as they are" if proposal.columns == "raw" else ""
