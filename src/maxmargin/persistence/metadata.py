"""What a file says of its model, readable without building it."""

import json
import math
from datetime import UTC, datetime
from typing import Any

import numpy as np
import sklearn
from sklearn.base import BaseEstimator
from sklearn.pipeline import Pipeline

from maxmargin._version import __version__
from maxmargin.persistence.type_names import stable_name

#: The version of the format; it changes when files can no longer be read as before.
FORMAT = 2


def describe(model: BaseEstimator, metadata: Any) -> dict[str, Any]:
    """Versions, parameters and results of a model, and the user's own ``metadata``, for JSON.

    Examples
    --------
    >>> from maxmargin import RLSClustering
    >>> from maxmargin.persistence.metadata import describe
    >>> model = RLSClustering(3).fit([[0.0], [1.0], [8.0], [9.0], [20.0], [21.0]])
    >>> described = describe(model, {"rows": "six numbers"})
    >>> described["estimator"], described["parameters"]["n_clusters"], described["fitted"]["sizes"]
    ('RLSClustering', 3, [2, 2, 2])
    """
    try:
        json.dumps(metadata, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(
            f"metadata must be something that JSON can hold: texts, finite numbers, lists and "
            f"dicts of them; {error}."
        ) from None
    return {
        "format": FORMAT,
        "maxmargin": __version__,
        "scikit-learn": sklearn.__version__,
        "numpy": np.__version__,
        "estimator": stable_name(type(model)),
        "parameters": {k: _jsonable(v) for k, v in model.get_params(deep=False).items()},
        "saved": datetime.now(UTC).isoformat(timespec="seconds"),
        "fitted": _fitted(model),
        "metadata": metadata,
    }


def _fitted(model: BaseEstimator) -> dict[str, Any]:
    """The figures of a fit; empty before one."""
    steps = [step for _, step in model.steps] if isinstance(model, Pipeline) else [model]
    # what is there, and no more: to ask a model for more may fit it
    first, last = (getattr(step, "__dict__", {}) for step in (steps[0], steps[-1]))
    known = {name: first[name] for name in ("n_features_in_", "feature_names_in_") if name in first}
    if "n_clusters_" in last:
        known["n_clusters_"] = last["n_clusters_"]
    labels = np.asarray(last.get("labels_", ""))
    if labels.dtype.kind in "iu":
        known["n_samples"] = len(labels)
        known["sizes"] = np.bincount(labels[labels >= 0])
        known["n_noise"] = np.count_nonzero(labels < 0)
    return {
        name: value.tolist() if isinstance(value, np.ndarray) else _jsonable(value)
        for name, value in known.items()
    }


def _jsonable(value: Any) -> Any:
    """A value as JSON can hold it, or in words."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [_jsonable(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _jsonable(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return f"array of {value.dtype}, shape {value.shape}"
    return repr(value)
