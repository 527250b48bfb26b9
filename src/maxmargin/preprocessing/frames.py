"""A table of any library as columns of NumPy arrays: numbers, or text with None for gaps."""

import datetime
import decimal
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.utils.validation import check_array

from maxmargin.preprocessing.values import as_text, days, instant, is_missing, numbers, years


@dataclass(frozen=True, eq=False)
class RawColumn:
    """A column as it was given.

    Attributes
    ----------
    name : str
    kind : {"number", "flag", "text", "date", "duration", "unknown"}
        What its values are. Dates are decimal years, durations days.
    values : ndarray of shape (n_rows,)
        float64 with NaN for gaps; text: str with None for gaps; unknown: anything.
    """

    name: str
    kind: str
    values: NDArray[Any]

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Where there is no value."""
        if self.values.dtype.kind == "f":
            return np.isnan(self.values)
        return np.array([value is None for value in self.values], dtype=bool)


def is_frame(X: Any) -> bool:
    """Whether X is a table with named columns: pandas, polars, or a dict of columns."""
    if issparse(X):  # some of them are dicts
        return False
    return isinstance(X, Mapping) or (hasattr(X, "columns") and hasattr(X, "shape"))


def is_plain(X: Any) -> bool:
    """Whether X is rows of numbers without gaps, as far as a look at its columns can tell.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.preprocessing.frames import is_plain
    >>> is_plain(np.array([[np.nan]])), is_plain({"x": [1, 2]}), is_plain({"x": [1, None]})
    (True, True, False)
    """
    if not is_frame(X):
        return True
    columns = columns_of(X)
    return all(c.kind == "number" and not np.isnan(c.values).any() for c in columns)


def columns_of(X: Any) -> list[RawColumn]:
    """The columns of a data frame, a dict of columns, or an array.

    Examples
    --------
    >>> from maxmargin.preprocessing.frames import columns_of
    >>> table = {"x": [1, None], "city": ["Rome", None], "member": [True, False]}
    >>> [(column.name, column.kind, column.values.tolist()) for column in columns_of(table)]
    [('x', 'number', [1.0, nan]), ('city', 'text', ['Rome', None]), ('member', 'flag', [1.0, 0.0])]
    """
    if isinstance(X, Mapping) and is_frame(X):
        return [_from_values(str(name), _one_dimensional(values)) for name, values in X.items()]
    if hasattr(X, "iloc"):  # pandas
        return [_from_pandas(str(name), X.iloc[:, j]) for j, name in enumerate(X.columns)]
    if hasattr(X, "get_columns"):  # polars
        return [_from_polars(series) for series in X.get_columns()]
    if np.ma.is_masked(X):  # NumPy would forget the mask
        gaps, X = np.ma.getmaskarray(X), np.array(X, dtype=object)
        X[gaps] = None
    rows = check_array(X, dtype=None, ensure_all_finite=False)
    return [_from_values(f"x{j}", rows[:, j]) for j in range(rows.shape[1])]


def _one_dimensional(values: Any) -> NDArray[Any]:
    """The values of a column; a list that mixes types keeps them."""
    if isinstance(values, np.ndarray):
        return values
    found = np.empty(len(values), dtype=object)
    found[:] = list(values)
    return found


def _from_pandas(name: str, series: Any) -> RawColumn:
    kind = series.dtype.kind
    if kind == "b":
        return RawColumn(name, "flag", series.to_numpy(np.float64, na_value=np.nan))
    if kind in "iuf":
        return RawColumn(name, "number", series.to_numpy(np.float64, na_value=np.nan))
    if kind == "M":
        aware = getattr(series.dtype, "tz", None) is not None
        naive = series.dt.tz_convert(None) if aware else series
        return RawColumn(name, "date", years(naive.to_numpy("datetime64[us]")))
    if kind == "m":
        return RawColumn(name, "duration", days(series.to_numpy("timedelta64[us]")))
    return _from_values(name, series.astype(object).to_numpy(), hasattr(series.dtype, "categories"))


def _from_polars(series: Any) -> RawColumn:
    kind = str(series.dtype)
    if series.dtype.is_numeric():
        return RawColumn(series.name, "number", series.cast(float).to_numpy())
    if kind == "Boolean":
        return RawColumn(series.name, "flag", series.cast(float).to_numpy())
    declared = kind.startswith(("Categorical", "Enum"))
    return _from_values(series.name, _one_dimensional(series.to_list()), declared)


def _from_values(name: str, values: NDArray[Any], categorical: bool = False) -> RawColumn:
    """What values of any type are; declared categories are text, whatever their type."""
    kind = values.dtype.kind
    if kind == "b":
        return RawColumn(name, "flag", values.astype(np.float64))
    if kind in "iuf":
        return RawColumn(name, "number", values.astype(np.float64))
    if kind == "M":
        return RawColumn(name, "date", years(values.astype("datetime64[us]")))
    if kind == "m":
        return RawColumn(name, "duration", days(values.astype("timedelta64[us]")))
    items = [None if is_missing(value) else value for value in values.tolist()]
    known = [value for value in items if value is not None]
    if categorical or all(isinstance(value, str) for value in known):
        texts = [None if value is None else as_text(value) for value in items]
        return RawColumn(name, "text", _one_dimensional(texts))
    if all(isinstance(value, (bool, np.bool_)) for value in known):
        return RawColumn(name, "flag", numbers(items))
    if all(isinstance(value, (Real, decimal.Decimal)) for value in known):
        return RawColumn(name, "number", numbers(items))
    if all(isinstance(value, datetime.date) for value in known):  # a datetime is a date too
        return RawColumn(name, "date", years(np.array([instant(v) for v in items])))
    if all(isinstance(value, datetime.timedelta) for value in known):
        return RawColumn(name, "duration", days(np.array(items, dtype="timedelta64[us]")))
    if all(isinstance(value, (str, Real)) for value in known):  # such as 3, "3+" and "many"
        texts = [None if value is None else as_text(value) for value in items]
        return RawColumn(name, "text", _one_dimensional(texts))
    return RawColumn(name, "unknown", _one_dimensional(items))
