"""Must-link and cannot-link: pairs of rows that belong together, and pairs that do not.

Rows that must be together move as one. Where they go is an assignment with cannot-links in the way:
contradictions are found by union-find and named, and otherwise a bounded exact search decides.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from maxmargin._runtime.parameters import shown
from maxmargin._runtime.warnings import warn_user
from maxmargin.sizes import Sizes

#: The form in which pairs are given.
FORM = '{"must_link": [(i, j), ...], "cannot_link": [(i, j), ...]}'
#: Placements of groups that are tried before the best one so far is taken.
MOST_PLACEMENTS = 200_000


@dataclass(frozen=True)
class Links:
    """Groups of rows that are together, and which of them are apart.

    Attributes
    ----------
    groups : list of ndarray
        The rows of each group; a row with cannot-links only is a group of its own.
    apart : list of set of int
        For each group, the groups that must be elsewhere.
    """

    groups: list[NDArray[np.intp]]
    apart: list[set[int]]

    def hold(self, labels: NDArray[np.integer]) -> bool:
        """Whether labels keep all pairs."""
        first = [labels[group[0]] for group in self.groups]
        together = all(np.all(labels[group] == labels[group[0]]) for group in self.groups)
        return together and all(
            first[a] != first[b] for a in range(len(first)) for b in self.apart[a]
        )


def read_links(constraints: Any, n: int) -> Links:
    """Read pairs, or say which of them contradict each other.

    Examples
    --------
    >>> from maxmargin.links import read_links
    >>> links = read_links({"must_link": [(0, 1), (1, 2)], "cannot_link": [(2, 4)]}, n=6)
    >>> [group.tolist() for group in links.groups], links.apart
    ([[0, 1, 2], [4]], [{1}, {0}])
    >>> read_links({"must_link": [(0, 1), (1, 2)], "cannot_link": [(0, 2)]}, n=6)
    Traceback (most recent call last):
        ...
    ValueError: constraints contradict each other: rows 0 and 2 cannot be together, but must be...
    """
    if not isinstance(constraints, Mapping) or not {*constraints} <= {"must_link", "cannot_link"}:
        raise ValueError(f"constraints must be None or {FORM}; got {shown(constraints)}.")
    must = _pairs(constraints, "must_link", n)
    cannot = _pairs(constraints, "cannot_link", n)
    root = list(range(n))

    def find(row: int) -> int:
        while root[row] != row:
            root[row] = root[root[row]]
            row = root[row]
        return row

    for i, j in must:
        root[find(j)] = find(i)
    for i, j in cannot:
        if find(i) == find(j):
            chain = "be with itself" if i == j else f"be: {_chain(must, i, j)}"
            raise ValueError(
                f"constraints contradict each other: rows {i} and {j} cannot be together, but must "
                f"{chain}. Drop one of these pairs."
            )
    rows = sorted({row for pair in (*must, *cannot) for row in pair})
    members: dict[int, list[int]] = {}
    for row in rows:
        members.setdefault(find(row), []).append(row)
    place = {head: g for g, head in enumerate(members)}
    apart: list[set[int]] = [set() for _ in members]
    for i, j in cannot:
        a, b = place[find(i)], place[find(j)]
        apart[a].add(b)
        apart[b].add(a)
    return Links([np.array(group, np.intp) for group in members.values()], apart)


def place(links: Links, values: NDArray[np.floating], sizes: Sizes) -> NDArray[np.int32]:
    """The cluster of each linked row, −1 for others, with the largest sum of values (n × k).

    Pairs, pins and size limits are kept. Exact where the search ends within its bound.
    """
    fixed = [_pinned(group, sizes.pins) for group in links.groups]
    for a, others in enumerate(links.apart):
        for b in others:
            if fixed[a] >= 0 and fixed[a] == fixed[b]:
                raise ValueError(
                    f"constraints contradict y: rows {links.groups[a][0]} and {links.groups[b][0]} "
                    f"(or rows linked with them) cannot be together, and y pins both to cluster "
                    f"{fixed[a]}. Drop one of them."
                )
    worth = np.array([values[group].sum(axis=0) for group in links.groups])
    found = (
        _parts_alone(links, worth, fixed, sizes) or _Placement(links, worth, fixed, sizes).best()
    )
    pins = sizes.pins.copy()
    for group, cluster in zip(links.groups, found, strict=True):
        pins[group] = cluster
    return pins


def _parts_alone(
    links: Links, worth: NDArray[np.floating], fixed: Sequence[int], sizes: Sizes
) -> list[int] | None:
    """The best clusters of groups that no pair joins to others, if they keep the sizes together."""
    found = [-1] * len(fixed)
    free = replace(sizes, lower=np.zeros_like(sizes.lower), upper=np.full_like(sizes.upper, 2**62))
    ends = [(a, b) for a, others in enumerate(links.apart) for b in others]
    rows, columns = np.array(ends, np.intp).reshape(-1, 2).T
    joined = csr_matrix((np.ones(len(ends)), (rows, columns)), shape=(len(fixed),) * 2)
    part = connected_components(joined, directed=False)[1]
    for c in range(part.max(initial=-1) + 1):
        own = np.flatnonzero(part == c).tolist()
        place = {g: i for i, g in enumerate(own)}
        some = Links(
            [links.groups[g] for g in own], [{place[b] for b in links.apart[g]} for g in own]
        )
        for g, cluster in zip(
            own, _Placement(some, worth[own], [fixed[g] for g in own], free).best(), strict=True
        ):
            found[g] = cluster
    whole = _Placement(links, worth, fixed, sizes)
    counts = whole.counts()
    np.add.at(counts, np.array(found, np.intp), whole.rows)
    return found if whole.fits(counts) else None


class _Placement:
    """A depth-first search for the clusters of groups, the best cluster of each first."""

    def __init__(
        self, links: Links, worth: NDArray[np.floating], fixed: Sequence[int], sizes: Sizes
    ) -> None:
        self.links, self.worth, self.sizes = links, worth, sizes
        self.fixed = fixed
        free = np.where(sizes.pins < 0, sizes.mass, 0)
        self.rows = [int(free[group].sum()) for group in links.groups]
        degree = [len(others) for others in links.apart]
        # those that are given, then those with most pairs, then those that others wait for
        self.order = sorted(range(len(fixed)), key=lambda g: (fixed[g] < 0, -degree[g], g))
        best = worth.max(axis=1)[self.order] if len(worth) else np.empty(0)
        self.ahead = np.append(np.cumsum(best[::-1])[::-1], 0.0)

    def best(self) -> list[int]:
        """The clusters of all groups."""
        G, k = len(self.order), self.sizes.n_clusters
        clusters = [-1] * G
        counts = self.counts()
        choices: list[list[int]] = [[] for _ in range(G)]
        gained = [0.0] * (G + 1)
        depth, steps, most, answer = 0, 0, -np.inf, None
        if G:
            choices[0] = self._choices(self.order[0], clusters)
        while 0 <= depth < G:
            g = self.order[depth]
            if clusters[g] >= 0:  # back again: take it out
                counts[clusters[g]] -= self.rows[g]
                clusters[g] = -1
            if not choices[depth] or gained[depth] + self.ahead[depth] <= most:
                depth -= 1
                continue
            steps += 1
            if steps > MOST_PLACEMENTS:
                break
            c = choices[depth].pop()
            counts[c] += self.rows[g]
            clusters[g] = c
            gained[depth + 1] = gained[depth] + float(self.worth[g, c])
            if not self.fits(counts):
                continue
            if depth + 1 == G:
                if gained[G] > most:
                    most, answer = gained[G], clusters.copy()
                continue
            depth += 1
            choices[depth] = self._choices(self.order[depth], clusters)
        if answer is None and G:
            if steps > MOST_PLACEMENTS:
                raise ValueError(
                    f"constraints: after {MOST_PLACEMENTS:,} steps it is not decided whether they "
                    f"can be met with {k} clusters; give fewer cannot-links, or more clusters."
                )
            raise ValueError(
                f"constraints cannot be met with {k} clusters and these sizes and pins; give fewer "
                f"cannot-links, more clusters, or wider sizes."
            )
        if steps > MOST_PLACEMENTS:
            warn_user(
                f"constraints: linked rows are where they fit best of {MOST_PLACEMENTS:,} "
                f"placements that were tried; there are more."
            )
        return answer or []

    def _choices(self, g: int, clusters: Sequence[int]) -> list[int]:
        """The clusters that are open to a group, the best one last."""
        if self.fixed[g] >= 0:
            return [self.fixed[g]]
        taken = {clusters[other] for other in self.links.apart[g]}
        return [int(c) for c in np.argsort(self.worth[g], kind="stable") if c not in taken]

    def counts(self) -> NDArray[np.intp]:
        """The sizes of the clusters by the pins alone."""
        pins, mass, k = self.sizes.pins, self.sizes.mass, self.sizes.n_clusters
        return np.bincount(pins[pins >= 0], mass[pins >= 0], minlength=k).astype(np.intp)

    def fits(self, counts: NDArray[np.intp]) -> bool:
        """Whether the other rows can still fill the clusters up to their limits."""
        n = self.sizes.mass.sum()
        lower, upper = self.sizes.lower, self.sizes.upper
        return bool(np.all(counts <= upper) and np.maximum(counts, lower).sum() <= n)


def _pairs(constraints: Mapping[str, Any], name: str, n: int) -> list[tuple[int, int]]:
    given = constraints.get(name)
    if given is None or (hasattr(given, "__len__") and len(given) == 0):
        return []
    try:
        pairs = np.asarray(given)
    except ValueError:
        pairs = np.empty(0)
    whole = pairs.dtype.kind in "iu" and pairs.ndim == 2 and pairs.shape[1] == 2
    if not whole or pairs.min() < 0 or pairs.max() >= n:
        raise ValueError(
            f"constraints[{name!r}] must be pairs of rows of X, from 0 to {n - 1}; got "
            f"{shown(given)}."
        )
    return [(int(i), int(j)) for i, j in pairs]


def _pinned(group: NDArray[np.intp], pins: NDArray[np.integer]) -> int:
    """The cluster that a group is pinned to, −1 for none."""
    known = group[pins[group] >= 0]
    if not len(known):
        return -1
    other = known[pins[known] != pins[known[0]]]
    if len(other):
        raise ValueError(
            f"constraints contradict y: rows {known[0]} and {other[0]} must be together, and y "
            f"pins them to clusters {pins[known[0]]} and {pins[other[0]]}. Drop one of them."
        )
    return int(pins[known[0]])


def _chain(must: Sequence[tuple[int, int]], first: int, last: int) -> str:
    """The shortest chain of must-links between two rows."""
    neighbors: dict[int, list[int]] = {}
    for i, j in must:
        neighbors.setdefault(i, []).append(j)
        neighbors.setdefault(j, []).append(i)
    before, edge = {first: first}, [first]
    while last not in before:
        edge = [
            (before.setdefault(j, i), j)[1] for i in edge for j in neighbors[i] if j not in before
        ]
    path = [last]
    while path[-1] != first:
        path.append(before[path[-1]])
    return " with ".join(map(str, reversed(path)))
