"""Which columns of a sparse table are features."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from maxmargin.cli.tables.errors import TableError, quoted
from maxmargin.cli.tables.table import Table
from maxmargin.explain.formatting import count


@dataclass(frozen=True)
class SparseFeatures:
    """The columns of a sparse matrix that are features.

    Attributes
    ----------
    width : int
        How many columns the training data had.
    first : int
        The number of the first one: files that count from 0 do not match those from 1.
    kept : list of int or None
        The indices of the features; None if all columns from ``start`` on are.
    start : int
        1 for svmlight that counts from 1, where column 0 is empty.
    """

    width: int
    first: int
    kept: list[int] | None = None
    start: int = 0

    @classmethod
    def learn(cls, table: Table, features: Sequence[int]) -> "SparseFeatures":
        """Remember which columns are taken."""
        X = table.matrix
        assert X is not None
        beside = [j for j in features if j >= table.n_sparse]
        if beside:
            raise TableError(
                f"{table.name}: column {quoted(table.name_of(beside[0]))} stands beside the matrix "
                f"and cannot be a feature. Leave it out of --columns."
            )
        _refuse_not_finite(table, X)
        start = int(table.first == 0 and X.shape[1] > 1 and X[:, [0]].nnz == 0)
        if len(features) == X.shape[1]:
            return cls(X.shape[1], table.first, None, start)
        return cls(X.shape[1], table.first, [j for j in features if j >= start], start)

    def transform(self, table: Table, notes: list[str]) -> tuple[csr_array, list[str]]:
        """The features as a sparse matrix, and their names.

        Columns that new data has not (none of its rows has a value there) are empty; those that
        the training had not are left out.
        """
        X = table.matrix
        if X is None or table.first != self.first:
            raise TableError(
                f"{table.name}: the model was trained on a sparse table of another kind. Give new "
                f"data as it was at the training (svmlight, or sparse NPZ)."
            )
        _refuse_not_finite(table, X)
        extra = X.shape[1] - self.width
        if extra > 0:
            notes.append(f"{count(extra, 'column')} beyond those of the training ignored.")
            X = csr_array(X[:, : self.width])
        elif extra < 0:
            X = csr_array((X.data, X.indices, X.indptr), shape=(X.shape[0], self.width))
        kept: Sequence[int] = range(self.start, self.width) if self.kept is None else self.kept
        if len(kept) < self.width:
            X = csr_array(X[:, list(kept)] if self.kept is not None else X[:, self.start :])
        if max(X.nnz, *X.shape) <= np.iinfo(np.int32).max:  # k-means takes no indices of 64 bits
            indices, starts = X.indices.astype(np.int32), X.indptr.astype(np.int32)
            X = csr_array((X.data, indices, starts), shape=X.shape)
        return X, [f"column {j + self.first}" for j in kept]

    def to_json(self) -> dict[str, Any]:
        """Plain values that JSON keeps."""
        return asdict(self)

    @classmethod
    def from_json(cls, kept: dict[str, Any]) -> "SparseFeatures":
        """Undo `to_json`."""
        return cls(**kept)


def _refuse_not_finite(table: Table, X: csr_array) -> None:
    wrong = ~np.isfinite(X.data)
    if wrong.any():
        place = int(wrong.argmax())
        row = int(np.searchsorted(X.indptr, place, side="right")) - 1
        name = table.name_of(int(X.indices[place]))
        raise TableError(
            f"{table.name}, {table.place(row)}, {name}: the value is {X.data[place]}. Sparse "
            f"tables cannot have missing or infinite values: correct it."
        )
