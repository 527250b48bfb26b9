"""The summary: everything that a report says, as plain numbers and sentences."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

import maxmargin
from maxmargin.explain.words import count
from maxmargin.report.changes import changes_of
from maxmargin.report.clusters import clusters_of
from maxmargin.report.data import data_of
from maxmargin.report.found import found_of, warnings_of
from maxmargin.report.grouping import Grouping
from maxmargin.report.margins import margins_of
from maxmargin.report.method import method_of
from maxmargin.report.plain import plain
from maxmargin.report.truth import truth_of

#: Of the keys below; a larger number may mean other keys.
VERSION = 1


def summarize(
    groupings: list[Grouping],
    *,
    title: str,
    ids: list[str],
    truth: list[str | None] | None,
    warnings: list[str] | None,
    drawn: NDArray[np.intp],
) -> dict[str, Any]:
    """Sum up groupings of the same rows, the answer first; of all rows, drawn or not."""
    answer = groupings[0].clustering
    found: dict[str, Any] = {
        "version": VERSION,
        "maxmargin": maxmargin.__version__,
        "title": title,
        "data": data_of(answer),
        "method": method_of(answer),
        "groupings": [_grouping(grouping, groupings[0], ids) for grouping in groupings],
        "truth": None if truth is None else truth_of(answer.labels, truth),
        "drawn": _drawn(len(drawn), len(answer.labels)),
    }
    found["found"] = found_of(found)
    found["warnings"] = warnings_of(found, warnings, answer)
    return plain(found)


def _grouping(grouping: Grouping, answer: Grouping, ids: list[str]) -> dict[str, Any]:
    return {
        "name": grouping.name,
        "score": grouping.score,
        "n_outliers": int(np.sum(grouping.clustering.labels < 0)),
        "clusters": clusters_of(grouping, ids),
        "margins": margins_of(grouping, ids),
        "changes": None if grouping is answer else changes_of(answer, grouping),
    }


def _drawn(n_drawn: int, n_rows: int) -> dict[str, Any]:
    sentence = (
        "The charts show every row."
        if n_drawn == n_rows
        else f"{n_drawn:,} of {count(n_rows, 'row')} are drawn, some of every cluster; all numbers "
        f"are of all rows."
    )
    return {"n_drawn": n_drawn, "n_rows": n_rows, "sentence": sentence}
