"""The margins of each cluster: small histograms, one below the other."""

from typing import Any

import altair as alt

from maxmargin.explain.formatting import count, name_of, number
from maxmargin.explain.margins import MarginHistogram
from maxmargin.report.charts.figure import (
    HIGHLIGHTED,
    NOBODY,
    TOOLTIP,
    Chart,
    Figure,
    FigureTable,
    chart_of,
    cluster_colors,
    dashed_line,
    opacity,
    specification,
)
from maxmargin.report.jsonable import rounded


def margins_figure(histogram: MarginHistogram, meaning: str, name: str) -> Figure:
    """Bins of all rows, each cluster's scaled to its own fullest bin; 0 is marked."""
    values = _bars(histogram)
    description = (
        "One histogram for each cluster, of all rows, each as high as its fullest bin; the dashed "
        "line is 0."
    )
    return Figure(
        name,
        "Margins by cluster",
        f"{meaning} {description}",
        [Chart(_spec(histogram, values), description)],
        FigureTable.of(
            ["cluster", "margin", "rows"],
            [[name_of(bar["c"]), bar["where"], bar["n"]] for bar in values],
        ),
    )


def _bars(histogram: MarginHistogram) -> list[dict[str, Any]]:
    """A rectangle for each bin that has rows."""
    edges = rounded(histogram.edges)
    bars = []
    for place, cluster in enumerate(histogram.clusters.tolist()):
        for bin_, n in enumerate(histogram.counts[place].tolist()):
            if n:
                where = f"{number(edges[bin_])} to {number(edges[bin_ + 1])}"
                bars.append(
                    {
                        "c": cluster,
                        "n": n,
                        "where": where,
                        "x0": edges[bin_],
                        "x1": edges[bin_ + 1],
                        "y0": place + 1,
                        "y1": round(place + 1 - histogram.heights[place, bin_], 4),
                        "tip": [f"{name_of(cluster)}: {count(n, 'row')}", f"margin {where}"],
                    }
                )
    return bars


def _spec(histogram: MarginHistogram, values: list[dict[str, Any]]) -> dict[str, Any]:
    clusters = histogram.clusters.tolist()
    names = [str(cluster) if cluster >= 0 else "outliers" for cluster in clusters]
    first, *_, last = rounded(histogram.edges)
    x = alt.X("x0:Q", title="margin", scale=alt.Scale(domain=[first, last], nice=False))
    y = alt.Y(
        "y0:Q",
        title="cluster",
        scale=alt.Scale(domain=[len(clusters) + 0.05, 0], nice=False),
        axis=alt.Axis(
            values=[place + 1 for place in range(len(clusters))],
            labelExpr=f"{names}[datum.value - 1]",
            labelBaseline="bottom",
            ticks=False,
            domain=False,
        ),
    )
    bars = (
        chart_of("values")
        .mark_rect(tooltip=TOOLTIP, aria=False)
        .encode(
            x=x,
            x2="x1:Q",
            y=y,
            y2="y1:Q",
            color=cluster_colors(clusters),
            opacity=opacity(HIGHLIGHTED, 0.9, 0.2),
        )
    )
    chart = (bars + dashed_line("zero", x="x0:Q")).add_params(
        alt.param(name="cluster", value=NOBODY)
    )
    height = max(90, min(52, 900 // len(clusters)) * len(clusters))
    return specification(chart, height, values=values, zero=[{"x0": 0}])
