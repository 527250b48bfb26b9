"""From cells of text to numbers."""

import math
import re
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

#: What stands for no value; not "-": it is one where strands or signs are written + and -.
MISSING = frozenset({"", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "null", "NULL", "None", "?"})
Kind = Literal["number", "flag", "missing", "text"]
_FLAGS = {"true": 1.0, "false": 0.0}
_COMMA = re.compile(r"[-+]?\d+,\d+([eE][-+]?\d+)?")
_THOUSANDS = re.compile(r"[-+]?\d{1,3}([,.' \u00a0\u202f]\d{3})+([.,]\d+)?")


def number(cell: str, decimal: str = ".") -> float | None:
    """The number that a cell is, as ``float`` reads it; None if it is none.

    Digits in groups (``1_000``, ``1,000``) are no number; a missing cell is none either.

    Examples
    --------
    >>> from maxmargin.blocks.cells import number
    >>> number(" 1e3 "), number("1_000"), number("0,5"), number("0,5", decimal=",")
    (1000.0, None, None, 0.5)
    """
    if "_" in cell or cell.strip() in MISSING or (decimal != "." and "." in cell):
        return None
    try:
        value = float(cell if decimal == "." else cell.replace(decimal, "."))
    except ValueError:
        return None
    return None if math.isnan(value) else value


def is_value(cell: str, decimal: str = ".") -> bool:
    """Whether a cell is a number, true, false or missing."""
    text = cell.strip()
    return text in MISSING or text.lower() in _FLAGS or number(cell, decimal) is not None


def to_numbers(cells: Sequence[str], decimal: str = ".") -> tuple[NDArray[np.float64], Kind]:
    """Turn cells into numbers, with NaN for missing ones; true and false are 1 and 0.

    Returns
    -------
    values : ndarray of shape (n,)
        The numbers; empty if some cell is text.
    kind : {"number", "flag", "missing", "text"}
        What the cells that are not missing are; true and false beside numbers are text.

    Examples
    --------
    >>> from maxmargin.blocks.cells import to_numbers
    >>> to_numbers(["1.5", "NA"])
    (array([1.5, nan]), 'number')
    >>> to_numbers(["1.5", "long"])
    (array([], dtype=float64), 'text')
    """
    joined = "".join(cells)
    if "_" not in joined and (decimal == "." or "." not in joined):
        plain = cells if decimal == "." else [cell.replace(decimal, ".") for cell in cells]
        for attempt in (0, 1):
            try:
                values = np.fromiter(map(float, plain), np.float64, len(plain))
            except ValueError:
                if attempt == 0:  # words for missing values are the likely reason
                    plain = ["nan" if cell.strip() in MISSING else cell for cell in plain]
            else:
                return values, "missing" if np.isnan(values).all() else "number"
    words = [cell.strip() for cell in cells]
    if any(word not in MISSING and word.lower() not in _FLAGS for word in words):
        return np.empty(0), "text"
    return np.array([_FLAGS.get(word.lower(), np.nan) for word in words]), "flag"


def has_decimal_comma(cells: Sequence[str]) -> bool:
    """Whether all cells that are no numbers would be with a decimal comma."""
    return all(is_value(cell) or _COMMA.fullmatch(cell.strip()) for cell in cells)


def has_thousands(cells: Sequence[str]) -> bool:
    """Whether all cells that are no numbers are digits in groups of three."""
    return all(is_value(cell) or _THOUSANDS.fullmatch(cell.strip()) for cell in cells)
