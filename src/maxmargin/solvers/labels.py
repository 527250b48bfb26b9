"""The best labels within limits, for losses that do not change."""

import numpy as np
from numpy.typing import NDArray

from maxmargin._core.transport import assign_rows
from maxmargin.sizes import Sizes


def cheapest_labels(losses: NDArray[np.float32], sizes: Sizes) -> NDArray[np.int16]:
    """The labels of the smallest total loss (n × k) within the bounds and the pins, exactly."""
    labels = np.where(sizes.pins >= 0, sizes.pins, np.argmin(losses, axis=1)).astype(np.int32)
    counts = np.bincount(labels, minlength=sizes.n_clusters)
    if not assign_rows(losses, sizes.movable, labels, counts, sizes.lower, sizes.upper):
        raise ValueError(
            "the size limits cannot be met: the pinned rows in y leave no row to move."
        )
    return labels.astype(np.int16)
