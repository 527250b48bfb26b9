"""Fits with must-link and cannot-link pairs: where linked rows fit best, they are pinned."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from maxmargin._runtime.fit_parameters import fit_parameter
from maxmargin.links import place, read_links
from maxmargin.sizes import Sizes, read_pins, read_sizes

LINKS_DOC = """constraints : dict, default=None
            Pairs of rows: ``{"must_link": [(i, j), ...], "cannot_link": [(i, j), ...]}``. They
            hold in ``labels_``, or an error says why they cannot."""


def fit_linked(
    fit: Callable[..., Any], model: Any, X: Any, y: Any, constraints: Any, **others: Any
) -> Any:
    """Fit without pairs, to see where linked rows fit best as the pairs allow, and perhaps again.

    The second time these rows are pinned there, so that all others know of them. Pairs that hold
    anyway need no second fit, and pairs that contradict each other no first one.
    """
    if hasattr(X, "shape"):
        read_links(constraints, X.shape[0])
    first = fit(clone(model), X, y, **others)
    n = len(first.labels_)
    links = read_links(constraints, n)
    if links.hold(first.labels_):
        model.__dict__.update(first.__dict__ | model.get_params(deep=False))
        return model
    values = _values(first, X)
    k, given = values.shape[1], read_pins(y, n, values.shape[1])
    # limits on sums of weights are left to the fit that knows them
    limited = others.get("sample_weight") is None
    pins = place(links, values, _sizes(first, y, n, k, limited))
    tries = [pins]
    if np.all(pins >= 0):  # a y that is complete would be none: one row has to find its own way
        tries = [np.where(np.arange(n) == row, -1, pins) for row in np.flatnonzero(given < 0)]
    for tried in tries:
        # NaN and not −1: a y of −1 and 1 alone would be two classes
        fit(model, X, np.where(tried >= 0, tried, np.nan), **others)
        if links.hold(model.labels_) and np.all((given == model.labels_)[given >= 0]):
            return model
    raise ValueError(
        f"constraints: {type(model).__name__} did not keep them. Either it takes no pinned "
        f"rows, or pairs name all {n} rows: leave one of them out."
    )


#: Gives a fit that takes pins the parameter ``constraints``.
takes_links = fit_parameter("constraints", LINKS_DOC, fit_linked)


def _values(model: Any, X: Any) -> NDArray[np.floating]:
    """What the model says of each row and cluster; left out, where it knows."""
    k = int(getattr(model, "n_clusters_", 0) or model.labels_.max() + 1)
    values = getattr(model, "left_out_", None)
    if values is None:
        values = model.decision_function(X) if k > 1 else np.zeros((len(model.labels_), 1))
    if values.ndim == 1:
        values = np.column_stack([-values / 2, values / 2])
    return np.asarray(values)


def _sizes(model: Any, y: Any, n: int, k: int, limited: bool) -> Sizes:
    """The limits of an estimator, or of the best one of a search; ``"auto"`` is none."""
    if not limited:
        return read_sizes(n, k, None, None, None, read_pins(y, n, k))
    model = getattr(model, "best_estimator_", model)
    bounds = [getattr(model, name, None) for name in ("min_size", "max_size")]
    lower, upper = (None if isinstance(bound, str) else bound for bound in bounds)
    return read_sizes(n, k, getattr(model, "proportions", None), lower, upper, read_pins(y, n, k))
