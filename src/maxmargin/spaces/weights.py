"""Weights of several kernels that come from outside."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def read_weights(given: Any, n_kernels: int) -> NDArray[np.float64] | None:
    """Turn the parameter ``kernel_weights`` into weights with sum 1; None if they are learned."""
    allowed = f'"learned", "uniform" or {n_kernels} numbers >= 0, one for each kernel'
    if isinstance(given, str):
        if given not in ("learned", "uniform"):
            raise ValueError(f"kernel_weights must be {allowed}; got {given!r}.")
        return None if given == "learned" else np.full(n_kernels, 1 / n_kernels)
    try:
        weights = np.array(given, dtype=np.float64)
    except (TypeError, ValueError):
        weights = np.empty(0)
    if (
        weights.shape != (n_kernels,)
        or not np.all(np.isfinite(weights))
        or np.any(weights < 0)
        or not np.any(weights > 0)
    ):
        raise ValueError(f"kernel_weights must be {allowed} and not all 0; got {given!r}.")
    weights /= weights.max()  # a sum of large ones would overflow
    return weights / weights.sum()
