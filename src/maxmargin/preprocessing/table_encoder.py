"""A table with numbers, flags, categories, dates and gaps as rows of numbers."""

from collections.abc import Sequence
from copy import copy
from functools import partial, reduce
from operator import add
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from maxmargin._runtime.parameters import NONE, Bool, Integer, Listed, OneOf, check_parameters
from maxmargin._runtime.warnings import warn_user
from maxmargin.blocks.table import open_table
from maxmargin.preprocessing.encodings import encoding_of, write_columns
from maxmargin.preprocessing.frames import RawColumn, columns_of, is_frame
from maxmargin.preprocessing.summaries import ColumnSummary, sampled_rows, summarize
from maxmargin.preprocessing.table_scaler import TableScaler

#: Squares of larger values overflow.
LARGEST_VALUE = 1e150


class TableEncoder(TransformerMixin, BaseEstimator):
    """Make rows of numbers of a table as people have it.

    Takes pandas and polars frames, dicts of columns, arrays, and tables that are read in blocks:
    paths of Parquet and CSV files, Dask dataframes. Numbers, dates and durations get
    mean 0 and variance 1; a category becomes a column
    of zeros and ones for each of its values, scaled so that it neither drowns nor dominates (see
    :class:`~maxmargin.preprocessing.TableScaler`). Gaps are filled so that a row is no nearer to
    one group for them. Columns that say nothing (ids, prose, almost no values) are left out with
    a warning that names them.

    Parameters
    ----------
    standardize : bool, default=True
        Whether columns are scaled so that each counts alike. Without, numbers stay as they are,
        and categories are zeros and ones: for people to read.
    impute : {"median", "mean"}, default="median"
        What fills the gaps of numbers and dates (of 100,000 rows, where there are more). A gap in
        a category is as near to each of its values as the average row is.
    max_categories : int, default=30
        Of a column with more values the rarest are pooled as ``other``; with more than 100,000 it
        is no category.
    categorical_features : sequence of str or int, default=None
        Columns of numbers that are codes for categories, by name or place.
    unusable : {"warn", "raise"}, default="warn"
        What happens with columns of ids, of prose, or of almost no values: they are left out with
        a warning, or an error names them.

    Attributes
    ----------
    columns_ : list of ColumnEncoding
        What was done with each column: its ``name``, ``kind``, ``categories``, ``n_missing``;
        as text it is a sentence.
    scaler_ : TableScaler
        Scales the columns of numbers, where ``standardize`` is on.
    n_features_in_ : int
        The number of columns given.
    feature_names_in_ : ndarray of str
        Their names, where they have some.

    See Also
    --------
    MaxMarginClustering : Does this by itself with frames that are not plain numbers.

    Examples
    --------
    >>> from maxmargin import RLSClustering, TableEncoder
    >>> from sklearn.pipeline import make_pipeline
    >>> table = {
    ...     "age": [31, None, 36, 70, 74, 69],
    ...     "smoker": ["no", "no", "no", "yes", None, "yes"],
    ... }
    >>> encoder = TableEncoder().fit(table)
    >>> for column in encoder.columns_:
    ...     print(column)
    'age': a number; 1 missing, filled with 69
    'smoker': 2 categories; 1 missing, taken for the average
    >>> encoder.get_feature_names_out().tolist()
    ['age', 'smoker=no', 'smoker=yes']
    >>> make_pipeline(encoder, RLSClustering(2, random_state=0)).fit_predict(table).shape
    (6,)
    """

    _parameters = {
        "standardize": Bool(),
        "impute": OneOf("median", "mean"),
        "max_categories": Integer(2),
        "categorical_features": NONE | Listed("a list of columns"),
        "unusable": OneOf("warn", "raise"),
    }

    def __init__(
        self,
        *,
        standardize: bool = True,
        impute: str = "median",
        max_categories: int = 30,
        categorical_features: Sequence[str | int] | None = None,
        unusable: str = "warn",
    ) -> None:
        self.standardize = standardize
        self.impute = impute
        self.max_categories = max_categories
        self.categorical_features = categorical_features
        self.unusable = unusable

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn how the columns of X become numbers; y is ignored."""
        check_parameters(self)
        table = open_table(X)
        names = [column.name for column in _checked(X)] if table is None else table.names
        n = len(columns_of(X)[0].values) if table is None else table.n_rows
        if not n:
            raise ValueError("X must have at least 1 row (sample); got 0 sample(s).")
        categorical = self._categorical(names)
        look = partial(_summaries, sampled_rows(n), categorical)
        parts = [look(0, X)] if table is None else table.each(look)
        found = reduce(lambda one, other: list(map(add, one, other)), parts)
        self.columns_ = [
            encoding_of(column, self.impute, self.max_categories, categorical=j in categorical)
            for j, column in enumerate(found)
        ]
        self.n_features_in_ = len(names)
        self.__dict__.pop("feature_names_in_", None)
        if table is not None or is_frame(X):
            self.feature_names_in_ = np.array(names, dtype=object)
        self._judge_unusable()
        self.__dict__.pop("scaler_", None)
        if self.standardize:
            self.scaler_ = TableScaler().fit(self._rows(X if table is None else table))
        return self

    def transform(self, X: Any) -> Any:
        """The rows of X as numbers; its columns are those of fit, in any order.

        A table that is read in blocks becomes rows in blocks.
        """
        check_is_fitted(self)
        rows = self._rows(X)
        return self.scaler_.transform(rows) if self.standardize else rows

    def _rows(self, X: Any) -> Any:
        table = open_table(X)
        if table is None:
            return _encoded(self, X)
        bare = copy(self)  # what goes to workers need not scale
        bare.__dict__.pop("scaler_", None)
        return table.rows(partial(_encoded, bare), len(self.get_feature_names_out()))

    def encode(self, X: Any) -> tuple[NDArray[np.float64], list[str], int]:
        """The rows as numbers for people to read, and what there is to say of them.

        Returns
        -------
        rows : ndarray
            Numbers as they are, with gaps filled; zeros and ones for categories.
        unknown : list of str
            A sentence for each column with values that the rows of ``fit`` did not have.
        n_filled : int
            The gaps that were filled.
        """
        check_is_fitted(self)
        return write_columns(self.columns_, self._matched(X))

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """The names of the columns of numbers, such as ``smoker=yes``."""
        check_is_fitted(self)
        return np.array([name for column in self.columns_ for name in column.names], dtype=object)

    # -- the parts of fit and transform ----------------------------------------------------

    def _categorical(self, names: Sequence[str]) -> set[int]:
        """The places of the columns that are said to be categories."""
        places = {name: j for j, name in enumerate(names)}
        found = set()
        for asked in self.categorical_features if self.categorical_features is not None else ():
            place = places.get(asked) if isinstance(asked, str) else int(asked)
            if place is None or not -len(names) <= place < len(names):
                raise ValueError(
                    f"categorical_features must name columns of X, such as {names[0]!r}; "
                    f"got {asked!r}."
                )
            found.add(place % len(names))
        return found

    def _judge_unusable(self) -> None:
        wrong = [column for column in self.columns_ if column.kind == "unusable"]
        if not wrong:
            return
        said = "; ".join(f"{column.name!r}: {column.why}" for column in wrong)
        if self.unusable == "raise" or len(wrong) == len(self.columns_):
            raise ValueError(f"X has columns that cannot be used: {said}.")
        warn_user(f"columns were left out: {said}.")

    def _matched(self, X: Any) -> list[RawColumn]:
        """The columns of new rows, in the order of ``fit``."""
        columns = _checked(X)
        known = getattr(self, "feature_names_in_", None)
        if known is None or not is_frame(X):
            if len(columns) != self.n_features_in_:
                raise ValueError(
                    f"X has {len(columns)} features, but {type(self).__name__} is expecting "
                    f"{self.n_features_in_} features as input."
                )
            if known is not None:
                warn_user(
                    "X has no names of columns, and the table of fit had: its columns are taken to "
                    "be in the same order."
                )
            return columns
        places = {column.name: column for column in columns}
        absent = [name for name in known if name not in places]
        if absent:
            raise ValueError(
                f"X must have the columns of fit; got none named "
                f"{', '.join(map(repr, absent[:8]))}."
            )
        unknown = sorted(places.keys() - set(known))
        if unknown:
            raise ValueError(
                f"X must have the columns of fit and no others, in any order; got "
                f"{', '.join(map(repr, unknown[:8]))} besides: leave them out."
            )
        return [places[name] for name in known]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


def _summaries(
    sampled: NDArray[np.intp], categorical: set[int], first: int, X: Any
) -> list[ColumnSummary]:
    """What a part of a table says of its columns; it begins at the row ``first``."""
    columns = _checked(X, first)
    start, stop = np.searchsorted(sampled, [first, first + len(columns[0].values)])
    some = sampled[start:stop] - first
    return [summarize(c, some, categorical=j in categorical) for j, c in enumerate(columns)]


def _encoded(encoder: TableEncoder, X: Any) -> NDArray[np.float64]:
    """Rows of numbers, with a warning where values are unknown."""
    rows, unknown, _ = encoder.encode(X)
    if unknown:
        warn_user(" ".join(unknown))
    return rows


def _checked(X: Any, first: int = 0) -> list[RawColumn]:
    """The columns of a table, of one length, without infinite numbers."""
    columns = columns_of(X)
    if not columns:
        raise ValueError("X must have at least 1 column (feature); got 0 feature(s).")
    lengths = {len(column.values) for column in columns}
    if len(lengths) > 1:
        raise ValueError(f"X must have columns of one length; got {sorted(lengths)}.")
    names = [column.name for column in columns]
    twice = sorted({name for name in names if names.count(name) > 1}) if is_frame(X) else []
    if twice:
        raise ValueError(f"X must have columns of different names; got {twice[0]!r} twice.")
    for column in columns:
        if column.values.dtype.kind == "f" and np.any(np.abs(column.values) > LARGEST_VALUE):
            row = int(np.argmax(np.abs(column.values) > LARGEST_VALUE))
            raise ValueError(
                f"X must have finite numbers up to {LARGEST_VALUE:g}; got {column.values[row]} "
                f"(infinity or too large) in column {column.name!r}, row {first + row}."
            )
    return columns
