"""Rows in the plane, coloured by cluster, with regions where the model says who owns them."""

import warnings
from typing import Any

import numpy as np

from maxmargin.explain.formatting import name_of
from maxmargin.explain.plane import Plane
from maxmargin.report.charts.figure import (
    INK,
    Chart,
    Figure,
    FigureTable,
    colors,
    named,
    opacity,
    shapes,
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
    cells = [columns[key] for key in keys]
    header = ["row", *plane.axes, "cluster", *(["margin"] if "m" in which else [])]
    rows = list(zip(*cells, strict=True))
    at = header.index("cluster")
    return Figure(
        id=name,
        title=TITLES[plane.kind],
        description=description + drawn_sentence,
        charts=[Chart(_spec(plane, partition, regions, len(rows)), description, which)],
        table=FigureTable.of(
            header, [[*row[:at], name_of(row[at]), *row[at + 1 :]] for row in rows]
        ),
    )


def _spec(
    plane: Plane, partition: PartitionView, regions: list[dict[str, Any]], n: int
) -> dict[str, Any]:
    import altair as alt

    clusters = [int(c) for c in np.unique(partition.clustering.labels)]
    known = sorted({*clusters, *(region["c"] for region in regions)})
    (x_low, x_high), (y_low, y_high) = _frame(plane)
    axis = alt.Axis(tickCount=8)
    across = {"title": plane.axes[0], "scale": alt.Scale(domain=[x_low, x_high], nice=False)}
    upwards = {"title": plane.axes[1], "scale": alt.Scale(domain=[y_low, y_high], nice=False)}
    picked = alt.param(name="picked", value=False)
    brush = alt.selection_interval(
        name="brush", mark=alt.BrushConfig(fill=INK, fillOpacity=0.1, stroke=INK)
    )
    color = alt.Color("c:N", scale=colors(known), legend=None)
    marks = (
        alt.Chart(named("points"))
        .mark_point(
            filled=True,
            size=46 if n <= 600 else 26,
            stroke=INK,
            tooltip=alt.TooltipContent(content="data"),
            aria=False,
        )
        .encode(
            x=alt.X("x:Q", axis=axis, **across),
            y=alt.Y("y:Q", axis=axis, **upwards),
            color=color,
            shape=alt.Shape("c:N", scale=shapes(known), legend=None),
            opacity=opacity("!picked || picked[datum.r]", 0.85, 0.07),
            strokeWidth=alt.StrokeWidthValue(0.4, condition={"test": "datum.c < 0", "value": 1.6}),
        )
        .add_params(brush)
    )
    layers = [marks]
    if regions:
        layers.insert(
            0,
            alt.Chart(named("regions"))
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
    chart = alt.layer(*layers).add_params(picked).properties(width="container", height=340)
    return specification(chart, regions=regions)


def _frame(plane: Plane) -> tuple[tuple[float, float], ...]:
    """The ends of both axes, with a little room."""
    low, high = plane.points.min(axis=0), plane.points.max(axis=0)
    room = np.where(high > low, 0.04 * (high - low), 0.5)
    return tuple(
        (float(f"{a:.5g}"), float(f"{b:.5g}")) for a, b in zip(low - room, high + room, strict=True)
    )


def _regions(plane: Plane, partition: PartitionView) -> list[dict[str, Any]]:
    """Stretches of grid lines with one cluster, as rectangles."""
    if plane.labels_at is None or not plane.exact:
        return []
    if len(partition.clustering.clusters) < 2:
        return []
    (x_low, x_high), (y_low, y_high) = _frame(plane)
    xs, ys = np.linspace(x_low, x_high, GRID + 1), np.linspace(y_low, y_high, GRID + 1)
    middle_x, middle_y = (xs[1:] + xs[:-1]) / 2, (ys[1:] + ys[:-1]) / 2
    points = np.column_stack([np.tile(middle_x, GRID), np.repeat(middle_y, GRID)])
    with warnings.catch_warnings():
        # A model of a data frame is asked about points without names.
        warnings.filterwarnings("ignore", message="X does not have valid feature names")
        labels = plane.labels_at(points)
    if plane.kind == "features":
        labels = partition.shown(labels)
    found = []
    x_text, y_text = rounded(xs), rounded(ys)
    for line, owners in enumerate(labels.reshape(GRID, GRID)):
        starts = np.flatnonzero(np.diff(owners, prepend=-9))
        for start, end in zip(starts, [*starts[1:], GRID], strict=True):
            if owners[start] >= 0:
                found.append(
                    {
                        "x0": x_text[start],
                        "x1": x_text[end],
                        "y0": y_text[line],
                        "y1": y_text[line + 1],
                        "c": int(owners[start]),
                    }
                )
    return found
