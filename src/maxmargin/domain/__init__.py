"""Which rows belong together in a domain: the second phase of support vector clustering.

``domain.py``
    The domain: heights of points, the lowest one between two of them, the way up to a peak.
``domain_graph.py``
    The rows: their distances, neighbours, and the edges that join all of them; the nearest row.
``base.py``
    What an assignment is: a domain goes in, the clusters of its rows come out.
``graph.py``
    Pieces of the domain along the edges of the graph.
``merge_tree.py``
    How these pieces merge as the level falls, and which of them stand out.
``equilibria.py``
    The peaks that points climb to: Algorithm 2 of SGD-LMSVC.
``outliers.py``
    Which rows are outliers, and which of those that tie.
``width.py``
    The width by the split gap, or by the longest plateau of the number of clusters.
"""

from maxmargin.domain.base import Assignment, DomainClusters
from maxmargin.domain.domain_graph import DomainGraph
from maxmargin.domain.equilibria import Equilibria
from maxmargin.domain.graph import Graph

#: The assignments by the name that ``SupportVectorClustering(assignment=...)`` takes.
ASSIGNMENTS: dict[str, type[Assignment]] = {"graph": Graph, "equilibria": Equilibria}

__all__ = ["ASSIGNMENTS", "Assignment", "DomainClusters", "DomainGraph", "Equilibria", "Graph"]
