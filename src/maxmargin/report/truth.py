"""Known classes beside the clusters: they score the answer, and nothing else."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import adjusted_rand_score


def truth_of(labels: NDArray[np.intp], truth: list[str | None]) -> dict[str, Any]:
    """How clusters and classes agree, on the rows whose class is known (not None)."""
    known = np.array([value is not None for value in truth])
    classes, classed = np.unique(
        np.array([value for value in truth if value is not None], dtype=str), return_inverse=True
    )
    numbers, clustered = np.unique(labels[known], return_inverse=True)
    table = np.zeros((len(numbers), len(classes)), dtype=np.intp)
    np.add.at(table, (clustered, classed), 1)
    rows, columns = linear_sum_assignment(table, maximize=True)
    n = int(known.sum())
    return {
        "n_known": n,
        "n_unknown": int(len(truth) - n),
        "ari": float(adjusted_rand_score(classed, clustered)) if n else None,
        "accuracy": float(table[rows, columns].sum() / n) if n else None,
        "clusters": numbers.tolist(),
        "classes": classes.tolist(),
        "counts": table.tolist(),
    }
