"""Names as long as there is room for them, and numbers as they are read."""

import re
from collections import defaultdict
from collections.abc import Sequence

#: A parameter in a name, with the comma before or after it.
PARAMETER = re.compile(r"(\w+)=([^,()]+)")


def shorten(name: str, most: int) -> str:
    """A name on one line, its middle left out where it is longer than ``most``.

    Examples
    --------
    >>> from maxmargin.plots.text import shorten
    >>> shorten("a rather long name", 9)
    'a ra…name'
    """
    name = " ".join(str(name).split())
    if len(name) <= most:
        return name
    tail = (most - 1) // 2
    return f"{name[: most - 1 - tail]}…{name[len(name) - tail :]}"


def without_constants(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Names without the parameters that are the same in all that have them, and these.

    What only one of several names has stays: it tells it from the others.

    Examples
    --------
    >>> from maxmargin.plots.text import without_constants
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


def rows_of(n: int) -> str:
    """A number of rows in words.

    Examples
    --------
    >>> from maxmargin.plots.text import rows_of
    >>> rows_of(1), rows_of(12345)
    ('1 row', '12,345 rows')
    """
    return "1 row" if n == 1 else f"{n:,} rows"


def cluster_name(cluster: int) -> str:
    """What the legend calls a cluster."""
    return f"cluster {cluster}" if cluster >= 0 else "outliers"
