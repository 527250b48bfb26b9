"""The tables of the README from the csv files beside it."""

import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from draw import TITLES, points, slope
from methods import KMEANS, LETTER, LOWEST, OURS, SINGLE, SPECTRAL, SUBSET, UNIFORM
from sets import SETS, SUBSETS
from shared.table import fill, markdown, number, read_csv

TRUTH = "alternation from the true classes"
Row = dict[str, str]
LEAST = {"majority": 0.3, "rand": 0.005}  # one row of the small sets, half a percent


def results() -> dict[tuple[str, str], Row]:
    return {(row["dataset"], row["method"]): row for row in read_csv(HERE / "results.csv")}


def published() -> dict[tuple[str, str, str, str], str]:
    return {
        (row["table"], row["dataset"], row["method"], row["metric"]): row["value"]
        for row in read_csv(HERE / "published.csv")
    }


def with_sd(row: Row, name: str, digits: int) -> str:
    text = number(row[name], digits)
    return f"{text} ± {number(row[f'{name}_sd'], digits)}" if row.get(f"{name}_sd") else text


def mark(value: str, wanted: str, name: str) -> str:
    return " †" if wanted and float(value) < float(wanted) - LEAST[name] else ""


def set_table() -> str:
    found, wanted = results(), published()
    lines = []
    for data in SETS:
        here = found[data, OURS]
        paper = [wanted["1", data, "", name] for name in "ndk"]
        lines.append([data, f"{here['n']} × {here['d']}, {here['k']}"])
        lines[-1] += ["{} × {}, {}".format(*paper), number(here["largest_class"], 1)]
    return markdown(["data", "n × d, k here", "the paper's", "largest class %"], lines)


def score_table(name: str, digits: int) -> str:
    """Published and ours, by one score."""
    found, wanted = results(), published()
    lines = []
    for data in SETS:
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


def rival_table(name: str, digits: int) -> str:
    """Single kernels and other methods; the paper's own figures in brackets."""
    found, wanted = results(), published()
    pairs = [(one, one) for one in SINGLE] + [(KMEANS, "KM"), (SPECTRAL, "NC")]
    lines = []
    for data in SETS:
        line = [data]
        for method, paper in [*pairs, ("", "IterSVR")]:
            row, target = found.get((data, method)), wanted.get(("2", data, paper, name))
            parts = [number(row[name], digits)] if row else []
            parts += [f"({number(target, digits)})"] if target else []
            line.append(" ".join(parts) or "–")
        lines.append(line)
    header = ["data", "K1 linear", "K2 polynomial", "K3 Gaussian", "KMeans (KM)"]
    return markdown([*header, "spectral (NC)", "(IterSVR)"], lines)


def mean_of(lines: list[list[str]], place: int) -> str:
    values = [line[place].split()[0] for line in lines]
    digits = len(values[0].partition(".")[2])
    return f"{np.mean([float(value) for value in values]):.{digits}f}"


def gain_text() -> str:
    """Ours less the rivals that need no labels, over the sets."""
    found = results()
    parts = []
    for method in (LOWEST, UNIFORM, *SINGLE, KMEANS):
        gains = [
            float(found[data, OURS]["majority"]) - float(found[data, method]["majority"])
            for data in SETS
        ]
        least = int(np.argmin(gains))
        parts.append(
            [method, f"{np.mean(gains):+.2f}", f"{gains[least]:+.2f} ({list(SETS)[least]})"]
        )
    return markdown(["ours less", "mean over the sets", "smallest"], parts)


def weight_table() -> str:
    found = results()
    lines = [
        [data, *found[data, OURS]["weights"].split(), found[data, LOWEST]["chosen"]]
        for data in SETS
    ]
    header = ["data", "linear", "poly", "rbf", "rbf ×4", "rbf ×16", "lowest single, over seeds"]
    return markdown(header, lines)


def subset_table() -> str:
    """Table 3."""
    found, wanted = results(), published()
    lines = []
    for data, rows in SUBSETS.items():
        line = [data, str(rows)]
        for name, digits in (("majority", 2), ("rand", 3)):
            for method, paper in ((OURS, "MKC whole"), (SUBSET, "MKC subset")):
                target = wanted["3", data, paper, name]
                row = found[data, method]
                line += [number(target, digits)]
                line += [with_sd(row, name, digits) + mark(row[name], target, name)]
        lines.append(line)
    header = ["data", "rows of the subset"]
    for name in ("accuracy", "Rand"):
        for fit in ("whole", "subset"):
            header += [f"{name}, published {fit}", f"ours {fit}"]
    return markdown(header, lines)


def time_table() -> str:
    found = results()
    methods = (OURS, LOWEST, UNIFORM, LETTER, KMEANS)
    lines = [
        [
            data,
            *(number(found[data, method]["cpu_seconds"], 3) for method in methods),
            found[data, LETTER]["cell"],
        ]
        for data in SETS
    ]
    header = ["data", "ours", "lowest single (five fits)", "uniform", "letter, one run at its cell"]
    return markdown([*header, "KMeans(n_init=10)", "cell and start"], lines)


def slope_table() -> str:
    """The exponents of Figures 2 and 3."""
    rows = read_csv(HERE / "figures.csv")
    targets = {"n": ("2", "n", "1"), "kernels": ("3", "number of kernels", "2")}
    targets["tol"] = ("3", "ε", "−0.2")
    lines = []
    for what, (figure, words, paper) in targets.items():
        chosen = [row for row in rows if row["figure"] == figure]
        line = [words, paper]
        for model in TITLES:
            curves = points(chosen, model, what, "cpu_seconds")
            line.append(", ".join(f"{name} {slope(*curve):.2f}" for name, curve in curves.items()))
        lines.append(line)
    return markdown(["time against", "paper", *TITLES.values()], lines)


def cause_table() -> str:
    rows, wanted = read_csv(HERE / "causes.csv"), published()
    names = list(dict.fromkeys(row["dataset"] for row in rows))
    causes = list(dict.fromkeys(row["cause"] for row in rows))
    of = {(row["cause"], row["dataset"]): row["majority"] for row in rows}
    lines = [["published", *(number(wanted["2", name, "MKC", "majority"]) for name in names)]]
    for cause in causes:
        lines.append([cause, *(number(of.get((cause, name), "")) for name in names)])
    return markdown(["variant", *names], lines)


def objective_table() -> str:
    """Whether the objective would choose the true classes, or one kernel."""
    of = {(row["cause"], row["dataset"]): row for row in read_csv(HERE / "causes.csv")}
    lines = []
    for data in dict.fromkeys(data for _, data in of):
        line = [data]
        for cause in ("defaults", LOWEST, TRUTH):
            if (cause, data) not in of:
                line += ["–", "–"]
                continue
            line += [number(of[cause, data]["objective"], 4), number(of[cause, data]["majority"])]
        lines.append(line)
    header = ["data"]
    for cause in ("defaults", LOWEST, "from the true classes"):
        header += [f"objective, {cause}", "majority %"]
    return markdown(header, lines)


def machine() -> str:
    """The machine that the rows were measured on, not the one that writes the README."""
    row = read_csv(HERE / "results.csv")[0]
    packages = ("python", "maxmargin", "numpy", "scipy", "scikit-learn")
    versions = ", ".join(f"{name} {row[name]}" for name in packages)
    return f"{versions}; {row['system']}, {row['cpu']}, BLAS threads: {row['blas_threads']}."


def write_tables() -> None:
    readme = HERE / "README.md"
    fill(readme, "table-1", set_table())
    fill(readme, "table-2", score_table("majority", 2))
    fill(readme, "table-2-others", rival_table("majority", 2))
    fill(readme, "gains", gain_text())
    fill(readme, "table-2-rand", score_table("rand", 3))
    fill(readme, "table-2-rand-others", rival_table("rand", 3))
    fill(readme, "weights", weight_table())
    fill(readme, "table-3", subset_table())
    fill(readme, "times", time_table())
    if (HERE / "figures.csv").is_file():
        fill(readme, "slopes", slope_table())
    if (HERE / "causes.csv").is_file():
        fill(readme, "causes", cause_table())
        fill(readme, "objectives", objective_table())
    fill(readme, "machine", machine())


if __name__ == "__main__":
    write_tables()
