"""The tables of the README from the csv files beside it."""

import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from methods import KMEANS, LETTER, OURS, SCORES, UNTUNED
from sets import FAMILIES, ORDER
from shared.table import fill, markdown, number, read_csv

TRUTH = "alternation from the true classes"
Row = dict[str, str]
LEAST = {"majority": 0.3, "rand": 0.005}  # one row of the small sets, half a percent


def results() -> dict[tuple[str, str], Row]:
    """All rows, those of 45 pairs as means over the pairs; sd is that of a mean over seeds."""
    rows = {(row["dataset"], row["method"]): row for row in read_csv(HERE / "results.csv")}
    pairs = read_csv(HERE / "pairs.csv") if (HERE / "pairs.csv").is_file() else []
    for family in FAMILIES:
        for method in (OURS, LETTER, UNTUNED, KMEANS):
            chosen = [
                row
                for row in pairs
                if row["method"] == method and row["dataset"].startswith(family.split()[0])
            ]
            if len(chosen) == 45:
                names = [*SCORES, "grid_median", "grid_rand", "largest_class"]
                means = {
                    name: str(np.mean([float(row[name]) for row in chosen]))
                    for name in names
                    if chosen[0].get(name)
                }
                rows[family, method] = chosen[0] | {"cell": "per pair"} | means
                for name in SCORES:
                    rows[family, method][f"{name}_sd"] = ""
    return rows


def published() -> dict[tuple[str, str, str], str]:
    return {
        (row["table"], row["dataset"], row["method"]): row["value"]
        for row in read_csv(HERE / "published.csv")
    }


def with_sd(row: Row, name: str, digits: int) -> str:
    text = number(row[name], digits)
    return f"{text} ± {number(row[f'{name}_sd'], digits)}" if row.get(f"{name}_sd") else text


def mark(value: str, wanted: str, least: float) -> str:
    if not wanted:
        return ""
    return " †" if float(value) < float(wanted) - least else ""


def score_table(name: str, paper: str, digits: int) -> str:
    """Published and ours, by one score."""
    found, wanted = results(), published()
    lines = []
    for data in ORDER:
        if (data, OURS) not in found:
            continue
        ours, letter = found[data, OURS], found[data, LETTER]
        target = wanted.get((paper, data, "CPM3C"), "")
        lines.append(
            [
                data,
                number(target, digits),
                with_sd(ours, name, digits) + mark(ours[name], target, LEAST[name]),
                number(letter[name], digits) + mark(letter[name], target, LEAST[name]),
                number(letter["grid_median"], 1)
                if name == "majority"
                else number(letter["grid_rand"], 3),
                with_sd(found[data, UNTUNED], name, digits),
                with_sd(found[data, KMEANS], name, digits),
                number(wanted.get((paper, data, "KM"), ""), digits),
                *([number(ours["largest_class"], 1)] if name == "majority" else []),
            ]
        )
    header = ["data", "published CPM3C", "ours", "letter, tuned"]
    header += ["letter, grid median" if name == "majority" else "letter, grid best"]
    header += ["letter, no labels", "KMeans(n_init=10)", "the paper's k-means"]
    return markdown([*header, *(["largest class"] if name == "majority" else [])], lines)


def margin_table() -> str:
    """What lies between ours and k-means, by scores that are not trivial."""
    found = results()
    lines = []
    for data in ORDER:
        if (data, OURS) not in found:
            continue
        ours, kmeans = found[data, OURS], found[data, KMEANS]
        shape = f"{ours['n']} × {ours['d']}, {ours['k']}"
        line = ["pairs" if data in FAMILIES else shape]
        for name, digits in (("ari", 3), ("one_to_one", 2)):
            gain = float(ours[name]) - float(kmeans[name])
            line += [with_sd(ours, name, digits), with_sd(kmeans, name, digits)]
            line.append(f"{gain:+.{digits}f}")
        lines.append([data, *line])
    header = ["data", "n × d, k", "ARI ours", "ARI k-means", "gain"]
    return markdown([*header, "one-to-one ours", "one-to-one k-means", "gain"], lines)


def time_table() -> str:
    found, wanted = results(), published()
    lines = []
    for data in ORDER:
        if (data, OURS) not in found or ("4", data, "CPM3C") not in wanted:
            continue
        lines.append(
            [
                data,
                wanted["4", data, "CPM3C"],
                *(number(found[data, method]["cpu_seconds"], 3) for method in (OURS, LETTER)),
                number(found[data, KMEANS]["cpu_seconds"], 3),
                wanted["4", data, "KM"],
                found[data, LETTER]["cell"],
            ]
        )
    header = ["data", "published CPM3C", "ours", "letter, one run at its cell"]
    return markdown([*header, "KMeans(n_init=10)", "the paper's k-means", "cell and start"], lines)


def cause_table() -> str:
    rows, wanted = read_csv(HERE / "causes.csv"), published()
    names = list(dict.fromkeys(row["dataset"] for row in rows))
    causes = list(dict.fromkeys(row["cause"] for row in rows))
    of = {(row["cause"], row["dataset"]): row["majority"] for row in rows}
    lines = [["published", *(number(wanted["2", name, "CPM3C"]) for name in names)]]
    for cause in causes:
        lines.append([cause, *(number(of.get((cause, name), "")) for name in names)])
    return markdown(["variant", *names], lines)


def objective_table() -> str:
    """Whether the objective would choose the true classes."""
    rows = read_csv(HERE / "causes.csv")
    of = {(row["cause"], row["dataset"]): row for row in rows}
    lines = []
    for data in dict.fromkeys(row["dataset"] for row in rows):
        line = [data]
        for cause in ("defaults", TRUTH):
            row = of[cause, data]
            line += [number(row["objective"], 4), number(row["majority"])]
        lines.append(line)
    header = ["data", "objective, defaults", "majority %"]
    return markdown([*header, "objective, from the true classes", "majority %"], lines)


def machine() -> str:
    """The machine that the rows were measured on, not the one that writes the README."""
    row = read_csv(HERE / "results.csv")[0]
    packages = ("python", "maxmargin", "numpy", "scipy", "scikit-learn")
    versions = ", ".join(f"{name} {row[name]}" for name in packages)
    return f"{versions}; {row['system']}, {row['cpu']}, BLAS threads: {row['blas_threads']}."


def write_tables() -> None:
    readme = HERE / "README.md"
    fill(readme, "table-2", score_table("majority", "2", 2))
    fill(readme, "table-3", score_table("rand", "3", 3))
    fill(readme, "margin", margin_table())
    fill(readme, "table-4", time_table())
    if (HERE / "causes.csv").is_file():
        fill(readme, "causes", cause_table())
        fill(readme, "objectives", objective_table())
    fill(readme, "machine", machine())


if __name__ == "__main__":
    write_tables()
