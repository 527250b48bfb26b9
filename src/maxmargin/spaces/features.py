"""Rows that are their own features: the linear and the cosine kernel."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from maxmargin._runtime.memory import require_memory
from maxmargin.blocks import Rows
from maxmargin.spaces.kernel import Kernel, entries_in_a_row
from maxmargin.spaces.metric import Matrix, Weights
from maxmargin.spaces.nystroem import Nystroem
from maxmargin.spaces.space import Space


class Features(Space):
    """The columns of the rows, perhaps scaled to unit length.

    Parameters
    ----------
    kernel : Kernel
        Linear or cosine.
    """

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel

    def memory(self, X: Matrix) -> int:
        """A copy of the rows, and small matrices in float64."""
        n, d = X.shape
        return n * d * X.dtype.itemsize + 24 * d**2

    def fit(self, X: Matrix, rng: np.random.Generator, weights: Weights = None) -> "Features":
        """There is nothing to choose but the origin."""
        self.kernel.fit(X, rng, weights)
        return self

    def entries(self, X: Matrix, width: int) -> int:
        """Sparse rows stay sparse."""
        return entries_in_a_row(X) if self.kernel.mean_ is None else super().entries(X, width)

    def features(self, X: Matrix) -> Matrix:
        """The rows themselves, wherever they are, if there is nothing to do."""
        return X if self.kernel.keeps_rows else super().features(X)

    def represent(self, X: Matrix) -> Matrix:
        """The rows themselves; around their mean, they are dense."""
        rows = self.kernel.prepare(X)
        if self.kernel.mean_ is None:
            return rows
        dense = rows.toarray() if issparse(rows) else rows
        return (dense - self.kernel.mean_).astype(X.dtype, copy=False)


def explicit_space(kernel: Kernel, n_components: int) -> Space:
    """The space of a kernel with features: the rows themselves, or a map with landmarks."""
    return Features(kernel) if kernel.linear else Nystroem(kernel, n_components)


def require_features(space: Space, X: Matrix) -> None:
    """Say before ``fit`` if there cannot be features of these rows."""
    if isinstance(space, Nystroem) and not isinstance(X, Rows):
        what = f"the map of {X.shape[0]} rows to features"
        require_memory(space.memory(X), what, 'Use fewer n_components, or kernel="linear".')


def filled_columns(features: Matrix, parts: Sequence[slice] = (slice(None),)) -> NDArray[np.intp]:
    """The columns of sparse features that have entries, of each part that has few of them.

    Hashed text has a million columns and uses a few of them; hyperplanes are dense. A part
    keeps all of its columns where half of them or more have entries, or none.
    """
    if not issparse(features):
        return np.arange(features.shape[1])
    filled = np.bincount(features.indices, minlength=features.shape[1]) > 0
    for part in parts:
        if not 0 < 2 * np.count_nonzero(filled[part]) < len(filled[part]):
            filled[part] = True
    return np.flatnonzero(filled)


def in_all_columns(
    coef: NDArray[np.float64], columns: NDArray[np.intp], n_columns: int
) -> NDArray[np.float64]:
    """Coefficients (k × some columns) with zeros for the other columns."""
    wide = np.zeros((len(coef), n_columns))
    wide[:, columns] = coef
    return wide
