"""The tables of the README from the csv files beside it."""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from methods import DEFAULT, DENSITY, GRAPH, LETTER, PAPER, SVC, USABLE
from sets import SETS
from shared.table import fill, markdown, number, read_csv

Row = dict[str, str]
METRICS = ("purity", "rand", "compactness", "db")
HIGHER = ("purity", "rand")
LEAST = 0.005  # published figures are rounded to two digits
ORDER = (SVC, LETTER, USABLE, GRAPH, DEFAULT, DENSITY)
SHORT = {"exact": "SVC", "libsvm": "SVC, LIBSVM", "letter": LETTER, "usable": USABLE}


def results() -> dict[tuple[str, str], Row]:
    return {(row["dataset"], row["method"]): row for row in read_csv(HERE / "results.csv")}


def published() -> dict[tuple[str, str, str], float]:
    return {
        (row["dataset"], row["method"], row["metric"]): float(row["value"])
        for row in read_csv(HERE / "published.csv")
    }


def verdicts() -> dict[tuple[str, str], Row]:
    return {(row["dataset"], row["method"]): row for row in read_csv(HERE / "impossible.csv")}


def reached(value: str, target: float, metric: str) -> bool:
    if value == "":
        return False
    ahead = float(value) - target if metric in HIGHER else target - float(value)
    return ahead >= -LEAST


def with_sd(row: Row, name: str, digits: int = 2) -> str:
    text = number(row[name], digits)
    spread = row.get(f"{name}_sd")
    return f"{text} ± {number(spread, digits)}" if spread and float(spread) >= 5e-4 else text


def best_table(metric: str) -> str:
    """The best of the grid by one score, beside the published figure."""
    found, wanted, judged = results(), published(), verdicts()
    lines = []
    for data in SETS:
        line = [data]
        for method, paper in PAPER.items():
            target = wanted[data, paper, metric]
            impossible = judged[data, paper]["verdict"] == "impossible"
            row = found[data, method]
            line.append(number(target) + " ‡" * (impossible and metric in HIGHER))
            line.append(with_sd(row, f"best_{metric}"))
            line[-1] += "" if reached(row[f"best_{metric}"], target, metric) else " †"
            if metric == "db":
                line.append(with_sd(row, "best_db_largest"))
        line += [with_sd(found[data, method], f"best_{metric}") for method in ORDER[2:]]
        lines.append(line)
    header = ["data"]
    for method, paper in PAPER.items():
        header += [f"published {paper}", method, *(["largest"] if metric == "db" else [])]
    return markdown([*header, *ORDER[2:]], lines)


def counts_table() -> str:
    """How many published figures are reached, and how many cannot be."""
    found, wanted, judged = results(), published(), verdicts()
    lines = []
    for metric in METRICS:
        line = [{"rand": "Rand index", "db": "Davies–Bouldin"}.get(metric, metric)]
        for method, paper in PAPER.items():
            for prefix in ("best", "at"):
                hit, bad = [], []
                for data in SETS:
                    impossible = judged[data, paper]["verdict"] == "impossible"
                    value = found[data, method][f"{prefix}_{metric}"]
                    (bad if impossible and metric in HIGHER else hit).append(
                        reached(value, wanted[data, paper, metric], metric)
                    )
                text = f"{sum(hit)} of {len(hit)}"
                line.append(text + (f" (+ {sum(bad)} of {len(bad)} ‡)" if bad else ""))
        lines.append(line)
    header = ["score"]
    for method in PAPER:
        header += [f"{method}, each for itself", f"{method}, one cell"]
    return markdown(header, lines)


def one_cell_table() -> str:
    """All scores at the cell with the best Rand index."""
    found, wanted, judged = results(), published(), verdicts()
    lines = []
    for data in SETS:
        for method in ORDER:
            row = found[data, method]
            line = [data if method == SVC else "", method, row.get("cell") or "–"]
            line += [number(row["at_k"], 0 if row["seeds"] == "1" else 1)]
            line += [with_sd(row, f"at_{name}") for name in ("purity", "rand", "ari")]
            line += [with_sd(row, f"at_{name}") for name in ("compactness", "db")]
            paper = PAPER.get(method)
            if paper:
                mark = " ‡" * (judged[data, paper]["verdict"] == "impossible")
                texts = [number(wanted[data, paper, name]) for name in METRICS]
                line.append(" / ".join(texts) + mark)
            else:
                line.append("")
            lines.append(line)
    header = ["data", "method", "cell (first seed)", "k", "purity", "Rand", "ARI"]
    return markdown([*header, "compactness", "DB", "published purity / Rand / comp. / DB"], lines)


def ari_table() -> str:
    """The best ARI of the grid, and without a grid."""
    found = results()
    lines = [[data, *(with_sd(found[data, one], "best_ari") for one in ORDER)] for data in SETS]
    means = [np.mean([float(found[data, one]["best_ari"]) for data in SETS]) for one in ORDER]
    lines.append(["**mean**", *(number(mean, 3) for mean in means)])
    return markdown(["data", *ORDER], lines)


def near_table() -> str:
    """The one cell that comes nearest to the published four."""
    found, wanted = results(), published()
    lines = []
    for data in SETS:
        line = [data]
        for method, paper in PAPER.items():
            row = found[data, method]
            line.append(" / ".join(number(wanted[data, paper, name]) for name in METRICS))
            line.append(" / ".join(number(row[f"near_{name}"]) for name in METRICS))
            line.append(number(row["near_miss"]))
        lines.append(line)
    header = ["data"]
    for method, paper in PAPER.items():
        header += [f"published {paper}", f"{method}, nearest cell", "misses by"]
    return markdown(header, lines)


def empty_table() -> str:
    found = results()
    methods = (SVC, LETTER, USABLE)
    lines = []
    for data in SETS:
        rows = [found[data, method] for method in methods]
        lines.append([data, *(f"{100 * float(row['grid_empty']):.0f}" for row in rows)])
        lines[-1] += [f"{100 * float(row['grid_open']):.0f}" for row in rows]
    header = [f"empty, {method}" for method in methods]
    return markdown(["data", *header, *(f"open, {method}" for method in methods)], lines)


def impossible_table() -> str:
    lines = [
        [
            row["dataset"],
            row["method"],
            number(row["purity"]),
            number(row["rand"]),
            number(row["floor"], 3),
            f"{number(row['smallest'], 3)} to {number(row['largest'], 3)}"
            if row["smallest"]
            else "–",
            f"**{row['verdict']}**" if row["verdict"] == "impossible" else row["verdict"],
            row["reason"]
            or f"a clustering has {number(row['near_purity'], 4)}, {number(row['near_rand'], 4)}",
        ]
        for row in verdicts().values()
    ]
    header = ["data", "method", "purity", "Rand", "largest class", "Rand lies in", "verdict"]
    return markdown([*header, "because"], lines)


def of_times() -> dict[tuple[str, str], Row]:
    return {(row["dataset"], row["solver"]): row for row in read_csv(HERE / "times.csv")}


def time_table() -> str:
    """Seconds of a cell, phase 1 + phase 2, and the ratio of both methods."""
    times, wanted, found = of_times(), published(), results()
    lines = []
    for data in SETS:
        paper = [wanted[data, name, "seconds"] for name in PAPER.values()]
        line = [data, *(number(value) for value in paper), number(paper[0] / paper[1], 1)]
        totals = {}
        for solver in SHORT:
            row = times[data, solver]
            totals[solver] = float(row["phase_1"]) + float(row["phase_2"])
            line.append(f"{number(row['phase_1'], 4)} + {number(row['phase_2'], 4)}")
        line.append(number(totals["exact"] / totals["letter"], 1))
        line.append(number(totals["libsvm"] / totals["letter"], 1))
        line += [number(found[data, method]["best_ari"]) for method in (SVC, LETTER)]
        lines.append(line)
    header = ["data", "published SVC", "published SGD", "SVC/SGD", *SHORT.values()]
    return markdown([*header, "SVC/SGD, ours", "LIBSVM/SGD, ours", "ARI, SVC", "ARI, SGD"], lines)


def stop_table() -> str:
    """When SGD ends, and how far it is from the optimum then."""
    times = of_times()
    steps = ("0.03125", "2", "32")
    lines = []
    for data in SETS:
        line = [data]
        for solver in ("letter", "usable"):
            row = times[data, solver]
            line.append(number(row["epochs"], 2))
            line += [number(row[f"ratio_{C}"]) for C in steps]
        lines.append(line)
    header = ["data"]
    for solver in ("letter", "usable"):
        header += [f"epochs, {SHORT[solver]}", *(f"C = {C}" for C in ("2⁻⁵", "2", "32"))]
    return markdown(header, lines)


def boundary_table() -> str:
    """Rows on the boundary and equilibria, means over gamma."""
    rows = [row for row in read_csv(HERE / "asides.csv") if row["what"] == "boundary"]
    of = {(row["dataset"], row["method"], float(row["C"])): row for row in rows}
    lines = []
    for data in dict.fromkeys(row["dataset"] for row in rows):
        line = [data]
        for C, method in ((2**-5, SVC), (2**-5, LETTER), (2.0, SVC), (2.0, LETTER)):
            row = of[data, method, C]
            line.append(f"{number(row['starts'], 0)} → {number(row['equilibria'], 0)}")
        lines.append(line)
    header = [f"{method}, C = {C}" for C in ("2⁻⁵", "2") for method in (SVC, LETTER)]
    return markdown(["data", *header], lines)


def cause_table(method: str, column: str, digits: int = 2) -> str:
    """One score under each change."""
    rows, wanted = read_csv(HERE / "causes.csv"), published()
    rows = [row for row in rows if row["method"] == method]
    names = list(dict.fromkeys(row["dataset"] for row in rows))
    variants = list(dict.fromkeys(row["variant"] for row in rows))
    of = {(row["variant"], row["dataset"]): row[column] for row in rows}
    lines = []
    if column in METRICS:
        targets = [number(wanted[name, PAPER[method], column]) for name in names]
        lines.append(["published", *targets])
    base = [of[variants[0], name] for name in names]
    for variant in variants:
        values = [of.get((variant, name), "") for name in names]
        if variant == variants[0] or any(
            value not in ("", same) for value, same in zip(values, base, strict=True)
        ):
            lines.append(
                [variant, *("–" if v in ("", "nan") else number(v, digits) for v in values)]
            )
    return markdown(["variant", *names], lines)


def machine() -> str:
    """The machine that the rows were measured on, not the one that writes the README."""
    row = read_csv(HERE / "results.csv")[0]
    packages = ("python", "maxmargin", "numpy", "scipy", "scikit-learn")
    versions = ", ".join(f"{name} {row[name]}" for name in packages)
    return f"{versions}; {row['system']}, {row['cpu']}, BLAS threads: {row['blas_threads']}."


def write_tables() -> None:
    """Fill in what the csv files allow for."""
    readme = HERE / "README.md"

    def there(*names: str) -> bool:
        return readme.is_file() and all((HERE / f"{name}.csv").is_file() for name in names)

    parts: dict[str, Callable[[], str]] = {}
    if there("results", "impossible") and len(results()) == len(SETS) * len(ORDER):
        parts |= {f"best-{name}": lambda name=name: best_table(name) for name in METRICS}
        parts |= {"counts": counts_table, "one-cell": one_cell_table, "ari": ari_table}
        parts |= {"near": near_table, "empty": empty_table, "machine": machine}
    if there("impossible"):
        parts["impossible"] = impossible_table
    if there("times") and len(of_times()) == len(SETS) * len(SHORT):
        parts |= {"times": time_table, "stops": stop_table}
    if there("asides"):
        parts["boundary"] = boundary_table
    if there("causes"):
        parts |= {
            "causes-rand-sgd": lambda: cause_table(LETTER, "rand"),
            "causes-rand-svc": lambda: cause_table(SVC, "rand"),
            "causes-compactness-sgd": lambda: cause_table(LETTER, "compactness"),
            "causes-near-sgd": lambda: cause_table(LETTER, "near_miss"),
            "causes-near-svc": lambda: cause_table(SVC, "near_miss"),
            "causes-purity-svc": lambda: cause_table(SVC, "lowest_purity"),
        }
    for name, text in parts.items():
        fill(readme, name, text())


if __name__ == "__main__":
    write_tables()
