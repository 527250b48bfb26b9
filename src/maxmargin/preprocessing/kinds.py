"""What a column is, beyond the type of its values: dates in text, names of rows, prose."""

import re
from typing import Any

import numpy as np

from maxmargin.preprocessing.frames import RawColumn
from maxmargin.preprocessing.values import years

#: A column with fewer values than this share of the rows says nothing.
FEWEST_VALUES = 0.05
#: Text with more different values than this share of its values names rows, or is prose,
DIFFERENT = 0.5
#: if there are more of them than this.
FEW_VALUES = 12
_ID = re.compile(r"(.*[_\W])?(id|index|row|rowid|rownames|row_?number|unnamed: \d+)", re.IGNORECASE)
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


def why_unusable(column: RawColumn, n: int, n_known: int, categorical: bool) -> str:
    """Why a column cannot be used, and what to do; empty if it can."""
    if column.kind == "unknown":
        return (
            f"its values are no numbers, text or dates (such as {example(column)!r}); make "
            f"numbers or categories of them"
        )
    if n_known <= FEWEST_VALUES * n:
        return f"{n - n_known} of {n} values are missing; drop it, or turn it into a flag"
    if column.kind == "text" or categorical:
        texts = [text for text in texts_of(column) if text is not None]
        many = len(set(texts))
        if many > FEW_VALUES and many > DIFFERENT * len(texts):
            if all(_is_number(text) for text in texts):
                return "its numbers are written as text; convert them to numbers"
            return (
                f"{many} of its {len(texts)} values are different, as of names, ids or prose; "
                f"make it the index, or derive categories or numbers from it"
            )
    elif column.kind == "number" and n_known == n and n > FEW_VALUES and _ID.fullmatch(column.name):
        whole = bool(np.all(column.values == np.floor(column.values)))
        if whole and len(np.unique(column.values)) == n:
            return "it numbers the rows; make it the index, or rename it if it is a measurement"
    return ""


def example(column: RawColumn) -> Any:
    """The first value that is there."""
    known = column.values[~column.missing]
    return known[0] if len(known) else None


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
