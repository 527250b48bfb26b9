"""How sure the labels are: the margins of all rows, and the least certain rows."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin.estimators.base import ModelMixin
from maxmargin.report.partition_view import PartitionView

N_LEAST = 10
MARGIN_MEANINGS = {
    "left out": "How far a model that never saw the row puts its own cluster above the best other "
    "one. Below 0 the row, left out, would go elsewhere.",
    "model": "How far the model puts the row's own cluster above the best other one. Below 0 the "
    "model alone would put the row elsewhere.",
    "depth": "How deep the row lies in the domain of the data. Below 0 it is outside, where rows "
    "are few.",
}


def margins_of(partition: PartitionView, ids: list[str]) -> dict[str, Any] | None:
    """What the margins say; None for a model without them."""
    clustering = partition.clustering
    margin, labels = clustering.margin, clustering.labels
    histogram = partition.histogram
    if margin is None or histogram is None:
        return None
    order = np.argsort(margin, kind="stable")
    order = order[labels[order] >= 0][:N_LEAST]  # outliers are said to be in no cluster
    other = _best_other(clustering.values, labels)
    return {
        "kind": kind_of(clustering.model),
        "meaning": MARGIN_MEANINGS[kind_of(clustering.model)],
        "n_negative": int(np.sum(margin < 0)),
        "quartiles": [float(q) for q in np.quantile(margin, [0.25, 0.5, 0.75])],
        "edges": histogram.edges,
        "counts": [
            {"cluster": cluster, "counts": counts}
            for cluster, counts in zip(histogram.clusters, histogram.counts, strict=True)
        ],
        "least_certain": [
            {
                "id": ids[row],
                "row": int(row),
                "cluster": int(labels[row]),
                "margin": float(margin[row]),
                "other": None if other is None else int(other[row]),
            }
            for row in order
        ],
    }


def _best_other(
    values: NDArray[np.float64] | None, labels: NDArray[np.intp]
) -> NDArray[np.intp] | None:
    """The best cluster of each row besides its own."""
    if values is None or values.shape[1] < 2:
        return None
    others = values.copy()
    rows = np.flatnonzero(labels >= 0)
    others[rows, labels[rows]] = -np.inf
    return np.argmax(others, axis=1)


def kind_of(model: Any) -> str:
    """What margins of this model are: a key of MARGIN_MEANINGS."""
    if hasattr(model, "margin_"):
        return "left out"
    return "model" if isinstance(model, ModelMixin) else "depth"
