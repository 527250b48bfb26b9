"""Bars: the sizes of clusters, the weights of kernels."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin.explain.clustering import clusters_in
from maxmargin.explain.colors import MAIN
from maxmargin.explain.formatting import count, name_of, share
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


def sizes_figure(labels: NDArray[np.intp], name: str) -> Figure:
    """The rows of each cluster; a click highlights one."""
    import altair as alt

    n_rows = len(labels)
    sizes = list(zip(*(found.tolist() for found in clusters_in(labels)), strict=True))
    values = [
        {
            "c": cluster,
            "name": name_of(cluster),
            "n": size,
            "text": f"{size:,} ({share(size, n_rows)})",
            "tip": [f"{name_of(cluster)}: {count(size, 'row')}, {share(size, n_rows)}"],
        }
        for cluster, size in sizes
    ]
    largest = max(size for _, size in sizes)
    base = alt.Chart(named("values")).encode(
        y=_names(),
        x=alt.X(
            "n:Q",
            title="rows",
            axis=alt.Axis(grid=False, tickCount=4),
            # Room for the figures at the ends of the bars.
            scale=alt.Scale(domain=[0, 1.25 * largest], nice=False),
        ),
    )
    bars = base.mark_bar(cursor="pointer", tooltip=alt.TooltipContent(content="data")).encode(
        color=alt.Color("c:N", scale=colors([c for c, _ in sizes]), legend=None),
        opacity=opacity(HIGHLIGHTED, 1, 0.25),
    )
    texts = base.mark_text(align="left", dx=5, fill=INK, aria=False).encode(text="text:N")
    chart = (
        (bars + texts)
        .add_params(alt.param(name="cluster", value=NOBODY))
        .properties(width="container", height=max(12, min(24, 1200 // len(values))) * len(values))
    )
    description = "The size of each cluster, as bars."
    return Figure(
        name,
        "Rows in each cluster",
        f"{description} Click a bar to highlight its rows above.",
        [Chart(specification(chart, values=values), description)],
        FigureTable.of(
            ["cluster", "rows", "share"],
            [[name_of(c), size, share(size, n_rows)] for c, size in sizes],
        ),
    )


def weights_figure(weights: dict[str, float], name: str) -> Figure:
    """How much each kernel counts."""
    import altair as alt

    values = [
        {
            "name": f"{place + 1}. {kernel}",
            "w": weight,
            "tip": [f"{kernel}: {weight:.3f}"],
        }
        for place, (kernel, weight) in enumerate(weights.items())
    ]
    chart = (
        alt.Chart(named("values"))
        .mark_bar(color=MAIN, tooltip=alt.TooltipContent(content="data"))
        .encode(
            y=_names(),
            x=alt.X("w:Q", title="weight", axis=alt.Axis(tickCount=5)),
        )
        .properties(width="container", height=22 * len(values))
    )
    description = "The weight of each kernel, learned together with the clusters, as bars."
    return Figure(
        name,
        "Weights of the kernels",
        description,
        [Chart(specification(chart, values=values), description)],
        FigureTable.of(["kernel", "weight"], [[*item] for item in weights.items()]),
    )


def _names() -> Any:
    """The axis of names, in the order of the data."""
    import altair as alt

    axis = alt.Axis(domain=False, ticks=False, labelPadding=6)
    return alt.Y("name:N", sort=None, title=None, axis=axis)
