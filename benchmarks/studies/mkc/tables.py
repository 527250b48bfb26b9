"""How the tables of the README are written."""

from functools import partial

import numpy as np

from benchmarks.datasets.papers import MKC, SUBSETS
from benchmarks.methods import rivals
from benchmarks.methods.kernels import (
    KMEANS,
    LETTER,
    LOWEST,
    OURS,
    SINGLE,
    SPECTRAL,
    SUBSET,
    UNIFORM,
)
from benchmarks.runner import draw, machine
from benchmarks.runner.study import Results
from benchmarks.runner.table import distinct, grid, markdown, number, where, with_sd

TRUTH = "alternation from the true classes"
TITLES = {"defaults": "defaults", "letter": "the paper to the letter, one start"}
LEAST = {"majority": 0.3, "rand": 0.005}  # one row of the small sets, half a percent


def published(results: Results) -> dict[tuple[str, str, str, str], str]:
    rows = results.by("published", "table", "dataset", "method", "metric")
    return {key: row["value"] for key, row in rows.items()}


def mark(value: str, wanted: str, name: str) -> str:
    return " †" if wanted and float(value) < float(wanted) - LEAST[name] else ""


def set_table(results: Results) -> str:
    found, wanted = results.by("results", "dataset", "method"), published(results)
    cells = {
        "n × d, k here": lambda data: "{n} × {d}, {k}".format(**found[data, OURS]),
        "the paper's": lambda data: "{} × {}, {}".format(
            *(wanted["1", data, "", c] for c in "ndk")
        ),
        "largest class %": lambda data: number(found[data, OURS]["largest_class"], 1),
    }
    return grid("data", MKC, cells)


def score_table(results: Results, name: str, digits: int) -> str:
    """Published and ours, by one score."""
    found, wanted = results.by("results", "dataset", "method"), published(results)
    lines = []
    for data in MKC:
        target = wanted["2", data, "MKC", name]
        line = [data, number(target, digits)]
        for method in (OURS, LETTER):
            row = found[data, method]
            line.append(with_sd(row, name, digits) + mark(row[name], target, name))
        if name == "majority":
            line.append(number(found[data, LETTER]["grid_median"], 1))
        line += [with_sd(found[data, method], name, digits) for method in (LOWEST, UNIFORM)]
        lines.append(line)
    header = ["data", "published MKC", "ours", "letter, tuned"]
    header += ["letter, grid median"] if name == "majority" else []
    lines.append(["**mean**", *(mean_of(lines, place) for place in range(1, len(lines[0])))])
    return markdown([*header, "lowest single", "uniform"], lines)


def mean_of(lines: list[list[str]], place: int) -> str:
    values = [line[place].split()[0] for line in lines]
    digits = len(values[0].partition(".")[2])
    return f"{np.mean([float(value) for value in values]):.{digits}f}"


def rival_table(results: Results, name: str, digits: int) -> str:
    """Single kernels and other methods; the paper's own figures in brackets."""
    found, wanted = results.by("results", "dataset", "method"), published(results)
    pairs = [(one, one) for one in SINGLE] + [(KMEANS, "KM"), (SPECTRAL, "NC"), ("", "IterSVR")]

    def cell(data: str, method: str, paper: str) -> str:
        row, target = found.get((data, method)), wanted.get(("2", data, paper, name))
        parts = [number(row[name], digits)] if row else []
        parts += [f"({number(target, digits)})"] if target else []
        return " ".join(parts) or "–"

    titles = (
        "K1 linear",
        "K2 polynomial",
        "K3 Gaussian",
        "KMeans (KM)",
        "spectral (NC)",
        "(IterSVR)",
    )
    cells = {t: partial(cell, method=m, paper=p) for t, (m, p) in zip(titles, pairs, strict=True)}
    return grid("data", MKC, cells)


def gain_text(results: Results) -> str:
    """Ours less the rivals that need no labels, over the sets."""
    found, lines = results.by("results", "dataset", "method"), []
    for method in (LOWEST, UNIFORM, *SINGLE, KMEANS):
        values = [[float(found[data, m]["majority"]) for data in MKC] for m in (OURS, method)]
        gains = np.subtract(*values)
        least = int(np.argmin(gains))
        lines.append(
            [method, f"{np.mean(gains):+.2f}", f"{gains[least]:+.2f} ({list(MKC)[least]})"]
        )
    return markdown(["ours less", "mean over the sets", "smallest"], lines)


def weight_table(results: Results) -> str:
    found = results.by("results", "dataset", "method")
    lines = [
        [data, *found[data, OURS]["weights"].split(), found[data, LOWEST]["chosen"]] for data in MKC
    ]
    header = ["data", "linear", "poly", "rbf", "rbf ×4", "rbf ×16", "lowest single, over seeds"]
    return markdown(header, lines)


def subset_table(results: Results) -> str:
    """Table 3."""
    found, wanted, lines = results.by("results", "dataset", "method"), published(results), []
    for data, rows in SUBSETS.items():
        line = [data, str(rows)]
        for name, digits in (("majority", 2), ("rand", 3)):
            for method, paper in ((OURS, "MKC whole"), (SUBSET, "MKC subset")):
                target, row = wanted["3", data, paper, name], found[data, method]
                line += [number(target, digits)]
                line += [with_sd(row, name, digits) + mark(row[name], target, name)]
        lines.append(line)
    header = ["data", "rows of the subset"]
    for name in ("accuracy", "Rand"):
        for fit in ("whole", "subset"):
            header += [f"{name}, published {fit}", f"ours {fit}"]
    return markdown(header, lines)


def time_table(results: Results) -> str:
    found = results.by("results", "dataset", "method")
    titles = {
        "ours": OURS,
        "lowest single (five fits)": LOWEST,
        "uniform": UNIFORM,
        "letter, one run at its cell": LETTER,
        "KMeans(n_init=10)": KMEANS,
    }
    seconds = {
        title: lambda data, method=method: number(found[data, method]["cpu_seconds"], 3)
        for title, method in titles.items()
    }
    cell = {"cell and start": lambda data: found[data, LETTER]["cell"]}
    return grid("data", MKC, seconds | cell)


def slope_table(results: Results) -> str:
    """The exponents of Figures 2 and 3."""
    targets = {"n": ("2", "n", "1"), "kernels": ("3", "number of kernels", "2")}
    targets["tol"] = ("3", "ε", "−0.2")
    lines = []
    for what, (figure, words, paper) in targets.items():
        line = [words, paper]
        for model in TITLES:
            rows = where(results["figures"], figure=figure, model=model, what=what)
            curves = draw.curves(rows, "dataset", "x", "cpu_seconds")
            line.append(", ".join(f"{name} {draw.slope(*c):.2f}" for name, c in curves.items()))
        lines.append(line)
    return markdown(["time against", "paper", *TITLES.values()], lines)


def cause_table(results: Results) -> str:
    rows, wanted = results["causes"], published(results)
    names, of = distinct(rows, "dataset"), results.by("causes", "cause", "dataset")
    lines = [["published", *(number(wanted["2", name, "MKC", "majority"]) for name in names)]]
    for cause in distinct(rows, "cause"):
        lines.append([cause, *(number(of.get((cause, n), {}).get("majority")) for n in names)])
    return markdown(["variant", *names], lines)


def objective_table(results: Results) -> str:
    """Whether the objective would choose the true classes, or one kernel."""
    of, lines = results.by("causes", "cause", "dataset"), []
    causes = ("defaults", LOWEST, TRUTH)
    for data in dict.fromkeys(data for _, data in of):
        line = [data]
        for row in (of.get((cause, data), {}) for cause in causes):
            line += [number(row.get("objective"), 4), number(row.get("majority"))]
        lines.append(line)
    header = ["data"]
    for cause in ("defaults", LOWEST, "from the true classes"):
        header += [f"objective, {cause}", "majority %"]
    return markdown(header, lines)


#: The paper's other columns by its protocol.
RIVALS = rivals.Columns(
    {rivals.NC: "NC", rivals.SVR: "IterSVR", rivals.SVR_DEFAULT: ""},
    lambda results, *key: published(results).get(("2", *key), ""),
)


def rival_causes(results: Results) -> str:
    """Majority accuracy of IterSVR, and the width."""
    rows, wanted = results["rival_causes"], published(results)
    names, of = distinct(rows, "dataset"), results.by("rival_causes", "variant", "dataset")
    lines = [["published", *(number(wanted["2", n, "IterSVR", "majority"]) for n in names)]]
    for variant in distinct(rows, "variant"):
        found = [of.get((variant, name)) for name in names]
        texts = (f"{number(r['majority'])} ({r['cell']})" if r else "–" for r in found)
        lines.append([variant, *texts])
    return markdown(["variant", *names], lines)


TABLES = {
    "rival-causes": rival_causes,
    "rivals": RIVALS.table,
    "rivals-rand": partial(RIVALS.table, score="rand", digits=3),
    "table-1": set_table,
    "table-2": partial(score_table, name="majority", digits=2),
    "table-2-others": partial(rival_table, name="majority", digits=2),
    "gains": gain_text,
    "table-2-rand": partial(score_table, name="rand", digits=3),
    "table-2-rand-others": partial(rival_table, name="rand", digits=3),
    "weights": weight_table,
    "table-3": subset_table,
    "times": time_table,
    "slopes": slope_table,
    "causes": cause_table,
    "objectives": objective_table,
    "machine": lambda results: machine.lines(results["results"]),
}
