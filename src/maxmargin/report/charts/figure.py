"""A figure of the page: charts with a title, a description and the numbers behind them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from maxmargin.explain.colors import style_of

#: Tables are cut here, and say so.
MAX_ROWS = 50
#: No cluster is highlighted; −1 are the outliers.
NOBODY = -2
#: Of charts with a parameter ``cluster``: whether a mark is as strong as ever.
HIGHLIGHTED = f"cluster == {NOBODY} || cluster == datum.c"
#: Each marker as a path in the square from −1 to 1, for charts and for keys beside them.
SHAPES = {
    "o": "M1,0A1,1,0,1,1,-1,0A1,1,0,1,1,1,0Z",
    "s": "M-.9,-.9H.9V.9H-.9Z",
    "^": "M0,-1L1,.8H-1Z",
    "D": "M0,-1.1L1.1,0L0,1.1L-1.1,0Z",
    "v": "M0,1L1,-.8H-1Z",
    "P": "M-.35,-1H.35V-.35H1V.35H.35V1H-.35V.35H-1V-.35H-.35Z",
    "X": "M-1,-.5L-.5,-1L0,-.5L.5,-1L1,-.5L.5,0L1,.5L.5,1L0,.5L-.5,1L-1,.5L-.5,0Z",
    "*": "M0,-1.2L.35,-.4L1.2,-.3L.5,.2L.75,1L0,.55L-.75,1L-.5,.2L-1.2,-.3L-.35,-.4Z",
    "x": "M-.9,-.9L.9,.9M.9,-.9L-.9,.9",
}
#: A mark tells what the field ``tip`` of its data says.
TOOLTIP = alt.TooltipContent(content="data")
#: The text's own colour follows dark mode and print without another drawing.
INK = "currentColor"
CONFIG = {
    "background": None,
    # A list that a canvas understands too: texts are measured there.
    "font": "system-ui, -apple-system, Segoe UI, Roboto, Helvetica Neue, sans-serif",
    "view": {"stroke": None},
    "axis": {
        "labelColor": INK,
        "titleColor": INK,
        "domainColor": INK,
        "tickColor": INK,
        "gridColor": INK,
        "gridOpacity": 0.12,
        "domainOpacity": 0.4,
        "tickOpacity": 0.4,
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "maxExtent": 600,  # else the title lies over long labels
    },
    "title": {
        "color": INK,
        "fontSize": 12,
        "fontWeight": "normal",
        "anchor": "start",
        "limit": 320,
    },
}


@dataclass(frozen=True)
class Chart:
    """A Vega-Lite specification.

    ``columns`` says which columns of the drawn rows are its fields; None where the chart
    brings its own data. ``description`` is what a reader hears who does not see it.
    """

    spec: dict[str, Any]
    description: str
    columns: dict[str, str] | None = None


@dataclass(frozen=True)
class FigureTable:
    """The numbers of a figure, cut to what a page can hold."""

    header: list[str]
    rows: list[list[Any]]
    total: int

    @classmethod
    def of(cls, header: list[str], rows: Sequence[Sequence[Any]]) -> "FigureTable":
        """The first rows, and how many there are."""
        return cls(header, [list(row) for row in rows[:MAX_ROWS]], len(rows))


@dataclass(frozen=True)
class Figure:
    """What the page shows under one title."""

    id: str
    title: str
    description: str
    charts: list[Chart]
    table: FigureTable


def chart_of(name: str) -> Any:
    """A chart of data that Altair knows by name only: it would copy and check every number."""
    return alt.Chart(alt.NamedData(name=name))


def dashed_line(name: str, **channel: str) -> Any:
    """Dashed lines across a chart, at the values of a field."""
    return chart_of(name).mark_rule(color=INK, strokeDash=[4, 3], aria=False).encode(**channel)


def specification(chart: Any, height: int, **data: list[dict[str, Any]]) -> dict[str, Any]:
    """What Altair makes of a chart as wide as its place, with the data that it names.

    Without the address of its schema, which nobody shall fetch, and without a user's theme.
    """
    chart = chart.properties(width="container", height=height)
    spec = {**chart.to_dict(validate=False), "datasets": data}
    for key in ("$schema", "config"):
        spec.pop(key, None)
    return spec


def color_of(cluster: int) -> str:
    """The colour of a cluster; outliers have that of the text, light or dark."""
    return INK if cluster < 0 else style_of(cluster)["color"]


def shape_of(cluster: int) -> str:
    """The path of a cluster's marker."""
    return SHAPES[style_of(cluster)["marker"]]


def opacity(test: str, strong: float, faint: float) -> Any:
    """Marks that pass a test are strong, the others faint."""
    return alt.OpacityValue(faint, condition={"test": test, "value": strong})


def cluster_scale(clusters: Sequence[int], value_of: Callable[[int], str]) -> Any:
    """Altair's scale of the colours or the markers of clusters."""
    return alt.Scale(domain=list(clusters), range=[value_of(cluster) for cluster in clusters])


def cluster_colors(clusters: Sequence[int]) -> Any:
    """The colours of the field ``c``, without a legend."""
    return alt.Color("c:N", scale=cluster_scale(clusters, color_of), legend=None)
