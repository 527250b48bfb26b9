"""The answer and its alternatives; similar clusters have the same number in all of them."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from maxmargin.explain.alternatives import alternatives_of
from maxmargin.explain.clustering import Clustering
from maxmargin.explain.margins import MarginHistogram
from maxmargin.explain.matching import match_clusters


@dataclass(frozen=True, eq=False)
class PartitionView:
    """One way to group the rows.

    Attributes
    ----------
    name : str
        "the answer", "alternative 0", …
    clustering : Clustering
        Its labels, values and memberships have the numbers that the page shows.
    numbers : ndarray
        For each of the model's own numbers the one shown.
    score : float or None
        What the front door gave it.
    n_seen : int or None
        On how many rows an alternative was found, before it was carried over to all.
    """

    name: str
    clustering: Clustering
    numbers: NDArray[np.intp]
    score: float | None
    n_seen: int | None = None

    @cached_property
    def histogram(self) -> MarginHistogram | None:
        """The margins of its clusters; None for a model without margins."""
        margin = self.clustering.margin
        return None if margin is None else MarginHistogram.of(margin, self.clustering.labels)

    def shown(self, labels: NDArray[np.intp]) -> NDArray[np.intp]:
        """Labels of the model in the numbers of the page; −1 stays."""
        return np.where(labels >= 0, self.numbers[labels], labels)


def partition_views(clustering: Clustering, alternatives: bool = True) -> list[PartitionView]:
    """The answer first, then the front door's alternatives where there are any."""
    model = clustering.model
    chosen = getattr(model, "chosen_", None)
    score = chosen["score"] if isinstance(chosen, dict) else None
    same = np.arange(_n_numbers(clustering), dtype=np.intp)
    partitions = [PartitionView("the answer", clustering, same, score)]
    for i, other in enumerate(alternatives_of(clustering) if alternatives else []):
        numbers = match_clusters(clustering.labels, other.labels, _n_numbers(clustering, other))
        known = model.alternatives_[i]
        partitions.append(
            PartitionView(
                f"alternative {i}",
                _renumbered(other, numbers),
                numbers,
                float(known.score),
                len(known.rows),
            )
        )
    return partitions


def _n_numbers(*clusterings: Clustering) -> int:
    """How many numbers the labels and the models of the clusters need."""
    return max(
        max(int(c.labels.max(initial=-1)) + 1, 0 if c.values is None else c.values.shape[1])
        for c in clusterings
    )


def _renumbered(clustering: Clustering, numbers: NDArray[np.intp]) -> Clustering:
    own = np.argsort(numbers)  # the model's own number of each number shown

    def columns(values: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
        return values if values is None else values[:, own[own < values.shape[1]]]

    labels = np.where(clustering.labels >= 0, numbers[clustering.labels], clustering.labels)
    return replace(
        clustering,
        labels=labels,
        values=columns(clustering.values),
        memberships=columns(clustering.memberships),
    )
