"""What is known of a column when each part of it was looked at once, wherever the parts are."""

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from maxmargin.preprocessing.frames import RawColumn
from maxmargin.preprocessing.kinds import texts_of, with_dates

#: Rows whose values give what fills gaps: those of more rows hardly change it.
SAMPLED_ROWS = 100_000
#: Different values of text that are counted; a column with more of them is no category.
MOST_VALUES = 100_000
SAID = {
    "number": "a number",
    "flag": "a flag",
    "text": "text",
    "date": "a date",
    "duration": "a duration",
}


@dataclass(frozen=True, eq=False)
class ColumnSummary:
    """A column, or a part of it.

    Attributes
    ----------
    some : RawColumn
        Its values at the sampled rows; of the kind of the whole.
    n, n_known : int
        Its rows, and how many have a value.
    counts : Counter
        How many rows have each value, of text and of categories.
    dates : bool
        Whether all text is dates.
    """

    some: RawColumn
    n: int
    n_known: int
    counts: Counter[str]
    dates: bool

    @property
    def too_many(self) -> bool:
        """Whether there are more different values than are counted."""
        return len(self.counts) > MOST_VALUES

    def __add__(self, other: "ColumnSummary") -> "ColumnSummary":
        name, kind = self.some.name, _joined(self, other)
        known = [part.some.values for part in (self, other) if part.n_known]  # gaps have no kind
        values = np.concatenate(known) if known else self.some.values
        counts = self.counts if self.too_many else self.counts + other.counts
        return replace(
            self,
            some=RawColumn(name, kind, values),
            n=self.n + other.n,
            n_known=self.n_known + other.n_known,
            counts=counts,
            dates=(self.dates or not self.n_known) and (other.dates or not other.n_known),
        )


def summarize(
    column: RawColumn, sampled: NDArray[np.intp], *, categorical: bool = False
) -> ColumnSummary:
    """Look at a part of a column; ``sampled`` are the rows of it whose values are kept."""
    n_known = int(np.sum(~column.missing))
    text = column.kind == "text"
    counts: Counter[str] = Counter()
    if text or categorical:
        counts.update(value for value in texts_of(column) if value is not None)
    some = RawColumn(column.name, column.kind, column.values[sampled])
    dates = text and with_dates(column).kind == "date"
    return ColumnSummary(some, len(column.values), n_known, counts, dates)


def sampled_rows(n: int) -> NDArray[np.intp]:
    """The rows whose values are kept: all of few, by their numbers alone of many."""
    if n <= SAMPLED_ROWS:
        return np.arange(n)
    rng = np.random.default_rng(0)
    return np.sort(rng.choice(n, SAMPLED_ROWS, replace=False, shuffle=False))


def _joined(one: ColumnSummary, other: ColumnSummary) -> str:
    """The kind of two parts together; one without values has none."""
    kinds = {part.some.kind for part in (one, other) if part.n_known} or {one.some.kind}
    if len(kinds) == 1:
        return kinds.pop()
    if kinds == {"number", "flag"}:
        return "number"
    said = " and ".join(sorted(SAID.get(kind, "of an unknown kind") for kind in kinds))
    raise ValueError(
        f"X: column {one.some.name!r} is {said} in different parts. Store it as one kind."
    )
