"""Columns that say nothing of groups: names of rows, prose, almost no values."""

import re

import numpy as np

from maxmargin.preprocessing.kinds import example
from maxmargin.preprocessing.summaries import MOST_VALUES, ColumnSummary

#: A column with fewer values than this share of the rows says nothing.
FEWEST_VALUES = 0.05
#: Text with more different values than this share of its values names rows, or is prose,
DIFFERENT = 0.5
#: if there are more of them than this.
FEW_VALUES = 12
_ID = re.compile(r"(.*[_\W])?(id|index|row|rowid|rownames|row_?number|unnamed: \d+)", re.IGNORECASE)


def why_unusable(column: ColumnSummary, categorical: bool) -> str:
    """Why a column cannot be used, and what to do; empty if it can."""
    some, n, n_known, many = column.some, column.n, column.n_known, len(column.counts)
    if some.kind == "unknown":
        return (
            f"its values are no numbers, text or dates (such as {example(some)!r}); make "
            f"numbers or categories of them"
        )
    if n_known <= FEWEST_VALUES * n:
        return f"{n - n_known} of {n} values are missing; drop it, or turn it into a flag"
    if (some.kind == "text" and not column.dates) or categorical:
        if many > FEW_VALUES and (many > DIFFERENT * n_known or column.too_many):
            if all(_is_number(text) for text in column.counts):
                return "its numbers are written as text; convert them to numbers"
            said = f"more than {MOST_VALUES}" if column.too_many else f"{many} of its {n_known}"
            return (
                f"{said} values are different, as of names, ids or prose; make it the index, or "
                f"derive categories or numbers from it"
            )
    elif some.kind == "number" and n_known == n > FEW_VALUES and _ID.fullmatch(some.name):
        values = some.values
        if np.all(values == np.floor(values)) and len(np.unique(values)) == len(values):
            return "it numbers the rows; make it the index, or rename it if it is a measurement"
    return ""


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
