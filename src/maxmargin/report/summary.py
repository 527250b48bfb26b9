"""The summary: everything that a report says, as plain numbers and sentences."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

import maxmargin
from maxmargin.explain.formatting import count
from maxmargin.report.changes import changes_of
from maxmargin.report.clusters import clusters_of
from maxmargin.report.data import data_of
from maxmargin.report.headline import headline_of
from maxmargin.report.jsonable import jsonable
from maxmargin.report.margins import margins_of
from maxmargin.report.method import method_of
from maxmargin.report.partition_view import PartitionView
from maxmargin.report.truth import truth_of
from maxmargin.report.warnings import warnings_of

#: Of the keys below; a larger number may mean other keys.
VERSION = 1


def summarize(
    partitions: list[PartitionView],
    *,
    title: str,
    ids: list[str],
    truth: list[str | None] | None,
    warnings: list[str] | None,
    drawn: NDArray[np.intp],
) -> dict[str, Any]:
    """Sum up partitions of the same rows, the answer first; all numbers are of all rows."""
    answer = partitions[0].clustering
    found: dict[str, Any] = {
        "version": VERSION,
        "maxmargin": maxmargin.__version__,
        "title": title,
        "data": data_of(answer),
        "method": method_of(answer),
        "partitions": [_partition(partition, partitions[0], ids) for partition in partitions],
        "truth": None if truth is None else truth_of(answer.labels, truth),
        "drawn": _drawn(len(drawn), len(answer.labels)),
    }
    found["headline"] = headline_of(found)
    found["warnings"] = warnings_of(found, warnings, answer)
    return jsonable(found)


def _partition(partition: PartitionView, answer: PartitionView, ids: list[str]) -> dict[str, Any]:
    return {
        "name": partition.name,
        "score": partition.score,
        "n_outliers": int(np.sum(partition.clustering.labels < 0)),
        "clusters": clusters_of(partition, ids),
        "margins": margins_of(partition, ids),
        "changes": None if partition is answer else changes_of(answer, partition),
    }


def _drawn(n_drawn: int, n_rows: int) -> dict[str, Any]:
    sentence = (
        "The charts show every row."
        if n_drawn == n_rows
        else f"{n_drawn:,} of {count(n_rows, 'row')} are drawn, some of every cluster; all numbers "
        f"are of all rows."
    )
    return {"n_drawn": n_drawn, "n_rows": n_rows, "sentence": sentence}
