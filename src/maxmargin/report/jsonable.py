"""Plain Python values, for JSON and for people."""

import math
from typing import Any

import numpy as np


def jsonable(value: Any) -> Any:
    """Numbers, strings, lists and dicts only; NaN and infinities become None.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.report.jsonable import jsonable
    >>> jsonable({"a": np.float32(0.5), "b": np.array([1.0, np.nan]), 3: (True, "x")})
    {'a': 0.5, 'b': [1.0, None], '3': [True, 'x']}
    """
    if isinstance(value, dict):
        return {str(key): jsonable(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [jsonable(item) for item in value]
    if isinstance(value, np.ndarray):
        return jsonable(value.tolist())
    if isinstance(value, np.generic):
        return jsonable(value.item())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)


def rounded(values: Any, digits: int = 5) -> list[float | None]:
    """Numbers with a few significant digits, which is all that a picture can show.

    Numbers that differ by little have more digits, so that their differences have a few.

    Examples
    --------
    >>> from maxmargin.report.jsonable import rounded
    >>> rounded([0.123456789, 1234567.8, float("nan")])
    [0.12346, 1234600.0, None]
    >>> rounded([1e9, 1e9 + 0.25, 1e9 + 2])
    [1000000000.0, 1000000000.25, 1000000002.0]
    """
    values = np.asarray(values, dtype=np.float64)
    finite = values[np.isfinite(values)]
    spread, largest = np.ptp(finite) if len(finite) else 0.0, np.abs(finite).max(initial=0.0)
    if 0 < spread < largest:
        digits = min(17, digits + math.floor(math.log10(largest) - math.log10(spread)))
    return [float(f"{v:.{digits}g}") if math.isfinite(v) else None for v in values.tolist()]
