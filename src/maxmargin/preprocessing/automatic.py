"""The encoder that an estimator uses by itself, where X is not rows of numbers."""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_array

from maxmargin._runtime.parameters import AUTO, NONE, Allowed
from maxmargin.preprocessing.frames import is_plain
from maxmargin.preprocessing.table_encoder import TableEncoder

#: What the parameter ``encoder`` may be.
ENCODER = AUTO | NONE | Allowed("a transformer", lambda value: hasattr(value, "transform"))


def fit_encoder(estimator: Any, X: Any) -> BaseEstimator | None:
    """Fit the encoder of an estimator; None where rows are numbers, and none was asked for.

    The columns of X become those of the estimator. A ``TableEncoder`` leaves the scaling to it.
    """
    encoder = estimator.encoder
    if encoder is None or (isinstance(encoder, str) and is_plain(X)):
        return None
    encoder = TableEncoder() if isinstance(encoder, str) else clone(encoder)
    if isinstance(encoder, TableEncoder):
        encoder.set_params(standardize=False)
    encoder.fit(X)
    estimator.n_features_in_ = encoder.n_features_in_
    names = getattr(encoder, "feature_names_in_", None)
    if names is not None:
        estimator.feature_names_in_ = names
    return encoder


def encoded(encoder: BaseEstimator, X: Any) -> Any:
    """The rows of X as the encoder makes them: numbers without gaps, dense or CSR."""
    rows = encoder.transform(X)
    return check_array(rows, accept_sparse="csr", dtype=[np.float64, np.float32])
