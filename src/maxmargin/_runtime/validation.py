"""Checks of rows by scikit-learn, which must say nothing besides."""

from typing import Any

import numpy as np
from sklearn.utils import validation

__all__ = ["validate_data"]


def validate_data(estimator: Any, X: Any, **how: Any) -> Any:
    """Return rows as ``sklearn.utils.validation.validate_data`` does.

    It adds up all values to see whether one of them is NaN or infinite: the sum of large ones of
    both signs overflows, and NumPy would warn of that.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        return validation.validate_data(estimator, X, **how)
