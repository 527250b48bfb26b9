"""The number of clusters, where the user does not know it: a sum of evidence over a tree.

The rows are cut into 2, 3, … clusters. At each number the clusters are joined to a tree along the
borders that part them least, and every border of the tree counts for the number or against it:
are the two better apart than their own halves, and than the halves of one blob of as many rows?
Is there a valley between them? What predictability one cluster more would cost is added. One
cluster has evidence if the best split of all rows is like that of a blob.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.special import expit

from maxmargin._core.dip import dip
from maxmargin._runtime.context import FitContext
from maxmargin._runtime.warnings import warn_user
from maxmargin.blocks.samples import sample_rows
from maxmargin.front_door.bands import is_band
from maxmargin.front_door.candidates import generate, limits_at
from maxmargin.front_door.choice import best_labels
from maxmargin.front_door.effort import CONCENTRATED, ROWS_PER_CLUSTER, Effort
from maxmargin.front_door.number_of_classes import number_of_table
from maxmargin.front_door.sources.mixture import mixture_gain
from maxmargin.front_door.sources.spanning_tree import resolved_neighbors
from maxmargin.objectives.leave_one_out import LeaveOneOut, predictability
from maxmargin.sizes import Sizes
from maxmargin.spaces.metric import Matrix, Metric, Weights, few_valued
from maxmargin.spaces.neighbors import N_NEIGHBORS, Neighbors
from maxmargin.spaces.pairwise import PairwiseDistances

#: The numbers that are considered: all up to 20, then steps of about 15 %. The numbers between
#: two steps are considered if one of these is the best.
NUMBERS = (*range(2, 21), 23, 26, 30, 35, 40, 46, 53, 61, 70, 80, 90, 100)
#: After so many it is asked whether more are worth a look; so many in a row with so much less
#: evidence than the best: they are not.
FIRST_NUMBERS, HOPELESS, HOPELESS_BY = 19, 5, 2.0
NUMBER_ROWS = 1000  # on which it is chosen: many partitions are needed
#: Rows below which a cluster has no halves, the share of it that each half has at least: a split
#: does not shave off a few rows; neighbours of a row where there are few rows.
SMALLEST_BLOB, SMALLEST_HALF, FEWEST_NEIGHBORS = 12, 0.1, 5
#: The share of edges that the best cut of a blob of 12 rows in two cuts, and how it falls with the
#: rows, (n / 12)^(−1.4 / δ) in δ dimensions: fitted to single blobs.
BLOB_SHARE, BLOB_EXPONENT = 0.45, 1.4
#: The share relative to that of a blob (or to that of their own halves) and sqrt(n) · dip at which
#: a border counts neither for two clusters nor against them; what one against them counts.
NEUTRAL_SHARE, NEUTRAL_DIP, AGAINST = 0.6, 0.55, 0.7
#: Evidence counts in full where this share of rows is in clusters that the next number only splits.
LASTING = 0.9
PERFECT = 4.5  # an error of .006: after it more clusters count only if each border speaks for them
#: What the fall of predictability counts in two dimensions besides 1, and what log k costs.
DROP_WEIGHT, MANY = 3.0, 0.1
#: The evidence for one cluster, where the best split of all rows cuts this share of a blob's at
#: least, and how it falls below; that for one band. Fewer rows show no gap to 10 neighbours.
ONE, ONE_SPLIT, ONE_SLOPE, ONE_BAND, ONE_ROWS = 0.6, 0.6, 10.0, 3.0, 30
#: From this dimension on, the gain of a mixture (of up to so many Gaussians) that may be chance.
ONE_DIMENSION, ONE_MIXTURE, ONE_GAIN = 3.0, 12, 0.1
#: log-odds that the number is exact: a level, the margin to the best number not beside it (at most
#: 3), the weakest border; more for one cluster. The study ``selection`` fits them, and checks them.
CONFIDENCE, LARGEST_MARGIN, ONE_IS_SURER = (-1.37, 0.32, 1.84), 3.0, 0.42
WEAK_EVIDENCE = 0.3  # the probability below which it is called so
#: A direction between clusters needs no inverse of a singular covariance.
DISCRIMINANT_RIDGE = 0.1


@dataclass(frozen=True, eq=False)
class NumberOfClusters:
    """How many clusters there are, and how sure that is.

    Attributes
    ----------
    k : int
        The number with most evidence.
    confidence : float
        The probability that it is exact.
    curve : dict of arrays
        ``"k"``; ``"evidence"``, which is ``"separation"``, the sum over the borders of the tree,
        as far as clusters last and a multiple of the fall of ``"predictability"`` to the next
        number, minus the mean logarithm of the leave-one-out errors; ``"weakest_border"``. Of
        latent classes, ``"evidence"`` is the logarithm of their probability, by the model, and
        ``"left_in_common"`` what contradicts it: about 1 where it holds.
    of : str, default="clusters"
        What is counted: clusters, or latent classes where columns have few values.
    """

    k: int
    confidence: float
    curve: dict[str, NDArray[Any]]
    of: str = "clusters"

    @property
    def next_best(self) -> int | None:
        """The number with most evidence of those that are not beside the chosen one."""
        far = np.flatnonzero(np.abs(self.curve["k"] - self.k) > 1)
        if not len(far):
            return None
        return int(self.curve["k"][far[np.argmax(self.curve["evidence"][far])]])

    @property
    def why(self) -> str:
        """The evidence for the number, as a sentence."""
        evidence = dict(zip(self.curve["k"].tolist(), self.curve["evidence"], strict=True))
        told = [f"{evidence[k]:.2f} for {k}" for k in (self.k, self.next_best) if k in evidence]
        return (
            f"The number of {self.of} is the one with most evidence: {', '.join(told)}; "
            f"it is exact with probability {self.confidence:.2f}."
        )


def choose_number(
    metric: Metric,
    X: Matrix,
    rows: Matrix,
    limits: Callable[[int], Sizes],
    pins: NDArray[np.int32],
    effort: Effort,
    seed: np.random.SeedSequence,
    context: FitContext,
    given: Weights = None,
) -> tuple[int, NumberOfClusters | None, PairwiseDistances | None]:
    """Partition the rows into 2, 3, … clusters and choose among the numbers.

    X are the rows as they came, with the weights that were given. Where margins are the wrong
    question for them, latent classes are counted instead; and columns of few values that cut
    clusters in two are left out. Returns the number, the evidence for it if there is any, and the
    distances of all rows if they were looked at.
    """
    n = rows.shape[0]
    pinned = int(pins.max(initial=-1)) + 1
    fewest = max(2, pinned)
    if n <= fewest:
        return (min(n, fewest) if pinned else 1), None, None
    child = seed.spawn(1)[0]
    seen, some = np.arange(n), rows
    if n > NUMBER_ROWS:
        seen = np.sort(sample_rows(pins, NUMBER_ROWS, np.random.default_rng(child), given))
        some = metric.take(rows, seen)
    if metric.left_out.size:  # beside noise one bent cluster is one, and two without it
        metric, some = metric.whole, metric.whole.prepare(X[seen])
    most = max(fewest, len(seen) // ROWS_PER_CLUSTER)
    tried = sorted({fewest, *(k for k in NUMBERS if fewest <= k <= most)})
    wanted, refused = limits_at([1, *tried] if fewest == 2 else tried, limits, seen)
    one = wanted.pop(1, None) is not None
    if not wanted and refused:
        raise refused[-1]
    weights = next(iter(wanted.values())).weights if wanted else None
    brief = replace(effort, n_shakes=0, n_init=1)
    first = dict(list(wanted.items())[:FIRST_NUMBERS])

    def scan(distances: PairwiseDistances) -> Evidence:
        dense = distances.concentration <= CONCENTRATED  # texts have no density to speak of
        evidence = Evidence(distances.coordinates, resolved_neighbors(distances), one and dense)

        def look(numbers: Mapping[int, Sizes]) -> None:
            if not numbers or (context.late and evidence.partitions):
                return
            pool = generate(distances, brief, numbers, child, context, task="space for the number")
            for k in numbers:
                evidence.add(best_labels(pool, k, numbers[k]), list(pool.judges.values()))

        look(first)
        if not evidence.settled:
            look({k: sizes for k, sizes in wanted.items() if k not in first})
            look(limits_at(evidence.between(most), limits, seen)[0])
        return evidence

    distances = PairwiseDistances(some, metric, weights=weights, again=True)
    evidence = scan(distances)
    found = evidence.conclude()
    table = None if context.late else metric.table(X[seen])
    if evidence.partitions and table is not None and few_valued(table).any():
        labels = evidence.partitions.get(found.k)
        found = number_of_table(table, metric, labels, found, lambda d: scan(d).conclude())
    k = found.k if evidence.partitions else min(wanted)
    return k, found, distances if len(seen) == n else None


def warn_of_weak_evidence(k: int, found: NumberOfClusters) -> None:
    """Say so where little speaks for the number."""
    if found.confidence < WEAK_EVIDENCE:
        other = f"; {found.next_best} is the next to consider" if found.next_best else ""
        warn_user(
            f"the evidence for n_clusters = {k} is weak: it is exact with probability "
            f"{found.confidence:.2f}{other}. See k_curve_."
        )


@dataclass(eq=False)
class Evidence:
    """What speaks for partitions of the same rows into different numbers of clusters.

    Parameters
    ----------
    coordinates : array of shape (n, d)
        A few coordinates of the rows, such as the principal ones.
    neighbors : Neighbors
    one : bool, default=True
        Whether one cluster is a possible answer.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.cluster import AgglomerativeClustering
    >>> from maxmargin.front_door.number import Evidence
    >>> from maxmargin.spaces.neighbors import Neighbors
    >>> X = np.random.default_rng(0).normal(size=(90, 2)) + np.repeat([[0], [9], [18]], 30, axis=0)
    >>> evidence = Evidence(X, Neighbors.of_rows(X, 10))
    >>> for k in range(2, 7):
    ...     evidence.add(AgglomerativeClustering(k).fit_predict(X))
    >>> evidence.conclude().k
    3
    """

    coordinates: NDArray[np.float64]
    neighbors: Neighbors
    one: bool = True
    partitions: dict[int, NDArray[np.intp]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.dimension = self.neighbors.log_density(1, N_NEIGHBORS)[1]
        self._n_neighbors = min(N_NEIGHBORS, max(FEWEST_NEIGHBORS, self.neighbors.n // 8))
        self._edges = self.neighbors.graph(self._n_neighbors)
        self._measured: dict[int, tuple[float, float, float]] = {}
        self._halves: dict[bytes, float] = {}

    def add(self, labels: NDArray[np.integer], criteria: Sequence[LeaveOneOut] = ()) -> None:
        """Look at one more partition; the criteria judge how well it predicts itself."""
        _, clusters = np.unique(labels, return_inverse=True)
        k = int(clusters.max()) + 1
        if k > 1:
            tree, fit = self.tree(clusters), predictability(clusters, criteria)
            summed = float(np.where(tree > 0, tree, AGAINST * tree).sum())
            self.partitions[k], self._measured[k] = clusters, (summed, float(tree.min()), fit)

    @property
    def curve(self) -> dict[str, NDArray[Any]]:
        """What was measured at each number; see :class:`NumberOfClusters`."""
        tried = np.array(sorted(self.partitions), dtype=np.intp)
        table = np.array([self._measured[k] for k in tried.tolist()]).reshape(-1, 3)
        separation, weakest, fit = table.T
        fall = np.append(fit[:-1] - fit[1:], np.zeros(min(1, len(fit))))
        weight = 1 + DROP_WEIGHT * (2 / max(self.dimension, 1.5)) ** 2
        counted = separation * np.where(separation > 0, self._lasting(tried.tolist()), 1.0)
        perfect = tried[fit >= PERFECT].max(initial=0) or NUMBERS[-1]
        counted[(tried > perfect) & (weakest < 0) & (counted > 0)] = 0
        evidence = counted + weight * fall.clip(-1, 1) - MANY * np.log(tried)
        first = {"k": 1, "evidence": 0.0, "separation": 0.0, "weakest_border": 1.0}
        rest = dict(zip(first, (tried, evidence, separation, weakest), strict=True))
        rest["predictability"] = fit
        if self.one:
            first |= {"evidence": self.for_one(), "predictability": 0.0}
            return {name: np.append(first[name], values) for name, values in rest.items()}
        return rest

    def _lasting(self, tried: Sequence[int]) -> NDArray[np.float64]:
        """How far the next number only splits clusters: what it cuts anew was no border."""
        shares = np.ones(len(tried))
        for i, (k, more) in enumerate(pairwise(tried)):
            both = self.partitions[k] * more + self.partitions[more]
            common = np.bincount(both, minlength=k * more).reshape(k, more)
            shares[i] = common.max(axis=0).sum() / len(both)
        return np.minimum(shares / LASTING, 1.0)

    @property
    def settled(self) -> bool:
        """Whether larger numbers are hopeless."""
        evidence = self.curve["evidence"]
        last = evidence[-HOPELESS:]
        return len(last) == HOPELESS and bool(np.all(last < evidence.max() - HOPELESS_BY))

    def between(self, most: int) -> list[int]:
        """The numbers beside the best one that were stepped over."""
        if not (self.partitions or self.one):
            return []
        tried, evidence = (self.curve[name] for name in ("k", "evidence"))
        at = int(np.argmax(evidence))
        first, last = tried[max(at - 1, 0)], tried[at + 1] if at + 1 < len(tried) else tried[at]
        return [k for k in range(first + 1, min(last, most + 1)) if k not in tried]

    def conclude(self) -> NumberOfClusters:
        """Choose the number with most evidence."""
        curve = self.curve
        tried, evidence = curve["k"], curve["evidence"]
        if not len(tried):
            return NumberOfClusters(1, 1.0, curve)
        at = int(np.argmax(evidence))
        far = evidence[np.abs(tried - tried[at]) > 1]
        margin = min(evidence[at] - far.max(initial=-np.inf), LARGEST_MARGIN)
        level, by_margin, by_border = CONFIDENCE
        level += ONE_IS_SURER * (tried[at] == 1)
        confidence = expit(level + by_margin * margin + by_border * curve["weakest_border"][at])
        return NumberOfClusters(int(tried[at]), float(confidence), curve)

    def for_one(self) -> float:
        """The evidence for one cluster: the best split of all rows is like that of a blob.

        Or it cuts one long band. From three dimensions on nothing looks like one, and clusters can
        overlap without a gap: a mixture of Gaussians must not describe the rows better than one.
        """
        n = self.neighbors.n
        own = max(self.own_split(np.arange(n)), 1e-9) if n >= ONE_ROWS else 1e-9
        if 1e-9 < own < ONE_SPLIT and self.dimension < ONE_DIMENSION and self._band:
            return ONE_BAND
        evidence = ONE - ONE_SLOPE * max(0.0, np.log(ONE_SPLIT / own))
        if evidence > 0 and self.dimension >= ONE_DIMENSION:
            some = [labels for k, labels in self.partitions.items() if k <= ONE_MIXTURE]
            gain = max((mixture_gain(self.coordinates, labels) for labels in some), default=0.0)
            evidence -= ONE_SLOPE * max(0.0, gain - ONE_GAIN)
        return float(evidence)

    @cached_property
    def _band(self) -> bool:
        n = self.neighbors.n
        return is_band(self._edges, self.own_split(np.arange(n)) * float(self.blob_share(n)))

    def blob_share(self, n: Any) -> Any:
        """The share of edges that the best cut of one blob of n rows in two cuts."""
        like = np.maximum(n * N_NEIGHBORS / self._n_neighbors, SMALLEST_BLOB) / SMALLEST_BLOB
        return BLOB_SHARE * like ** (-BLOB_EXPONENT / self.dimension)

    def own_split(self, members: NDArray[np.intp]) -> float:
        """The share of edges that the best split of a cluster cuts, relative to a blob's."""
        if len(members) < SMALLEST_BLOB:
            return 1.0
        key = members.tobytes()  # partitions into k and k + 1 clusters share most of them
        if key not in self._halves:
            self._halves[key] = self._split_share(members) / self.blob_share(len(members))
        return self._halves[key]

    def _split_share(self, members: NDArray[np.intp]) -> float:
        inner = self._edges.inside(members)
        piece = inner.pieces
        smallest = max(2, int(np.ceil(SMALLEST_HALF * len(members))))
        if piece.max() > 0:
            sizes = np.bincount(piece)
            if len(members) - sizes.max() >= smallest:
                return 0.0
            core = np.flatnonzero(piece == np.argmax(sizes))  # without a few rows that lie apart
            inner = inner.inside(core)
        order, first = inner.best_cut(smallest)
        side = np.zeros(inner.n, np.intp)
        side[order[first:]] = 1
        return float(inner.cut_shares(side)[0, 1])

    def borders(self, clusters: NDArray[np.intp]) -> NDArray[np.float64]:
        """How much each two clusters are two: from −1 to 1, and 1 if no edge joins them."""
        k = int(clusters.max()) + 1
        sizes = np.bincount(clusters)
        members = np.split(np.argsort(clusters, kind="stable"), np.cumsum(sizes)[:-1])
        own = np.array([self.own_split(rows) for rows in members])
        shares = self._edges.cut_shares(clusters)
        a, b = np.nonzero(np.triu(shares, 1))
        share = shares[a, b] / self.blob_share(sizes[a] + sizes[b])
        neutral = NEUTRAL_SHARE * ((own[a] + own[b]) / 2).clip(0.02, 1)
        valley = _dips(self.coordinates, members, a, b)
        # in two dimensions and below, blobs are no measure for long clusters
        blobs = max(0.0, 1 - 2 / self.dimension)
        result = np.ones((k, k))
        result[a, b] = result[b, a] = (
            ((neutral - share) / neutral).clip(-1, 1)
            + blobs * ((NEUTRAL_SHARE - share) / NEUTRAL_SHARE).clip(-1, 1)
            + ((valley - NEUTRAL_DIP) / NEUTRAL_DIP).clip(-1, 1)
        ) / (2 + blobs)
        return result

    def tree(self, clusters: NDArray[np.intp]) -> NDArray[np.float64]:
        """The borders of the tree that joins the clusters where they are least two."""
        return minimum_spanning_tree(self.borders(clusters) + 2).data - 2  # 0 is no edge to SciPy


def _dips(
    X: NDArray[np.float64],
    members: Sequence[NDArray[np.intp]],
    first: NDArray[np.intp],
    second: NDArray[np.intp],
) -> NDArray[np.float64]:
    """sqrt(n) · dip of pairs of clusters, on the direction that parts them best.

    Fisher's discriminant, (S + 0.1 · tr(S)/d · I)⁻¹ (m_b − m_a), S the covariance inside both.
    """
    means = [X[rows].mean(axis=0) for rows in members]
    scatters = [(X[rows] - m).T @ (X[rows] - m) for rows, m in zip(members, means, strict=True)]
    values = np.empty(len(first))
    for p, (a, b) in enumerate(zip(first, second, strict=True)):
        S, direction = scatters[a] + scatters[b], means[b] - means[a]
        if (trace := float(np.trace(S))) > 0:  # else all rows of a cluster are equal
            d = len(S)
            direction = np.linalg.solve(S / trace + DISCRIMINANT_RIDGE / d * np.eye(d), direction)
        both = np.concatenate([members[a], members[b]])
        values[p] = np.sqrt(len(both)) * dip((X[both] - means[a]) @ direction)
    return values
