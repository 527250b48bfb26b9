"""The candidates and their scores as a heat map."""

from typing import Any

import altair as alt
import numpy as np

from maxmargin.explain.candidates import CandidateScores
from maxmargin.explain.formatting import number, shorten
from maxmargin.explain.heat_map import HeatMap
from maxmargin.report.charts.figure import (
    INK,
    TOOLTIP,
    Chart,
    Figure,
    FigureTable,
    chart_of,
    specification,
)
from maxmargin.report.jsonable import jsonable

#: Candidates in the picture; the table has them all.
MAX_SHOWN = 25
#: More columns have no room for numbers.
MAX_COLUMNS_WITH_NUMBERS = 8


def candidates_figure(candidates: CandidateScores, name: str) -> Figure:
    """Candidates below each other, their scores side by side; the choice is framed."""
    shown = HeatMap.of(candidates, MAX_SHOWN)
    description = f"The {candidates.score} of each candidate, as a heat map; the choice is framed."
    notes = " Grey: not measured." if np.isnan(shown.values).any() else ""
    notes += "".join(f" Shown: {phrase}." for phrase in shown.hidden)
    if shown.constants:
        notes += f" Throughout: {shorten(', '.join(shown.constants))}."
    scores = jsonable(candidates.values)
    return Figure(
        name,
        "What it was chosen among",
        f"{description} Larger (lighter) is better.{notes}",
        [Chart(_spec(shown), description)],
        FigureTable(
            [candidates.row_title, *candidates.columns],
            [[title, *values] for title, values in zip(candidates.rows, scores, strict=True)],
            len(scores),
        ),
    )


def _spec(shown: HeatMap) -> dict[str, Any]:
    rows, columns = _distinct(shown.row_names), _distinct(shown.column_names)
    values = _cells(shown, rows, columns)
    short = max(map(len, columns)) * len(columns) <= 36
    quiet = {"domain": False, "ticks": False}
    whole = shown.candidates
    base = chart_of("values").encode(
        # cells that are left out of a layer must not change the order of names
        y=alt.Y("row:N", sort=rows, title=whole.row_title, axis=alt.Axis(**quiet)),
        x=alt.X(
            "column:N",
            sort=columns,
            title=whole.column_title or None,
            axis=alt.Axis(**quiet, labelAngle=0 if short else -30),
        ),
    )
    low, top = shown.lowest, max((v["score"] for v in values if v["score"] is not None), default=0)
    low = top if low is None else low
    shades = alt.Scale(scheme="viridis", domain=[low, top], clamp=True)
    cells = base.mark_rect(tooltip=TOOLTIP, aria=False).encode(
        color=alt.Color("score:Q", scale=shades, legend=None)
    )
    frames = (
        base.transform_filter("datum.chosen")
        .mark_rect(filled=False, stroke=INK, strokeWidth=2.5, aria=False, tooltip=None)
        .encode()
    )
    missing = base.transform_filter("!isValid(datum.score)").mark_rect(
        color=INK, opacity=0.1, tooltip=TOOLTIP, aria=False
    )
    chart = cells + missing + frames
    if len(columns) <= MAX_COLUMNS_WITH_NUMBERS:
        # below it the colours are dark enough for white letters
        middle = 0.55 * low + 0.45 * top
        black = {"test": f"datum.score > {middle}", "value": "#000"}
        chart += base.mark_text(fontSize=11, aria=False).encode(
            text="text:N", color=alt.ColorValue("#fff", condition=black)
        )
    return specification(chart, 20 * len(shown.rows), values=values)


def _cells(shown: HeatMap, rows: list[str], columns: list[str]) -> list[dict[str, Any]]:
    whole, texts, scores = shown.candidates, shown.texts, jsonable(shown.values)
    chosen_row, chosen_column = shown.chosen
    return [
        {
            "row": rows[i],
            "column": columns[j],
            "score": scores[i][j],
            "text": texts[i][j],
            "chosen": i == chosen_row and chosen_column in (-1, j),
            "tip": [
                whole.rows[shown.rows[i]],
                whole.columns[shown.columns[j]],
                f"{whole.score}: {number(scores[i][j])}",
            ],
        }
        for i in range(len(rows))
        for j in range(len(columns))
    ]


def _distinct(names: list[str]) -> list[str]:
    """Short names; numbers before them where they are equal, which would be drawn as one."""
    short = [shorten(name, 60) for name in names]
    if len(set(short)) == len(short):
        return short
    return [f"{place + 1}. {name}" for place, name in enumerate(short)]
