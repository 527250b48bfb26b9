"""What a picture needs of a fitted model; an error says what is missing."""

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from maxmargin.explain.clustering import Clustering, nested_estimators
from maxmargin.explain.formatting import count

Numbers = TypeVar("Numbers")


def needed(what: Numbers | None, condition: str, estimator: Any, hint: str = "") -> Numbers:
    """What a fitted estimator has to draw; where it has nothing, an error with the condition."""
    check_is_fitted(estimator)
    if what is None:
        model = nested_estimators(estimator)[-1]
        raise ValueError(f"estimator must {condition}; got {model!r}.{hint}")
    return what


def attribute_of(estimator: Any, name: str) -> Any:
    """An attribute of the clusterer inside an estimator; None if it does not have it."""
    return getattr(nested_estimators(estimator)[-1], name, None)


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
