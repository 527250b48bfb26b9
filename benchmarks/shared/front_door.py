"""What the front door offers: its answer and its first alternatives, for all rows."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin import MaxMarginClustering


def offered(X: Any, k: int, n: int = 3, **parameters: Any) -> list[NDArray[np.integer]]:
    """The labels of the answer and of the first n − 1 alternatives."""
    model = MaxMarginClustering(k, **parameters).fit(X)
    others = range(min(n - 1, len(model.alternatives_)))
    return [model.labels_, *(model.use_alternative(i, X).labels_ for i in others)]
