"""Lines: the evidence for a number of clusters, the plateau of widths, the objective."""

from typing import Any

from maxmargin.explain.colors import PALETTE
from maxmargin.explain.formatting import number
from maxmargin.report.charts.figure import INK, Chart, Figure, FigureTable, named, specification

#: What is measured at each number of clusters, and which way it speaks.
EVIDENCE = {
    "split_gap": "split gap (highest is best)",
    "smallest_dip": "smallest dip (a fall: a cluster was cut)",
    "predictability": "predictability (a fall: a cluster was cut)",
}
#: A longer path is drawn by every so many steps.
MAX_STEPS = 300


def k_figure(curve: dict[str, Any], name: str) -> Figure:
    """What was measured at each number of clusters; the choice is marked."""
    charts = []
    for key, title in EVIDENCE.items():
        if key in curve:
            points = list(zip(curve["k"], curve[key], strict=True))
            spec = _line(points, "clusters", title, curve["chosen"], height=150)
            charts.append(Chart(spec, f"{title}, over the number of clusters, as a line."))
    keys = [key for key in curve if key != "chosen"]
    return Figure(
        name,
        "The number of clusters",
        f"What was measured at each number of clusters; the dashed line is the choice, "
        f"{curve['chosen']}.",
        charts,
        FigureTable.of(
            [key.replace("_", " ") for key in keys],
            list(zip(*(curve[key] for key in keys), strict=True)),
        ),
    )


def plateau_figure(found: dict[str, Any], name: str) -> Figure:
    """The number of clusters at each width."""
    points = list(zip(found["gamma"], found["n_clusters"], strict=True))
    spec = _line(points, "gamma", "clusters", found["chosen"], height=200, log=True)
    description = "The number of clusters over gamma; the dashed line is the choice."
    return Figure(
        name,
        "The plateau",
        description,
        [Chart(spec, description)],
        FigureTable.of(["gamma", "clusters"], points),
    )


def objective_figure(path: list[float], name: str) -> Figure:
    """The objective, step by step."""
    every = -(-len(path) // MAX_STEPS)
    points = [(step, path[step]) for step in range(0, len(path), every)]
    if points[-1][0] != len(path) - 1:
        points.append((len(path) - 1, path[-1]))
    spec = _line(points, "step", "objective", None, height=160)
    description = "The objective of the search, step by step, as a line."
    return Figure(
        name,
        "The objective",
        f"{description} {number(path[0])} at first, {number(path[-1])} at the end.",
        [Chart(spec, description)],
        FigureTable.of(["step", "objective"], list(enumerate(path))),
    )


def _line(
    points: list[tuple[Any, Any]],
    x_title: str,
    y_title: str,
    chosen: float | None,
    *,
    height: int,
    log: bool = False,
) -> dict[str, Any]:
    import altair as alt

    values = [{"x": x, "y": y, "tip": [f"{x_title} {number(x)}: {number(y)}"]} for x, y in points]
    scale = alt.Scale(type="log", nice=False) if log else alt.Scale(zero=False, nice=False)
    axis = alt.Axis(grid=False, tickCount=min(8, max(1, len(values) - 1)), format="~g")
    base = alt.Chart(named("values")).encode(
        x=alt.X("x:Q", title=x_title, scale=scale, axis=axis),
        y=alt.Y("y:Q", title=None, scale=_heights(points), axis=alt.Axis(tickCount=5)),
    )
    few = len(values) <= 60
    layers = base.mark_line(
        color=PALETTE[0], aria=False, point=False, interpolate="linear"
    ) + base.mark_point(
        filled=True,
        color=PALETTE[0],
        size=36 if few else 12,
        tooltip=alt.TooltipContent(content="data"),
        aria=False,
    )
    if chosen is not None:
        layers += (
            alt.Chart(named("chosen"))
            .mark_rule(color=INK, strokeDash=[4, 3], aria=False)
            .encode(x="x:Q")
        )
    chart = layers.properties(width="container", height=height, title=y_title)
    return specification(chart, values=values, chosen=[{"x": chosen}])


def _heights(points: list[tuple[Any, Any]]) -> Any:
    """The scale of the values: differences of less than a thousandth stay small."""
    import altair as alt

    values = [y for _, y in points if y is not None]
    if not values:
        return alt.Scale(zero=False)
    low, high = min(values), max(values)
    least = 1e-3 * max(abs(low), abs(high)) or 1.0
    if high - low >= least:
        return alt.Scale(zero=False)
    middle = (low + high) / 2
    return alt.Scale(domain=[middle - least / 2, middle + least / 2], nice=False)
