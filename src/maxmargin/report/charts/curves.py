"""Lines: the evidence for a number of clusters, the plateau of widths, the objective."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from maxmargin.explain.axis_limits import widened
from maxmargin.explain.colors import CHOSEN, MAIN
from maxmargin.explain.formatting import number
from maxmargin.explain.number import NumberEvidence, RuleCurve
from maxmargin.explain.objective import ObjectivePath
from maxmargin.report.charts.figure import INK, Chart, Figure, FigureTable, named, specification
from maxmargin.report.jsonable import jsonable
from maxmargin.selection.plateau import Plateau

#: Of a longer path only some of the steps are drawn, about so many.
MAX_STEPS = 300
#: More points are small.
FEW_POINTS = 60


def number_figure(evidence: NumberEvidence, name: str) -> Figure:
    """What was measured at each number of clusters; the choice is marked."""
    curve = jsonable(evidence.curve)
    charts = [
        Chart(
            _rule_spec(rule, evidence),
            f"{rule.title} over the number of clusters, as a line; by it there are {rule.says}.",
        )
        for rule in evidence.rules
    ]
    return Figure(
        name,
        "The number of clusters",
        f"What was measured at each number of clusters, and the number that each of the rules "
        f"says; the dashed line is the choice, {evidence.k}.",
        charts,
        FigureTable.of(
            [key.replace("_", " ") for key in curve], list(zip(*curve.values(), strict=True))
        ),
    )


def plateau_figure(plateau: Plateau, name: str) -> Figure:
    """The number of clusters at each width."""
    points = list(zip(plateau.gammas.tolist(), plateau.n_clusters.tolist(), strict=True))
    values = _points(points, "gamma")
    chart = _line(values, "gamma", log=True) + _rule("chosen", "x")
    description = "The number of clusters over gamma; the dashed line is the choice."
    return Figure(
        name,
        "The plateau",
        description,
        [Chart(_spec(chart, 200, "clusters", values=values, chosen=plateau.gamma), description)],
        FigureTable.of(["gamma", "clusters"], points),
    )


def objective_figure(path: ObjectivePath, name: str) -> Figure:
    """The objective, step by step; what is not of the same problem is not joined."""
    stretches = [
        list(zip(steps.tolist(), np.asarray(values).tolist(), strict=True))
        for steps, values in zip(path.steps, path.stretches, strict=True)
    ]
    every = -(-sum(map(len, stretches)) // MAX_STEPS)
    values = [
        point
        for i, stretch in enumerate(stretches)
        for point in _points([*stretch[:-1:every], *stretch[-1:]], "step", i)
    ]
    starts = _points(path.starts, "step")
    chart = _line(values, path.axes[0]) + _rule("chosen", "y")
    description = f"The {path.axes[1]}, step by step, as a line"
    description += "; the dashed line is that of the answer."
    told = f"{number(starts[0]['y'])} at first, {number(path.objective)} at the answer."
    if len(starts) > 1:
        chart += _dots("starts", fill="white", stroke=MAIN)
        told += " Circles: a new cut, or alternation; from there on it is another problem."
    return Figure(
        name,
        "The objective",
        f"{description} {told}",
        [
            Chart(
                _spec(chart, 160, values=values, starts=starts, chosen=path.objective), description
            )
        ],
        FigureTable.of(["step", "objective"], [point for part in stretches for point in part]),
    )


def _rule_spec(rule: RuleCurve, evidence: NumberEvidence) -> dict[str, Any]:
    import altair as alt

    tried = evidence.tried.tolist()
    values = _points(zip(tried, jsonable(rule.values), strict=True), "clusters")
    chart = _line(values, "clusters") + _rule("chosen", "x") + _dots("says", fill=CHOSEN)
    if rule.threshold is not None:
        chart += _rule("threshold", "y")
        # clusters that do not touch have no dip between them: at the upper edge
        chart += _dots("endless", fill=MAIN, shape="triangle-up").encode(y=alt.value(0))
    endless = [k for k, value in zip(tried, rule.values, strict=True) if np.isposinf(value)]
    return _spec(
        chart,
        150,
        f"{rule.title} says {rule.says} ({rule.reason})",
        values=values,
        chosen=evidence.k,
        threshold=rule.threshold,
        says=[v for v in values if v["x"] == rule.says and v["y"] is not None],
        endless=[{"x": k, "tip": [f"clusters {k}: no two of them touch"]} for k in endless],
    )


def _points(
    points: Iterable[tuple[Any, Any]], x_title: str, stretch: int = 0
) -> list[dict[str, Any]]:
    return [
        {"x": x, "y": y, "s": stretch, "tip": [f"{x_title} {number(x)}: {number(y)}"]}
        for x, y in points
    ]


def _line(values: list[dict[str, Any]], x_title: str, *, log: bool = False) -> Any:
    """A line through points, one for each stretch."""
    import altair as alt

    scale = alt.Scale(type="log", nice=False) if log else alt.Scale(zero=False, nice=False)
    axis = alt.Axis(grid=False, tickCount=min(8, max(1, len(values) - 1)), format="~g")
    heights = [point["y"] for point in values if point["y"] is not None]
    ends = widened(min(heights), max(heights)) if heights else (0, 1)
    flat = heights and ends != (min(heights), max(heights))
    base = alt.Chart(named("values")).encode(
        x=alt.X("x:Q", title=x_title, scale=scale, axis=axis),
        y=alt.Y(
            "y:Q",
            title=None,
            scale=alt.Scale(domain=list(ends), nice=False) if flat else alt.Scale(zero=False),
            axis=alt.Axis(tickCount=5),
        ),
    )
    return base.mark_line(color=MAIN, aria=False).encode(detail="s:N") + base.mark_point(
        filled=True,
        color=MAIN,
        size=36 if len(values) <= FEW_POINTS else 12,
        tooltip=alt.TooltipContent(content="data"),
        aria=False,
    )


def _rule(name: str, channel: str) -> Any:
    """A dashed line across the chart, at the value of that name."""
    import altair as alt

    return (
        alt.Chart(named(name))
        .mark_rule(color=INK, strokeDash=[4, 3], aria=False)
        .encode(**{channel: f"{channel}:Q"})
    )


def _dots(name: str, **look: Any) -> Any:
    import altair as alt

    tooltip = alt.TooltipContent(content="data")
    mark = {"filled": True, "size": 70, "opacity": 1, "aria": False, "tooltip": tooltip, **look}
    return alt.Chart(named(name)).mark_point(**mark).encode(x="x:Q", y="y:Q")


def _spec(
    chart: Any,
    height: int,
    title: str | None = None,
    *,
    chosen: float | None = None,
    threshold: float | None = None,
    **data: list[dict[str, Any]],
) -> dict[str, Any]:
    """A chart with its data; a rule finds its place under either axis."""
    more = {} if title is None else {"title": title}
    chart = chart.properties(width="container", height=height, **more)
    rules = {"chosen": [{"x": chosen, "y": chosen}], "threshold": [{"y": threshold}]}
    return specification(chart, **data, **rules)
