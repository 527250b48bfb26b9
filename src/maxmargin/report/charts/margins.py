"""The distribution of the margins: a small histogram for each cluster, one below the other."""

from typing import Any

from maxmargin.explain.formatting import count, name_of, number
from maxmargin.report.charts.figure import (
    HIGHLIGHTED,
    INK,
    NOBODY,
    Chart,
    Figure,
    FigureTable,
    colors,
    named,
    opacity,
    specification,
)
from maxmargin.report.jsonable import rounded

#: Of the space between two base lines, what the highest bar takes.
TALLEST = 0.85


def margins_figure(margins: dict[str, Any], name: str) -> Figure:
    """Bins of all rows, each cluster's scaled to its own highest bar; 0 is marked."""
    import altair as alt

    edges, strips = rounded(margins["edges"]), margins["counts"]
    values, rows = [], []
    for place, strip in enumerate(strips):
        highest = max(strip["counts"])
        for bin_, n in enumerate(strip["counts"]):
            if n:
                low, high = edges[bin_], edges[bin_ + 1]
                where = f"{number(low)} to {number(high)}"
                rows.append([name_of(strip["cluster"]), where, n])
                values.append(
                    {
                        "c": strip["cluster"],
                        "x0": low,
                        "x1": high,
                        "y0": place + 1,
                        "y1": round(place + 1 - TALLEST * n / highest, 4),
                        "tip": [
                            f"{name_of(strip['cluster'])}: {count(n, 'row')}",
                            f"margin {where}",
                        ],
                    }
                )
    names = [str(strip["cluster"]) if strip["cluster"] >= 0 else "outliers" for strip in strips]
    ends = [min(edges[0] or 0, 0), max(edges[-1] or 0, 0)]
    x = alt.X("x0:Q", title="margin", scale=alt.Scale(domain=ends, nice=False))
    y = alt.Y(
        "y0:Q",
        title="cluster",
        scale=alt.Scale(domain=[len(strips) + 0.05, 0], nice=False),
        axis=alt.Axis(
            values=[place + 1 for place in range(len(strips))],
            labelExpr=f"{names}[datum.value - 1]",
            labelBaseline="bottom",
            ticks=False,
            domain=False,
        ),
    )
    bars = (
        alt.Chart(named("values"))
        .mark_rect(tooltip=alt.TooltipContent(content="data"), aria=False)
        .encode(
            x=x,
            x2="x1:Q",
            y=y,
            y2="y1:Q",
            color=alt.Color(
                "c:N", scale=colors([strip["cluster"] for strip in strips]), legend=None
            ),
            opacity=opacity(HIGHLIGHTED, 0.9, 0.2),
        )
    )
    zero = (
        alt.Chart(named("zero"))
        .mark_rule(color=INK, strokeDash=[4, 3], aria=False)
        .encode(x="x0:Q")
    )
    chart = (
        alt.layer(bars, zero)
        .add_params(alt.param(name="cluster", value=NOBODY))
        .properties(width="container", height=max(90, min(52, 900 // len(strips)) * len(strips)))
    )
    description = (
        "A histogram of the margins of each cluster, one below the other, each as high as its "
        "fullest bin; the dashed line is 0."
    )
    return Figure(
        name,
        "Margins by cluster",
        f"{margins['meaning']} One histogram for each cluster, of all rows, each as high as its "
        f"fullest bin; the dashed line is 0.",
        [Chart(specification(chart, values=values, zero=[{"x0": 0}]), description)],
        FigureTable.of(["cluster", "margin", "rows"], rows),
    )
