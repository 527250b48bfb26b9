"""Several kernel matrices, given as they are."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.utils import check_array

from maxmargin.spaces.explicit import ExplicitMap
from maxmargin.spaces.kernel import Kernel
from maxmargin.spaces.views import GramView, View

NEEDED = (
    "with kernels='precomputed', X must be a list or stack of kernel matrices of the same shape"
)


def read_stack(X: Any, shape: tuple[int, int] | None = None) -> list[NDArray[np.floating]]:
    """Return the matrices; ``shape`` is their number and that of their columns, if known."""
    flat = len(getattr(X, "shape", (0, 0, 0))) != 3
    if flat or issparse(X) or isinstance(X, (str, bytes, dict)) or not hasattr(X, "__len__"):
        raise ValueError(f"{NEEDED}; got one {type(X).__name__} of shape {np.shape(X)}.")
    if not len(X):
        raise ValueError(f"{NEEDED}; got an empty one.")
    stack = [_read(K, f"X[{i}]") for i, K in enumerate(X)]
    stack = [K if isinstance(K, np.ndarray) else K.toarray() for K in stack]
    if len({K.shape for K in stack}) > 1:
        raise ValueError(f"{NEEDED}; got {', '.join(str(K.shape) for K in stack)}.")
    if shape is not None and (len(stack), stack[0].shape[1]) != shape:
        raise ValueError(
            f"X must have {shape[0]} matrices with a column for each of the {shape[1]} rows of "
            f"fit; got {len(stack)} of shape {stack[0].shape}."
        )
    return stack


def _read(K: Any, name: str) -> Any:
    try:
        return check_array(K, accept_sparse="csr", dtype=[np.float64, np.float32], input_name=name)
    except (ValueError, TypeError, OverflowError) as error:
        raise ValueError(f"{NEEDED}; {name} is none: {error}") from None


def views_of_stack(stack: list[NDArray[np.floating]]) -> list[View]:
    """A view for each matrix; kernel PCA makes features of it."""
    return [
        GramView(f"kernel {place}", ExplicitMap(Kernel("precomputed"), len(K)), None, place, place)
        for place, K in enumerate(stack)
    ]
