"""Errors of tables: the file, the place, what is wrong there, and the way out."""

import shlex
from collections.abc import Iterable


class TableError(ValueError):
    """A table that cannot be read, used or written; the message is for the user.

    Examples
    --------
    >>> from maxmargin.cli.tables import TableError
    >>> str(TableError("a.csv: the file is empty."))
    'a.csv: the file is empty.'
    """


def quoted(text: object, limit: int = 40) -> str:
    """Text for a message: in quotes, shortened, control characters escaped."""
    text = str(text)
    return repr(text if len(text) <= limit else text[: limit - 3] + "...")


def printable(name: str) -> str:
    """A file name for a message: as it is, but for characters that a terminal would obey."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in name)


def option(flag: str, value: str) -> str:
    """An option as it is typed into a shell."""
    word = shlex.quote(value)
    return f"{flag}={word}" if value.startswith("-") else f"{flag} {word}"


def listed(items: Iterable[str], limit: int = 5) -> str:
    """The first few items, and how many more there are."""
    found = list(items)
    rest = len(found) - limit
    return ", ".join(found[:limit]) + (f" and {rest} more" if rest > 0 else "")
