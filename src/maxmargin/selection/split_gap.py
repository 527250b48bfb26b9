"""The split gap: clusters that are harder to split than to tell from each other.

Two sets of rows are separated *weakly* if many edges of the graph of neighbours join them and
the density does not fall in between. A partition has found the clusters if its own pairs are
separated well, and the best split of any one of its clusters would be a weak one. The gap
between the two is largest at the right number of clusters.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from maxmargin.spaces.neighbors import N_NEIGHBORS, Edges, Neighbors

DENSITY_NEIGHBOR = 5  # the density is read from the neighbours 5 to 10: the first ones are noise
VALLEY_WEIGHT = 0.03  # what a valley counts against the share of edges that are cut
SMALLEST_TO_SPLIT = 12  # rows: smaller clusters are not asked for their best split
SMALLEST_SIDE = 0.1  # of the cluster: a split does not shave off a few rows
NO_SPLIT = 0.5  # the weakness of the best split of a cluster that is too small for one


@dataclass(frozen=True, eq=False)
class Split:
    """The best split of one cluster in two.

    Parameters
    ----------
    sides : pair of arrays
        The rows of each side. Rows of the cluster that are joined to none of its others can
        be missing from both.
    weakness : float
        How weakly the sides are separated; see :meth:`SplitGap.weakness`.
    """

    sides: tuple[NDArray[np.intp], NDArray[np.intp]]
    weakness: float


@dataclass(frozen=True, eq=False)
class GapDetails:
    """What the gap of a partition is made of. Clusters are positions in the sorted labels.

    Parameters
    ----------
    gap : float
        ``split_weakness − pair_weakness``.
    split_weakness : float
        The weakness of the best split of any cluster: small if one should be two.
    split_cluster : int
        That cluster; −1 if all are too small to be split.
    pair_weakness : float
        The weakness of the pair that is separated worst: large if two should be one.
    pair : pair of ints
        Those two; (−1, −1) if no two clusters touch.
    """

    gap: float
    split_weakness: float
    split_cluster: int
    pair_weakness: float
    pair: tuple[int, int]


@dataclass(eq=False)
class SplitGap:
    """The split gap of any partition of the same rows.

    Parameters
    ----------
    neighbors : Neighbors
        At least 10 of each row, where there are as many.
    valley : float, default=0.03
        What a valley of the density between two sets counts.
    n_neighbors : int, default=10
        The neighbours of a row in the graph whose edges are counted. Few of them do not reach
        across a narrow gap between sparse clusters.

    References
    ----------
    The split is the sweep of Shi, J. and Malik, J. (2000), "Normalized cuts and image
    segmentation", IEEE PAMI 22(8), 888–905; the dimension is that of Levina, E. and Bickel, P.
    (2005), "Maximum likelihood estimation of intrinsic dimension", NIPS 17.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.spaces.neighbors import Neighbors
    >>> from maxmargin.selection.split_gap import SplitGap
    >>> X = np.random.default_rng(0).normal(size=(90, 2)) + np.repeat([[0], [9], [18]], 30, axis=0)
    >>> gap = SplitGap(Neighbors.of_rows(X, 10))
    >>> three = np.repeat([0, 1, 2], 30)
    >>> gap.score(three) > max(gap.score(three > 0), gap.score(np.repeat(range(6), 15)))
    True
    >>> gap.details(three > 0).split_cluster  # the second and the third in one
    1
    """

    neighbors: Neighbors
    valley: float = VALLEY_WEIGHT
    n_neighbors: int = N_NEIGHBORS
    edges: Edges = field(init=False, repr=False)
    _splits: dict[bytes, Split | None] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.edges = self.neighbors.graph(self.n_neighbors)
        self._levels, self._dimension = self.neighbors.log_density(DENSITY_NEIGHBOR, N_NEIGHBORS)
        ends = self._levels[self.edges.start], self._levels[self.edges.stop]
        self._edge_levels = np.minimum(*ends)

    def score(self, labels: NDArray[np.integer]) -> float:
        """The gap of a partition; the larger the better."""
        return self.details(labels).gap

    def details(self, labels: NDArray[np.integer]) -> GapDetails:
        """The gap of a partition and the clusters that it comes from."""
        *_, last = self.falling(labels)
        return last

    def falling(self, labels: NDArray[np.integer]) -> Iterator[GapDetails]:
        """The gap as far as it is known: it falls with every cluster whose best split is sought.

        Whoever looks for the largest gap can stop as soon as this one is too small. The first
        value knows no split, the last one is the gap.
        """
        _, clusters = np.unique(labels, return_inverse=True)
        k = int(clusters.max(initial=-1)) + 1
        weakness = self.weakness(clusters)
        pair_weakness, pair = -self.valley, (-1, -1)
        touching = np.isfinite(weakness)
        if touching.any():
            at = int(np.argmax(np.where(touching, weakness, -np.inf)))
            pair_weakness, pair = float(weakness.flat[at]), (at // k, at % k)
        best, worst = 1 + self.valley, -1  # no weakness exceeds it
        sizes = np.bincount(clusters)
        members = np.split(np.argsort(clusters, kind="stable"), np.cumsum(sizes)[:-1])
        yield GapDetails(best - pair_weakness, best, worst, pair_weakness, pair)
        for c in np.argsort(-sizes, kind="stable"):  # the large ones are split best, as a rule
            split = self.split2(members[c]) if sizes[c] >= SMALLEST_TO_SPLIT else None
            if split is not None and (worst < 0 or (split.weakness, c) < (best, worst)):
                best, worst = split.weakness, int(c)
            yield GapDetails(best - pair_weakness, best, worst, pair_weakness, pair)
        best = NO_SPLIT if worst < 0 else best  # all may be too small to be split
        yield GapDetails(best - pair_weakness, best, worst, pair_weakness, pair)

    def weakness(self, clusters: NDArray[np.intp]) -> NDArray[np.float64]:
        """How weakly each two clusters are separated.

        φ = cut / (min(W_aa, W_bb) + cut), the share of edges that leave the smaller set (W_aa
        counts an edge twice), less ``valley`` · clip(v, −1, 1); v = δ · (min(mean ℓ_a, mean
        ℓ_b) − mean of min(ℓ_i, ℓ_j) over the edges that are cut) is how far the log density
        falls between them.

        Parameters
        ----------
        clusters : array of shape (n,)
            0, …, k − 1; rows with −1 belong to none.

        Returns
        -------
        array of shape (k, k)
            Above the diagonal, for pairs with an edge; −inf elsewhere.
        """
        k = int(clusters.max(initial=-1)) + 1
        result = np.full((k, k), -np.inf)
        a, b = clusters[self.edges.start], clusters[self.edges.stop]
        inside = (a >= 0) & (b >= 0)
        a, b, levels = a[inside], b[inside], self._edge_levels[inside]
        pair = np.minimum(a, b) * k + np.maximum(a, b)
        edges = np.bincount(pair, minlength=k * k).reshape(k, k)
        totals = np.bincount(pair, levels, minlength=k * k).reshape(k, k)
        member = clusters >= 0
        sizes = np.bincount(clusters[member], minlength=k)
        mean = np.bincount(clusters[member], self._levels[member], minlength=k) / sizes.clip(1)
        i, j = np.nonzero(np.triu(edges, 1))
        cut = edges[i, j]
        own = 2 * edges.diagonal()
        depth = self._dimension * (np.minimum(mean[i], mean[j]) - totals[i, j] / cut)
        share = cut / (np.minimum(own[i], own[j]) + cut)
        result[i, j] = share - self.valley * depth.clip(-1, 1)
        return result

    def split2(self, members: NDArray[np.intp]) -> Split | None:
        """Split one cluster where its normalised cut is smallest.

        The cuts tried are those of a sweep along the Fiedler vector of the graph inside the
        cluster, each side at least 10 % of it (and two rows). Where the graph falls apart
        into pieces that large, the split is between them. Pieces that are smaller are left
        out.

        Parameters
        ----------
        members : array
            The rows of the cluster, in ascending order.

        Returns
        -------
        Split or None
            None if the cluster is too small for two sides of two rows.
        """
        key = members.tobytes()  # partitions into k and k + 1 clusters share most of them
        if key not in self._splits:
            self._splits[key] = self._split2(members)
        return self._splits[key]

    def _split2(self, members: NDArray[np.intp]) -> Split | None:
        inner = self.edges.inside(members)
        piece = inner.pieces
        if piece.max() > 0:
            sizes = np.bincount(piece)
            by_size = np.argsort(-sizes, kind="stable")
            grown = np.cumsum(sizes[by_size])
            taken = int(np.searchsorted(grown, _smallest_side(len(members)))) + 1
            if len(members) - grown[min(taken, len(sizes)) - 1] >= _smallest_side(len(members)):
                first = np.isin(piece, by_size[:taken])
                return Split((members[first], members[~first]), -self.valley)
            core = np.flatnonzero(piece == by_size[0])
            members, inner = members[core], inner.inside(core)
        smallest = _smallest_side(len(members))
        if len(members) < 2 * smallest:
            return None
        order, first_side = inner.best_cut(smallest)
        sides = (np.sort(members[order[:first_side]]), np.sort(members[order[first_side:]]))
        clusters = np.full(self.neighbors.n, -1, dtype=np.intp)
        clusters[sides[0]], clusters[sides[1]] = 0, 1
        return Split(sides, float(self.weakness(clusters)[0, 1]))


def split_gap(
    neighbors: Neighbors, labels: NDArray[np.integer], *, valley: float = VALLEY_WEIGHT
) -> tuple[float, GapDetails]:
    """Compute the split gap of one partition; see :class:`SplitGap`."""
    details = SplitGap(neighbors, valley).details(labels)
    return details.gap, details


def _smallest_side(n: int) -> int:
    return max(2, int(np.ceil(SMALLEST_SIDE * n)))
