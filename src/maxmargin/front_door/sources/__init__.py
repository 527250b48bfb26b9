"""Where candidates come from besides the search: a file for each source, one interface."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from maxmargin._runtime.warnings import warn_user
from maxmargin.front_door.sources.density_modes import DensityModes
from maxmargin.front_door.sources.gap_tree import GapTree
from maxmargin.front_door.sources.genie import Genie
from maxmargin.front_door.sources.neighbors_graph import NeighborsGraph
from maxmargin.front_door.sources.reach_tree import ReachTree
from maxmargin.front_door.sources.source import CandidateSource, Proposal
from maxmargin.front_door.sources.spanning_tree import SpanningTree
from maxmargin.sizes import Sizes
from maxmargin.spaces.metric import Matrix, Metric, Weights

__all__ = [
    "SOURCES",
    "Proposal",
    "Source",
    "affordable",
    "propose",
    "proposed",
    "rare_rows",
    "views",
]

SOURCES: tuple[CandidateSource, ...] = (GapTree(), ReachTree(), Genie(), DensityModes())

#: Rows up to which sources see all of them, and not only those that decide,
SOURCE_ROWS = 20_000
#: where the neighbours are found in a tree of boxes, or in so many steps.
COLUMNS_OF_A_TREE, MANY_STEPS = 8, 2e9
#: The largest standard deviation of a column relative to the smallest that makes no difference.
ALIKE = 1.05
#: The share of the pins that a proposal may contradict.
PINS_IN_DOUBT = 0.1
#: Rows of a small cluster with a clean gap around it that are among those that decide.
RARE_ROWS = 50


def affordable(rows: Matrix) -> bool:
    """Whether sources can look at all rows."""
    n, d = rows.shape
    return n <= SOURCE_ROWS and (d <= COLUMNS_OF_A_TREE or float(n) * n * d <= MANY_STEPS)


def proposed(
    estimator: Any, metric: Metric, X: Matrix, rows: Matrix, sizes: Sizes
) -> list[Proposal]:
    """What the sources find, within the limits; nothing where kernels or proportions are set.

    Parameters
    ----------
    estimator : MaxMarginClustering
        A ``min_size`` that the user set is hard; ``"auto"`` gives way to a clean gap.
    metric : Metric
    X, rows : matrix
        The rows as they came, and as the metric prepared them.
    sizes : Sizes
    """
    k, found, refused = sizes.n_clusters, [], None
    if k < 2 or not sizes.free or estimator.kernels is not None:
        return []
    min_size = estimator.min_size
    anything = replace(sizes, lower=np.zeros_like(sizes.lower))
    for proposal in propose(views(metric, X, rows), k, sizes.weights):
        labels = sizes.named(proposal.labels) if sizes.n_pinned else proposal.labels
        contradicted = np.count_nonzero((sizes.pins >= 0) & (labels != sizes.pins))
        labels = sizes.pinned(labels)
        if contradicted > PINS_IN_DOUBT * sizes.n_pinned or not anything.hold(labels):
            continue
        if sizes.hold(labels) or (proposal.gap and isinstance(min_size, str)):
            found.append(replace(proposal, labels=labels))
        elif proposal.gap:
            refused = proposal
    if refused is not None and not any(proposal.gap for proposal in found):
        warn_user(
            f"min_size = {min_size!r} decided: without it there are {refused.why}; the smallest of "
            f'them has {np.bincount(refused.labels).min()} rows. min_size="auto" would find them.'
        )
    return found


def rare_rows(proposals: list[Proposal], max_rows: int) -> NDArray[np.intp] | None:
    """Rows of clusters with clean gaps of which a random subset would hold too few."""
    for proposal in proposals:
        if proposal.gap:
            counts = np.bincount(proposal.labels)
            wanted = min(RARE_ROWS, max_rows // (4 * len(counts)))
            few = np.flatnonzero(counts * max_rows < wanted * len(proposal.labels))
            members = [np.flatnonzero(proposal.labels == c)[:wanted] for c in few]
            return np.concatenate(members) if members else None
    return None


def views(metric: Metric, X: Matrix, rows: Matrix) -> dict[str, NDArray[np.floating]]:
    """The rows in standardised columns, and in columns as they are.

    Nothing is cut: far small clusters would fall into one. Rows that are projected on their
    leading directions are taken as they are prepared, and angles too.
    """
    if metric.precomputed or issparse(rows):
        return {}
    if metric.name == "cosine" or metric.directions_ is not None:
        return {"": rows}
    raw = metric.raw(X)
    if not metric.standardized_:
        return {"raw": raw}
    both = {"standardised": metric.prepare(X, cut=False), "raw": raw}
    scales = raw.std(axis=0)
    if scales.max(initial=0) <= ALIKE * scales.min(initial=np.inf):  # the same but for a factor
        del both["raw"]
    return both


def propose(
    views: Mapping[str, NDArray[np.floating]], k: int, weights: Weights = None
) -> Iterator[Proposal]:
    """Ask all sources, for rows in columns of every kind.

    Parameters
    ----------
    views : mapping of str to ndarray
        The same rows in columns of every kind.
    k : int
        At least 2.
    weights : ndarray of shape (n,) or None, default=None
        What rows count for, 1 in the mean.
    """
    for columns, rows in views.items():
        tree = SpanningTree.of(rows, weights)
        if tree.n_different > k:
            graph = NeighborsGraph.of(tree)
            for source in SOURCES:
                for proposal in source.propose(tree, k):
                    yield replace(proposal, columns=columns, graph=graph)
