"""What any fitted clusterer says of rows, alone, in a pipeline or in a search."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse
from sklearn.base import is_outlier_detector
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags
from sklearn.utils.validation import check_array, check_is_fitted

from maxmargin.estimators.base import ModelMixin
from maxmargin.explain.tables import readable
from maxmargin.front_door.partition import margins
from maxmargin.spaces.metric import Matrix


@dataclass(frozen=True, eq=False)
class Clustering:
    """Labels of rows, with what the clusterer knows about each of them.

    Attributes
    ----------
    estimator : object
        As it was given.
    model : object
        The clusterer itself: the last step of a pipeline, the best candidate of a search.
    given : object
        The rows as they were given: a data frame, a list, a matrix.
    X : matrix
        The same, checked.
    rows : matrix
        The rows as the model sees them, after the steps of a pipeline before it.
    labels : ndarray of shape (n,)
        From 0; −1 for outliers.
    values : ndarray of shape (n, k) or None
        The value of each cluster's model, where there is one; of models that never saw the
        row, where these are known, for those that saw it flatter its label.
    margin : ndarray of shape (n,) or None
        How sure each label is: above 0 on the right side of the boundary.
    memberships : ndarray of shape (n, k) or None
        Shares that sum to 1.
    names : list of str
        The columns of X.

    Examples
    --------
    >>> from maxmargin import RLSClustering
    >>> from maxmargin.explain.clustering import Clustering
    >>> X = [[0.0], [1.0], [8.0], [9.0]]
    >>> found = Clustering.of(RLSClustering(2, random_state=0).fit(X), X)
    >>> found.sizes.tolist(), found.names, bool((found.margin > 0).all())
    ([2, 2], ['column 1'], True)
    """

    estimator: Any
    model: Any
    given: Any
    X: Matrix
    rows: Matrix
    labels: NDArray[np.intp]
    values: NDArray[np.float64] | None
    margin: NDArray[np.float64] | None
    memberships: NDArray[np.float64] | None
    names: list[str]

    @classmethod
    def of(
        cls,
        estimator: Any,
        X: Any,
        *,
        new: bool | None = None,
        columns: Sequence[str] | None = None,
    ) -> "Clustering":
        """Ask a fitted clusterer about the rows that it was fitted to, or about others.

        Parameters
        ----------
        estimator : clusterer
        X : array-like, CSR matrix or data frame
        new : bool, default=None
            Whether these are other rows than those of ``fit``. None: they are if there are
            not as many.
        columns : sequence of str, default=None
            The names of the columns. None takes those that the estimator or X knows.
        """
        check_is_fitted(estimator)
        estimator, X, names = readable(estimator, X)
        columns = names if columns is None else columns
        model, rows = unwrap(estimator, X)
        if is_stack(model):
            return cls._of_stack(estimator, model, rows, new)
        try:
            checked = check_array(X, accept_sparse="csr", dtype=[np.float64, np.float32])
        except ValueError:
            if rows is X:
                raise
            # text or gaps that a pipeline turns into numbers: these are what there is to show
            return cls.of(model, rows, new=new, columns=_names_inside(estimator, rows))
        known = _names(estimator, X, checked.shape[1])
        names = known if columns is None else [*map(str, columns)]
        if len(names) != checked.shape[1]:
            raise ValueError(
                f"columns must name each of the {checked.shape[1]} columns of X; got {len(names)} "
                f"names."
            )
        _check_width(estimator, checked.shape[1])
        labels = _labels(estimator, model, X, checked.shape[0], new)
        left_out = None if new else getattr(model, "left_out_", None)
        has_left_out = left_out is not None and len(left_out) == len(labels)
        values = left_out if has_left_out else _values(model, rows)
        margin = None if new else getattr(model, "margin_", None)
        if margin is None or len(margin) != len(labels):
            margin = _margin(model, rows, labels, values)
        memberships = model.predict_proba(rows) if hasattr(model, "predict_proba") else None
        seen = check_array(rows, accept_sparse="csr", dtype=[np.float64, np.float32])
        return cls(estimator, model, X, checked, seen, labels, values, margin, memberships, names)

    @classmethod
    def _of_stack(cls, estimator: Any, model: Any, stack: Any, new: bool | None) -> "Clustering":
        """Of several kernel matrices their sum is shown, weighted as in the model."""
        matrices = [check_array(matrix, dtype=np.float64) for matrix in stack]
        labels = _labels(estimator, model, stack, len(matrices[0]), new)
        values = _values(model, stack)
        weights = model.kernel_weights_.values()
        shown = np.sum([w * _centred(K) for w, K in zip(weights, matrices, strict=True)], axis=0)
        margin = _margin(model, stack, labels, values)
        names = [f"column {j + 1}" for j in range(shown.shape[1])]
        return cls(estimator, model, stack, shown, shown, labels, values, margin, None, names)

    def like_given(self, rows: NDArray[np.float64]) -> Any:
        """Bring new rows into the form of X, sparse or a table: some models take no other."""
        if self.X.dtype != rows.dtype:
            room = np.finfo(self.X.dtype)
            rows = np.clip(rows, room.min, room.max).astype(self.X.dtype)
        if hasattr(self.estimator, "feature_names_in_") and hasattr(self.given, "columns"):
            return type(self.given)(dict(zip(self.given.columns, rows.T, strict=True)))
        return csr_array(rows) if issparse(self.X) else rows

    @property
    def clusters(self) -> NDArray[np.intp]:
        """The clusters that have rows, without the outliers."""
        return clusters_in(self.labels[self.labels >= 0])[0]

    @property
    def sizes(self) -> NDArray[np.intp]:
        """The number of rows in each of the clusters."""
        return clusters_in(self.labels[self.labels >= 0])[1]

    @property
    def pairwise(self) -> bool:
        """Whether X holds distances or a kernel between rows instead of features."""
        return is_stack(self.model) or bool(get_tags(self.model).input_tags.pairwise)


def clusters_in(labels: NDArray[np.integer]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The clusters that have rows, outliers (−1) last, and how many rows each has.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.explain.clustering import clusters_in
    >>> [found.tolist() for found in clusters_in(np.array([2, -1, 0, 2]))]
    [[0, 2, -1], [1, 2, 1]]
    """
    clusters, sizes = np.unique(labels, return_counts=True)
    order = np.argsort(clusters < 0, kind="stable")
    return clusters[order], sizes[order]


def is_stack(model: Any) -> bool:
    """Whether the rows of a model are several kernel matrices."""
    kernels = getattr(model, "kernels", None)
    return hasattr(model, "kernel_weights_") and isinstance(kernels, str)


def _centred(K: NDArray[np.float64]) -> NDArray[np.float64]:
    """Centre a kernel and scale it to size 1: then the weights of several can be compared."""
    K = K - K.mean(axis=0) - K.mean(axis=1, keepdims=True) + K.mean()
    size = float(np.sqrt(np.mean(np.square(K))))
    return K / size if size else K


def nested_estimators(estimator: Any) -> list[Any]:
    """An estimator and what is inside it, from pipelines and searches to the clusterer itself.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from maxmargin.explain.clustering import nested_estimators
    >>> model = make_pipeline(StandardScaler(), KMeans())
    >>> [type(estimator).__name__ for estimator in nested_estimators(model)]
    ['Pipeline', 'KMeans']
    """
    found = [estimator]
    while True:
        if isinstance(found[-1], Pipeline):
            found.append(found[-1].steps[-1][1])
        elif hasattr(found[-1], "best_estimator_"):
            found.append(found[-1].best_estimator_)
        else:
            # rows of partial_fit that wait: what is asked for next is there only after a fit
            getattr(found[-1], "_fit_if_due", lambda: None)()
            return found


def unwrap(estimator: Any, X: Any) -> tuple[Any, Any]:
    """The clusterer inside an estimator, and the rows after the steps before it."""
    nested = nested_estimators(estimator)
    for layer in nested:
        if isinstance(layer, Pipeline) and len(layer.steps) > 1:
            X = layer[:-1].transform(X)
    return nested[-1], X


def _check_width(estimator: Any, d: int) -> None:
    known = getattr(estimator, "n_features_in_", d)
    if known != d:
        raise ValueError(
            f"X must have the {known} columns that {type(estimator).__name__} was fitted to; got "
            f"{d}."
        )


def _labels(estimator: Any, model: Any, X: Any, n: int, new: bool | None) -> NDArray[np.intp]:
    for known in () if new else (estimator, model):
        labels = getattr(known, "labels_", None)
        if labels is not None and len(labels) == n:
            return np.asarray(labels, dtype=np.intp)
    if not hasattr(estimator, "predict"):
        raise ValueError(
            f"X must hold the rows of fit: {type(model).__name__} cannot predict others; got {n} "
            f"rows."
        )
    return np.asarray(estimator.predict(X), dtype=np.intp)


def _values(model: Any, rows: Any) -> NDArray[np.float64] | None:
    if not isinstance(model, ModelMixin):
        return None
    values = np.asarray(model.decision_function(rows), dtype=np.float64)
    return np.column_stack([-values / 2, values / 2]) if values.ndim == 1 else values


def _margin(
    model: Any, rows: Any, labels: NDArray[np.intp], values: NDArray[np.float64] | None
) -> NDArray[np.float64] | None:
    if values is not None:
        return margins(values, labels)
    if hasattr(model, "decision_function") and not is_outlier_detector(model):
        height = np.asarray(model.decision_function(rows), dtype=np.float64)
        if height.ndim > 1:
            return None
        if not hasattr(model, "levels_"):
            return height
        # Of a domain: each cluster ends at a level of its own, or where outliers begin.
        floor = float(getattr(model, "outlier_threshold_", -np.inf))
        ends = np.maximum(model.levels_, floor)
        return height - np.where(labels >= 0, ends[labels], max(floor, float(ends.min())))
    return None


def _names(estimator: Any, X: Any, d: int) -> list[str]:
    names = getattr(estimator, "feature_names_in_", None)
    if names is None:
        names = getattr(X, "columns", None)
    if names is None:
        return [f"column {j + 1}" for j in range(d)]
    return [str(name) for name in names]


def _names_inside(estimator: Any, rows: Any) -> list[str] | None:
    """The columns that the steps of a pipeline make, where they know them."""
    try:
        return [str(name) for name in estimator[:-1].get_feature_names_out()]
    except (AttributeError, TypeError, ValueError):
        return getattr(rows, "columns", None)
