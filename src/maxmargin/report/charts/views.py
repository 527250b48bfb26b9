"""Rows in the plane, coloured by cluster, with regions where the model says who owns them."""

from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from maxmargin.explain.axis_limits import limits_of
from maxmargin.explain.formatting import name_of
from maxmargin.explain.plane import Plane
from maxmargin.report.charts.figure import (
    INK,
    TOOLTIP,
    Chart,
    Figure,
    FigureTable,
    chart_of,
    cluster_colors,
    cluster_scale,
    opacity,
    shape_of,
    specification,
)
from maxmargin.report.jsonable import rounded
from maxmargin.report.partition_view import PartitionView

#: Regions are asked for at so many points each way.
GRID = 110
TITLES = {
    "features": "The two columns, and who owns the plane",
    "discriminant": "As the model tells the clusters apart",
    "principal": "Principal components",
}
DESCRIPTIONS = {
    "features": "Each mark is a row, at its values of both columns.",
    "discriminant": "Each mark is a row, where the clusters' models put it: models that never saw "
    "the row, if there are such.",
    "principal": "Each mark is a row, in the two directions in which the rows vary most.",
}


def view_figure(
    plane: Plane,
    partition: PartitionView,
    name: str,
    columns: dict[str, list[Any]],
    which: dict[str, str],
    drawn_sentence: str,
) -> Figure:
    """Marks for the drawn rows; ``columns`` are theirs, ``which`` those to use for x, y, c."""
    regions = _regions(plane, partition)
    description = DESCRIPTIONS[plane.kind]
    if regions:
        description += " The background shows the cluster that a new row there would get."
    keys = [key for key in ("id", which["x"], which["y"], which["c"], which.get("m")) if key]
    header = ["row", *plane.axes, "cluster", *(["margin"] if "m" in which else [])]
    rows = [
        [row, x, y, name_of(cluster), *margin]
        for row, x, y, cluster, *margin in zip(*(columns[key] for key in keys), strict=True)
    ]
    return Figure(
        id=name,
        title=TITLES[plane.kind],
        description=description + drawn_sentence,
        charts=[Chart(_spec(plane, partition, regions, len(rows)), description, which)],
        table=FigureTable.of(header, rows),
    )


def _spec(
    plane: Plane, partition: PartitionView, regions: list[dict[str, Any]], n: int
) -> dict[str, Any]:
    clusters = [int(c) for c in np.unique(partition.clustering.labels)]
    known = sorted({*clusters, *(region["c"] for region in regions)})
    x_ends, y_ends = (rounded(ends) for ends in np.transpose(limits_of(plane.points)))
    axis = alt.Axis(tickCount=8)
    across = {"title": plane.axes[0], "scale": alt.Scale(domain=x_ends, nice=False)}
    upwards = {"title": plane.axes[1], "scale": alt.Scale(domain=y_ends, nice=False)}
    picked = alt.param(name="picked", value=False)
    brush = alt.selection_interval(
        name="brush", mark=alt.BrushConfig(fill=INK, fillOpacity=0.1, stroke=INK)
    )
    color = cluster_colors(known)
    marks = (
        chart_of("points")
        .mark_point(
            filled=True, size=46 if n <= 600 else 26, stroke=INK, tooltip=TOOLTIP, aria=False
        )
        .encode(
            x=alt.X("x:Q", axis=axis, **across),
            y=alt.Y("y:Q", axis=axis, **upwards),
            color=color,
            shape=alt.Shape("c:N", scale=cluster_scale(known, shape_of), legend=None),
            opacity=opacity("!picked || picked[datum.r]", 0.85, 0.07),
            strokeWidth=alt.StrokeWidthValue(0.4, condition={"test": "datum.c < 0", "value": 1.6}),
        )
        .add_params(brush)
    )
    layers = [marks]
    if regions:
        layers.insert(
            0,
            chart_of("regions")
            .mark_rect(opacity=0.2, aria=False, tooltip=None)
            # The same ends as the marks: rectangles alone would have their axes begin at 0.
            .encode(
                x=alt.X("x0:Q", axis=axis, **across),
                x2="x1:Q",
                y=alt.Y("y0:Q", axis=axis, **upwards),
                y2="y1:Q",
                color=color,
            ),
        )
    return specification(alt.layer(*layers).add_params(picked), 340, regions=regions)


def _regions(plane: Plane, partition: PartitionView) -> list[dict[str, Any]]:
    """Stretches of grid lines with one cluster, as rectangles."""
    several = plane.exact and len(partition.clustering.clusters) > 1
    found = plane.regions(GRID) if several else None
    if found is None:
        return []
    x0, x1, labels = found
    if plane.kind == "features":  # which the model predicts, in numbers of its own
        labels = partition.shown(labels)
    x, y = rounded(_borders(x0[0])), rounded(_borders(x1[:, 0]))
    rectangles = []
    for line, owners in enumerate(labels):
        starts = np.flatnonzero(np.diff(owners, prepend=-9))
        for start, end in zip(starts, [*starts[1:], len(owners)], strict=True):
            if owners[start] >= 0:
                sides = {"x0": x[start], "x1": x[end], "y0": y[line], "y1": y[line + 1]}
                rectangles.append({**sides, "c": int(owners[start])})
    return rectangles


def _borders(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where the cells around the points of a grid line begin and end."""
    return np.concatenate([points[:1], (points[1:] + points[:-1]) / 2, points[-1:]])
