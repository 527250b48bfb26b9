"""The data in numbers."""

from typing import Any

import numpy as np
from scipy.sparse import issparse

from maxmargin.explain.clustering import Clustering

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
    if sparse:
        mean = np.asarray(some.mean(axis=0), dtype=np.float64).ravel()
        squares = np.asarray(some.astype(np.float64).power(2).mean(axis=0)).ravel()
        deviation = np.sqrt(np.maximum(squares - mean**2, 0))
        low, high = (np.asarray(m.todense()).ravel() for m in (some.min(axis=0), some.max(axis=0)))
    else:
        mean = np.mean(some, axis=0, dtype=np.float64)
        deviation = np.std(some, axis=0, dtype=np.float64)
        low, high = np.min(some, axis=0), np.max(some, axis=0)
    found["columns"] = [
        {
            "name": clustering.names[j],
            "mean": float(mean[j]),
            "deviation": float(deviation[j]),
            "smallest": float(low[j]),
            "largest": float(high[j]),
        }
        for j in range(len(mean))
    ]
    found["n_constant"] = int(np.sum(low == high))
    return found
