"""The data in numbers."""

from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.sparsefuncs import mean_variance_axis, min_max_axis

from maxmargin.explain.clustering import Clustering
from maxmargin.explain.features import to_scale

#: A text has tens of thousands of columns; the summary lists these at most.
MAX_COLUMNS = 1000


def data_of(clustering: Clustering) -> dict[str, Any]:
    """Rows, columns and what is in them."""
    X = clustering.X
    n, d = X.shape
    if clustering.pairwise:
        return {"kind": "pairs", "n_rows": n, "n_columns": d, "columns": []}
    sparse = issparse(X)
    found: dict[str, Any] = {"kind": "sparse" if sparse else "dense", "n_rows": n, "n_columns": d}
    if sparse:
        found["density"] = float(X.nnz / (n * d))
    some = X[:, :MAX_COLUMNS]
    scaled, scale = to_scale(some)
    if sparse:
        mean, variance = mean_variance_axis(scaled, axis=0)
        low, high = min_max_axis(some, axis=0)
    else:
        mean, variance = np.mean(scaled, axis=0), np.var(scaled, axis=0)
        low, high = np.min(some, axis=0), np.max(some, axis=0)
    deviation = np.sqrt(variance)
    found["columns"] = [
        {
            "name": clustering.names[j],
            "mean": float(mean[j] * scale[j]),
            "deviation": float(deviation[j] * scale[j]),
            "smallest": float(low[j]),
            "largest": float(high[j]),
        }
        for j in range(len(mean))
    ]
    found["n_constant"] = int(np.sum(low == high))
    return found
