"""What a picture needs of a fitted model; an error says what is missing."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from maxmargin.explain.clustering import Clustering, nested_estimators
from maxmargin.explain.formatting import count


def model_with(attribute: str, owners: str, estimator: Any, hint: str = "") -> Any:
    """The clusterer inside a fitted estimator, which must have an attribute as its owners have."""
    check_is_fitted(estimator)
    model = nested_estimators(estimator)[-1]
    if not hasattr(model, attribute):
        raise ValueError(f"estimator must have {attribute}, as {owners}; got {model!r}.{hint}")
    return model


def exemplars_of(clustering: Clustering) -> NDArray[np.intp]:
    """The rows that stand for the clusters."""
    model = clustering.model
    if not hasattr(model, "exemplars_"):
        raise ValueError(
            f"exemplars=True needs a model with exemplars_, as MaxMarginClustering has; got "
            f"{type(model).__name__}."
        )
    if len(model.labels_) != len(clustering.labels):
        raise ValueError(
            f"exemplars=True needs the {count(len(model.labels_), 'row')} of fit as X, which "
            f"exemplars_ are some of; got {len(clustering.labels):,}."
        )
    return np.concatenate(model.exemplars_).astype(np.intp)
