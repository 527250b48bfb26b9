"""What a column is, beyond the type of its values: dates in text, categories."""

import re
from typing import Any

import numpy as np

from maxmargin.preprocessing.frames import RawColumn
from maxmargin.preprocessing.values import years

_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?)?")


def with_dates(column: RawColumn) -> RawColumn:
    """A column of text that is all dates as 2024-05-31 as dates; any other as it is."""
    if column.kind != "text":
        return column
    known = [text for text in column.values if text is not None]
    if not known or not all(_ISO_DATE.fullmatch(text.strip()) for text in known):
        return column
    try:
        instants = [
            np.datetime64(t.strip() if t is not None else "NaT", "us") for t in column.values
        ]
    except ValueError:  # such as 2024-02-31
        return column
    return RawColumn(column.name, "date", years(np.array(instants)))


def texts_of(column: RawColumn) -> list[str | None]:
    """The values as text without blanks around it; None for gaps."""
    if column.kind == "text":
        return [None if text is None else text.strip() for text in column.values]
    numbers = column.values.tolist()
    plain = (int(v) if v == v and float(v).is_integer() else v for v in numbers)
    return [None if v != v else str(v) for v in plain]


def example(column: RawColumn) -> Any:
    """The first value that is there."""
    known = column.values[~column.missing]
    return known[0] if len(known) else None
