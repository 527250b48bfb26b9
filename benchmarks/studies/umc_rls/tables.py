"""How the tables and figures of the README are written."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.methods.least_squares import BASELINES, SEARCHES
from benchmarks.runner import draw, machine
from benchmarks.runner.study import Results
from benchmarks.runner.table import distinct, markdown, number, where

LEAST = 0.02  # the rounding of the published figures, and of ten runs
SUBSETS = ("random rows", "125 of each class")
METHODS = (*BASELINES, "UMC-RLS")
CPMMC = "CPMMC"
#: The columns of the paper's tables, in its order.
COLUMNS = (*BASELINES, CPMMC, *SEARCHES)


def published(results: Results) -> dict[tuple[str, str, str], tuple[str, str]]:
    """Value and standard deviation by table, data set and method."""
    rows = results.by("published", "table", "dataset", "method")
    return {key: (row["value"], row["std"]) for key, row in rows.items()}


def mark(ours: str, theirs: str, std: str) -> str:
    """† below and ‡ above the published figure by more than its standard deviation."""
    gap = float(ours) - float(theirs)
    if abs(gap) <= max(float(std or 0), LEAST) + 1e-9:
        return ""
    return " †" if gap < 0 else " ‡"


def mean_table(results: Results) -> str:
    """Table 1."""
    paper, lines = published(results), []
    for row in results["results"]:
        mean, std = paper["1", row["dataset"], row["method"]]
        damaged = not std  # one cell, see the note in published.csv
        ours = f"{number(row['oracle_mean'])} ± {number(row['oracle_std'])}"
        lines.append(
            [
                *(row["dataset"], row["method"], "? ± " + mean if damaged else f"{mean} ± {std}"),
                ours + ("" if damaged else mark(row["oracle_mean"], mean, std)),
                row["oracle_cell"] or "–",
                number(row["no_labels_mean"]) if row["no_labels_cell"] else "–",
                row["no_labels_cell"] or "–",
            ]
        )
    header = ["data", "method", "published", "ours (oracle)", "its cell", "ours (no labels)"]
    return markdown([*header, "its cell"], lines)


def best_table(results: Results) -> str:
    """Table 2."""
    paper, lines = published(results), []
    for row in results["results"]:
        (mean, std), (best, _) = (paper[t, row["dataset"], row["method"]] for t in "12")
        ours = number(row["oracle_max"]) + mark(row["oracle_max"], best, std or mean)
        lines.append(
            [row["dataset"], row["method"], number(best), ours, number(row["no_labels_max"])]
        )
    return markdown(["data", "method", "published", "ours (oracle)", "ours (no labels)"], lines)


def as_it_is(results: Results, file: str, columns: Sequence[str], with_paper: bool = True) -> str:
    """The rows of a file, the published ones of each set before them."""
    paper, lines = published(results), []
    words = [column for column in columns if column not in METHODS]
    for name in distinct(results[file], "set"):
        if with_paper:
            figures = {method: paper["1", name, method][0] for method in METHODS}
            figures |= {words[0]: name, words[1]: "published"}
            lines.append([figures.get(column, "–") for column in columns])
        for row in where(results[file], set=name):
            lines.append(
                [number(row[c]) if c in METHODS and with_paper else row[c] for c in columns]
            )
    return markdown(columns, lines)


def subset_table(results: Results) -> str:
    """Means and ranges over the subsets."""
    columns, lines = ("SC", "K-means", "UMC-RLS"), []
    for kind in SUBSETS:
        chosen = where(results["subsets"], subset=kind)
        values = {c: np.array([float(row[c]) for row in chosen]) for c in columns}
        texts = [f"{v.mean():.2f} ({v.min():.2f} … {v.max():.2f})" for v in values.values()]
        lines.append([kind, len(chosen), *texts, int(np.sum(values["UMC-RLS"] >= 0.89))])
    return markdown(["subset", "draws", *columns, "draws with UMC-RLS ≥ .89"], lines)


TABLES = {
    "table-1": mean_table,
    "table-2": best_table,
    "scaling": partial(as_it_is, file="scaling", columns=("set", "scaling", *METHODS)),
    "usps": partial(as_it_is, file="usps", columns=("set", "cause", *METHODS, "UMC-RLS range")),
    "starts": partial(
        as_it_is,
        file="starts",
        columns=("set", "variant", "Stoc-RLS", "Steep-RLS"),
        with_paper=False,
    ),
    "subsets": subset_table,
    "machine": lambda results: machine.lines(results["results"]),
}


def claims(results: Results, path: Path) -> None:
    """Figure 3: claims of one run against n."""
    image, axes = draw.panels()
    sizes, found = draw.curve(
        where(results["figures"], data="Coil", method="UMC-RLS"), "n", "claims"
    )
    slope = float(np.dot(sizes, found) / np.dot(sizes, sizes))
    ax = axes[0, 0]
    words = ("number of rows n (subsets of COIL, 20 clusters)", "claims in one run")
    draw.lines(ax, {"UMC-RLS": (sizes, found)}, words)
    ax.plot(sizes, slope * np.array(sizes), "--", color="grey", label=f"{slope:.2f} n")
    ax.set(xlim=(0, None), ylim=(0, None))
    ax.legend(frameon=False)
    draw.save(image, path, 150)


def seconds(results: Results, path: Path, data: str, ticks: Sequence[int]) -> None:
    """Figures 4 and 5: CPU seconds against n."""
    image, axes = draw.panels()
    rows = where(results["figures"], data=data)
    words = (f"number of rows n (subsets of {data.upper()})", "CPU seconds of one fit")
    ax = axes[0, 0]
    found = draw.curves(rows, "method", "n", "cpu_seconds")
    draw.lines(ax, found, words, xscale="log", yscale="log")
    ax.set_xticks(ticks, [str(tick) for tick in ticks])
    ax.minorticks_off()
    ax.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    draw.save(image, path, 150)


PICTURES = {
    "figure3.png": claims,
    "figure4.png": partial(seconds, data="Coil", ticks=(180, 360, 720, 1440)),
    "figure5.png": partial(seconds, data="MNIST", ticks=(250, 500, 1000, 2000, 4000, 8000)),
}
