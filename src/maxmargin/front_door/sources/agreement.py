"""Whether the search's answer stands: against clean gaps, weaker borders, and clear peaks."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from maxmargin.front_door.sources.source import Proposal

#: The adjusted Rand index above which two groupings are the same.
AGREEMENT = 0.85
#: Leave-one-out R² from which it no longer tells a right grouping from a wrong one: clean gaps lie
#: around any cut through the narrow part of a shape. What replaces the search's answer must reach
#: it: a flag that is a cluster is seen by the search only.
PREDICTABLE = 0.9
#: And its errors may be so many times those of the search's answer.
MORE_ERRORS = 5.0
#: A grouping was found before where so many proposals, or so many spaces of the search, say it.
PROPOSALS_NEEDED, SPACES_NEEDED = 2, 3
#: It may lack so many of the sources that say what the search says.
FEWER_SOURCES = 1
#: Its border must be this much weaker than that of the search's answer,
WEAKER = 0.7
#: a fifth more for each further source that it does not have;
SOURCE_WORTH = 0.2
#: and what was found once must also predict itself better, and its border be half as strong.
HEAD_START, MUCH_WEAKER = 0.02, 0.5
#: A mixture that describes the rows gives way to what so many sources found and predicts itself
#: better, if next to no border is left: k Gaussians often pass for shapes with gaps.
SOURCES_NEEDED, FAR_WEAKER = 2, 0.03
#: Borders below this one are none.
NO_BORDER = 1e-4

Verdict = tuple[int, str]


@dataclass(frozen=True, eq=False)
class CandidateAgreement:
    """What is known of the candidates: those of the search, and the proposals after them.

    Attributes
    ----------
    spaces : sequence of str
        The spaces in which the search found its candidates.
    proposals : sequence of Proposal
    scores : ndarray of shape (n_candidates,)
        Minus the mean log of the leave-one-out errors.
    agreement : ndarray of shape (n_candidates, n_candidates)
        The adjusted Rand indices.
    borders : ndarray of shape (n_candidates,)
        What each parts that is near, in the columns in which that is least.
    searched : int
        The candidate that the search chose.
    mixture : bool
        Whether it is a mixture that describes the rows.
    whole : bool
        Whether all rows decide: of a part of them, not all neighbours are known.
    """

    spaces: Sequence[str]
    proposals: Sequence[Proposal]
    scores: NDArray[np.float64]
    agreement: NDArray[np.float64]
    borders: NDArray[np.float64]
    searched: int
    mixture: bool
    whole: bool = True

    def verdict(self) -> Verdict | None:
        """Which candidate is to replace what the search chose, and why; None for none."""
        first, predictable = len(self.spaces), self.predictable
        gaps = [p for p, proposal in enumerate(self.proposals) if proposal.gap]
        for p in gaps:
            if self.proposals[p].few and not self._gaps_of_its_own(first + p):
                return first + p, self.proposals[p].why  # others cannot see it, or not all of it
        described = self.mixture or not predictable[self.searched]
        if not described:
            found = self._weakest_border()
            if found is None:
                found = self._peaks()
            if found is not None:
                return None if self._same(found[0]) else found
        for p in gaps:
            if not self.proposals[p].few:
                return None if self._same(first + p) else (first + p, self.proposals[p].why)
        return self._better() if self.mixture or not described else None

    @cached_property
    def predictable(self) -> NDArray[np.bool_]:
        """Whether rows predict each other's labels when they are left out."""
        return self.scores >= -np.log(1 - PREDICTABLE)

    @cached_property
    def says(self) -> NDArray[np.bool_]:
        """Whether a proposal says the same as a candidate; those of clean gaps are heard apart."""
        gap = np.array([proposal.gap for proposal in self.proposals], bool)
        return (self.agreement[:, len(self.spaces) :] >= AGREEMENT) & ~gap

    def sources(self, candidate: int) -> list[str]:
        """The sources that say the same, in one setting at least; the search is one of them."""
        said = {self.proposals[q].source for q in np.flatnonzero(self.says[candidate]).tolist()}
        return sorted(said) + ["the search"] * bool(self._spaces(candidate))

    def _spaces(self, candidate: int) -> int:
        """In how many of its spaces the search found the same."""
        alike = np.flatnonzero(self.agreement[candidate, : len(self.spaces)] >= AGREEMENT).tolist()
        return len({self.spaces[q] for q in alike if self.spaces[q]})

    def _same(self, candidate: int) -> bool:
        """Whether it is what the search says, and does not predict itself better."""
        alike = self.agreement[candidate, self.searched] >= AGREEMENT
        return bool(alike and self.scores[candidate] <= self.scores[self.searched] + HEAD_START)

    def _gaps_of_its_own(self, candidate: int) -> bool:
        """Whether the search's answer parts nothing that is near either, and predicts better."""
        own = self.searched
        none = self.whole and self.borders[own] <= NO_BORDER
        return bool(none and self.scores[own] > self.scores[candidate])

    def _heard(self, candidate: int) -> bool:
        """Whether about as many sources say it as what the search says; two against a mixture."""
        own = len(self.sources(self.searched)) - FEWER_SOURCES
        return len(self.sources(candidate)) >= (SOURCES_NEEDED if self.mixture else own)

    def _weakest_border(self) -> Verdict | None:
        """Of what was found several times, the grouping that parts the fewest neighbours."""
        least = self.scores[self.searched] - np.log(MORE_ERRORS)
        possible = [
            c
            for c in np.flatnonzero(self.predictable & (self.scores >= least)).tolist()
            if c != self.searched
            and (c < len(self.spaces) or not self.proposals[c - len(self.spaces)].gap)
            and (self.says[c].sum() >= PROPOSALS_NEEDED or self._spaces(c) >= SPACES_NEEDED)
            and self._heard(c)
        ]

        def strength(candidate: int) -> float:
            border = np.log(self.borders[candidate] + NO_BORDER)
            return float(border - SOURCE_WORTH * len(self.sources(candidate)))

        if not possible:
            return None
        best = min(possible, key=lambda c: (strength(c), -self.scores[c]))
        if strength(best) >= strength(self.searched) + np.log(WEAKER):
            return None
        names = self.sources(best)
        many = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
        why = (
            f"found by {many}, it parts {self._parted(best)}{self._columns(best)}; leave-one-out "
            f"predictions do not tell the two apart"
        )
        return best, why

    def _parted(self, candidate: int) -> str:
        """What it parts, next to the search's answer; more voices make up for a little more."""
        share = (self.borders[candidate] + NO_BORDER) / (self.borders[self.searched] + NO_BORDER)
        other = "the other answer of the search"
        if share >= 1:
            return f"about as many near neighbours as {other}"
        ratio = f"{share:.0%}" if share >= 0.01 else "less than 1%"
        return f"{ratio} of the near neighbours that {other} parts"

    def _peaks(self) -> Verdict | None:
        """What a source is sure of in its middle setting, and says in all others too."""
        first = len(self.spaces)
        for p, proposal in enumerate(self.proposals):
            if not proposal.why or proposal.gap or not self.predictable[first + p]:
                continue
            if self._gaps_of_its_own(first + p):
                continue
            others = [
                first + q
                for q, other in enumerate(self.proposals)
                if other.columns == proposal.columns and other.source == proposal.source
            ]
            if np.all(self.agreement[first + p, others] >= AGREEMENT):
                return first + p, proposal.why + self._columns(first + p)
        return None

    def _better(self) -> Verdict | None:
        """A proposal that beats the search by its own criterion, and has a far weaker border."""
        first, own = len(self.spaces), self.searched
        share = FAR_WEAKER if self.mixture else MUCH_WEAKER
        weaker = self.borders + NO_BORDER <= share * (self.borders[own] + NO_BORDER)
        heard = np.array([self._heard(c) for c in range(len(self.scores))])
        better = np.where(weaker & heard, self.scores, -np.inf)[first:]
        p = int(np.argmax(better)) if len(better) else -1
        if p < 0 or better[p] <= self.scores[own] + HEAD_START:
            return None
        proposal = self.proposals[p]
        why = (
            f"found by {proposal.source} ({proposal.setting}{self._columns(first + p)}), it "
            f"predicts itself better when rows are left out, and parts {self._parted(first + p)}"
        )
        return first + p, why

    def _columns(self, candidate: int) -> str:
        raw = candidate >= len(self.spaces) and (
            self.proposals[candidate - len(self.spaces)].columns == "raw"
        )
        return " in columns as they are" if raw else ""


def loudest(proposals: Sequence[Proposal], agreement: NDArray[np.float64]) -> int | None:
    """The proposal that most sources agree with in the same columns, where two do.

    The last rows and columns of ``agreement`` are those of the proposals.
    """
    first = len(agreement) - len(proposals)
    best, most = None, (2, 0)
    for p, proposal in enumerate(proposals):
        friends = [
            other.source
            for q, other in enumerate(proposals)
            if other.columns == proposal.columns
            and agreement[first + p, first + q] >= AGREEMENT
            and not other.gap
        ]
        if (len(set(friends)), len(friends)) > most:
            best, most = p, (len(set(friends)), len(friends))
    return best
