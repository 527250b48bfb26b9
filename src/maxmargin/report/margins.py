"""How sure the labels are: margins of all rows, counted in bins, and the least certain rows."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin.estimators.base import ModelMixin
from maxmargin.report.partition_view import PartitionView

N_BINS = 40
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
    if margin is None:
        return None
    edges = bins_of(margin)
    order = np.argsort(margin, kind="stable")
    order = order[labels[order] >= 0][:N_LEAST]  # outliers are said to be in no cluster
    other = _best_other(clustering.values, labels)
    return {
        "kind": kind_of(clustering.model),
        "meaning": MARGIN_MEANINGS[kind_of(clustering.model)],
        "n_negative": int(np.sum(margin < 0)),
        "quartiles": [float(q) for q in np.quantile(margin, [0.25, 0.5, 0.75])],
        "edges": edges.tolist(),
        "counts": [
            {
                "cluster": int(cluster),
                "counts": np.histogram(margin[labels == cluster], edges)[0].tolist(),
            }
            for cluster in [*clustering.clusters, *({-1} & set(labels.tolist()))]
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


def bins_of(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Edges of equal bins that hold all values, 0 among them where it is inside.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.report.margins import bins_of
    >>> edges = bins_of(np.array([-1.0, 0.5, 3.0]))
    >>> bool(0 in edges and edges[0] <= -1 and edges[-1] >= 3)
    True
    """
    low, high = float(values.min()), float(values.max())
    width = (high - low) / N_BINS
    if not width > 1e-12 * max(abs(low), abs(high)):
        half = abs(low) / 2 or 0.5
        return np.array([low - half, low + half])
    first, last = np.floor(low / width), np.ceil(high / width)
    edges = width * np.arange(first, last + 1)
    edges[0], edges[-1] = min(edges[0], low), max(edges[-1], high)  # what rounding lost
    return edges


def _best_other(
    values: NDArray[np.float64] | None, labels: NDArray[np.intp]
) -> NDArray[np.intp] | None:
    """The cluster whose model is largest, their own apart."""
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
