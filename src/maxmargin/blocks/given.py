"""What was given to an estimator, opened and checked."""

from typing import Any

import numpy as np

from maxmargin.blocks.opening import open_rows
from maxmargin.blocks.rows import Rows


def open_for(estimator: Any, X: Any, reset: bool, at_least: int) -> Rows:
    """Open what was given to ``fit`` (``reset``) or ``predict`` of an estimator, and check it."""
    rows = open_rows(X)
    n, d = rows.shape
    if np.dtype(rows.dtype) not in (np.float32, np.float64):
        raise ValueError(f"the dtype of rows in X must be float32 or float64; got {rows.dtype}.")
    if n < at_least or d == 0:
        raise ValueError(f"X must have at least {at_least} rows and 1 column; got {rows.shape}.")
    if reset:
        rows.extremes()  # all numbers are finite
        estimator.n_features_in_ = d
        estimator.__dict__.pop("feature_names_in_", None)
        if rows.names is not None:
            estimator.feature_names_in_ = np.array(rows.names, dtype=object)
        return rows
    known = getattr(estimator, "feature_names_in_", None)
    if known is not None and rows.names is not None and list(known) != list(rows.names):
        raise ValueError(
            f"the columns of X must be those of fit, in their order: "
            f"{', '.join(map(repr, known))}; got {', '.join(map(repr, rows.names))}."
        )
    if d != estimator.n_features_in_:
        raise ValueError(f"X must have {estimator.n_features_in_} features, as in fit; got {d}.")
    return rows
