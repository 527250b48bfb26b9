"""Numbers and lists as people write them."""

import math
import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

#: A parameter in a name, with the comma before or after it.
PARAMETER = re.compile(r"(\w+)=([^,()]+)")


def count(n: int, noun: str) -> str:
    """A number with its noun, in the plural unless it is 1.

    Examples
    --------
    >>> from maxmargin.explain.formatting import count
    >>> count(1, "row"), count(12000, "row")
    ('1 row', '12,000 rows')
    """
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def number(value: Any) -> str:
    """A value with three significant digits, or all of an integer's; a dash for none.

    Examples
    --------
    >>> from maxmargin.explain.formatting import number
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


def percents(value: float, other: float) -> tuple[str, str]:
    """Two shares in percent, with as many digits as it takes to see which is larger.

    Examples
    --------
    >>> from maxmargin.explain.formatting import percents
    >>> percents(0.62, 0.21), percents(0.001, 0.0)
    (('62 %', '21 %'), ('0.1 %', '0.0 %'))
    """
    for decimals in range(3):
        texts = f"{100 * value:.{decimals}f} %", f"{100 * other:.{decimals}f} %"
        if texts[0] != texts[1]:
            break
    return texts


def compared(feature: dict[str, Any]) -> tuple[str, str]:
    """The mean of a feature in a cluster and elsewhere; in percent where it is a share."""
    write = percents if feature.get("share") else against
    return write(feature["inside"], feature["elsewhere"])


def against(value: float, other: float) -> tuple[str, str]:
    """Two different values with as many digits as it takes to see which is larger.

    Examples
    --------
    >>> from maxmargin.explain.formatting import against
    >>> against(1115.71, 540.1), against(1e9 + 7, 1e9)
    (('1,116', '540'), ('1,000,000,007.0', '1,000,000,000.0'))
    """
    texts = number(value), number(other)
    if texts[0] != texts[1]:
        return texts
    if 1e-4 < max(abs(value), abs(other)) < 1e15 and value != other:
        decimals = max(0, 1 - math.floor(math.log10(abs(value - other))))
        return fixed(value, decimals), fixed(other, decimals)
    return f"{value:.17g}".replace("-", "−"), f"{other:.17g}".replace("-", "−")


def fixed(value: float, digits: int = 2) -> str:
    """A value with so many digits after the point, and never a negative zero.

    Examples
    --------
    >>> from maxmargin.explain.formatting import fixed
    >>> fixed(0.966), fixed(-1.25), fixed(-0.001)
    ('0.97', '−1.25', '0.00')
    """
    return f"{round(value, digits) + 0.0:,.{digits}f}".replace("-", "−")


def share(part: int, whole: int) -> str:
    """A share in per cent, never rounded to nothing or to all.

    Examples
    --------
    >>> from maxmargin.explain.formatting import share
    >>> share(50, 178), share(1, 200), share(99999, 100000), share(0, 5)
    ('28%', 'under 1%', 'over 99%', '0%')
    """
    text = f"{100 * part / whole if whole else 0:.0f}%"
    if part and text == "0%":
        return "under 1%"
    return "over 99%" if part < whole and text == "100%" else text


def listed(parts: Sequence[str], most: int = 8) -> str:
    """Join words with commas and a last "and"; those after ``most`` are only counted.

    Examples
    --------
    >>> from maxmargin.explain.formatting import listed
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


def name_with_size(cluster: int, size: int) -> str:
    """What a label is called, and how many rows have it: ``cluster 0 (12 rows)``."""
    return f"{name_of(cluster)} ({count(size, 'row')})"


def shorten(name: str, most: int = 80) -> str:
    """A name on one line, its middle left out where it is longer than ``most``.

    Examples
    --------
    >>> from maxmargin.explain.formatting import shorten
    >>> shorten("a rather long name", 9)
    'a ra…name'
    """
    name = " ".join(str(name).split())
    if len(name) <= most:
        return name
    tail = (most - 1) // 2
    return f"{name[: most - 1 - tail]}…{name[len(name) - tail :]}"


def without_constants(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Leave out parameters that are the same in all names that have them.

    A parameter that only one name has stays: it tells it from the others. Returns the names and
    the parameters that were left out.

    Examples
    --------
    >>> from maxmargin.explain.formatting import without_constants
    >>> without_constants(["f(a=1, b=2)", "f(a=3, b=2)", "g(c=4)"])
    (['f(a=1)', 'f(a=3)', 'g(c=4)'], ['b=2'])
    """
    values: dict[str, set[str]] = defaultdict(set)
    uses: dict[str, int] = defaultdict(int)
    for name in set(names):
        for key, value in PARAMETER.findall(name):
            values[key].add(value)
            uses[key] += 1
    same = [f"{key}={next(iter(values[key]))}" for key in values if _constant(values, uses, key)]
    short = list(names)
    for piece in same:
        found = re.escape(piece)
        short = [
            re.sub(rf",\s*{found}(?=[,)]|$)|(?<![\w]){found}(?:,\s*|(?=\)|$))", "", name)
            for name in short
        ]
    short = [name.replace("()", "") for name in short]
    return (short, sorted(same)) if len(set(short)) == len(set(names)) else (list(names), [])


def _constant(values: dict[str, set[str]], uses: dict[str, int], key: str) -> bool:
    return len(values[key]) == 1 and uses[key] > 1
