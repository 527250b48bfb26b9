"""What an assignment is: a domain goes in, the clusters of its rows come out."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from maxmargin._runtime.parameters import Allowed
from maxmargin.domain.domain_graph import DomainGraph, NearestRow
from maxmargin.solvers.one_class import OneClassSolution


@dataclass(frozen=True, eq=False)
class DomainClusters:
    """The clusters of a domain; :class:`Assignment` has an example.

    Parameters
    ----------
    solution : OneClassSolution
        The domain: its width and the weights of the rows.
    labels : array of shape (n,)
        Rows of no cluster have −1.
    levels : array of shape (k,)
        The height at which each cluster comes off from the others.
    smallest : int
        The smallest cluster allowed.
    equilibria : array of shape (M, d) or None
        The peaks that rows were followed to.
    notes : tuple of str
        What the user should know.
    """

    solution: OneClassSolution
    labels: NDArray[np.intp]
    levels: NDArray[np.float64]
    smallest: int
    equilibria: NDArray[np.float64] | None = None
    notes: tuple[str, ...] = ()

    @property
    def n_clusters(self) -> int:
        """The number of clusters."""
        return len(self.levels)

    def nearest(self, rows: NDArray[np.floating]) -> NearestRow:
        """Give points the cluster of the nearest row of the domain that has one."""
        inside = self.labels >= 0
        if self.n_clusters < 2:
            return NearestRow(rows, np.zeros_like(self.labels))
        return NearestRow(rows[inside], self.labels[inside])


class Assignment(BaseEstimator, ABC):
    """A way to assign rows to clusters; its parameters are set, cloned and printed as usual.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from maxmargin import SupportVectorClustering
    >>> from maxmargin.domain import Graph
    >>> class Large(Graph):
    ...     def clusters(self, graph, solution, smallest):
    ...         found = super().clusters(graph, solution, [40 for _ in smallest])
    ...         print([(clusters.n_clusters, clusters.smallest) for clusters in found])
    ...         return found
    >>> _ = SupportVectorClustering(2, nu=0.1, assignment=Large()).fit(load_iris().data)
    [(2, 40)]
    """

    #: What the parameters may be.
    _parameters: Mapping[str, Allowed] = {}
    #: Whether it can find clusters at levels of their own, as ``gamma="auto"`` then does.
    own_levels = False
    #: The smallest cluster of {f ≥ 0} if the user does not say: rows, or a share of them.
    min_cluster_size: float = 1

    @abstractmethod
    def clusters(
        self, graph: DomainGraph, solution: OneClassSolution, smallest: Sequence[int]
    ) -> list[DomainClusters]:
        """Find the clusters of {f ≥ 0}, once for each size that the smallest may have.

        Parameters
        ----------
        graph : DomainGraph
            The rows.
        solution : OneClassSolution
            The domain.
        smallest : sequence of int
            The rows that a cluster has at least.
        """

    def clusters_at_levels(
        self, graph: DomainGraph, solution: OneClassSolution, smallest: Sequence[int]
    ) -> list[DomainClusters]:
        """Find clusters of {f ≥ level}, each at a level of its own, if the class can."""
        return self.clusters(graph, solution, smallest)
