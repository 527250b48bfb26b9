"""Tables with categories and gaps, as people read them: numbers as they are, zeros and ones."""

from copy import copy
from typing import Any

from sklearn.pipeline import Pipeline

from maxmargin.preprocessing import TableEncoder


def readable(estimator: Any, X: Any) -> tuple[Any, Any, list[str] | None]:
    """The rows of a table that an estimator encodes, before they are scaled.

    Returns
    -------
    estimator : clusterer
        One that takes these rows: without its encoder, or with only the scaling of it.
    X : ndarray, or what was given
    columns : list of str or None
        The names of the columns, where rows were encoded.
    """
    steps = estimator.steps if isinstance(estimator, Pipeline) else []
    encoder = steps[0][1] if len(steps) > 1 else getattr(estimator, "encoder_", None)
    if not isinstance(encoder, TableEncoder):
        return estimator, X, None
    names = [str(name) for name in encoder.get_feature_names_out()]
    rows = encoder.encode(X)[0]
    if not steps:
        plain = copy(estimator)
        plain.encoder_, plain.n_features_in_ = None, len(names)
        plain.__dict__.pop("feature_names_in_", None)
    elif encoder.standardize:
        plain = Pipeline([(steps[0][0], encoder.scaler_), *steps[1:]])
    else:
        plain = Pipeline(steps[1:])
    return plain, rows, names
