"""From some rows to the clusters of their domain: the width, both phases, and what was compared."""

from dataclasses import dataclass, replace
from functools import partial
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin._runtime.context import FitContext
from maxmargin.domain import width
from maxmargin.domain.base import Assignment, DomainClusters
from maxmargin.domain.domain_graph import DomainGraph
from maxmargin.solvers import OneClassProblem, OneClassSolver


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
