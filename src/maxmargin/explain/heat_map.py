"""Which candidates a heat map shows, in which order, and how their scores are written."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from maxmargin.explain.candidates import CandidateScores
from maxmargin.explain.formatting import fixed, without_constants

#: Shades cover so many times the distance from the best score to the median.
REACH = 2.5


@dataclass(frozen=True, eq=False)
class HeatMap:
    """The best candidates, the chosen one always among them.

    Attributes
    ----------
    candidates : CandidateScores
        All of them.
    rows, columns : ndarrays of int
        Which rows and columns of the candidates are shown, in this order: a list begins with
        the best one, ranks and tables keep their order.
    values : ndarray of shape (n_rows, n_columns)
        Their scores; NaN where nothing was measured.
    row_names, column_names : list of str
        Their names, without the parameters that are the same in all of them.
    constants : list of str
        These parameters.
    chosen : tuple of int
        The row and column of the choice; a column of −1 is the whole row.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.explain.candidates import CandidateScores
    >>> from maxmargin.explain.heat_map import HeatMap
    >>> names = ["f(a=1, b=2)", "f(a=3, b=2)", "f(a=4, b=2)"]
    >>> scores = np.array([[0.5], [0.25], [1.0]])
    >>> all_three = CandidateScores(scores, names, ["score"], "candidate", "", "score", (2, 0))
    >>> shown = HeatMap.of(all_three, most=2)
    >>> shown.row_names, shown.constants, shown.texts
    (['f(a=4)', 'f(a=1)'], ['b=2'], [['1.00'], ['0.50']])
    >>> shown.hidden
    ['the best 2 of 3 candidates (1 not shown)']
    """

    candidates: CandidateScores
    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    values: NDArray[np.float64]
    row_names: list[str]
    column_names: list[str]
    constants: list[str]
    chosen: tuple[int, int]

    @classmethod
    def of(cls, candidates: CandidateScores, most: int) -> Self:
        """Show at most so many rows, and as many columns."""
        scores = candidates.values
        row, column = candidates.chosen
        rows = _best(scores, row, most, ranked=column < 0)
        columns = _best(scores.T, column, most)
        if scores.shape[1] == 1:
            rows = rows[np.argsort(-_nan_as_lowest(scores[rows, 0]), kind="stable")]
        row_names, same = without_constants([candidates.rows[i] for i in rows])
        column_names, same_too = without_constants([candidates.columns[j] for j in columns])
        place = list(rows).index(row), -1 if column < 0 else list(columns).index(column)
        constants = sorted({*same, *same_too})
        values = scores[np.ix_(rows, columns)]
        return cls(candidates, rows, columns, values, row_names, column_names, constants, place)

    @property
    def lowest(self) -> float | None:
        """The score at which shades begin; None without any score.

        Scores far below the median look the same: one that failed must not make all others
        look the same.
        """
        if np.isnan(self.values).all():
            return None
        top = float(np.nanmax(self.values))
        reach = top - REACH * (top - float(np.nanmedian(self.values)))
        return max(float(np.nanmin(self.values)), reach)

    @property
    def texts(self) -> list[list[str]]:
        """The scores with the same number of digits; empty where nothing was measured."""
        largest = float(np.nanmax(np.abs(self.values), initial=0.0))
        digits = 3 if largest < 1 else 2

        def text(score: float) -> str:
            if np.isnan(score):
                return ""
            return f"{score:.3g}" if largest >= 100 else fixed(score, digits)

        return [[text(score) for score in row] for row in self.values]

    @property
    def hidden(self) -> list[str]:
        """What is not shown, as phrases."""
        whole, phrases = self.candidates, []
        for shown, names, title in (
            (self.rows, whole.rows, whole.row_title),
            (self.columns, whole.columns, whole.column_title),
        ):
            if len(shown) < len(names):
                kind = "candidates" if title.startswith("candidate") else f"values of {title}"
                left = len(names) - len(shown)
                phrases.append(f"the best {len(shown)} of {len(names)} {kind} ({left} not shown)")
        return phrases


def _best(
    values: NDArray[np.float64], chosen: int, most: int, *, ranked: bool = False
) -> NDArray[np.intp]:
    """The rows with the largest values (or the first, if ranked), and the chosen one if any."""
    if len(values) <= most:
        return np.arange(len(values))
    worth = -np.arange(len(values), dtype=float) if ranked else _nan_as_lowest(values).max(axis=1)
    if chosen >= 0:
        worth[chosen] = np.inf
    return np.sort(np.argsort(-worth, kind="stable")[:most])


def _nan_as_lowest(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores, with −inf where nothing was measured."""
    return np.where(np.isnan(values), -np.inf, values)
