"""Judge the candidates, and choose one; which others to show beside it, and why."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin.blocks.noise_columns import said_of_columns
from maxmargin.front_door.candidates import Candidate, CandidatePool, Settings
from maxmargin.front_door.one_column import judge_by_classes
from maxmargin.front_door.partition import Alternative, FittedPartition, fit_partition
from maxmargin.front_door.sources.agreement import CandidateAgreement, loudest
from maxmargin.front_door.sources.mixture import Mixture, judge_mixture
from maxmargin.front_door.sources.source import Proposal
from maxmargin.front_door.subsample import Subsample
from maxmargin.objectives.leave_one_out import SMALLEST_ERROR, LeaveOneOut
from maxmargin.sizes import Sizes
from maxmargin.spaces.metric import Matrix, few_valued
from maxmargin.weights import copies_of

#: Candidates whose score is this much lower count 1/e as much in the vote.
VOTE_SCALE = 0.1
#: What a pinned row that would go elsewhere costs.
PIN_FINE = 0.1
#: Partitions that agree more than this (adjusted Rand index) are one answer.
SAME_PARTITION = 0.8
#: Candidates from which the mixture of Gaussians begins.
MIXTURE_STARTS = 4
#: A candidate that fits like this has clean gaps around it: no mixture may overrule it.
NEARLY_PERFECT = 0.99
#: In the plane and in space clusters cross and lie inside each other, where margins are the wrong
#: question. In more coordinates they hardly do: there a mixture whose error is so many times that
#: of the search's answer has wide Gaussians that gather what is left.
CROSSING_COORDINATES, MUCH_WORSE = 3, 1.75
#: And from which on its margins are wide: no latent classes are asked.
WIDE_MARGINS = 0.9
#: Below this it hardly predicts itself.
NO_MARGINS = 0.5
#: Clusters that may be at their lower bound, or their share: with more, the bound made the answer.
PROPPED_UP, PROPPED_UP_SHARE = 3, 0.1
#: The share of the pins that a mixture may contradict more than the best candidate does.
PINS_IN_DOUBT = 0.1


@dataclass(frozen=True)
class Ranking:
    """Scores of partitions over the spaces that judge.

    Attributes
    ----------
    errors : ndarray of shape (n_partitions, n_judges)
        1 − R² of the leave-one-out predictions of each partition in each space.
    scores : ndarray of shape (n_partitions,)
        Minus the mean logarithm of the errors, less a fine for every pinned row that would go
        elsewhere if it were left out.
    missed_pins : ndarray of shape (n_partitions,)
        How many these are, in the mean over spaces.
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
        """Scores as a share: 1 minus the geometric mean of the errors over the spaces."""
        return 1 - np.exp(-self.scores - PIN_FINE * self.missed_pins)

    def distinct(self, first: int, n: int, ahead: Sequence[int] = ()) -> list[int]:
        """``first``, then by score up to n partitions that differ from all before them.

        Those ``ahead`` come before all others, if they differ.
        """
        chosen = [first]
        for p in (*ahead, *np.argsort(-self.scores, kind="stable").tolist()):
            if len(chosen) > n:
                break
            if np.all(self.agreement[p, chosen] < SAME_PARTITION):
                chosen.append(p)
        return chosen[1:]


def rank(
    partitions: Sequence[NDArray[np.integer]],
    judges: Sequence[LeaveOneOut],
    pins: NDArray[np.integer] | None = None,
    known: Ranking | None = None,
) -> Ranking:
    """Score every partition in every space that judges, and let the partitions vote.

    A pinned row is one of many to the error, but it is what the user knows. ``known`` holds the
    errors of the first of them.
    """
    first = 0 if known is None else len(known.errors)
    new = partitions[first:]
    errors = np.column_stack([1 - judge.scores(new) for judge in judges])
    missed = np.zeros(len(new))
    if pins is not None and np.any(pins >= 0):
        missed = np.mean([judge.missed_pins(new, pins) for judge in judges], axis=0)
    if known is not None:
        errors = np.concatenate([known.errors, errors])
        missed = np.concatenate([known.missed_pins, missed])
    scores = -np.log(np.maximum(errors, SMALLEST_ERROR)).mean(axis=1) - PIN_FINE * missed
    agreement = pairwise_agreement(partitions)
    weights = np.exp((scores - scores.max()) / VOTE_SCALE)
    votes = np.maximum(agreement, 0) @ (weights / weights.sum())
    return Ranking(errors, scores, missed, votes, agreement)


@dataclass(frozen=True)
class Choice:
    """The candidates for one number of clusters, and the one that was chosen.

    Attributes
    ----------
    candidates : list of Candidate
    ranking : Ranking or None
        Their scores in the spaces that judge; None where there is one candidate only.
    best : int
        Which candidate was chosen.
    why : str
    ahead : sequence of int
        Which ones are shown before all others: what the search would have chosen by itself, and
        what most sources agree on.
    """

    candidates: list[Candidate]
    ranking: Ranking | None
    best: int
    why: str
    ahead: Sequence[int] = ()

    def score(self, candidate: int) -> float:
        """1 minus the geometric mean, over the spaces that judge, of the leave-one-out error."""
        return 0.0 if self.ranking is None else float(self.ranking.fit[candidate])

    def fitted(self, candidate: int, subsample: Subsample, pool: CandidatePool) -> Alternative:
        """A candidate with its model of the rows that were looked at."""
        found = self.candidates[candidate]
        numbers = subsample.limits.numbers(found.labels)
        labels = numbers[found.labels]
        settings = pool.best_model(labels)
        return Alternative(
            labels,
            self.score(candidate),
            settings,
            found.source,
            found.start,
            subsample.seen,
            self.agreement(candidate),
            fit_partition(subsample, pool.distances, settings, pool.models[settings], labels),
            None if subsample.whole else found.everywhere(numbers, subsample.n),
        )

    def agreement(self, candidate: int) -> float:
        """The adjusted Rand index with the chosen candidate."""
        return 1.0 if self.ranking is None else float(self.ranking.agreement[candidate, self.best])

    def others(self, n: int) -> list[int]:
        """Up to n candidates that differ from the chosen one and from each other."""
        return [] if self.ranking is None else self.ranking.distinct(self.best, n, self.ahead)

    def table(self, judges: Sequence[Settings]) -> dict[str, NDArray[Any]]:
        """All candidates with their scores, as a dict of arrays."""
        if self.ranking is None:
            return {}
        order = np.argsort(-self.ranking.scores, kind="stable")
        rank = np.empty(len(order), np.intp)
        rank[order] = np.arange(1, len(order) + 1)
        errors = self.ranking.errors
        return {
            "source": np.array([c.source for c in self.candidates]),
            "start": np.array([c.start for c in self.candidates]),
            "score": self.ranking.fit,
            "missed_pins": self.ranking.missed_pins,
            "rank": rank,
            "vote": self.ranking.votes,
            "smallest_size": np.array([np.bincount(c.labels).min() for c in self.candidates]),
            **{f"loo {settings.name}": 1 - errors[:, j] for j, settings in enumerate(judges)},
        }


def choose(
    pool: CandidatePool,
    k: int,
    sizes: Sizes,
    seed: int,
    asked: bool = True,
    proposals: Sequence[Proposal] = (),
    seen: NDArray[np.intp] | None = None,
    rows: Matrix | None = None,
) -> Choice:
    """Choose among the candidates with k clusters.

    The best of them is the one that the good ones agree with most, unless a mixture of Gaussians
    describes the rows, or what other sources propose is clear; and unless one discrete column tells
    it alone. ``asked`` says whether k is the user's, ``seen`` which rows of the proposals are those
    of the pool, which ``rows`` are as they were given.
    """
    candidates, judges = standing(pool.candidates[k], sizes), list(pool.judges.values())
    if k == 1:
        return Choice(
            candidates, None, 0, "one cluster was asked for" if asked else "nothing shows more"
        )
    ranking = rank([c.labels for c in candidates], judges, sizes.pins)
    gaussians = _mixture(pool, k, sizes, candidates, ranking, seed)
    mixture, searched = False, ranking.best
    if gaussians is not None:
        candidates.append(Candidate(gaussians.labels, "gaussian mixture", "mixture"))
        ranking = rank([c.labels for c in candidates], judges, sizes.pins, ranking)
        mixture = _overrules(gaussians, ranking, searched)
    best = len(candidates) - 1 if mixture else ranking.best
    if mixture:
        why = (
            f"a mixture of {k} Gaussians describes the rows, and more of them do not "
            f"describe them better"
        )
    else:
        alike = int(np.sum(ranking.agreement[best] > SAME_PARTITION)) - 1
        others = {0: "no other is", 1: "one other is"}.get(alike, f"{alike} others are")
        why = (
            f"of {len(candidates)} candidates, it agrees best with those that predict "
            f"themselves best when rows are left out; {others} nearly the same"
        )
    searched, first, ahead = best, len(candidates), [best]
    candidates += _proposed(proposals, k, pool.distances.n, seen)
    if len(candidates) > first:
        ranking = rank([c.labels for c in candidates], judges, sizes.pins, ranking)
        shown = [c.proposal for c in candidates[first:] if c.proposal is not None]
        spaces = ["" if c.start == "mixture" else c.source for c in candidates[:first]]
        borders = _borders(candidates, seen)
        known = (spaces, shown, ranking.scores, ranking.agreement, borders, searched, mixture)
        whole = len(proposals[0].labels) == pool.distances.n
        best, why = CandidateAgreement(*known, whole).verdict() or (best, why)
        loud = loudest(shown, ranking.agreement)
        ahead += [] if loud is None else [first + loud]
    if rows is not None and few_valued(rows).any():
        starts = [candidates[p].labels for p in ranking.distinct(best, MIXTURE_STARTS)]
        fit, gaussian = ranking.fit[best], candidates[best].source == "gaussian mixture"
        judged = judge_by_classes(
            *(rows, candidates[best].labels, starts, sizes, seed),
            *(bool(fit >= WIDE_MARGINS), gaussian, bool(fit < NO_MARGINS), pool.distances.rows),
        )
        if judged is not None:
            ahead, best, why = [best, *ahead], len(candidates), judged[1]
            candidates.append(Candidate(judged[0], "models of columns", "mixture"))
            ranking = rank([c.labels for c in candidates], judges, sizes.pins, ranking)
    return Choice(candidates, ranking, best, why, ahead)


def standing(candidates: Sequence[Candidate], sizes: Sizes) -> list[Candidate]:
    """The candidates whose clusters stand by themselves, or all of them if there are none.

    One large cluster with many small ones predicts itself best: only their bound keeps them.
    """
    if not sizes.free or not sizes.lower.max(initial=0):
        return list(candidates)
    most = max(PROPPED_UP, PROPPED_UP_SHARE * sizes.n_clusters)
    counts = [np.bincount(c.labels, minlength=sizes.n_clusters) for c in candidates]
    some = [np.count_nonzero(count <= sizes.lower) <= most for count in counts]
    return list(compress(candidates, some)) if any(some) else list(candidates)


def _proposed(
    proposals: Sequence[Proposal], k: int, n: int, seen: NDArray[np.intp] | None
) -> Iterator[Candidate]:
    """The proposals as candidates of n rows, where all of their clusters are seen."""
    for proposal in proposals:
        labels = proposal.labels
        if seen is not None and len(labels) > n:
            labels = labels[seen]
        if np.bincount(labels, minlength=k).min() > 1:
            columns = f", {proposal.columns} columns" if proposal.columns else ""
            yield Candidate(labels, proposal.source + columns, proposal.setting, proposal)


def _borders(candidates: Sequence[Candidate], seen: NDArray[np.intp] | None) -> NDArray[np.float64]:
    """What candidates part that is near, in the columns in which that is least."""
    proposals = [c.proposal for c in candidates if c.proposal is not None]
    graphs = {id(p.graph): p.graph for p in proposals if p.graph is not None}.values()
    return np.min([[g.border(c.labels, seen) for c in candidates] for g in graphs], axis=0)


def best_labels(pool: CandidatePool, k: int, sizes: Sizes) -> NDArray[np.int32]:
    """The candidate with k clusters that the good ones agree with most."""
    partitions = [candidate.labels for candidate in standing(pool.candidates[k], sizes)]
    return partitions[rank(partitions, list(pool.judges.values())).best]


def describe(
    partition: FittedPartition, taken: Alternative, why: str, estimator: Any
) -> dict[str, Any]:
    """What was chosen for an estimator, as a dict and as a sentence."""
    sizes = np.bincount(partition.labels).tolist()
    many = "1 cluster" if len(sizes) == 1 else f"{len(sizes)} clusters"
    gamma, metric = partition.classifier.space.gamma, partition.classifier.space.metric
    sentence = (
        f"{many} of {', '.join(map(str, sizes))} rows: {why}. New rows are predicted by a "
        f"Gaussian kernel of width {1 / np.sqrt(2 * gamma):.3g} (gamma {gamma:.3g})."
    )
    left_out = metric.left_out.tolist()
    names = getattr(estimator, "feature_names_in_", None)
    if estimator.encoder_ is not None:
        names = estimator.encoder_.get_feature_names_out()
    sentence += said_of_columns(left_out, names)
    return {
        "why": sentence,
        "standardized": metric.standardized_,
        "left_out": left_out,
        "kernel": partition.settings.kernel,
        "gamma": gamma,
        "alpha": partition.settings.strength,
        "source": taken.source,
        "start": taken.start,
        "score": taken.score,
    }


def _overrules(mixture: Mixture, ranking: Ranking, searched: int) -> bool:
    """Whether a mixture, the last candidate, is believed rather than what was searched."""
    was_clean, is_clean = ranking.fit[[searched, -1]] >= NEARLY_PERFECT
    worse = 1 - ranking.fit[-1] > MUCH_WORSE * (1 - ranking.fit[searched])
    crossing = mixture.n_coordinates <= CROSSING_COORDINATES
    return bool((is_clean or not was_clean) and (crossing or not worse))


def _mixture(
    pool: CandidatePool,
    k: int,
    sizes: Sizes,
    candidates: Sequence[Candidate],
    ranking: Ranking,
    seed: int,
) -> Mixture | None:
    """A mixture of Gaussians, where it describes the rows and its labels keep the pins."""
    first = [ranking.best, *ranking.distinct(ranking.best, MIXTURE_STARTS - 1)]
    known, variance = pool.distances.coordinates, pool.distances.variance
    again = np.arange(len(known))
    if sizes.weights is not None:
        again = np.repeat(again, copies_of(sizes.mass))
        spread = float(known.var(axis=0).sum()) or 1.0  # all rows may be equal
        variance *= float(known[again].var(axis=0).sum()) / spread
    starts = [candidates[p].labels[again] for p in first]
    mixture = judge_mixture(known[again], k, starts, variance=variance, seed=seed)
    if mixture is None or not mixture.adequate:
        return None
    found = np.empty(len(known), np.int32)
    found[again] = mixture.labels
    labels = sizes.named(found)
    contradicted = np.count_nonzero((sizes.pins >= 0) & (labels != sizes.pins))
    labels = sizes.pinned(labels)
    allowed = ranking.missed_pins[ranking.best] + PINS_IN_DOUBT * sizes.n_pinned
    kept = contradicted <= allowed and sizes.hold(labels)
    return replace(mixture, labels=labels) if kept else None


def pairwise_agreement(partitions: Sequence[NDArray[np.integer]]) -> NDArray[np.float64]:
    """The adjusted Rand index between all partitions, from one product of their indicators.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.front_door.choice import pairwise_agreement
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
