"""How one column becomes numbers, on the training data and on new data alike."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin.cli.tables.errors import TableError, option, quoted
from maxmargin.cli.tables.table import MISSING, Column

MOST_CATEGORIES = 100
_GAP = "missing"  # the category of missing text


@dataclass(frozen=True)
class Feature:
    """The recipe of a column.

    Attributes
    ----------
    name : str
        The column.
    index : int
        Its place from 0, where columns have no names.
    fill : float or None
        What takes the place of a missing number; None if nothing may.
    categories : tuple of str or None
        The categories of text, in order, one column of zeros and ones for each; None for numbers.
    fills_text : bool
        Whether missing text is a category of its own.
    """

    name: str
    index: int
    fill: float | None = None
    categories: tuple[str, ...] | None = None
    fills_text: bool = False

    @classmethod
    def learn(cls, table_name: str, column: Column, index: int, impute: str | None) -> "Feature":
        """Learn the recipe from the training data, which was checked before.

        Examples
        --------
        >>> import numpy as np
        >>> from maxmargin.cli.tables import Column
        >>> from maxmargin.cli.tables.feature import Feature
        >>> column = Column("city", np.array(["Rome", "Oslo", "Rome"], dtype=object))
        >>> Feature.learn("a.csv", column, 0, None).names
        ['city=Oslo', 'city=Rome']
        """
        if not column.is_text:
            known = column.values[~column.missing].astype(np.float64)
            middle = np.mean if impute == "mean" else np.median
            return cls(column.name, index, float(middle(known)) if impute else None)
        categories = sorted(set(_categories(column, impute is not None)))
        if len(categories) > MOST_CATEGORIES:
            raise TableError(
                f"{table_name}: column {quoted(column.name)} has {len(categories):,} different "
                f"values, and --encode onehot makes a column for each of up to {MOST_CATEGORIES}. "
                f"Ways out: {option('--drop', column.name)} or {option('--id', column.name)}."
            )
        return cls(column.name, index, None, tuple(categories), impute is not None)

    @property
    def names(self) -> list[str]:
        """The names of the columns of numbers."""
        if self.categories is None:
            return [self.name]
        return [f"{self.name}={category}" for category in self.categories]

    def write(self, column: Column, out: NDArray[np.float64]) -> tuple[int, int]:
        """Fill in the columns of numbers; return how many values were filled, and were unknown.

        A category that the training did not have is zero in all columns.
        """
        if self.categories is None:
            out[:, 0] = column.values
            gaps = np.isnan(out[:, 0])
            out[gaps, 0] = np.nan if self.fill is None else self.fill
            return int(gaps.sum()), 0
        places = {category: place for place, category in enumerate(self.categories)}
        cells = _categories(column, self.fills_text)
        codes = np.array([places.get(cell, -1) for cell in cells])
        rows = np.flatnonzero(codes >= 0)
        out[:] = 0.0
        out[rows, codes[rows]] = 1.0
        return 0, len(codes) - len(rows)

    def to_json(self) -> dict[str, Any]:
        """Plain values that JSON keeps."""
        categories = None if self.categories is None else list(self.categories)
        return asdict(self) | {"categories": categories}

    @classmethod
    def from_json(cls, kept: dict[str, Any]) -> "Feature":
        """Undo `to_json`."""
        categories = kept["categories"]
        return cls(**kept | {"categories": None if categories is None else tuple(categories)})


def _categories(column: Column, fills_text: bool) -> list[str]:
    cells = column.cells()
    return [_GAP if cell in MISSING else cell for cell in cells] if fills_text else cells
