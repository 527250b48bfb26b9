"""What a space is: rows as an objective sees them, and new rows as a model sees them."""

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from maxmargin._runtime.memory import aligned_rows, available_memory, row_blocks
from maxmargin.blocks import Rows
from maxmargin.spaces.kernel import Kernel, entries_in_a_row
from maxmargin.spaces.metric import Matrix, Weights
from maxmargin.spaces.quadratic_form import QuadraticForm

#: Features of rows in blocks are kept where they take no more than this share of what is free.
KEPT_SHARE = 0.25


class Space(ABC):
    """A kernel, fitted to rows.

    The hinge loss works with features of the rows, least squares with the quadratic form R. A
    linear model in the space has the values ``represent(X) @ coef + intercept`` at rows old or
    new.

    Attributes
    ----------
    kernel : Kernel
        Of spaces that compare the rows by themselves. Others are fitted to rows that are compared
        already (:class:`~maxmargin.spaces.pairwise.PairwiseDistances`), and share the work.
    explicit : bool
        Whether rows have features. If not, they are represented by their kernel with the rows
        of ``fit``.
    """

    kernel: Kernel
    explicit = True

    @abstractmethod
    def memory(self, X: Matrix) -> int:
        """The bytes that R or the features of these rows will need."""

    @abstractmethod
    def fit(self, X: Matrix, rng: np.random.Generator) -> Self:
        """Choose what depends on the data: the width of the kernel, landmarks, columns."""

    @abstractmethod
    def represent(self, X: Matrix) -> Matrix:
        """Rows, old or new, as a linear model takes them."""

    def stride(self, X: Matrix) -> int:
        """The rows of a block that is represented at once: products of a row depend on it."""
        return aligned_rows(X.shape[1])

    def entries(self, X: Matrix, width: int) -> int:
        """The numbers that a row takes, and its representation of so many features."""
        return max(entries_in_a_row(X), width)

    def features(self, X: Matrix) -> Matrix:
        """All rows as a linear model takes them; of rows in blocks, in blocks.

        Features that take a small part of the memory are kept.
        """
        if not isinstance(X, Rows):
            return self.represent(X)
        from maxmargin.blocks.mapped import MappedRows

        rows = MappedRows(X, self.represent, self.stride(X))
        size, free = rows.shape[0] * rows.shape[1] * rows.dtype.itemsize, available_memory()
        return rows if rows.remote or free is None or size > KEPT_SHARE * free else rows[:]

    def form(self, X: Matrix, lam: float, weights: Weights = None) -> QuadraticForm:
        """R of the rows of ``fit``, for least squares."""
        return QuadraticForm.from_features(self.features(X)[:], lam, weights)

    def values(
        self, X: Matrix, coef: NDArray[np.floating], intercept: Any = 0.0
    ) -> NDArray[np.float64]:
        """The values of linear models (a column of ``coef`` for each) at rows, block by block."""
        values = np.empty((X.shape[0], coef.shape[1]))
        for block in row_blocks(X.shape[0], self.entries(X, len(coef))):
            values[block] = self.represent(X[block]) @ coef
        return values + intercept
