"""Rows of several parts, one after the other."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from maxmargin.blocks.rows import Rows


class PartsRows(Rows):
    """Parts with the same columns, as one table.

    Parameters
    ----------
    parts : sequence of Rows
    labels : sequence of str
        What the parts are called in errors: their paths.
    """

    def __init__(self, parts: Sequence[Rows], labels: Sequence[str]) -> None:
        first = parts[0]
        for part, label in zip(parts, labels, strict=True):
            _check_alike(first, labels[0], part, label)
        self.parts = list(parts)
        self.names, self.dtype = first.names, first.dtype
        self._ends = np.cumsum([part.shape[0] for part in parts])
        self.shape = (int(self._ends[-1]), first.shape[1])

    def read(self, start: int, stop: int) -> Any:
        """Read from the parts that hold these rows."""
        found = [np.empty((0, self.shape[1]), self.dtype)]
        place = int(np.searchsorted(self._ends, start, side="right"))
        while start < stop:
            part, end = self.parts[place], int(self._ends[place])
            first = end - part.shape[0]
            found.append(part.read(start - first, min(stop, end) - first))
            start, place = end, place + 1
        found = [rows for rows in found[1:] if len(rows)] or found[:1]
        return found[0] if len(found) == 1 else np.concatenate(found)


def _check_alike(first: Rows, first_label: str, part: Rows, label: str) -> None:
    """Raise a ValueError if a part has other columns than the first one, or another precision."""
    if (first.names is None) == (part.names is None) and first.names != part.names:
        old, new = list(first.names or ()), list(part.names or ())
        missing = [name for name in old if name not in new]
        extra = [name for name in new if name not in old]
        what = "; ".join(
            f"{said} {', '.join(map(repr, names))}"
            for said, names in (("it lacks", missing), ("it alone has", extra))
            if names
        )
        raise ValueError(
            f"{label} has other columns than {first_label}: {what or 'their order differs'}."
        )
    if first.shape[1] != part.shape[1]:
        raise ValueError(
            f"{label} has {part.shape[1]} columns, and {first_label} has {first.shape[1]}."
        )
    if first.dtype != part.dtype:
        raise ValueError(
            f"{label} holds {part.dtype} numbers, and {first_label} {first.dtype}: all parts must "
            f"have the same type."
        )
