"""Known classes beside the clusters: they score the answer, and nothing else."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.cluster import contingency_matrix

from maxmargin.metrics import matched_accuracy_score


def truth_of(labels: NDArray[np.intp], truth: list[str | None]) -> dict[str, Any]:
    """How clusters and classes agree, on the rows whose class is known (not None)."""
    known = np.array([value is not None for value in truth])
    classes = np.array([value for value in truth if value is not None], dtype=str)
    labels = labels[known]
    n = len(classes)
    return {
        "n_known": n,
        "n_unknown": int(len(truth) - n),
        "ari": float(adjusted_rand_score(classes, labels)) if n else None,
        "accuracy": matched_accuracy_score(classes, labels) if n else None,
        "clusters": np.unique(labels).tolist(),
        "classes": np.unique(classes).tolist(),
        "counts": contingency_matrix(labels, classes).tolist() if n else [],
    }
