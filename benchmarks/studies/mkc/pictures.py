"""The pictures of ``figures.csv``."""

from pathlib import Path
from typing import Any

from benchmarks.runner import draw
from benchmarks.runner.study import Results
from benchmarks.runner.table import distinct, where
from benchmarks.studies.mkc.tables import TITLES

SECONDS = "CPU seconds of a fit"
WORDS = {"n": "number of rows n", "kernels": "number of kernels", "tol": "tol (ε)"}


def curves(ax: Any, rows: list[Any], model: str, what: str, y: str, ylabel: str) -> None:
    """One panel."""
    timed = y == "cpu_seconds"
    found = draw.curves(where(rows, model=model, what=what), "dataset", "x", y)
    scales = {"xscale": "log"} | ({"yscale": "log"} if timed else {})
    draw.lines(ax, found, (WORDS[what], ylabel), *(draw.with_slope,) if timed else (), **scales)
    if what == "kernels":
        ax.set_xticks([1, 2, 4, 6, 10], ["1", "2", "4", "6", "10"], minor=False)
        ax.set_xticks([], minor=True)
    ax.set_title(TITLES[model], fontsize=10)
    ax.legend(frameon=False, fontsize=9)


def figure1(results: Results, path: Path) -> None:
    """Three kernels together, and one by one."""
    image, axes = draw.panels(1, 2, (7.5, 4.2), sharex=True, sharey=True)
    rows = where(results["figures"], figure=1)
    sets = distinct(rows, "dataset")
    for ax, model in zip(axes.flat, TITLES, strict=True):
        of = {(r["dataset"], r["what"]): float(r["cpu_seconds"]) for r in where(rows, model=model)}
        for i, (what, label) in enumerate({"MKC": "MKC", "singles": "sum of K1, K2, K3"}.items()):
            style = {"color": draw.COLOURS[i], "markerfacecolor": "none", "mew": 2, "markersize": 8}
            times = [of[name, what] for name in sets]
            ax.plot(times, range(len(sets)), draw.MARKERS[i], label=label, **style)
        ax.set(xscale="log", xlabel=SECONDS)
        ax.set_yticks(range(len(sets)), sets)
        ax.set_title(TITLES[model], fontsize=10)
    axes[0, 0].invert_yaxis()
    axes[0, 1].legend(fontsize=9, loc="upper right")
    image.suptitle("Figure 1: three kernels together, and one by one", fontsize=11)
    draw.save(image, path)


def figure2(results: Results, path: Path) -> None:
    """CPU time, accuracy and CCCP steps against n."""
    image, axes = draw.panels(2, 2, (7.5, 6.4), sharex=True)
    rows = where(results["figures"], figure=2)
    for ax, model in zip(axes[0], TITLES, strict=True):
        curves(ax, rows, model, "n", "cpu_seconds", SECONDS)
        ax.set_ylim(0.05, 300)
    curves(axes[1, 0], rows, "defaults", "n", "majority", "majority accuracy %")
    curves(axes[1, 1], rows, "letter", "n", "steps_per_cut", "CCCP steps per cut")
    axes[1, 1].set_ylim(0, 12)
    image.suptitle("Figure 2: CPU time, accuracy and CCCP steps against n", fontsize=11)
    draw.save(image, path)


def figure3(results: Results, path: Path) -> None:
    """CPU time against the number of kernels and ε."""
    image, axes = draw.panels(2, 2, (7.5, 6.4), sharey=True)
    rows = where(results["figures"], figure=3)
    for line, model in zip(axes, TITLES, strict=True):
        for ax, what in zip(line, ("kernels", "tol"), strict=True):
            curves(ax, rows, model, what, "cpu_seconds", SECONDS)
    image.suptitle("Figure 3: CPU time against the number of kernels and ε", fontsize=11)
    draw.save(image, path)


PICTURES = {"figure1.png": figure1, "figure2.png": figure2, "figure3.png": figure3}
