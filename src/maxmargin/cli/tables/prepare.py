"""From a table to the numbers that a clusterer takes, the same way for new data."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from maxmargin.cli.tables import checks
from maxmargin.cli.tables.choose import choose
from maxmargin.cli.tables.dense import learn, to_matrix
from maxmargin.cli.tables.errors import TableError, quoted
from maxmargin.cli.tables.match import match_columns, match_one
from maxmargin.cli.tables.sparse import SparseFeatures
from maxmargin.cli.tables.table import Column, Table
from maxmargin.preprocessing.encodings import ColumnEncoding


@dataclass(frozen=True, eq=False)
class Prepared:
    """Numbers, and what goes beside them.

    Attributes
    ----------
    X : ndarray or csr_array of shape (n_rows, d)
        The features, float64.
    names : list of str
        Their names.
    id, truth : Column or None
        The columns that were set aside; ``truth.missing`` tells where no label is known.
    notes : list of str
        What the user should know, a sentence each.
    """

    X: NDArray[np.float64] | csr_array
    names: list[str]
    id: Column | None = None
    truth: Column | None = None
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Preparation:
    """How the columns of a table become numbers.

    Attributes
    ----------
    features : tuple of ColumnEncoding
        What is done with each column; empty for a sparse table.
    places : tuple of int
        Where these columns are, from 0, for tables without names.
    fills : bool
        Whether missing values are filled, or refused.
    sparse : SparseFeatures or None
        Which columns of a sparse table are taken.
    by_name : bool
        Whether columns are found by their names (else by their places).
    known : tuple of str
        All columns of the training data: others are noted when they come up.
    id, truth : str or None
        The columns that were set aside.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.cli.tables import Column, Preparation, Table
    >>> x = Column("x", np.array([1.0, np.nan, 3.0]))
    >>> table = Table("a.csv", (x, Column("city", np.array(["A", "B", "A"], dtype=object))), 3)
    >>> preparation = Preparation.fit(table, encode="onehot", impute="median")
    >>> prepared = Preparation.from_json(preparation.to_json()).transform(table)
    >>> prepared.names
    ['x', 'city=A', 'city=B']
    >>> prepared.X.tolist()
    [[1.0, 1.0, 0.0], [2.0, 0.0, 1.0], [3.0, 1.0, 0.0]]
    """

    features: tuple[ColumnEncoding, ...]
    places: tuple[int, ...]
    fills: bool
    sparse: SparseFeatures | None
    by_name: bool
    known: tuple[str, ...]
    id: str | None
    truth: str | None

    @classmethod
    def fit(
        cls,
        table: Table,
        *,
        columns: Sequence[str] | None = None,
        drop: Sequence[str] = (),
        id: str | None = None,
        truth: str | None = None,
        weights: str | None = None,
        encode: str | None = None,
        impute: str | None = None,
    ) -> "Preparation":
        """Learn from the training data how columns become numbers.

        Parameters
        ----------
        table : Table
            The training data.
        columns, drop : sequences of str
            The features are ``columns`` (None: all), without ``drop``; see `resolve` for how
            columns are named.
        id, truth : str, optional
            Columns to set aside: names of the rows, and known labels.
        weights : str, optional
            A column that is no feature either; new tables need not have it.
        encode : {None, "onehot", "auto"}
            What to do with text: refuse it; make a column of zeros and ones of each value; or do
            as `TableEncoder`, which knows dates, pools rare values, and leaves ids and prose out.
        impute : {None, "median", "mean", "auto"}
            What to do with missing values: refuse them, or fill them (``auto`` is ``median``).
            Missing text is taken for the average of the categories.
        """
        _check("--encode", encode, ("onehot", "auto"))
        _check("--impute", impute, ("median", "mean", "auto"))
        chosen = choose(table, columns, drop, id, truth, weights)
        if table.n_rows < 2:
            raise TableError(
                f"{table.name}: there is one row only, and clusters need at least two. Give a file "
                f"with more rows."
            )
        features: tuple[ColumnEncoding, ...] = ()
        places: tuple[int, ...] = ()
        sparse: SparseFeatures | None = None
        known: tuple[str, ...] = ()
        if table.matrix is not None:
            sparse = SparseFeatures.learn(table, chosen.features)
        else:
            features = learn(table, chosen.features, encode, impute)
            places = tuple(chosen.features)
            known = tuple(column.name for column in table.columns)
        beside = [None if j is None else table.name_of(j) for j in (chosen.id, chosen.truth)]
        return cls(features, places, impute is not None, sparse, table.has_header, known, *beside)

    @property
    def verbatim(self) -> list[str]:
        """The columns that `read_table` should leave as they are written in new data."""
        texts = [f for f in self.features if f.kind in ("category", "date")]
        names = [f.name for f in texts] + [n for n in (self.id, self.truth) if n is not None]
        return names if self.by_name else [name.removeprefix("column ") for name in names]

    def transform(
        self, table: Table, *, id: str | None = None, truth: str | None = None
    ) -> Prepared:
        """Turn a table into numbers, by the recipe of the training data.

        ``id`` and ``truth`` name other columns to set aside than those of the training, which
        may be missing from new data.
        """
        notes: list[str] = []
        beside = [
            match_one(table, asked, kept, self.by_name, flag, notes)
            for flag, asked, kept in (("--id", id, self.id), ("--truth", truth, self.truth))
        ]
        for column in beside:
            if column is not None:
                checks.refuse_odd(table, [column])
        X: NDArray[np.float64] | csr_array
        if self.sparse is not None:
            X, names = self.sparse.transform(table, notes)
        else:
            known = {*self.known, *(column.name for column in beside if column is not None)}
            columns = match_columns(
                table, self._used, self._used_places, self.by_name, known, notes
            )
            X, names = to_matrix(table, self._used, columns, self.fills, notes)
        return Prepared(X, names, beside[0], beside[1], notes)

    @property
    def done(self) -> list[str]:
        """What was done with each column that is more than a number without gaps."""
        plain = [f.kind == "number" and not f.n_missing for f in self.features]
        return [f"{f}." for f, is_plain in zip(self.features, plain, strict=True) if not is_plain]

    @property
    def _used(self) -> list[ColumnEncoding]:
        return [feature for feature in self.features if feature.kind != "unusable"]

    @property
    def _used_places(self) -> list[int]:
        pairs = zip(self.features, self.places, strict=True)
        return [place for feature, place in pairs if feature.kind != "unusable"]

    def to_json(self) -> dict[str, Any]:
        """Plain values that JSON keeps; `from_json` makes the preparation of them again."""
        return {
            "features": [feature.to_json() for feature in self.features],
            "places": list(self.places),
            "fills": self.fills,
            "sparse": None if self.sparse is None else self.sparse.to_json(),
            "by_name": self.by_name,
            "known": list(self.known),
            "id": self.id,
            "truth": self.truth,
        }

    @classmethod
    def from_json(cls, kept: dict[str, Any]) -> "Preparation":
        """Make a preparation of what `to_json` gave."""
        try:
            sparse = kept["sparse"]
            return cls(
                tuple(ColumnEncoding.from_json(feature) for feature in kept["features"]),
                tuple(kept["places"]),
                bool(kept["fills"]),
                None if sparse is None else SparseFeatures.from_json(sparse),
                bool(kept["by_name"]),
                tuple(kept["known"]),
                kept["id"],
                kept["truth"],
            )
        except (AttributeError, KeyError, TypeError) as error:
            raise TableError("The model does not say how its columns are prepared.") from error


def _check(flag: str, value: str | None, allowed: tuple[str, ...]) -> None:
    if value is not None and value not in allowed:
        raise TableError(f"{flag} {quoted(value)} is unknown. Allowed: {', '.join(allowed)}.")
