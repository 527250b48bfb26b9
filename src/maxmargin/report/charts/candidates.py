"""The selection candidates: every candidate and its scores as a heat map."""

from typing import Any

from maxmargin.explain.formatting import number, shorten
from maxmargin.report.charts.figure import INK, Chart, Figure, FigureTable, named, specification

#: Candidates in the picture; the table has them all.
MAX_DRAWN = 25


def candidates_figure(found: dict[str, Any], name: str) -> Figure:
    """Candidates below each other, their scores side by side; the choice is framed."""
    import altair as alt

    rows, columns, (best, at) = found["rows"], found["columns"], found["chosen"]
    drawn = _drawn_rows(len(rows), best)
    names = [shorten(row, 60) for row in rows]
    if len(set(names)) < len(names):  # equal names would be drawn on one line
        names = [f"{place + 1}. {name}" for place, name in enumerate(names)]
    values = []
    for i in drawn:
        for j, score in enumerate(found["values"][i]):
            values.append(
                {
                    "row": names[i],
                    "column": columns[j],
                    "score": score,
                    "text": "" if score is None else f"{score:.2g}".replace("-", "−"),
                    "chosen": i == best and at in (-1, j),
                    "tip": [rows[i], columns[j], f"{found['score']}: {number(score)}"],
                }
            )
    short = max(map(len, columns)) * len(columns) <= 36
    base = alt.Chart(named("values")).encode(
        y=alt.Y(
            "row:N",
            sort=None,
            title=found["row_title"],
            axis=alt.Axis(domain=False, ticks=False),
        ),
        x=alt.X(
            "column:N",
            sort=None,
            title=found["column_title"] or None,
            axis=alt.Axis(domain=False, ticks=False, labelAngle=0 if short else -30),
        ),
    )
    finite = [value["score"] for value in values if value["score"] is not None]
    # Below it the colours are dark enough for white letters.
    middle = 0.55 * min(finite) + 0.45 * max(finite) if finite else 0
    cells = base.mark_rect(tooltip=alt.TooltipContent(content="data"), aria=False).encode(
        color=alt.Color("score:Q", scale=alt.Scale(scheme="viridis"), legend=None)
    )
    frames = (
        base.transform_filter("datum.chosen")
        .mark_rect(filled=False, stroke=INK, strokeWidth=2.5, aria=False, tooltip=None)
        .encode()
    )
    texts = base.mark_text(fontSize=11, aria=False).encode(
        text="text:N",
        color=alt.ColorValue(
            "#fff", condition={"test": f"datum.score > {middle}", "value": "#000"}
        ),
    )
    layers = cells + frames + texts if len(columns) <= 8 else cells + frames
    chart = layers.properties(width="container", height=20 * len(drawn))
    cut = f" The {len(drawn)} shown are of {len(rows)}." if len(drawn) < len(rows) else ""
    description = f"The {found['score']} of each candidate, as a heat map; the choice is framed."
    return Figure(
        name,
        "What it was chosen among",
        f"{description} Larger (lighter) is better.{cut}",
        [Chart(specification(chart, values=values), description)],
        FigureTable(
            [found["row_title"], *columns],
            [[title, *scores] for title, scores in zip(rows, found["values"], strict=True)],
            len(rows),
        ),
    )


def _drawn_rows(n: int, best: int) -> list[int]:
    """The first rows; around the choice, where it is not among them."""
    if best < MAX_DRAWN:
        return list(range(min(n, MAX_DRAWN)))
    first = min(best - MAX_DRAWN // 2, n - MAX_DRAWN)
    return list(range(first, first + MAX_DRAWN))
