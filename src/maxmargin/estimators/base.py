"""What every clusterer with a model for each cluster can be asked."""

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClusterMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from maxmargin._runtime.callbacks import CallbackSupportMixin
from maxmargin.spaces.metric import Matrix

#: Values that differ by less than this share of the largest one are equal, by bytes of a row:
#: the last digits of a value depend on which rows it is computed with.
TIES = {4: 1e-6, 8: 1e-9}


def first_of_largest(values: NDArray[np.floating], dtype: Any = np.float64) -> NDArray[np.int32]:
    """The column of the largest value in each row, and of several that tie the first.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.estimators.base import first_of_largest
    >>> first_of_largest(np.array([[0.1 + 0.2, 0.3], [0.3, 0.1 + 0.2], [0.1, 0.2]])).tolist()
    [0, 0, 1]
    """
    tie = TIES.get(np.dtype(dtype).itemsize, TIES[8])
    near = values.max(axis=1) - tie * np.abs(values).max(axis=1)
    return np.argmax(values >= near[:, None], axis=1).astype(np.int32)


class ModelMixin(CallbackSupportMixin, ClusterMixin):
    """Labels, predictions and decision values from the values of the clusters' models."""

    @abstractmethod
    def _values(self, X: Matrix) -> NDArray[np.floating]:
        """The value of each cluster's model at rows that were checked (n × k)."""

    def fit_predict(self, X: Any, y: ArrayLike | None = None) -> NDArray[np.int32]:
        """Cluster the rows of X and return their labels; y pins rows as in ``fit``."""
        return self.fit(X, y).labels_

    def decision_function(self, X: Any) -> NDArray[np.floating]:
        """Evaluate the models of the clusters.

        Returns
        -------
        ndarray of shape (n_samples,) for two clusters, (n_samples, n_clusters) otherwise
            For two clusters the model of cluster 1 minus that of cluster 0.
        """
        values = self._values(self._check_new(X))
        return values[:, 1] - values[:, 0] if values.shape[1] == 2 else values

    def predict(self, X: Any) -> NDArray[np.int32]:
        """Return the cluster whose model is largest, for rows old or new."""
        return self._largest(self._check_new(X))

    def _largest(self, X: Any) -> NDArray[np.int32]:
        """The cluster whose model is largest, for rows that were checked."""
        return first_of_largest(self._values(X), getattr(X, "dtype", np.float64))

    def _disagreements(self, X: Any) -> int:
        """How many labels are not what ``predict`` says of the rows of ``fit``."""
        return int(np.sum(self._largest(X) != self.labels_))

    def _check_new(self, X: Any) -> Matrix:
        check_is_fitted(self)
        return validate_data(
            self, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=False
        )
