"""Checks of rows by scikit-learn, which must say nothing besides."""

from copy import copy
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import validation

__all__ = ["validate_data"]


def validate_data(estimator: Any, X: Any, **how: Any) -> Any:
    """Return rows as ``sklearn.utils.validation.validate_data`` does.

    It adds up all values to see whether one of them is NaN or infinite: the sum of large ones of
    both signs overflows, and NumPy would warn of that. Indices of sparse rows are what most
    compiled loops take, 32 bits wide, where they fit.
    """
    require_values(X)
    if np.ma.is_masked(X):  # NumPy would forget the mask
        raise ValueError(
            "X must have no masked values, which are missing: fill them (X.filled(...)), or leave "
            "the rows or columns out."
        )
    try:
        with np.errstate(invalid="ignore", over="ignore"):
            X = validation.validate_data(estimator, X, **how)
    except TypeError as error:  # of dates, or of a path
        raise TypeError(f"X must be rows of numbers, in memory: {error}") from error
    return with_narrow_indices(X) if issparse(X) else X


def require_values(X: Any) -> None:
    """Refuse frames that scikit-learn and NumPy have foreign errors or warnings for."""
    if type(X).__name__ == "LazyFrame":
        raise TypeError("X must be a frame whose values are there; call X.collect() first.")
    kinds = [kind for kind in getattr(X, "dtypes", []) if hasattr(kind, "fill_value")]
    if any(kind.fill_value != 0 for kind in kinds):  # also NaN, the default of pandas
        raise ValueError(
            "X must have dense columns, or sparse ones that are 0 where nothing is stored; use "
            "X.sparse.to_dense()."
        )


def with_narrow_indices(X: Any) -> Any:
    """The same CSR rows with indices of one width, of 32 bits if they fit; no values are copied."""
    fits = max(X.nnz, *X.shape) <= np.iinfo(np.int32).max
    width = np.int32 if fits else np.int64
    if X.indices.dtype == X.indptr.dtype == width:
        return X
    narrow = copy(X)
    narrow.indices, narrow.indptr = X.indices.astype(width), X.indptr.astype(width)
    return narrow
