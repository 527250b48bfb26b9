"""From some rows to the clusters of their domain: the width, both phases, and what was compared."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import adjusted_rand_score

from maxmargin._runtime.context import FitContext
from maxmargin.domain import width
from maxmargin.domain.base import Assignment, DomainClusters
from maxmargin.domain.domain_graph import DomainGraph, distinct_rows
from maxmargin.solvers import OneClassProblem, OneClassSolver

#: Draws of landmarks, where there are more rows: one draw in ten has a hole that splits a cluster.
N_DRAWS = 5
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
    ) -> tuple[DomainClusters, dict[str, Any]]:
        """The clusters of the domain of some rows, and what their width was chosen by.

        The weights of the rows are for the one-class machine: a row has one place in the graph.
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
            narrow = partial(exact, smallest=(width.smallest_of_narrow(graph.n),))
            best, table = width.choose_width(
                *(graph, gammas, exact, context),
                *(smaller if crowded else None, narrow if free else None),
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
    X: NDArray[np.floating], m: int | None, rng: np.random.Generator, distinct: bool
) -> list[NDArray[np.intp]]:
    """The rows that a domain is made from: all or m of them, several draws of distinct ones."""
    n = X.shape[0]
    draws = [np.arange(n)]
    if m is not None and n > m:
        n_draws = N_DRAWS if distinct else 1
        draws = [np.sort(rng.choice(n, m, replace=False)) for _ in range(n_draws)]
    return [distinct_rows(X, some) for some in draws] if distinct else draws


def most_agreed(labellings: Sequence[NDArray[np.integer]]) -> int:
    """The number of the labelling that the others agree with most (adjusted Rand index).

    Examples
    --------
    >>> from maxmargin.domain.finder import most_agreed
    >>> most_agreed([[0, 0, 1, 1, 2], [0, 0, 1, 1, 1], [1, 1, 0, 0, 0]])
    1
    """
    agreement = np.zeros(len(labellings))
    for i, j in combinations(range(len(labellings)), 2):
        agreement[[i, j]] += adjusted_rand_score(labellings[i], labellings[j])
    return int(np.argmax(agreement))
