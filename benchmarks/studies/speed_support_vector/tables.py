"""How the tables of the README are written."""

from typing import Any

import numpy as np

from benchmarks.datasets.plane_and_high import PLANE_SIZES, SETS, high, plane
from benchmarks.methods.speed_densities import DENSITY, METHODS, OURS, SCAN, VARIANTS
from benchmarks.runner import draw, machine
from benchmarks.runner.study import Results
from benchmarks.runner.table import distinct, markdown, number, where
from benchmarks.studies.speed_support_vector.phase_one import ALIKE, EXACT, LIBSVM

Found = dict[tuple[str, str], dict[str, str]]
VARIANT_SET = plane(30_000)
#: From here to the largest size the growth is measured.
LEAST = 10_000
MEGABYTE = 2**20


def read(results: Results) -> Found:
    """The fits by set and method."""
    return results.by("results", "data", "method")


def seconds(found: Found, data: str, method: str) -> float:
    """Not a number where it was not run, or for too long."""
    row = found.get((data, method), {})
    return float(row.get("cpu_seconds") or np.nan)


def slope(found: Found, method: str, column: str = "cpu_seconds") -> float:
    """The line through the sizes from 10,000 on, log-log."""
    sizes = [n for n in PLANE_SIZES if n >= LEAST]
    values = [float(found[plane(n), method][column]) for n in sizes]
    return draw.slope(sizes, values)


def ratio(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.2f}"


def fits(results: Results) -> str:
    found, lines = read(results), []
    for data in SETS:
        for method in METHODS:
            row = found.get((data, method))
            if row is None:
                continue
            mine = seconds(found, data, method)
            lines.append(
                [
                    data if method == OURS else "",
                    method,
                    row["parameters"],
                    number(row["cpu_seconds"], 3),
                    ratio(mine / seconds(found, data, SCAN)),
                    ratio(mine / seconds(found, data, DENSITY)),
                    number(row["ari"], 3),
                    row["k"] or "–",
                    number(float(row["peak_bytes"]) / MEGABYTE, 0) if row["peak_bytes"] else "–",
                ]
            )
    header = ["data, n", "method", "parameters", "CPU s", "÷ DBSCAN", "÷ HDBSCAN", "ARI"]
    return markdown([*header, "clusters", "peak, MB"], lines)


def targets(results: Results) -> str:
    found, data = read(results), plane(30_000)
    mine = found[data, OURS]
    lines = []
    for other, most in ((DENSITY, 0.05), (SCAN, 1.0)):
        theirs = found[data, other]
        value = seconds(found, data, OURS) / seconds(found, data, other)
        lines.append([data, f"CPU time ÷ {other}", f"≤ {most:g}", number(value), value <= most])
        gain = float(mine["ari"]) - float(theirs["ari"])
        what = f"ARI − that of {other}"
        lines.append([data, what, "≥ 0", f"{gain:+.3f}", gain >= 0])
    value = slope(found, OURS)
    lines.append(["six shapes", "slope of time, 10k … 100k", "≤ 1", number(value), value <= 1])
    value = slope(found, OURS, "peak_bytes")
    what = "slope of peak memory, 10k … 100k"
    lines.append(["six shapes", what, "≤ 1", number(value), value <= 1])
    data = high(30_000)
    value = seconds(found, data, OURS) / seconds(found, data, SCAN)
    lines.append([data, "CPU time ÷ DBSCAN", "no target", number(value), None])
    for line in lines:
        line[-1] = {True: "met", False: "**missed**", None: ""}[line[-1]]
    return markdown(["data", "what", "target", "measured", ""], lines)


def growth(results: Results) -> str:
    found, lines = read(results), []
    for method in (OURS, SCAN):
        row = found[plane(100_000), method]
        peak = float(row["peak_bytes"])
        lines.append(
            [
                method,
                number(slope(found, method)),
                number(slope(found, method, "peak_bytes")),
                number(peak / MEGABYTE, 0),
                number(peak / 100_000, 0),
            ]
        )
    header = ["method", "slope of time", "slope of peak", "peak at 100k, MB", "bytes for each row"]
    return markdown(header, lines)


def variants(results: Results) -> str:
    found = read(results)
    base = seconds(found, VARIANT_SET, OURS)
    lines = []
    for method in (OURS, *VARIANTS):
        row = found[VARIANT_SET, method]
        value = float(row["cpu_seconds"])
        lines.append(
            [
                "defaults" if method == OURS else method,
                number(value, 3),
                number(value / base),
                number(value / seconds(found, VARIANT_SET, SCAN)),
                number(value / seconds(found, VARIANT_SET, DENSITY)),
                number(row["ari"], 3),
                row["k"],
            ]
        )
    header = ["parameters", "CPU s", "÷ defaults", "÷ DBSCAN", "÷ HDBSCAN", "ARI", "clusters"]
    return markdown(header, lines)


def one_class(results: Results) -> str:
    rows, lines = results["phase_one"], []
    keys = dict.fromkeys((row["n"], row["width"], row["nu"]) for row in rows)
    for key in keys:
        of = {r["solver"]: r for r in rows if (r["n"], r["width"], r["nu"]) == key}
        line = list(key)
        for solver in (EXACT, LIBSVM, ALIKE):
            line.append(f"{float(of[solver]['cpu_seconds']):.3f} ({float(of[solver]['gap']):.0e})")
        mine = float(of[EXACT]["cpu_seconds"])
        line += [number(mine / float(of[other]["cpu_seconds"])) for other in (LIBSVM, ALIKE)]
        least = min(float(row["objective"]) for row in of.values())
        line += [f"{float(of[one]['objective']) / least - 1:.0e}" for one in (EXACT, LIBSVM)]
        lines.append(line)
    header = ["n", "width", "nu", *(f"{one}: s (gap)" for one in (EXACT, LIBSVM, ALIKE))]
    header += ["÷ OneClassSVM", "÷ tol alike", f"objective above the best, {EXACT}"]
    return markdown([*header, f"and {LIBSVM}"], lines)


def seeds(results: Results) -> str:
    rows, lines = results["seeds"], []
    for n in distinct(rows, "n"):
        some = where(rows, n=n)
        values = [float(row["ari"]) for row in some]
        clusters = " ".join(row["k"] for row in some)
        lines.append([n, number(np.mean(values), 3), number(min(values), 3), clusters])
    return markdown(["n", "mean ARI", "lowest", "clusters, seed by seed"], lines)


TABLES: dict[str, Any] = {
    "targets": targets,
    "fits": fits,
    "growth": growth,
    "variants": variants,
    "one-class": one_class,
    "seeds": seeds,
    "machine": lambda results: machine.lines(results["results"]),
}
