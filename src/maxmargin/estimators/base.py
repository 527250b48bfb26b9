"""What every clusterer with a model for each cluster can be asked."""

import os
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClusterMixin
from sklearn.utils.validation import check_is_fitted

from maxmargin._runtime.progress import CallbackSupportMixin
from maxmargin._runtime.ties import first_of_largest
from maxmargin.blocks import Block, Rows
from maxmargin.blocks.columns import Column, collected
from maxmargin.blocks.opening import is_read_from
from maxmargin.blocks.remote_column import smallest
from maxmargin.blocks.rows import in_blocks, of_tiles, read_rows
from maxmargin.spaces.metric import Matrix


class PredictMixin:
    """Labels of rows old or new, which may be in blocks, and so may the labels."""

    #: What a fitted model needs to predict.
    _predicts_with: Sequence[str] = ("_space", "coef_", "dual_coef_", "intercept_")

    @abstractmethod
    def _check_new(self, X: Any) -> Matrix:
        """Rows that were checked, a matrix or rows in blocks."""

    @abstractmethod
    def _matrix_labels(self, X: Matrix) -> NDArray[np.int32]:
        """The cluster of each row of a matrix that was checked."""

    def predict_to(self, X: Any, path: str | os.PathLike[str]) -> None:
        """Write what ``predict`` says of rows to a file, block by block.

        Neither the rows nor their labels are in memory as a whole.

        Parameters
        ----------
        X : path, Dask array or dataframe, Rows, array-like or CSR matrix
            The rows, as ``predict`` takes them.
        path : path
            A ``.npy``, ``.csv`` or ``.parquet`` file, with one label for each row, in their order.
            It is there whole or not at all, and must not be one that the rows are read from.
        """
        from maxmargin.blocks.labels_file import write_labels

        if is_read_from(path, X):
            raise ValueError(
                f"path must not be a file that X is read from; got {os.fspath(path)!r}."
            )
        rows = in_blocks(self._check_new(X))
        write_labels(self._labels_in_parts(rows), rows.shape[0], path)

    def _labels_in_parts(self, rows: Rows) -> Iterator[NDArray[np.integer]]:
        """The clusters of the rows of each block, as small integers, which may come from afar."""
        ask = partial(of_tiles, partial(_small_labels, self._bare()._matrix_labels))
        return (part for _, (part,) in rows.each(ask))

    def _labels_of(self, X: Matrix) -> NDArray[np.int32]:
        """The cluster of each row of those that were checked."""
        if isinstance(X, Rows):
            return collected(X, self._bare()._matrix_labels)
        return self._matrix_labels(X)

    def _n_disagreeing(self, X: Matrix, labels: Column, numbers: NDArray[np.integer]) -> int:
        """How many rows predict gives another cluster than the number of their label."""
        if not isinstance(X, Rows):
            return int(np.sum(self._matrix_labels(X) != numbers[labels]))
        differs = partial(_disagreements_of, self._bare()._matrix_labels, numbers)
        return int(X.sum(differs, labels)[0])

    def _bare(self) -> Self:
        """A copy that can predict and no more: nothing in it is as large as the data."""
        bare = object.__new__(type(self))
        known = vars(self)
        bare.__dict__ = {name: known[name] for name in self._predicts_with if name in known}
        return bare


def _small_labels(predict: Callable[[Any], NDArray[np.int32]], rows: Any) -> NDArray[np.integer]:
    return smallest(predict(rows))


def _disagreements_of(
    predict: Callable[[Any], NDArray[np.int32]],
    numbers: NDArray[np.integer],
    block: Block,
    labels: NDArray[np.integer],
) -> tuple[int]:
    (predicted,) = of_tiles(predict, block)
    return (int(np.count_nonzero(predicted != numbers[labels])),)


class ModelMixin(PredictMixin, CallbackSupportMixin, ClusterMixin):
    """Labels, predictions and decision values from the values of the clusters' models."""

    @abstractmethod
    def _values(self, X: Matrix) -> NDArray[np.floating]:
        """The value of each cluster's model at rows that were checked (n × k)."""

    def fit_predict(self, X: Any, y: ArrayLike | None = None, **params: Any) -> NDArray[np.int32]:
        """Cluster the rows of X and return their labels; y and others are those of ``fit``."""
        return self.fit(X, y, **params).labels_

    def decision_function(self, X: Any) -> NDArray[np.floating]:
        """Evaluate the models of the clusters.

        Returns
        -------
        ndarray of shape (n_samples,) for two clusters, (n_samples, n_clusters) otherwise
            For two clusters the model of cluster 1 minus that of cluster 0.
        """
        X = self._check_new(X)
        values = collected(X, self._bare()._values) if isinstance(X, Rows) else self._values(X)
        return values[:, 1] - values[:, 0] if values.shape[1] == 2 else values

    def predict(self, X: Any) -> NDArray[np.int32]:
        """Return the cluster whose model is largest, for rows old or new."""
        return self._labels_of(self._check_new(X))

    def _matrix_labels(self, X: Matrix) -> NDArray[np.int32]:
        return first_of_largest(self._values(X), X)

    def _check_new(self, X: Any) -> Matrix:
        check_is_fitted(self)
        return read_rows(self, X, accept_sparse="csr", reset=False)
