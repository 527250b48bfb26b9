"""How the tables of the README are written."""

import numpy as np

from benchmarks.datasets.documents import SETS, SIZES
from benchmarks.methods.cutting_planes import FAST as METHODS
from benchmarks.runner import machine
from benchmarks.runner.draw import slope as of_line
from benchmarks.runner.study import Results
from benchmarks.runner.table import markdown, number

OURS, KMEANS = "CuttingPlaneClustering", "KMeans(n_init=10)"
Medians = dict[tuple[str, str], dict[str, float]]
TARGETS = (
    ("MNIST 01234", "CPU time ÷ KMeans(n_init=10)", 0.5),
    ("text-like", "CPU time ÷ KMeans(n_init=10)", 0.15),
)


def medians(results: Results) -> Medians:
    """The median of the rounds of each set and method."""
    rounds: dict[tuple[str, str], list[dict[str, float]]] = {}
    for row in results["results"]:
        values = {
            name: float(row[name])
            for name in ("n", "d", "cpu_seconds", "ari", "cuts", "passes", "peak_bytes")
            if row.get(name)
        }
        rounds.setdefault((row["data"], row["method"]), []).append(values)
    return {
        key: {"rounds": len(rows)}
        | {
            name: float(np.median([row[name] for row in rows if name in row]))
            for name in dict.fromkeys(name for row in rows for name in row)
        }
        for key, rows in rounds.items()
    }


def slope(found: Medians, method: str, k: int, least: int = 10_000) -> float:
    """How CPU seconds grow up to 1,000,000 rows: the line through all sizes, log-log."""
    sizes = [n for n in SIZES if n >= least]
    seconds = [found[f"blobs {n}, k = {k}", method]["cpu_seconds"] for n in sizes]
    return of_line(sizes, seconds)


def times(found: Medians, names: list[str]) -> str:
    lines = []
    for name in names:
        base = found[name, KMEANS]["cpu_seconds"]
        for method in METHODS:
            row = found[name, method]
            lines.append(
                [
                    name,
                    f"{row['n']:.0f} × {row['d']:.0f}",
                    method,
                    number(row["cpu_seconds"], 3),
                    number(row["cpu_seconds"] / base),
                    number(row["ari"], 3),
                    number(row.get("cuts"), 0),
                    number(row.get("passes"), 0),
                    f"{row['rounds']:.0f}",
                ]
            )
    header = ["data", "n × d", "method", "CPU s", "÷ KMeans", "ARI", "cuts", "passes", "rounds"]
    return markdown(header, lines)


def growth(found: Medians) -> str:
    lines = []
    for k in (2, 4):
        for n in SIZES:
            of = [found[f"blobs {n}, k = {k}", method] for method in METHODS]
            lines.append(
                [
                    k,
                    n,
                    *(number(row["cpu_seconds"], 3) for row in of),
                    number(of[0]["cpu_seconds"] / of[2]["cpu_seconds"]),
                    *(number(row["ari"], 3) for row in of),
                ]
            )
        for least, name in ((10_000, "10k"), (100_000, "100k")):
            slopes = [number(slope(found, method, k, least)) for method in METHODS]
            lines.append([k, f"slope, {name} … 1M", *slopes, *[""] * 5])
    names = ("ours", "n_init=1", "KMeans", "MiniBatch")
    header = ["k", "n", *(f"{name}, s" for name in names), "ours ÷ KMeans"]
    return markdown([*header, *(f"ARI {name}" for name in names)], lines)


def memory(found: Medians) -> str:
    lines = []
    for (name, method), row in found.items():
        if "peak_bytes" in row:
            peak = row["peak_bytes"]
            lines.append([name, method, number(peak / 2**20, 0), number(peak / row["n"], 0)])
    return markdown(["data", "method", "peak, MB", "bytes for each row"], lines)


def targets(found: Medians) -> str:
    lines = []
    for k in (2, 4):
        value = slope(found, OURS, k)
        lines.append([f"blobs, k = {k}", "slope, 10k … 1M", "1.05", number(value), value <= 1.05])
    for name, what, target in TARGETS:
        value = found[name, OURS]["cpu_seconds"] / found[name, KMEANS]["cpu_seconds"]
        lines.append([name, what, target, number(value), value <= target])
    for k in (2, 4):
        row = found[f"blobs 1000000, k = {k}", OURS]
        value = row["peak_bytes"] / row["n"]
        what = "peak, bytes for each row, blocks included"
        lines.append([f"blobs 1000000, k = {k}", what, 100, number(value, 0), value <= 100])
    for line in lines:
        line[-1] = "met" if line[-1] else "**missed**"
    return markdown(["data", "what", "at most", "measured", ""], lines)


REAL = [name for name in SETS if not name.startswith("blobs")]
TABLES = {
    "targets": lambda results: targets(medians(results)),
    "growth": lambda results: growth(medians(results)),
    "sets": lambda results: times(medians(results), REAL),
    "memory": lambda results: memory(medians(results)),
    "machine": lambda results: machine.lines(results["results"]),
}
