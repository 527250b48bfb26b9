"""All figures of the page, and the rows that they draw."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from maxmargin.explain.plane import Plane, discriminant_plane, feature_plane, principal_plane
from maxmargin.report.charts.bars import sizes_figure, weights_figure
from maxmargin.report.charts.candidates import candidates_figure
from maxmargin.report.charts.curves import number_figure, objective_figure, plateau_figure
from maxmargin.report.charts.figure import CONFIG, Figure
from maxmargin.report.charts.margins import margins_figure
from maxmargin.report.charts.views import view_figure
from maxmargin.report.jsonable import jsonable, rounded
from maxmargin.report.margins import MARGIN_MEANINGS, kind_of
from maxmargin.report.method import evidence_of
from maxmargin.report.partition_view import PartitionView

#: Features that a mark tells of itself.
N_HOVER = 5
#: What draws each part of :func:`~maxmargin.report.method.evidence_of`.
METHOD_FIGURES: dict[str, Callable[..., Figure]] = {
    "number": number_figure,
    "candidates": candidates_figure,
    "plateau": plateau_figure,
    "weights": weights_figure,
    "objective": objective_figure,
}


@dataclass(frozen=True)
class PageFigures:
    """The figures of a page, the columns of the drawn rows, the features that a mark tells."""

    columns: dict[str, list[Any]]
    features: list[dict[str, str]]
    views: list[list[Figure]]
    sizes: list[Figure]
    margins: list[Figure | None]
    method: list[Figure]

    def payload(self) -> dict[str, Any]:
        """What the script of the page reads."""
        figures = [*chain(*self.views), *self.sizes, *filter(None, self.margins), *self.method]
        charts = {
            f"{figure.id}-{place}": {
                "spec": chart.spec,
                "columns": chart.columns,
                "description": f"{figure.title}. {chart.description}",
            }
            for figure in figures
            for place, chart in enumerate(figure.charts)
        }
        page = {"columns": self.columns, "features": self.features, "config": CONFIG}
        return jsonable({**page, "charts": charts})


def make_figures(
    summary: dict[str, Any],
    partitions: list[PartitionView],
    ids: list[str],
    truth: list[str | None] | None,
    drawn: NDArray[np.intp],
) -> PageFigures:
    """Make every figure of a page."""
    columns: dict[str, list[Any]] = {"id": [ids[row] for row in drawn]}
    if truth is not None:
        columns["truth"] = [truth[row] for row in drawn]
    features = _features(summary, partitions[0], columns, drawn)
    sampled = summary["drawn"]["n_drawn"] < summary["drawn"]["n_rows"]
    sentence = f" {summary['drawn']['sentence']}" if sampled else ""
    views = [
        _views(i, partition, columns, drawn, sentence) for i, partition in enumerate(partitions)
    ]
    return PageFigures(
        columns,
        features,
        views,
        [sizes_figure(p.clustering.labels, f"sizes-{i}") for i, p in enumerate(partitions)],
        [_margins(i, partition) for i, partition in enumerate(partitions)],
        [
            METHOD_FIGURES[name](numbers, name)
            for name, numbers in evidence_of(partitions[0].clustering).items()
            if numbers is not None
        ],
    )


def _features(
    summary: dict[str, Any],
    answer: PartitionView,
    columns: dict[str, list[Any]],
    drawn: NDArray[np.intp],
) -> list[dict[str, str]]:
    """The features that differ most between the clusters of the answer, for each drawn row."""
    every = [item for c in summary["partitions"][0]["clusters"] for item in c["differs"]]
    every.sort(key=lambda item: -abs(item["difference"]))
    names = {item["column"]: item["feature"] for item in every}  # each once, the strongest first
    chosen = list(names)[:N_HOVER]
    X: Any = answer.clustering.X[drawn][:, chosen] if chosen else np.empty((len(drawn), 0))
    values = np.asarray(X.toarray() if issparse(X) else X)
    for place, column in enumerate(values.T):
        columns[f"f{place}"] = rounded(column)
    return [{"name": names[j], "column": f"f{place}"} for place, j in enumerate(chosen)]


def _views(
    i: int,
    partition: PartitionView,
    columns: dict[str, list[Any]],
    drawn: NDArray[np.intp],
    sentence: str,
) -> list[Figure]:
    """Two views of one partition: the rows as they are, and as its model sees them."""
    clustering = partition.clustering
    columns[f"c{i}"] = clustering.labels[drawn].tolist()
    shown = {"c": f"c{i}"}
    if clustering.margin is not None:
        columns[f"m{i}"] = rounded(clustering.margin[drawn], 3)
        shown["m"] = f"m{i}"
    if clustering.memberships is not None:
        columns[f"s{i}"] = rounded(clustering.memberships[drawn].max(axis=1), 3)
        shown["s"] = f"s{i}"
    planes: list[tuple[str, Plane | None]] = [
        ("p", feature_plane(clustering) or principal_plane(clustering)),
        (f"d{i}", discriminant_plane(clustering)),
    ]
    figures = []
    for key, plane in planes:
        if plane is not None:
            for axis, values in zip("xy", plane.points[drawn].T, strict=True):
                columns.setdefault(f"{key}{axis}", rounded(values))
            which = {"x": f"{key}x", "y": f"{key}y", **shown}
            name = f"{plane.kind}-{i}"
            figures.append(view_figure(plane, partition, name, columns, which, sentence))
    return figures


def _margins(i: int, partition: PartitionView) -> Figure | None:
    if partition.histogram is None:
        return None
    meaning = MARGIN_MEANINGS[kind_of(partition.clustering.model)]
    return margins_figure(partition.histogram, meaning, f"margins-{i}")
