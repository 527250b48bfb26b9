"""The encoder that an estimator uses by itself, where X is not rows of numbers."""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_array

from maxmargin._runtime.parameters import AUTO, NONE, Allowed
from maxmargin.blocks.rows import NotNumbers, Rows, is_source, read_rows, read_whole
from maxmargin.blocks.table import open_table
from maxmargin.preprocessing.frames import is_plain
from maxmargin.preprocessing.table_encoder import TableEncoder

#: What the parameter ``encoder`` may be.
ENCODER = AUTO | NONE | Allowed("a transformer", lambda value: hasattr(value, "transform"))


def read_encoded(estimator: Any, X: Any, *, reset: bool, whole: float, **checks: Any) -> Any:
    """The rows of X as numbers, or in blocks: those of a table by the encoder of an estimator.

    ``reset`` is for the rows of ``fit``, which decide whether there is one: ``encoder_``. Blocks of
    no more rows than ``whole`` are read as one array.
    """
    if reset:
        asked = not isinstance(estimator.encoder, str | None)
        X = (open_table(X) or X) if asked else X
        frame = hasattr(X, "columns") and not is_source(X)
        estimator.encoder_ = fit_encoder(estimator, X) if asked or frame else None
    if estimator.encoder_ is not None:
        return encoded(estimator.encoder_, X, whole)
    try:
        return read_rows(estimator, X, reset=reset, whole=whole, **checks)
    except NotNumbers:
        table = open_table(X) if reset and estimator.encoder is not None else None
        if table is None:
            raise
    estimator.encoder_ = fit_encoder(estimator, table)
    return encoded(estimator.encoder_, table, whole)


def fit_encoder(estimator: Any, X: Any) -> BaseEstimator | None:
    """Fit the encoder of an estimator; None where rows are numbers, and none was asked for.

    The columns of X become those of the estimator. A ``TableEncoder`` leaves the scaling to it.
    """
    encoder, table = estimator.encoder, open_table(X) is not None
    if encoder is None or (isinstance(encoder, str) and not table and is_plain(X)):
        return None
    if is_source(X) and not table:
        raise ValueError(f"encoder must be 'auto' or None for rows in blocks; got {encoder!r}.")
    if table and not isinstance(encoder, str | TableEncoder):
        raise ValueError(
            f"encoder must be 'auto', None or a TableEncoder for tables in blocks; got {encoder!r}."
        )
    encoder = TableEncoder() if isinstance(encoder, str) else clone(encoder)
    if isinstance(encoder, TableEncoder):
        encoder.set_params(standardize=False)
    encoder.fit(X)
    estimator.n_features_in_ = encoder.n_features_in_
    names = getattr(encoder, "feature_names_in_", None)
    if names is not None:
        estimator.feature_names_in_ = names
    return encoder


def encoded(encoder: BaseEstimator, X: Any, whole: float = 0) -> Any:
    """The rows of X as the encoder makes them: numbers without gaps, dense, CSR or in blocks.

    Blocks of no more rows than ``whole`` are read as one array.
    """
    rows = encoder.transform(X)
    if isinstance(rows, Rows):
        return read_whole(rows) if len(rows) <= whole else rows
    return check_array(rows, accept_sparse="csr", dtype=[np.float64, np.float32])
