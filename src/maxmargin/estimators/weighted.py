"""Fits with weights of rows: those of weight 0 are left out, and get a label by ``predict``."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import _safe_indexing, check_consistent_length, get_tags, indexable
from sklearn.utils.validation import _num_samples

from maxmargin._runtime.fit_parameters import fit_parameter
from maxmargin._runtime.warnings import warn_user
from maxmargin.blocks.rows import is_source
from maxmargin.sizes import partial_labels, read_pins
from maxmargin.weights import read_weights

WEIGHTS_DOC = """sample_weight : array-like of shape (n_samples,), default=None
            What each row counts for: a row of weight w stands for w copies of it, in one cluster.
            Sizes are sums of weights, and hold within the largest one. Widths and neighbours do
            not look at weights, and leave-one-out leaves out all copies. A subset of the rows is
            drawn by weight. Rows of weight 0 are left out of the fit, and get a label by
            ``predict``. The rows must be in memory."""


def fit_weighted(
    fit: Callable[..., Any], model: Any, X: Any, y: Any, sample_weight: Any, **others: Any
) -> Any:
    """Fit to the rows of positive weight, and let the model say where the others belong."""
    if is_source(X):
        raise ValueError(
            f"sample_weight needs rows in memory; got {type(X).__name__}. Read them into an array "
            f"first, or fit a sample of them."
        )
    n = _num_samples(X)
    weights = read_weights(sample_weight, n)
    some = np.flatnonzero(weights)
    if hasattr(model, "n_clusters"):  # whose sizes are sums of weights
        _warn_of_a_row_that_outweighs_all(weights, len(some))
    if len(some) == n:
        return fit(model, X, y, sample_weight=weights, **others)
    pairwise, pins = get_tags(model).input_tags.pairwise, partial_labels(y)
    check_consistent_length(X, pins)
    rows, before = some_of(X, some, pairwise), dict(vars(model))
    with _start_of(model, some):
        fit(model, rows, _pins_of(pins, some), sample_weight=weights[some], **others)
    if hasattr(model, "_know_all_rows"):
        model._know_all_rows(some, X, n)
    elif pairwise:
        _know_all_rows(model, some, n)
    for name in {"landmarks_", "support_"} & vars(model).keys():
        setattr(model, name, some[getattr(model, name)])
    said = model.predict(X)
    labels = said.copy()
    labels[some] = model.labels_
    fitted = getattr(model, "best_estimator_", model)
    if pins is not None and hasattr(fitted, "n_pinned_"):  # it takes them
        k = fitted.n_clusters_ if fitted.n_clusters is None else fitted.n_clusters
        try:
            pinned = read_pins(y, n, int(k))
        except ValueError:  # of a row that was left out
            model.__dict__ = before
            raise
        labels = np.where(pinned >= 0, pinned, labels)
    model.labels_ = labels
    if hasattr(fitted, "n_disagreements_"):
        fitted.n_disagreements_ = int(np.sum(said != model.labels_))
    return model


#: The share of all weight from which on a row is warned of, where there are more than so many rows.
OUTWEIGHING, MORE_ROWS_THAN = 0.5, 10

#: Gives a fit that takes weights what belongs to all of them.
takes_weights = fit_parameter("sample_weight", WEIGHTS_DOC, fit_weighted)


def some_of(X: Any, some: NDArray[np.intp], pairwise: bool) -> Any:
    """Some of the rows, and of a kernel between all of them their columns."""
    rows = _safe_indexing(_native(indexable(X)[0]), some)
    return _safe_indexing(rows, some, axis=1) if pairwise else rows


def _native(X: Any) -> Any:
    """A pandas frame whose columns have the byte order of this machine, or it takes no rows."""
    if not hasattr(X, "iloc"):
        return X
    foreign = {
        name: kind.newbyteorder("=")
        for name, kind in X.dtypes.items()
        if isinstance(kind, np.dtype) and not kind.isnative
    }
    return X.astype(foreign) if foreign else X


def _pins_of(
    pins: NDArray[np.float64] | None, some: NDArray[np.intp]
) -> NDArray[np.float64] | None:
    """The partial labels of some rows; NaN and not −1, which may be a class."""
    if pins is None:
        return None
    if np.all(pins[some] >= 0):
        raise ValueError(
            "y pins all rows whose sample_weight is above 0; leave one of them free (-1 or NaN)."
        )
    return np.where(pins[some] >= 0, pins[some], np.nan)


def _warn_of_a_row_that_outweighs_all(weights: NDArray[np.float64], n: int) -> None:
    """To objectives and sizes the others hardly count then, however clear their clusters are."""
    share = 1 / float((weights / weights.max()).sum())
    if share > OUTWEIGHING and n > MORE_ROWS_THAN:
        warn_user(
            f"row {int(np.argmax(weights))} has {100 * share:.3g} % of all sample_weight: the "
            f"clusters of the other rows hardly count. Give it a smaller weight if that is not "
            f"meant."
        )


def _know_all_rows(model: Any, some: NDArray[np.intp], n: int) -> None:
    """A kernel with all rows is still what predict takes: those left out count for nothing."""
    where, name = (model, "dual_coef_")
    if not hasattr(model, name):  # by features
        where, name = model._space, "normalization"
    known = getattr(where, name)
    wide = np.zeros((n, known.shape[1]))
    wide[some] = known
    setattr(where, name, wide)
    model.n_features_in_ = n


@contextmanager
def _start_of(model: Any, some: NDArray[np.intp]) -> Iterator[None]:
    """Labels to start from are those of the rows that are fitted."""
    init = getattr(model, "init", None)
    if init is None or isinstance(init, str):
        yield
        return
    model.init = np.asarray(init)[some]
    try:
        yield
    finally:
        model.init = init
