"""How the tables and figures of the README are written."""

from pathlib import Path

import numpy as np

from benchmarks.methods import rivals
from benchmarks.runner import draw, machine
from benchmarks.runner.study import Results
from benchmarks.runner.table import markdown, mean_of, number, where, with_sd

METHODS = ("KM", "EvoMMC", "FastEvoMMC")
RESTART_SETS = ("UCI digits 3-8", "UCI digits 8-9", "Ionosphere", "Letter A-B")
LEAST = 0.3  # percent: one row of the small sets
GENERATIONS = {  # in brackets in the paper's Table 2: EvoMMC, FastEvoMMC
    "UCI digits 3-8": (4923, 8254),
    "UCI digits 1-7": (3600, 6978),
    "UCI digits 2-7": (4374, 9636),
    "UCI digits 8-9": (3320, 7383),
    "Ionosphere": (3288, 10248),
    "Letter A-B": (26867, 66297),
    "Satellite 1-2": (58107, 157971),
    "MNIST digits 1-2": (None, 565929),
    "MNIST digits 1-7": (None, 605932),
}
CURVES = {
    "SVM": "SVM (scikit-learn SVC) for every labelling",
    "n2": "O(n²) formula in NumPy for every labelling",
    "EvoMMC": "EvoMMC: the shortcut",
    "FastEvoMMC": "FastEvoMMC: r = 0.1n",
}
Rows = list[dict[str, str]]


def average_pairs(results: Results) -> Rows:
    """The rows "45 pairs": the mean over the pairs of digits that were run."""
    means = []
    for family in ("UCI digits", "MNIST digits"):
        for method in METHODS:
            chosen = where(results["pairs"], method=method)
            chosen = [row for row in chosen if row["dataset"].startswith(family)]
            if chosen:
                cell = "" if method == "KM" else "per pair"
                row = {c: str(mean_of(chosen, c)) for c in ("oracle_error", "no_labels_error")}
                row |= {"dataset": f"{family} 45 pairs", "method": method, "repeats": "1"}
                row |= {"oracle_cell": cell, "no_labels_cell": cell, "n": f"{len(chosen)} pairs"}
                means.append(row)
    return means


def same_pairs(results: Results) -> str:
    """The methods' errors on the pairs of MNIST digits that all three were run on."""
    errors: dict[str, dict[str, list[str]]] = {}
    for row in results["pairs"]:
        if row["dataset"].startswith("MNIST"):
            pair = errors.setdefault(row["dataset"].split()[-1], {})
            pair[row["method"]] = [row["oracle_error"], row["no_labels_error"]]
    body = [
        [pair, *(number(value) for method in METHODS for value in found[method])]
        for pair, found in errors.items()
        if len(found) == len(METHODS)
    ]
    means = [number(np.mean([float(line[i]) for line in body])) for i in range(1, 7)]
    header = ["MNIST pair", *(f"{m}{kind}" for m in METHODS for kind in ("", " (no labels)"))]
    return markdown(header, [*body, ["mean", *means]])


def published(results: Results, table: str, data: str, method: str) -> tuple[str, str]:
    """Value and standard deviation, empty where the paper has none."""
    row = results.by("published", "table", "dataset", "method").get((table, data, method), {})
    return row.get("value", ""), row.get("std", "")


def mark(ours: str, theirs: str, std: str) -> str:
    """† above and ‡ below the published error by more than its standard deviation."""
    gap = float(ours) - float(theirs)
    if abs(gap) <= max(float(std or 0), LEAST) + 1e-9:
        return ""
    return " †" if gap > 0 else " ‡"


def error_table(results: Results) -> str:
    """Table 1."""
    lines = []
    for row in [*results["results"], *average_pairs(results)]:
        value, std = published(results, "1", row["dataset"], row["method"])
        ours = with_sd(row | {"oracle_error_sd": row.get("oracle_std")}, "oracle_error")
        ours += mark(row["oracle_error"], value, std) if value else ""
        theirs = f"{value} ± {std}" if std else value or "–"
        lines.append([row["dataset"], row["method"], row["n"], theirs, ours])
        lines[-1] += [row["oracle_cell"] or "–", number(row["no_labels_error"])]
        lines[-1] += [row["no_labels_cell"] or "–", row["repeats"]]
    header = ["data", "method", "n", "published", "ours (oracle)", "its cell"]
    return markdown([*header, "ours (no labels)", "its cell", "repeats"], lines)


def time_table(results: Results) -> str:
    """Table 2."""
    lines = []
    for row in [*results["results"], *results["mnist_times"]]:
        if row.get("fit_cpu_seconds"):
            value, _ = published(results, "2", row["dataset"], row["method"])
            theirs = GENERATIONS[row["dataset"]][row["method"] == "FastEvoMMC"]
            seconds = number(row["fit_cpu_seconds"], 3)
            lines.append([row["dataset"], row["method"], value or "–", theirs or "–", seconds])
            lines[-1] += [
                row["fit_generations"],
                number(row.get("oracle_error")),
                row["oracle_cell"],
            ]
    header = ["data", "method", "published s", "generations", "ours s", "generations"]
    return markdown([*header, "our error %", "cell"], lines)


#: The paper's other columns by its protocol; clustering error in %.
RIVALS = rivals.Columns(
    {
        rivals.CPMMC: "CPMMC",
        rivals.SVR: "IterSVR",
        rivals.SVR_DEFAULT: "",
        rivals.MMC: "MMC",
        rivals.GMMC: "GMMC",
    },
    lambda results, data, name, score: published(results, "1", data, name)[0],
    "error",
)

TABLES = {
    "rivals": RIVALS.table,
    "table-1": error_table,
    "mnist": same_pairs,
    "table-2": time_table,
    "machine": lambda results: machine.lines(results["results"]),
}


def draw_times(results: Results, path: Path) -> None:
    """Figure 1."""
    image, axes = draw.panels(size=(6.5, 4.2))
    rows = results["figure1"]
    found = {
        label: draw.curve(where(rows, method=m), "n", "seconds") for m, label in CURVES.items()
    }
    words = ("number of rows n", "CPU seconds of a single run")
    draw.lines(axes[0, 0], found, words, xscale="log", yscale="log")
    sizes = sorted({int(row["n"]) for row in rows})
    axes[0, 0].set_xticks(sizes, map(str, sizes))
    axes[0, 0].minorticks_off()
    axes[0, 0].legend(frameon=False, fontsize=9)
    draw.save(image, path, 150)


def draw_restarts(results: Results, path: Path) -> None:
    """Figure 2."""
    image, axes = draw.panels(2, 2, (8, 5.5), sharex=True)
    for ax, name in zip(axes.flat, RESTART_SETS, strict=True):
        found = draw.curves(where(results["figure2"], dataset=name), "method", "restarts", "error")
        draw.lines(ax, found, ("", ""))
        ax.set_title(name, fontsize=10)
        ax.set(ylim=(0, None), xticks=(1, 5, 10, 15, 20))
    image.supxlabel("restarts")
    image.supylabel("clustering error % (best by the true labels)")
    axes[0, 0].legend(frameon=False, fontsize=9)
    draw.save(image, path, 150)


PICTURES = {"figure1.png": draw_times, "figure2.png": draw_restarts}
