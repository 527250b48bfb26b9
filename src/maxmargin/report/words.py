"""Numbers and lists as people write them."""

import math
from collections.abc import Sequence
from typing import Any


def count(n: int, noun: str) -> str:
    """A number of things.

    Examples
    --------
    >>> from maxmargin.report.words import count
    >>> count(1, "row"), count(12000, "row")
    ('1 row', '12,000 rows')
    """
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def number(value: Any) -> str:
    """A value with three significant digits, or all of an integer's; a dash for none.

    Examples
    --------
    >>> from maxmargin.report.words import number
    >>> number(1115.71), number(0.08376), number(12345678), number(None), number("rbf")
    ('1,116', '0.0838', '12,345,678', '–', 'rbf')
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, int):
        return f"{value:,}".replace("-", "−")
    if 1000 <= abs(value) < 1e7:
        return f"{value:,.0f}".replace("-", "−")
    return f"{value:.3g}".replace("-", "−")


def share(part: int, whole: int) -> str:
    """A share in per cent, never rounded to nothing or to all.

    Examples
    --------
    >>> from maxmargin.report.words import share
    >>> share(50, 178), share(1, 100000), share(99999, 100000), share(0, 5)
    ('28%', 'under 1%', 'over 99%', '0%')
    """
    value = part / whole if whole else 0.0
    if 0 < value < 0.005:
        return "under 1%"
    if 0.995 <= value < 1:
        return "over 99%"
    return f"{100 * value:.0f}%"


def listed(parts: Sequence[str], most: int = 8) -> str:
    """A list with commas and a last "and"; what is too long is counted.

    Examples
    --------
    >>> from maxmargin.report.words import listed
    >>> listed(["64", "64", "50"]), listed(list("abcd"), most=2)
    ('64, 64 and 50', 'a, b and 2 more')
    """
    shown = list(parts[:most])
    if len(parts) > most:
        shown.append(f"{len(parts) - most:,} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def name_of(cluster: int) -> str:
    """What a label is called."""
    return "outliers" if cluster < 0 else f"cluster {cluster}"


def shortened(text: str, most: int = 80) -> str:
    """Text of at most so many characters, with an ellipsis for what is cut."""
    return text if len(text) <= most else text[: most - 1] + "…"
