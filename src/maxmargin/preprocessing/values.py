"""Single values of tables: which are missing, and what they are as text, numbers, years or days."""

import datetime
import math
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Days in a year of the calendar.
YEAR = 365.2425
_DAY = np.timedelta64(86_400_000_000, "us")
_EPOCH = np.datetime64("1970-01-01", "us")


def is_missing(value: Any) -> bool:
    """Whether a single value stands for none: None, NaN, NaT or pandas' NA."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, Real) and math.isnan(float(value))


def as_text(value: Any) -> str:
    """A single value as text: whole numbers without a decimal point."""
    if isinstance(value, Real) and not isinstance(value, bool) and float(value).is_integer():
        return str(int(float(value)))
    return str(value)


def numbers(items: list[Any]) -> NDArray[np.float64]:
    """Numbers, NaN where there is none."""
    return np.array([np.nan if value is None else float(value) for value in items], np.float64)


def instant(value: Any) -> np.datetime64:
    """A date, or a date with a time, in UTC."""
    if value is None:
        return np.datetime64("NaT", "us")
    if isinstance(value, datetime.datetime) and value.tzinfo is not None:
        value = value.astimezone(datetime.UTC).replace(tzinfo=None)
    return np.datetime64(value, "us")


def years(instants: NDArray[Any]) -> NDArray[np.float64]:
    """Dates as years with decimals."""
    return 1970 + days(instants - _EPOCH) / YEAR


def days(spans: NDArray[Any]) -> NDArray[np.float64]:
    """Durations as days."""
    gaps = np.isnat(spans)
    return np.where(gaps, np.nan, np.where(gaps, np.timedelta64(0, "us"), spans) / _DAY)
