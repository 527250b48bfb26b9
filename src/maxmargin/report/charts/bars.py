"""Bars: the sizes of clusters, the weights of kernels."""

from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from maxmargin.explain.clustering import clusters_in
from maxmargin.explain.colors import MAIN
from maxmargin.explain.formatting import count, name_of, share
from maxmargin.report.charts.figure import (
    HIGHLIGHTED,
    INK,
    NOBODY,
    TOOLTIP,
    Chart,
    Figure,
    FigureTable,
    chart_of,
    cluster_colors,
    opacity,
    specification,
)


def sizes_figure(labels: NDArray[np.intp], name: str) -> Figure:
    """The rows of each cluster; a click highlights one."""
    clusters, sizes = (found.tolist() for found in clusters_in(labels))
    shares = [share(size, len(labels)) for size in sizes]
    values = [
        {
            "c": cluster,
            "name": name_of(cluster),
            "n": size,
            "text": f"{size:,} ({part})",
            "tip": [f"{name_of(cluster)}: {count(size, 'row')}, {part}"],
        }
        for cluster, size, part in zip(clusters, sizes, shares, strict=True)
    ]
    # Room for the figures at the ends of the bars.
    scale = alt.Scale(domain=[0, 1.25 * max(sizes)], nice=False)
    rows = alt.X("n:Q", title="rows", axis=alt.Axis(grid=False, tickCount=4), scale=scale)
    base = chart_of("values").encode(y=_names(), x=rows)
    bars = base.mark_bar(cursor="pointer", tooltip=TOOLTIP).encode(
        color=cluster_colors(clusters), opacity=opacity(HIGHLIGHTED, 1, 0.25)
    )
    texts = base.mark_text(align="left", dx=5, fill=INK, aria=False).encode(text="text:N")
    chart = (bars + texts).add_params(alt.param(name="cluster", value=NOBODY))
    height = max(12, min(24, 1200 // len(values))) * len(values)
    description = "The size of each cluster, as bars."
    return Figure(
        name,
        "Rows in each cluster",
        f"{description} Click a bar to highlight its rows above.",
        [Chart(specification(chart, height, values=values), description)],
        FigureTable.of(
            ["cluster", "rows", "share"],
            list(zip(map(name_of, clusters), sizes, shares, strict=True)),
        ),
    )


def weights_figure(weights: dict[str, float], name: str) -> Figure:
    """How much each kernel counts."""
    values = [
        {"name": f"{place + 1}. {kernel}", "w": weight, "tip": [f"{kernel}: {weight:.3f}"]}
        for place, (kernel, weight) in enumerate(weights.items())
    ]
    chart = (
        chart_of("values")
        .mark_bar(color=MAIN, tooltip=TOOLTIP)
        .encode(y=_names(), x=alt.X("w:Q", title="weight", axis=alt.Axis(tickCount=5)))
    )
    description = "The weight of each kernel, learned together with the clusters, as bars."
    return Figure(
        name,
        "Weights of the kernels",
        description,
        [Chart(specification(chart, 22 * len(values), values=values), description)],
        FigureTable.of(["kernel", "weight"], list(weights.items())),
    )


def _names() -> Any:
    """The axis of names, in the order of the data."""
    axis = alt.Axis(domain=False, ticks=False, labelPadding=6)
    return alt.Y("name:N", sort=None, title=None, axis=axis)
