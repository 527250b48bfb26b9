"""What an explicit map is: rows go in, features come out."""

from abc import ABC, abstractmethod
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from maxmargin.spaces.widths import Matrix


class FeatureMap(ABC):
    """A map from rows to features, whose products are a kernel.

    Attributes
    ----------
    columns : ndarray or None
        The features that the training rows have entries in, where the others are left out.
    """

    columns: NDArray[np.integer] | None = None
    n_columns: int

    @abstractmethod
    def fit(self, X: Matrix, rng: np.random.Generator) -> Self:
        """Learn what the map depends on."""

    @abstractmethod
    def transform(self, X: Matrix) -> Matrix:
        """The features of rows, old or new."""

    def filled(self, features: Matrix) -> Matrix:
        """The columns of sparse features that have entries, if those are less than half.

        Hashed text has a million columns and uses a few of them; hyperplanes are dense.
        """
        self.columns = None
        if issparse(features):
            columns = np.flatnonzero(np.bincount(features.indices, minlength=features.shape[1]))
            if 0 < 2 * len(columns) < features.shape[1]:
                self.columns, self.n_columns = columns, features.shape[1]
                return features[:, columns]
        return features

    def in_all_columns(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Weights (k × filled columns) with zeros for the columns that had no entries."""
        if self.columns is None:
            return weights
        wide = np.zeros((len(weights), self.n_columns))
        wide[:, self.columns] = weights
        return wide
