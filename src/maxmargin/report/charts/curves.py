"""Lines: the evidence for a number of clusters, the plateau of widths, the objective."""

from collections.abc import Iterable
from typing import Any

import altair as alt
import numpy as np

from maxmargin.domain.width import Plateau
from maxmargin.explain.axis_limits import widened
from maxmargin.explain.colors import CHOSEN, MAIN
from maxmargin.explain.formatting import number
from maxmargin.explain.number import EvidenceCurve, evidence_curves
from maxmargin.explain.objective import ObjectivePath
from maxmargin.report.charts.figure import (
    TOOLTIP,
    Chart,
    Figure,
    FigureTable,
    chart_of,
    dashed_line,
    specification,
)
from maxmargin.report.jsonable import jsonable

#: Of a longer path only some of the steps are drawn, about so many.
MAX_STEPS = 300
#: More points are small.
FEW_POINTS = 60


def number_figure(curve: dict[str, Any], name: str) -> Figure:
    """What was measured at each number of clusters; the number ``"chosen"`` is marked."""
    table = jsonable(curve)
    chosen = table.pop("chosen")
    return Figure(
        name,
        "The number of clusters",
        f"The evidence for each number of clusters, and the two parts that it is made of; the "
        f"dashed line is the choice, {chosen}.",
        [
            Chart(
                _evidence_spec(part, table["k"], chosen),
                f"{part.title} over the number of clusters, as a line; it says {part.says}.",
            )
            for part in evidence_curves(curve)
        ],
        FigureTable.of(
            [key.replace("_", " ") for key in table], list(zip(*table.values(), strict=True))
        ),
    )


def plateau_figure(plateau: Plateau, name: str) -> Figure:
    """The number of clusters at each width."""
    points = list(zip(plateau.gammas.tolist(), plateau.n_clusters.tolist(), strict=True))
    values = _points(points, "gamma")
    chart = _line(values, "gamma", log=True) + dashed_line("chosen", x="x:Q")
    spec = specification(
        chart.properties(title="clusters"), 200, values=values, chosen=[{"x": plateau.gamma}]
    )
    description = "The number of clusters over gamma; the dashed line is the choice."
    table = FigureTable.of(["gamma", "clusters"], points)
    return Figure(name, "The plateau", description, [Chart(spec, description)], table)


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
    chart = _line(values, path.axes[0]) + dashed_line("answer", y="y:Q")
    description = (
        f"The {path.axes[1]}, step by step, as a line; the dashed line is that of the answer."
    )
    told = f"{number(path.starts[0][1])} at first, {number(path.objective)} at the answer."
    if len(path.starts) > 1:
        chart += _dots("starts", fill="white", stroke=MAIN)
        told += " Circles: a new cut, or alternation; from there on it is another problem."
    starts, answer = _points(path.starts, "step"), [{"y": path.objective}]
    spec = specification(chart, 160, values=values, starts=starts, answer=answer)
    return Figure(
        name,
        "The objective",
        f"{description} {told}",
        [Chart(spec, description)],
        FigureTable.of(["step", "objective"], [point for part in stretches for point in part]),
    )


def _evidence_spec(part: EvidenceCurve, tried: list[int], chosen: int) -> dict[str, Any]:
    values = _points(zip(tried, jsonable(part.values), strict=True), "clusters")
    chart = _line(values, "clusters") + dashed_line("chosen", x="x:Q")
    chart += _dots("says", fill=CHOSEN)
    return specification(
        chart.properties(title=f"{part.title} says {part.says} ({part.reason})"),
        150,
        values=values,
        chosen=[{"x": chosen}],
        says=[point for point in values if point["x"] == part.says],
    )


def _points(points: Iterable[tuple[Any, Any]], x_title: str, part: int = 0) -> list[dict[str, Any]]:
    return [
        {"x": x, "y": y, "part": part, "tip": [f"{x_title} {number(x)}: {number(y)}"]}
        for x, y in points
    ]


def _line(values: list[dict[str, Any]], x_title: str, *, log: bool = False) -> Any:
    """A line through points, one for each part."""
    across = alt.Scale(type="log", nice=False) if log else alt.Scale(zero=False, nice=False)
    axis = alt.Axis(grid=False, tickCount=min(8, max(1, len(values) - 1)), format="~g")
    heights = [point["y"] for point in values if point["y"] is not None] or [0.0]
    ends = widened(min(heights), max(heights))
    flat = ends != (min(heights), max(heights))
    upwards = alt.Scale(domain=list(ends), nice=False) if flat else alt.Scale(zero=False)
    base = chart_of("values").encode(
        x=alt.X("x:Q", title=x_title, scale=across, axis=axis),
        y=alt.Y("y:Q", title=None, scale=upwards, axis=alt.Axis(tickCount=5)),
    )
    size = 36 if len(values) <= FEW_POINTS else 12
    dots = base.mark_point(filled=True, color=MAIN, size=size, tooltip=TOOLTIP, aria=False)
    return base.mark_line(color=MAIN, aria=False).encode(detail="part:N") + dots


def _dots(name: str, **look: Any) -> Any:
    mark = {"filled": True, "size": 70, "opacity": 1, "aria": False, "tooltip": TOOLTIP, **look}
    return chart_of(name).mark_point(**mark).encode(x="x:Q", y="y:Q")
