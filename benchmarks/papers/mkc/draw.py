"""The pictures of ``figures.csv``."""

from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np

mpl.use("Agg")
import matplotlib.pyplot as plt

Row = dict[str, str]
#: Colours that colour-blind readers can tell apart (Okabe and Ito), and a marker for each.
STYLES = (("#0072B2", "o"), ("#D55E00", "s"), ("#009E73", "^"))
TITLES = {"defaults": "defaults", "letter": "the paper to the letter, one start"}


def slope(x: list[float], y: list[float]) -> float:
    """Of the line through all points, log-log."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


def points(rows: list[Row], model: str, what: str, y: str) -> dict[str, tuple[list, list]]:
    """The curve of each data set."""
    chosen = [row for row in rows if row["model"] == model and row["what"] == what]
    curves = {}
    for dataset in dict.fromkeys(row["dataset"] for row in chosen):
        found = sorted((float(r["x"]), float(r[y])) for r in chosen if r["dataset"] == dataset)
        xs, ys = zip(*found, strict=True)
        curves[dataset] = (list(xs), list(ys))
    return curves


def tidy(ax: Any) -> None:
    ax.grid(alpha=0.3)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False, fontsize=9)


def curves(ax: Any, rows: list[Row], model: str, what: str, y: str, xlabel: str) -> None:
    """One panel."""
    for (colour, marker), (dataset, (xs, ys)) in zip(
        STYLES, points(rows, model, what, y).items(), strict=False
    ):
        label = dataset
        if y == "cpu_seconds":
            label += f", slope {slope(xs, ys):.2f}"
            ax.set_yscale("log")
        ax.plot(xs, ys, color=colour, marker=marker, markersize=5, label=label)
    ax.set_xscale("log")
    ax.set_xlabel(xlabel)
    if what == "kernels":
        ax.set_xticks([1, 2, 4, 6, 10], ["1", "2", "4", "6", "10"], minor=False)
        ax.xaxis.set_minor_formatter(mpl.ticker.NullFormatter())
    ax.set_title(TITLES[model], fontsize=10)
    tidy(ax)


def figure1(rows: list[Row], folder: Path) -> None:
    picture, axes = plt.subplots(
        1, 2, figsize=(7.5, 4.2), layout="constrained", sharex=True, sharey=True
    )
    labels = {"MKC": "MKC", "singles": "sum of K1, K2, K3"}
    for ax, model in zip(axes, TITLES, strict=True):
        of = {(r["dataset"], r["what"]): r for r in rows if r["model"] == model}
        sets = list(dict.fromkeys(r["dataset"] for r in rows if r["figure"] == "1"))
        for (what, label), (colour, marker) in zip(labels.items(), STYLES, strict=False):
            times = [float(of[name, what]["cpu_seconds"]) for name in sets]
            style = {"color": colour, "markersize": 8, "markerfacecolor": "none", "mew": 2}
            ax.plot(times, range(len(sets)), marker, label=label, **style)
        ax.set_xscale("log")
        ax.set_yticks(range(len(sets)), sets)
        ax.set_xlabel("CPU seconds of a fit")
        ax.set_title(TITLES[model], fontsize=10)
        tidy(ax)
    axes[0].invert_yaxis()
    axes[0].get_legend().remove()
    axes[1].legend(fontsize=9, loc="upper right")
    picture.suptitle("Figure 1: three kernels together, and one by one", fontsize=11)
    picture.savefig(folder / "figure1.png", dpi=130)


def figure2(rows: list[Row], folder: Path) -> None:
    picture, axes = plt.subplots(2, 2, figsize=(7.5, 6.4), layout="constrained", sharex=True)
    for ax, model in zip(axes[0], TITLES, strict=True):
        curves(ax, rows, model, "n", "cpu_seconds", "number of rows n")
        ax.set_ylim(0.05, 300)
        ax.set_ylabel("CPU seconds of a fit")
    curves(axes[1, 0], rows, "defaults", "n", "majority", "number of rows n")
    axes[1, 0].set_ylabel("majority accuracy %")
    curves(axes[1, 1], rows, "letter", "n", "steps_per_cut", "number of rows n")
    axes[1, 1].set_ylabel("CCCP steps per cut")
    axes[1, 1].set_ylim(0, 12)
    picture.suptitle("Figure 2: CPU time, accuracy and CCCP steps against n", fontsize=11)
    picture.savefig(folder / "figure2.png", dpi=130)


def figure3(rows: list[Row], folder: Path) -> None:
    picture, axes = plt.subplots(2, 2, figsize=(7.5, 6.4), layout="constrained", sharey=True)
    for line, model in zip(axes, TITLES, strict=True):
        curves(line[0], rows, model, "kernels", "cpu_seconds", "number of kernels")
        curves(line[1], rows, model, "tol", "cpu_seconds", "tol (ε)")
        line[0].set_ylabel("CPU seconds of a fit")
    picture.suptitle("Figure 3: CPU time against the number of kernels and ε", fontsize=11)
    picture.savefig(folder / "figure3.png", dpi=130)


def draw(rows: list[Row], folder: Path) -> None:
    """All three."""
    figure1(rows, folder)
    figure2([row for row in rows if row["figure"] == "2"], folder)
    figure3([row for row in rows if row["figure"] == "3"], folder)
