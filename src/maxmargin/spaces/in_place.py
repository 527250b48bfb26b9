"""Changes of a large matrix in its own memory."""

import numpy as np
from numpy.typing import NDArray


def scale_sides(K: NDArray[np.float64], roots: NDArray[np.float64]) -> None:
    """W^½KW^½, in K's own memory; whatever is above the diagonal may be no number."""
    with np.errstate(all="ignore"):
        K *= roots
        K *= roots[:, None]


def narrowed(R: NDArray[np.float64]) -> NDArray[np.float32]:
    """R in float32, in the first half of its own memory; the second half is given back."""
    n = len(R)
    flat = R.reshape(-1).view(np.float32)
    for i in range(n):
        flat[i * n : (i + 1) * n] = R[i].copy()  # behind what is still to be read
    del flat
    R.resize((n * n + 1) // 2, refcheck=False)
    return R.view(np.float32)[: n * n].reshape(n, n)
