"""How the tables and figures of the README are written."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.datasets.papers import CPM3C_ORDER, FAMILIES
from benchmarks.methods import rivals
from benchmarks.methods.cutting_planes import KMEANS, LETTER, OURS, UNTUNED
from benchmarks.runner import draw, machine
from benchmarks.runner.study import Results
from benchmarks.runner.table import distinct, grid, markdown, mean_of, number, where, with_sd

TRUTH = "alternation from the true classes"
SCORES = ("majority", "rand", "ari", "one_to_one", "cpu_seconds")
LEAST = {"majority": 0.3, "rand": 0.005}  # one row of the small sets, half a percent
MODELS = {"defaults": "defaults", "letter": "the paper to the letter, one start"}
Cells = dict[str, Callable[[str], Any]]


def all_results(results: Results) -> dict[tuple[str, str], dict[str, str]]:
    """All rows, those of 45 pairs as means over the pairs; sd is that of a mean over seeds."""
    rows = dict(results.by("results", "dataset", "method"))
    for family in FAMILIES:
        for method in (OURS, LETTER, UNTUNED, KMEANS):
            chosen = where(results["pairs"], method=method)
            chosen = [row for row in chosen if row["dataset"].startswith(family.split()[0])]
            if len(chosen) == 45:
                names = [*SCORES, "grid_median", "grid_rand", "largest_class"]
                means = {
                    name: str(np.mean([float(row[name]) for row in chosen]))
                    for name in names
                    if chosen[0].get(name)
                }
                none = {f"{name}_sd": "" for name in SCORES}
                rows[family, method] = chosen[0] | {"cell": "per pair"} | means | none
    return rows


def published(results: Results, table: str, method: str = "CPM3C") -> dict[str, str]:
    return {
        r["dataset"]: r["value"] for r in where(results["published"], table=table, method=method)
    }


def score_table(results: Results, name: str, paper: str, digits: int) -> str:
    """Published and ours, by one score."""
    found, wanted = all_results(results), published(results, paper)
    kmeans = published(results, paper, "KM")

    def of(method: str) -> Callable[[str], str]:
        return lambda data: with_sd(found[data, method], name, digits)

    def marked(method: str, text: Callable[..., str]) -> Callable[[str], str]:
        def cell(data: str) -> str:
            row, target = found[data, method], wanted.get(data)
            missed = target and float(row[name]) < float(target) - LEAST[name]
            return text(row, name, digits) + " †" * bool(missed)

        return cell

    median, best = "letter, grid median", "letter, grid best"
    cells: Cells = {
        "published CPM3C": lambda data: number(wanted.get(data), digits),
        "ours": marked(OURS, with_sd),
        "letter, tuned": marked(LETTER, lambda row, name, digits: number(row[name], digits)),
        median if name == "majority" else best: lambda data: (
            number(found[data, LETTER]["grid_median"], 1)
            if name == "majority"
            else number(found[data, LETTER]["grid_rand"], 3)
        ),
        "letter, no labels": of(UNTUNED),
        "KMeans(n_init=10)": of(KMEANS),
        "the paper's k-means": lambda data: number(kmeans.get(data), digits),
    }
    if name == "majority":
        cells["largest class"] = lambda data: number(found[data, OURS]["largest_class"], 1)
    return grid("data", known(found), cells)


def known(found: dict[tuple[str, str], Any]) -> list[str]:
    return [data for data in CPM3C_ORDER if (data, OURS) in found]


def margin_table(results: Results) -> str:
    """What lies between ours and k-means, by scores that are not trivial."""
    found = all_results(results)

    def shape(data: str) -> str:
        row = found[data, OURS]
        return "pairs" if data in FAMILIES else f"{row['n']} × {row['d']}, {row['k']}"

    lines = []
    for data in known(found):
        line = [data, shape(data)]
        for name, digits in (("ari", 3), ("one_to_one", 2)):
            ours, theirs = found[data, OURS], found[data, KMEANS]
            line += [with_sd(row, name, digits) for row in (ours, theirs)]
            line.append(f"{float(ours[name]) - float(theirs[name]):+.{digits}f}")
        lines.append(line)
    header = ["data", "n × d, k", "ARI ours", "ARI k-means", "gain"]
    return markdown([*header, "one-to-one ours", "one-to-one k-means", "gain"], lines)


def time_table(results: Results) -> str:
    found, wanted = all_results(results), published(results, "4")
    kmeans = published(results, "4", "KM")

    def seconds(method: str) -> Callable[[str], str]:
        return lambda data: number(found[data, method]["cpu_seconds"], 3)

    cells: Cells = {
        "published CPM3C": wanted.__getitem__,
        "ours": seconds(OURS),
        "letter, one run at its cell": seconds(LETTER),
        "KMeans(n_init=10)": seconds(KMEANS),
        "the paper's k-means": kmeans.__getitem__,
        "cell and start": lambda data: found[data, LETTER]["cell"],
    }
    return grid("data", [data for data in known(found) if data in wanted], cells)


def cause_table(results: Results) -> str:
    rows, wanted = results["causes"], published(results, "2")
    names, of = distinct(rows, "dataset"), results.by("causes", "cause", "dataset")
    lines = [["published", *(number(wanted[name]) for name in names)]]
    for cause in distinct(rows, "cause"):
        lines.append([cause, *(number(of.get((cause, n), {}).get("majority")) for n in names)])
    return markdown(["variant", *names], lines)


def pair_causes(results: Results) -> str:
    """The means over the pairs of digits, beside the letter with centring and biases."""
    found, wanted = all_results(results), published(results, "2")
    rows, families = results["pair_causes"], ("UCIDig 45 pairs", "MNIST 45 pairs")
    lines = [["published", *(number(wanted[name]) for name in families)]]
    lines.append([LETTER, *(number(found[name, LETTER]["majority"]) for name in families)])
    for cause in distinct(rows, "cause"):
        of = [r for r in rows if r["cause"] == cause]
        means = [
            mean_of([r for r in of if rivals.family(r["dataset"]) == name], "majority")
            for name in families
        ]
        lines.append([cause, *("–" if np.isnan(mean) else number(mean) for mean in means)])
    return markdown(["variant", *families], lines)


def objective_table(results: Results) -> str:
    """Whether the objective would choose the true classes."""
    of = results.by("causes", "cause", "dataset")
    lines = []
    for data in distinct(results["causes"], "dataset"):
        lines.append([data])
        for row in (of[cause, data] for cause in ("defaults", TRUTH)):
            lines[-1] += [number(row["objective"], 4), number(row["majority"])]
    header = ["data", "objective, defaults", "majority %"]
    return markdown([*header, "objective, from the true classes", "majority %"], lines)


#: The paper's other columns by its protocol.
RIVALS = rivals.Columns(
    {rivals.NC: "NC", rivals.SVR: "SVR", rivals.MMC: "MMC", rivals.GMMC: "GMC"},
    lambda results, data, name, score: published(
        results, {"majority": "2", "rand": "3"}[score], name
    ).get(data, ""),
)

TABLES = {
    "rivals": RIVALS.table,
    "rivals-rand": partial(RIVALS.table, score="rand", digits=3),
    "table-2": partial(score_table, name="majority", paper="2", digits=2),
    "table-3": partial(score_table, name="rand", paper="3", digits=3),
    "margin": margin_table,
    "table-4": time_table,
    "causes": cause_table,
    "objectives": objective_table,
    "pair_causes": pair_causes,
    "machine": lambda results: machine.lines(results["results"]),
}


def picture(
    results: Results, path: Path, figure: int, x: str, y: str, labels: tuple[str, str]
) -> None:
    """A panel for each model, a line for each set."""
    image, axes = draw.panels(1, 2, (10, 4), sharey=True)
    timed = y == "cpu_seconds"
    for ax, (model, title) in zip(axes.flat, MODELS.items(), strict=True):
        rows = where(results["figures"], figure=figure, model=model)
        scales = {"xscale": "log"} | ({"yscale": "log"} if timed else {})
        label = (draw.with_slope,) if timed else ()
        draw.lines(ax, draw.curves(rows, "dataset", x, y), labels, *label, **scales)
        ax.set_title(title)
        ax.legend(frameon=False, fontsize=8)
    draw.save(image, path)


SECONDS = "CPU seconds of a fit"
PICTURES = {
    "figure1.png": partial(picture, figure=1, x="n", y="cpu_seconds", labels=("rows n", SECONDS)),
    "figure2.png": partial(
        picture, figure=2, x="tol", y="majority", labels=("tol (ε)", "majority accuracy %")
    ),
    "figure3.png": partial(
        picture, figure=2, x="tol", y="cpu_seconds", labels=("tol (ε)", SECONDS)
    ),
}
