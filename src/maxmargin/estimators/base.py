"""What every clusterer with a model for each cluster can be asked."""

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClusterMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from maxmargin._runtime.callbacks import CallbackSupportMixin
from maxmargin._runtime.ties import first_of_largest
from maxmargin.spaces.metric import Matrix


class ModelMixin(CallbackSupportMixin, ClusterMixin):
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
        values = self._values(self._check_new(X))
        return values[:, 1] - values[:, 0] if values.shape[1] == 2 else values

    def predict(self, X: Any) -> NDArray[np.int32]:
        """Return the cluster whose model is largest, for rows old or new."""
        X = self._check_new(X)
        return first_of_largest(self._values(X), X)

    def _check_new(self, X: Any) -> Matrix:
        check_is_fitted(self)
        return validate_data(
            self, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=False
        )
