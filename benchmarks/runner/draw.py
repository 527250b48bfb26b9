"""Pictures of rows: lines against something, in one style."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.runner.table import distinct

#: Colours that colour-blind readers can tell apart (Okabe and Ito).
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#E69F00", "#CC79A7", "#56B4E9", "#222222")
MARKERS = "os^Dv*P"

Curve = tuple[list[float], list[float]]
Rows = Iterable[Mapping[str, str]]


def panels(
    rows: int = 1, columns: int = 1, size: tuple[float, float] = (6.5, 4), **how: Any
) -> Any:
    """A figure and its axes, without the frame's upper and right edge."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(
        rows, columns, figsize=size, layout="constrained", squeeze=False, **how
    )
    for ax in axes.flat:
        ax.grid(alpha=0.3)
        ax.spines[["top", "right"]].set_visible(False)
    return figure, axes


def save(figure: Any, path: Path, dpi: int = 130) -> None:
    """Write a picture, and forget it."""
    import matplotlib.pyplot as plt

    figure.savefig(path, dpi=dpi)
    plt.close(figure)


def curve(rows: Rows, x: str, y: str) -> Curve:
    """The means of y at each x."""
    found: dict[float, list[float]] = {}
    for row in rows:
        if row.get(y) not in ("", None):
            found.setdefault(float(row[x]), []).append(float(row[y]))
    return sorted(found), [float(np.mean(found[value])) for value in sorted(found)]


def curves(rows: Rows, by: str, x: str, y: str) -> dict[str, Curve]:
    """The same for each value of a column."""
    rows = list(rows)
    return {v: curve([r for r in rows if r[by] == v], x, y) for v in distinct(rows, by)}


def slope(xs: Sequence[float], ys: Sequence[float]) -> float:
    """Of the line through all points, log-log."""
    return float(np.polyfit(np.log(xs), np.log(ys), 1)[0])


def lines(
    ax: Any,
    found: Mapping[str, Curve],
    labels: tuple[str, str],
    label: Callable[[str, Curve], str] = lambda name, _: name,
    **scales: str,
) -> None:
    """A line for each curve."""
    for i, (name, (xs, ys)) in enumerate(found.items()):
        style = {"color": COLOURS[i % 7], "marker": MARKERS[i % 7], "markersize": 4}
        ax.plot(xs, ys, label=label(name, (xs, ys)), **style)
    ax.set(xlabel=labels[0], ylabel=labels[1], **scales)


def with_slope(name: str, found: Curve) -> str:
    """A name, and how steep its line is."""
    return f"{name}, slope {slope(*found):.2f}"
