"""How one column becomes numbers, on the rows of fit and on new rows alike."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin._runtime.memory import require_memory
from maxmargin.preprocessing.frames import RawColumn
from maxmargin.preprocessing.kinds import example, texts_of, with_dates
from maxmargin.preprocessing.summaries import SAID, ColumnSummary, sampled_rows, summarize
from maxmargin.preprocessing.unusable import why_unusable

#: The category of all values that are too rare for a column of their own.
OTHER = "other"
#: The units of columns that are not plain numbers.
UNITS = {"date": " (year)", "duration": " (days)"}


@dataclass(frozen=True)
class ColumnEncoding:
    """What was done with a column.

    Attributes
    ----------
    name : str
    kind : {"number", "flag", "category", "date", "duration", "unusable"}
    n_missing : int
        The gaps among the rows of ``fit``.
    fill : float or None
        What takes the place of a gap in numbers, flags and dates.
    categories : tuple of str
        The values that have a column of zeros and ones each.
    shares : tuple of float
        The share of the rows that each of these has: what stands for a gap or an unknown value.
    n_pooled : int
        How many rare values are the category ``other`` together.
    why : str
        Why the column is unusable, and what to do.
    """

    name: str
    kind: str
    n_missing: int = 0
    fill: float | None = None
    categories: tuple[str, ...] = ()
    shares: tuple[float, ...] = ()
    n_pooled: int = 0
    why: str = ""

    @property
    def names(self) -> list[str]:
        """The names of the columns of numbers that it becomes."""
        if self.kind == "unusable":
            return []
        if self.kind == "category":
            return [f"{self.name}={category}" for category in self.categories]
        return [self.name + UNITS.get(self.kind, "")]

    def __str__(self) -> str:
        if self.kind == "unusable":
            return f"{self.name!r}: left out: {self.why}"
        said = {
            "number": "a number",
            "flag": "a flag: 0 or 1",
            "date": "a date: its year with decimals",
            "duration": "a duration: its days",
            "category": f"{len(self.categories)} categories",
        }[self.kind]
        if self.n_pooled:
            said += f", {self.n_pooled} rare values pooled as {OTHER!r}"
        if self.n_missing:
            average = "taken for the average"
            filled = average if self.fill is None else f"filled with {self.fill:.6g}"
            said += f"; {self.n_missing} missing, {filled}"
        return f"{self.name!r}: {said}"

    def write(self, column: RawColumn, out: NDArray[np.float64]) -> tuple[int, int]:
        """Fill in the columns of numbers; return how many values were missing, and unknown.

        A gap in a category, and a value that the rows of ``fit`` did not have, is at the shares
        of the categories: as near to each of them as the average row is.
        """
        if self.kind != "category":
            column = with_dates(column) if self.kind == "date" else column
            if column.kind == "text" and column.missing.all():  # no value is of no kind
                column = RawColumn(column.name, self.kind, np.full(len(column.values), np.nan))
            if column.values.dtype.kind != "f" or column.kind not in _TAKES[self.kind]:
                raise ValueError(
                    f"X: column {self.name!r} was {SAID[self.kind]} at fit, and now it is "
                    f"{SAID.get(column.kind, 'of an unknown kind')}, such as "
                    f"{example(column)!r}. Correct its values."
                )
            gaps = np.isnan(column.values)
            out[:, 0] = column.values
            out[gaps, 0] = self.fill
            return int(gaps.sum()), 0
        places = {category: place for place, category in enumerate(self.categories)}
        rare = places.get(OTHER, -1) if self.n_pooled else -1
        texts = texts_of(column)
        codes = np.array([-2 if t is None else places.get(t, rare) for t in texts], np.intp)
        out[:] = np.array(self.shares)
        known = np.flatnonzero(codes >= 0)
        out[known] = 0.0
        out[known, codes[known]] = 1.0
        return int(np.sum(codes == -2)), int(np.sum(codes == -1))

    def to_json(self) -> dict[str, Any]:
        """Plain values that JSON keeps."""
        return asdict(self) | {"categories": list(self.categories), "shares": list(self.shares)}

    @classmethod
    def from_json(cls, kept: dict[str, Any]) -> "ColumnEncoding":
        """Undo `to_json`."""
        lists = {name: tuple(kept[name]) for name in ("categories", "shares")}
        return cls(**kept | lists)


_TAKES = {
    "number": ("number", "flag"),
    "flag": ("number", "flag"),
    "date": ("date",),
    "duration": ("duration",),
}


def learn_encoding(
    column: RawColumn,
    impute: str,
    max_categories: int,
    *,
    categorical: bool = False,
    strict: bool = False,
) -> ColumnEncoding:
    """Learn from the rows of ``fit`` how a column becomes numbers.

    ``strict`` takes text for categories, and every column for one that can be used.

    Examples
    --------
    >>> from maxmargin.preprocessing.encodings import learn_encoding
    >>> from maxmargin.preprocessing.frames import columns_of
    >>> table = {"age": [30, 41, None], "smoker": ["yes", "no", "no"]}
    >>> for column in columns_of(table):
    ...     print(learn_encoding(column, "median", 30))
    'age': a number; 1 missing, filled with 35.5
    'smoker': 2 categories
    """
    summary = summarize(column, sampled_rows(len(column.values)), categorical=categorical)
    return encoding_of(summary, impute, max_categories, categorical=categorical, strict=strict)


def encoding_of(
    column: ColumnSummary,
    impute: str,
    max_categories: int,
    *,
    categorical: bool = False,
    strict: bool = False,
) -> ColumnEncoding:
    """The same, from what is known of all parts of a column."""
    some, n, n_known = column.some, column.n, column.n_known
    why = "" if strict else why_unusable(column, categorical)
    if why:
        return ColumnEncoding(some.name, "unusable", n - n_known, why=why)
    if column.dates and not (strict or categorical):
        some = with_dates(some)
    if some.kind != "text" and not categorical:
        known = some.values[~some.missing]
        fill = np.median(known) if impute == "median" and some.kind != "flag" else known.mean()
        return ColumnEncoding(some.name, some.kind, n - n_known, float(fill))
    counts = Counter(column.counts)
    kept, pooled = sorted(counts), 0
    if len(counts) > max_categories:
        by_size = sorted(counts, key=lambda text: (-counts[text], text))
        kept, pooled = sorted(by_size[: max_categories - 1]), len(counts) - max_categories + 1
        counts[OTHER] = sum(counts[text] for text in by_size[max_categories - 1 :])
        kept = [*(text for text in kept if text != OTHER), OTHER]
    shares = tuple(counts[text] / n_known for text in kept)
    return ColumnEncoding(some.name, "category", n - n_known, None, tuple(kept), shares, pooled)


def write_columns(
    encodings: Sequence[ColumnEncoding], columns: Sequence[RawColumn]
) -> tuple[NDArray[np.float64], list[str], int]:
    """Make numbers of columns.

    Returns
    -------
    rows : ndarray
    unknown : list of str
        A sentence for each column with values that the rows of ``fit`` did not have.
    n_filled : int
        The gaps that were filled.
    """
    n, d = len(columns[0].values), sum(len(encoding.names) for encoding in encodings)
    require_memory(8 * n * d, "The table", "Use fewer columns.")
    rows, unknown, start, n_filled = np.empty((n, d)), [], 0, 0
    for encoding, column in zip(encodings, columns, strict=True):
        stop = start + len(encoding.names)
        if stop == start:
            continue
        gaps, new = encoding.write(column, rows[:, start:stop])
        start, n_filled = stop, n_filled + gaps
        if new:
            unknown.append(
                f"{new:,} {'value' if new == 1 else 'values'} of {encoding.name!r} did not occur "
                f"in the training data: taken for the average of its categories."
            )
    return rows, unknown, n_filled
