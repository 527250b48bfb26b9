"""How the tables of the README are written."""

from functools import partial
from typing import Any

import numpy as np

from benchmarks.datasets.papers import SGD_LMSVC
from benchmarks.methods.domains import DEFAULT, GRAPH, LETTER, METRICS, PAPER, SVC, USABLE
from benchmarks.runner import machine
from benchmarks.runner.study import Results
from benchmarks.runner.table import distinct, markdown, number, where, with_sd

DENSITY = "HDBSCAN"
#: Smaller standard deviations are none.
sd = partial(with_sd, least=5e-4)
HIGHER = ("purity", "rand")
LEAST = 0.005  # published figures are rounded to two digits
ORDER = (SVC, LETTER, USABLE, GRAPH, DEFAULT, DENSITY)
SHORT = {"exact": "SVC", "libsvm": "SVC, LIBSVM", "letter": LETTER, "usable": USABLE}


def published(results: Results) -> dict[tuple[str, str, str], float]:
    rows = results.by("published", "dataset", "method", "metric")
    return {key: float(row["value"]) for key, row in rows.items()}


def read(results: Results) -> tuple[Any, Any, Any]:
    """What was measured, what was published, and whether that can be."""
    wanted, judged = published(results), results.by("impossible", "dataset", "method")
    return results.by("results", "dataset", "method"), wanted, judged


def times_of(results: Results) -> dict[Any, dict[str, str]]:
    return results.by("times", "dataset", "solver")


def reached(value: str, target: float, metric: str) -> bool:
    if value == "":
        return False
    ahead = float(value) - target if metric in HIGHER else target - float(value)
    return ahead >= -LEAST


def best_table(results: Results, metric: str) -> str:
    """The best of the grid by one score, beside the published figure."""
    found, wanted, judged = read(results)
    lines = []
    for data in SGD_LMSVC:
        line = [data]
        for method, paper in PAPER.items():
            target = wanted[data, paper, metric]
            impossible = judged[data, paper]["verdict"] == "impossible"
            row = found[data, method]
            line.append(number(target) + " ‡" * (impossible and metric in HIGHER))
            line.append(sd(row, f"best_{metric}"))
            line[-1] += "" if reached(row[f"best_{metric}"], target, metric) else " †"
            if metric == "db":
                line.append(sd(row, "best_db_largest"))
        line += [sd(found[data, method], f"best_{metric}") for method in ORDER[2:]]
        lines.append(line)
    header = ["data"]
    for method, paper in PAPER.items():
        header += [f"published {paper}", method, *(["largest"] if metric == "db" else [])]
    return markdown([*header, *ORDER[2:]], lines)


def counts_table(results: Results) -> str:
    """How many published figures are reached, and how many cannot be."""
    found, wanted, judged = read(results)
    lines = []
    for metric in METRICS:
        line = [{"rand": "Rand index", "db": "Davies–Bouldin"}.get(metric, metric)]
        for method, paper in PAPER.items():
            for prefix in ("best", "at"):
                hit, bad = [], []
                for data in SGD_LMSVC:
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


def one_cell_table(results: Results) -> str:
    """All scores at the cell with the best Rand index."""
    found, wanted, judged = read(results)
    lines = []
    for data in SGD_LMSVC:
        for method in ORDER:
            row = found[data, method]
            line = [data if method == SVC else "", method, row.get("cell") or "–"]
            line += [number(row["at_k"], 0 if row["seeds"] == "1" else 1)]
            line += [sd(row, f"at_{name}") for name in ("purity", "rand", "ari")]
            line += [sd(row, f"at_{name}") for name in ("compactness", "db")]
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


def ari_table(results: Results) -> str:
    """The best ARI of the grid, and without a grid."""
    found, _, _ = read(results)
    lines = [[data, *(sd(found[data, one], "best_ari") for one in ORDER)] for data in SGD_LMSVC]
    means = [np.mean([float(found[data, one]["best_ari"]) for data in SGD_LMSVC]) for one in ORDER]
    lines.append(["**mean**", *(number(mean, 3) for mean in means)])
    return markdown(["data", *ORDER], lines)


def near_table(results: Results) -> str:
    """The one cell that comes nearest to the published four."""
    found, wanted, _ = read(results)
    lines = []
    for data in SGD_LMSVC:
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


def empty_table(results: Results) -> str:
    found, _, _ = read(results)
    methods = (SVC, LETTER, USABLE)
    lines = []
    for data in SGD_LMSVC:
        rows = [found[data, method] for method in methods]
        lines.append([data, *(f"{100 * float(row['grid_empty']):.0f}" for row in rows)])
        lines[-1] += [f"{100 * float(row['grid_open']):.0f}" for row in rows]
    header = [f"empty, {method}" for method in methods]
    return markdown(["data", *header, *(f"open, {method}" for method in methods)], lines)


def impossible_table(results: Results) -> str:
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
        for row in results["impossible"]
    ]
    header = ["data", "method", "purity", "Rand", "largest class", "Rand lies in", "verdict"]
    return markdown([*header, "because"], lines)


def time_table(results: Results) -> str:
    """Seconds of a cell, phase 1 + phase 2, and the ratio of both methods."""
    times, (found, wanted, _) = times_of(results), read(results)
    lines = []
    for data in SGD_LMSVC:
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


def stop_table(results: Results) -> str:
    """When SGD ends, and how far it is from the optimum then."""
    times = times_of(results)
    steps = ("0.03125", "2", "32")
    lines = []
    for data in SGD_LMSVC:
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


def boundary_table(results: Results) -> str:
    """Rows on the boundary and equilibria, means over gamma."""
    rows = where(results["asides"], what="boundary")
    of = {(row["dataset"], row["method"], float(row["C"])): row for row in rows}
    lines = []
    for data in distinct(rows, "dataset"):
        line = [data]
        for C, method in ((2**-5, SVC), (2**-5, LETTER), (2.0, SVC), (2.0, LETTER)):
            row = of[data, method, C]
            line.append(f"{number(row['starts'], 0)} → {number(row['equilibria'], 0)}")
        lines.append(line)
    header = [f"{method}, C = {C}" for C in ("2⁻⁵", "2") for method in (SVC, LETTER)]
    return markdown(["data", *header], lines)


def cause_table(results: Results, method: str, column: str, digits: int = 2) -> str:
    """One score under each change."""
    rows, wanted = where(results["causes"], method=method), published(results)
    names = distinct(rows, "dataset")
    variants = distinct(rows, "variant")
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


CAUSES = {
    "rand-sgd": (LETTER, "rand"),
    "rand-svc": (SVC, "rand"),
    "compactness-sgd": (LETTER, "compactness"),
    "near-sgd": (LETTER, "near_miss"),
    "near-svc": (SVC, "near_miss"),
    "purity-svc": (SVC, "lowest_purity"),
}
TABLES = {
    **{f"best-{metric}": partial(best_table, metric=metric) for metric in METRICS},
    "counts": counts_table,
    "one-cell": one_cell_table,
    "ari": ari_table,
    "near": near_table,
    "empty": empty_table,
    "impossible": impossible_table,
    "times": time_table,
    "stops": stop_table,
    "boundary": boundary_table,
    **{
        f"causes-{name}": partial(cause_table, method=m, column=c)
        for name, (m, c) in CAUSES.items()
    },
    "machine": lambda results: machine.lines(results["results"]),
}
