"""The tables of the README from ``published.csv``, ``results.csv`` and ``pairs.csv``."""

import sys
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from shared import machine, table
from shared.table import number

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


def average_pairs() -> list[dict]:
    """Return the rows "45 pairs": the mean over the pairs of digits that were run."""
    rows = table.read_csv(HERE / "pairs.csv")
    means = []
    for family in ("UCI digits", "MNIST digits"):
        for method in ("KM", "EvoMMC", "FastEvoMMC"):
            chosen = [
                row for row in rows if row["dataset"].startswith(family) and row["method"] == method
            ]
            if not chosen:
                continue
            mean = {
                column: f"{np.mean([float(row[column]) for row in chosen]):.2f}"
                for column in ("oracle_error", "no_labels_error")
            }
            cells = (
                {} if method == "KM" else {"oracle_cell": "per pair", "no_labels_cell": "per pair"}
            )
            means.append(
                {"dataset": f"{family} 45 pairs", "method": method, **mean, **cells}
                | {"repeats": 1, "n": f"{len(chosen)} pairs", **machine.describe()}
            )
    return means


def same_pairs() -> str:
    """Return the methods' errors on the pairs of MNIST digits that all three were run on."""
    errors: dict[str, dict[str, list[str]]] = {}
    for row in table.read_csv(HERE / "pairs.csv"):
        if row["dataset"].startswith("MNIST"):
            pair = errors.setdefault(row["dataset"].split()[-1], {})
            pair[row["method"]] = [row["oracle_error"], row["no_labels_error"]]
    methods = ("KM", "EvoMMC", "FastEvoMMC")
    body = [
        [pair, *(number(value) for method in methods for value in found[method])]
        for pair, found in errors.items()
        if len(found) == len(methods)
    ]
    means = [number(np.mean([float(line[i]) for line in body])) for i in range(1, 7)]
    header = ["MNIST pair", *(f"{m}{kind}" for m in methods for kind in ("", " (no labels)"))]
    return table.markdown(header, [*body, ["mean", *means]])


def published() -> dict[tuple[str, str, str], tuple[str, str]]:
    """Return value and standard deviation by table, data set and method."""
    rows = table.read_csv(HERE / "published.csv")
    return {(r["table"], r["dataset"], r["method"]): (r["value"], r["std"]) for r in rows}


def mark(ours: str, theirs: str, std: str) -> str:
    """† above and ‡ below the published error by more than its standard deviation."""
    gap = float(ours) - float(theirs)
    if abs(gap) <= max(float(std or 0), LEAST) + 1e-9:
        return ""
    return " †" if gap > 0 else " ‡"


def write_tables() -> None:
    """Add the published figures to ``results.csv``, and fill the tables of the README."""
    paper = published()
    rows = table.read_csv(HERE / "results.csv")
    for row in rows:
        name, method = row["dataset"], row["method"]
        row["published_error"], row["published_std"] = paper.get(("1", name, method), ("", ""))
        row["published_seconds"], _ = paper.get(("2", name, method), ("", ""))
    table.write_csv(HERE / "results.csv", rows)
    errors, times = [], []
    for row in rows:
        name, method = row["dataset"], row["method"]
        if row.get("oracle_error"):
            value, std = paper.get(("1", name, method), ("", ""))
            ours = number(row["oracle_error"])
            if row.get("oracle_std"):
                ours += f" ± {number(row['oracle_std'])}"
            if value:
                ours += mark(row["oracle_error"], value, std)
            errors.append(
                [
                    name,
                    method,
                    row["n"],
                    f"{value} ± {std}" if std else value or "–",
                    ours,
                    row["oracle_cell"] or "–",
                    number(row["no_labels_error"]),
                    row["no_labels_cell"] or "–",
                    row["repeats"],
                ]
            )
        if row.get("fit_cpu_seconds"):
            value, _ = paper.get(("2", name, method), ("", ""))
            theirs = GENERATIONS[name][method == "FastEvoMMC"]
            times.append(
                [
                    name,
                    method,
                    value or "–",
                    theirs or "–",
                    number(row["fit_cpu_seconds"], 3),
                    row["fit_generations"],
                    number(row["oracle_error"]),
                    row["oracle_cell"],
                ]
            )
    readme = HERE / "README.md"
    header = ["data", "method", "n", "published", "ours (oracle)", "its cell"]
    header += ["ours (no labels)", "its cell", "repeats"]
    table.fill(readme, "table-1", table.markdown(header, errors))
    table.fill(readme, "mnist", same_pairs())
    header = ["data", "method", "published s", "generations", "ours s", "generations"]
    header += ["our error %", "cell"]
    table.fill(readme, "table-2", table.markdown(header, times))
    table.fill(readme, "machine", machine.one_line())


if __name__ == "__main__":
    with threadpool_limits(1):
        write_tables()
