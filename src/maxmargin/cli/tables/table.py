"""A table as it was read: named columns, and where each row stands in the file."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from maxmargin.blocks.cells import MISSING


@dataclass(frozen=True, eq=False)
class Column:
    """A column of a table.

    Attributes
    ----------
    name : str
        Its name; ``column 3`` where the file has none.
    values : ndarray of shape (n_rows,)
        Numbers (NaN where missing), or text as it stands in the file.
    spare : bool
        Never a feature, unless asked for: the labels beside a matrix.
    refusal : str or None
        Why the column can be neither feature nor id, such as ``holds lists``.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.cli.tables import Column
    >>> column = Column("city", np.array(["Rome", "NA"], dtype=object))
    >>> column.is_text, column.missing.tolist()
    (True, [False, True])
    """

    name: str
    values: NDArray[Any]
    spare: bool = False
    refusal: str | None = None

    @property
    def is_text(self) -> bool:
        """Whether the values are anything but numbers."""
        return self.values.dtype.kind not in "biuf"

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Which values are missing: NaN, or one of the words for it (``NA``, ``?``, ...)."""
        if self.values.dtype.kind == "f":
            return np.isnan(self.values)
        if not self.is_text:
            return np.zeros(len(self.values), dtype=bool)
        return np.array([cell in MISSING for cell in self.cells()], dtype=bool)

    def cells(self) -> list[str]:
        """The values as text without blanks around it; "" for null and NaN.

        Examples
        --------
        >>> import numpy as np
        >>> from maxmargin.cli.tables import Column
        >>> Column("x", np.array([1.0, 0.5, np.nan])).cells()
        ['1', '0.5', '']
        """
        return [as_cell(value).strip() for value in self.values]


def as_cell(value: Any) -> str:
    """A single value as a cell of text: as it is; whole numbers without a decimal point."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, float | np.floating):
        number = float(value)
        if math.isnan(number):
            return ""
        return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
    text = str(value)
    return "" if text == "NaT" else text


def compact(lines: NDArray[np.int64]) -> Sequence[int]:
    """Rising line numbers, as a range if none is left out."""
    first, last = int(lines[0]), int(lines[-1])
    return range(first, last + 1) if last - first == len(lines) - 1 else cast(Sequence[int], lines)


def find_verbatim(names: Sequence[str], asked: Sequence[str]) -> set[int]:
    """The indices of the columns asked for by name, or by number from 1 if no name is so."""
    found: set[int] = set()
    for item in asked:
        named = [j for j, name in enumerate(names) if name in (item, item.strip())]
        number = int(item) if item.strip().isdecimal() and len(item) < 10 else 0
        found.update(named or ([number - 1] if 0 < number <= len(names) else []))
    return found


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of the same length, or a sparse matrix with columns beside it.

    Attributes
    ----------
    name : str
        The file, for messages; ``standard input`` for ``-``.
    columns : tuple of Column
        The columns; of a sparse table only those beside the matrix.
    n_rows : int
        How many rows there are.
    has_header : bool
        Whether the columns have names of their own.
    lines : sequence of int or None
        The line on which each row begins; None if the file has no lines.
    matrix : csr_array or None
        The features of a sparse table.
    first : int
        The number of the first column: 1, and 0 for svmlight, whose indices may begin there.
    decimal : str
        The decimal sign by which text was read.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.cli.tables import Column, Table
    >>> table = Table("a.csv", (Column("x", np.array([1.0, 2.0])),), 2, lines=(2, 4))
    >>> table.place(1), table.find("x")
    ('line 4', [0])
    """

    name: str
    columns: tuple[Column, ...]
    n_rows: int
    has_header: bool = True
    lines: Sequence[int] | None = None
    matrix: csr_array | None = None
    first: int = 1
    decimal: str = "."

    def line_of(self, row: int) -> int:
        """The line of the file on which a row begins; its number from 1 where no lines are."""
        return int(self.lines[row]) if self.lines is not None else row + 1

    def place(self, row: int) -> str:
        """Where a row is, in words."""
        return f"{'row' if self.lines is None else 'line'} {self.line_of(row)}"

    @property
    def n_sparse(self) -> int:
        """How many columns the sparse matrix has; they come before the others."""
        return 0 if self.matrix is None else int(self.matrix.shape[1])

    @property
    def n_columns(self) -> int:
        """How many columns there are."""
        return self.n_sparse + len(self.columns)

    def column(self, index: int) -> Column:
        """The column at an index from 0."""
        if index >= self.n_sparse:
            return self.columns[index - self.n_sparse]
        assert self.matrix is not None
        return Column(self.name_of(index), self.matrix[:, [index]].toarray().ravel())

    def name_of(self, index: int) -> str:
        """The name of the column at an index from 0."""
        if index >= self.n_sparse:
            return self.columns[index - self.n_sparse].name
        return f"column {index + self.first}"

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        """The places of each name, so that a name is found at once among many."""
        places: dict[str, list[int]] = {}
        for j, column in enumerate(self.columns):
            places.setdefault(column.name, []).append(j)
        return places

    def find(self, name: str) -> list[int]:
        """The indices of all columns of that name."""
        found = [self.n_sparse + j for j in self._places.get(name, [])]
        word, _, number = name.partition(" ")
        if word == "column" and number.isdecimal() and len(number) < 10:
            index = int(number) - self.first
            if 0 <= index < self.n_sparse and self.name_of(index) == name:
                found.insert(0, index)
        return found
