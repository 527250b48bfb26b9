"""From some rows to the clusters of their domain: the width, both phases, and what was compared."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.metrics import adjusted_rand_score

from maxmargin._runtime.context import FitContext
from maxmargin._runtime.units import center_of
from maxmargin.blocks.local_means import local_means
from maxmargin.domain import width
from maxmargin.domain.base import Assignment, DomainClusters
from maxmargin.domain.domain_graph import DomainGraph, distinct_rows
from maxmargin.solvers import OneClassProblem, OneClassSolver
from maxmargin.spaces.metric import Matrix, Weights

#: Draws of landmarks, where there are more rows: one draw in ten has a hole that splits a cluster.
N_DRAWS = 5
#: Rows among which landmarks have their neighbours, besides themselves; fewer wide ones (160 MB).
MEANT_ROWS, MEANT_VALUES = 20_000, 20_000_000
#: Rows that these are compared by.
COMPARED_ROWS = 3000


@dataclass(frozen=True, eq=False)
class DomainFinder:
    """Finds the clusters of the domain of rows.

    Parameters
    ----------
    solver : OneClassSolver
    assignment : Assignment
    gamma : float, "auto" or "plateau"
    nu, C : float or None
    min_cluster_size : int, float or None
        Of all n rows: rows, or a share of them.
    n : int
        Of which the rows that are given are some.
    seed : int
        Of solvers that draw rows: the same are drawn at every width.
    """

    solver: OneClassSolver
    assignment: Assignment
    gamma: float | str
    nu: float | None
    C: float | None
    min_cluster_size: float | None
    n: int
    seed: int

    @property
    def own_levels(self) -> bool:
        """Whether each cluster has a level of its own."""
        return bool(self.gamma == "auto" and self.assignment.own_levels)

    def find(
        self,
        rows: NDArray[np.floating],
        context: FitContext,
        weights: NDArray[np.float64] | None = None,
        means: bool = False,
    ) -> tuple[DomainClusters, dict[str, Any]]:
        """The clusters of the domain of some rows, and what their width was chosen by.

        The weights of the rows are for the one-class machine: a row has one place in the graph.
        ``means`` says that they are means of neighbours, which have fewer dimensions than rows.
        """
        graph = DomainGraph(rows)
        clusters_at = partial(
            self._clusters_at, graph, smallest=self._smallest(graph.n), weights=weights
        )
        exact = partial(clusters_at, solver=self.solver.exact())
        if self.gamma == "auto":
            gammas = graph.gammas(width.NARROW_WIDTHS if self.own_levels else width.WIDE_WIDTHS)
            smaller = partial(exact, smallest=(width.SMALLEST_ROWS,))
            free = self.own_levels and self.min_cluster_size is None
            crowded = free and self._smallest(graph.n)[0] > width.SMALLEST_ROWS
            many = means or graph.dimension > width.MANY_DIMENSIONS
            narrow = partial(exact, smallest=(width.smallest_of_narrow(graph.n),))
            best, table = width.choose_width(
                *(graph, gammas, exact, context),
                *(smaller if crowded else None, narrow if free and many else None),
            )
            if self.solver.exact() is not self.solver:
                notes = best.notes
                (best,) = clusters_at(best.solution.gamma, smallest=(best.smallest,))
                best = replace(best, notes=(*notes, *best.notes))
            return best, {"candidates_": table}
        if self.gamma == "plateau":
            plateau = width.find_plateau(graph.gammas(width.PLATEAU_WIDTHS), exact, context)
            (best,) = clusters_at(plateau.gamma)
            return best, {"plateau_": plateau}
        (best,) = clusters_at(float(self.gamma))
        return best, {}

    def _clusters_at(
        self,
        graph: DomainGraph,
        gamma: float,
        *,
        smallest: tuple[int, ...],
        solver: OneClassSolver | None = None,
        weights: NDArray[np.float64] | None = None,
    ) -> list[DomainClusters]:
        # the problem, which may hold the whole kernel, ends with the solver
        problem = OneClassProblem(graph.distances, gamma, self.nu, self.C, self.seed, weights)
        solution = (solver or self.solver).solve(problem)
        if self.own_levels:
            return self.assignment.clusters_at_levels(graph, solution, smallest)
        return self.assignment.clusters(graph, solution, smallest)

    def _smallest(self, m: int) -> tuple[int, ...]:
        """The sizes that the smallest cluster of m rows may have; the user counts all n."""
        size = self.min_cluster_size
        if size is None:
            if self.own_levels:
                return width.smallest_sizes(m)
            size = self.assignment.min_cluster_size
        rows = size if isinstance(size, Integral) else max(2, size * self.n)
        return (max(1, round(float(rows) * m / self.n)),)


def draw_landmarks(
    X: Matrix, m: int | None, rng: np.random.Generator, distinct: bool
) -> list[NDArray[np.intp]]:
    """The rows that a domain is made from: all or m of them, several draws of distinct ones."""
    n = X.shape[0]
    draws = [np.arange(n)]
    if m is not None and n > m:
        n_draws = N_DRAWS if distinct else 1
        draws = [np.sort(rng.choice(n, m, replace=False)) for _ in range(n_draws)]
    return [distinct_rows(X, some) for some in draws] if distinct else draws


def landmarks(
    X: Matrix, draws: Sequence[NDArray[np.intp]], weights: Weights
) -> tuple[list[Matrix], bool]:
    """The rows of each draw, or, where that takes noise away, means of their neighbours.

    In many columns single rows are far from all others and hide where they are dense. Whether they
    are means is said, too.
    """
    marks = [X[some] for some in draws]
    if len(draws) == 1 or issparse(marks[0]):
        return marks, False
    most = min(MEANT_ROWS, MEANT_VALUES // X.shape[1])
    some = np.random.default_rng(0).permutation(X.shape[0])[:most]
    among = np.unique(np.concatenate([some, *draws]))
    many, shares = X[among], None if weights is None else weights[among]
    center = center_of(many)  # far from the origin products lose who is near
    found = [local_means(mark - center, many - center, shares) for mark in marks]
    means = [(mean + center).astype(many.dtype) for mean in found if mean is not None]
    return (means, True) if len(means) == len(marks) else (marks, False)


def most_agreed(
    X: Matrix, marks: Sequence[Matrix], found: Sequence[DomainClusters], rng: np.random.Generator
) -> int:
    """The number of the draw whose clusters the others agree with most (adjusted Rand index)."""
    if len(found) == 1:
        return 0
    some = X[np.sort(rng.permutation(X.shape[0])[:COMPARED_ROWS])]
    nearest = [clusters.nearest(mark) for mark, clusters in zip(marks, found, strict=False)]
    labellings = [clusters.labels_of(some) for clusters in nearest]
    agreement = np.zeros(len(labellings))
    for i, j in combinations(range(len(labellings)), 2):
        agreement[[i, j]] += adjusted_rand_score(labellings[i], labellings[j])
    return int(np.argmax(agreement))
