"""The candidates that a model was chosen among, and their scores."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin.explain.clustering import nested_estimators
from maxmargin.explain.formatting import without_constants


@dataclass(frozen=True, eq=False)
class CandidateScores:
    """Candidates and their scores, as a table.

    Attributes
    ----------
    values : ndarray of shape (n_rows, n_columns)
        The scores; larger is better. NaN where nothing was measured.
    rows, columns : list of str
        Their names.
    row_title, column_title, score : str
        What rows, columns and values are.
    chosen : tuple of int
        The row and column of the choice; a column of −1 is the whole row.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import load_iris
    >>> from maxmargin import UnsupervisedSearch
    >>> from maxmargin.explain.candidates import CandidateScores
    >>> means, grid = KMeans(n_init=1, random_state=0), {"n_clusters": [2, 3]}
    >>> search = UnsupervisedSearch(means, grid, criterion="split_gap").fit(load_iris().data)
    >>> found = CandidateScores.of(search)
    >>> found.rows, found.values.shape
    (['n_clusters=2', 'n_clusters=3'], (2, 1))
    """

    values: NDArray[np.float64]
    rows: list[str]
    columns: list[str]
    row_title: str
    column_title: str
    score: str
    chosen: tuple[int, int]

    @classmethod
    def of(cls, estimator: Any) -> "CandidateScores | None":
        """The candidates of a fitted estimator; None if there was no choice.

        Of several choices the outermost one: that of a search before a model's own.
        """
        for model in nested_estimators(estimator):
            if hasattr(model, "cv_results_"):
                return _of_search(model)
            if getattr(model, "selection_", None):
                return _of_front_door(model)
            if hasattr(model, "candidates_"):
                return _of_widths(model.candidates_)
        return None


def _of_front_door(model: Any) -> CandidateScores:
    """Every candidate in every space that judges it, the best first."""
    table, chosen = model.selection_, model.chosen_
    order = np.argsort(table["rank"])
    judges = [name for name in table if name.startswith("loo ")]
    cells = [*table["source"][order], *(name.removeprefix("loo ") for name in judges)]
    short = dict(zip(cells, without_constants(cells)[0], strict=True))
    values = np.column_stack([table[name][order] for name in judges])
    taken = np.flatnonzero(
        (table["source"][order] == chosen["source"])
        & (table["start"][order] == chosen["start"])
        & (table["score"][order] == chosen["score"])
    )
    return CandidateScores(
        values,
        [
            f"{place + 1}. {start} in {short[source]}"
            for place, (source, start) in enumerate(
                zip(table["source"][order], table["start"][order], strict=True)
            )
        ],
        [short[name.removeprefix("loo ")] for name in judges],
        "candidate, by rank",
        "space that judges it",
        "leave-one-out R²",
        (int(taken[0]) if len(taken) else 0, -1),
    )


def _of_widths(table: dict[str, NDArray[Any]]) -> CandidateScores:
    """The widths and smallest sizes of support vector clustering."""
    widths, at = np.unique(table["gamma"], return_inverse=True)
    sizes, of = np.unique(table["min_cluster_size"], return_inverse=True)
    values = np.full((len(widths), len(sizes)), np.nan)
    values[at, of] = np.where(np.isfinite(table["split_gap"]), table["split_gap"], np.nan)
    best = int(np.flatnonzero(table["chosen"])[0])
    return CandidateScores(
        values,
        [f"{gamma:.4g}" for gamma in widths],
        [str(size) for size in sizes],
        "gamma",
        "min_cluster_size",
        "split gap",
        (int(at[best]), int(of[best])),
    )


def _of_search(model: Any) -> CandidateScores:
    """The candidates of a grid: a table of two parameters, or a list."""
    table = model.cv_results_
    settings = table["params"]
    measured = "score" if "score" in table else "mean_test_score"  # scikit-learn's own searches
    if measured not in table:
        measured = f"mean_test_{model.refit}"  # of several, the one that chose
    scores = np.asarray(table[measured], dtype=np.float64)
    names = sorted({name for setting in settings for name in setting})
    if len(names) == 2 and all(len(setting) == 2 for setting in settings):
        rows, columns = (
            list(dict.fromkeys(str(setting[name]) for setting in settings)) for name in names
        )
        if len(rows) * len(columns) == len(settings):
            values = np.full((len(rows), len(columns)), np.nan)
            for setting, score in zip(settings, scores, strict=True):
                i, j = rows.index(str(setting[names[0]])), columns.index(str(setting[names[1]]))
                values[i, j] = score
            best = settings[model.best_index_]
            chosen = rows.index(str(best[names[0]])), columns.index(str(best[names[1]]))
            return CandidateScores(values, rows, columns, names[0], names[1], "score", chosen)
    return CandidateScores(
        scores[:, None],
        [", ".join(f"{name}={value}" for name, value in s.items()) or "default" for s in settings],
        ["score"],
        "candidate",
        "",
        "score",
        (int(model.best_index_), 0),
    )
