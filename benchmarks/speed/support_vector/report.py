"""The tables of the README from the csv files beside it."""

import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from methods import DENSITY, METHODS, OURS, SCAN, VARIANTS
from phase_one import ALIKE, EXACT, LIBSVM
from sets import PLANE_SIZES, SETS, high, plane
from shared.table import fill, markdown, number, read_csv

Row = dict[str, str]
VARIANT_SET = plane(30_000)
#: From here to the largest size the growth is measured.
LEAST = 10_000
MEGABYTE = 2**20


def results() -> dict[tuple[str, str], Row]:
    return {(row["data"], row["method"]): row for row in read_csv(HERE / "results.csv")}


def seconds(found: dict[tuple[str, str], Row], data: str, method: str) -> float:
    """Not a number where it was not run, or for too long."""
    row = found.get((data, method), {})
    return float(row.get("cpu_seconds") or np.nan)


def slope(found: dict[tuple[str, str], Row], method: str, column: str = "cpu_seconds") -> float:
    """The line through the sizes from 10,000 on, log-log."""
    sizes = [n for n in PLANE_SIZES if n >= LEAST]
    values = [float(found[plane(n), method][column]) for n in sizes]
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])


def ratio(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.2f}"


def fits() -> str:
    found, lines = results(), []
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


def targets() -> str:
    found, data = results(), plane(30_000)
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


def growth() -> str:
    found, lines = results(), []
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


def variants() -> str:
    found, base = results(), seconds(results(), VARIANT_SET, OURS)
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


def one_class() -> str:
    rows, lines = read_csv(HERE / "phase_one.csv"), []
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


def seeds() -> str:
    rows, lines = read_csv(HERE / "seeds.csv"), []
    for n in dict.fromkeys(row["n"] for row in rows):
        some = [row for row in rows if row["n"] == n]
        values = [float(row["ari"]) for row in some]
        clusters = " ".join(row["k"] for row in some)
        lines.append([n, number(np.mean(values), 3), number(min(values), 3), clusters])
    return markdown(["n", "mean ARI", "lowest", "clusters, seed by seed"], lines)


def machine() -> str:
    """The machine that the rows were measured on, not the one that writes the README."""
    row = read_csv(HERE / "results.csv")[0]
    packages = ("python", "maxmargin", "numpy", "scipy", "scikit-learn")
    versions = ", ".join(f"{name} {row[name]}" for name in packages)
    return f"{versions}; {row['system']}, {row['cpu']}, BLAS threads: {row['blas_threads']}."


def write_tables() -> None:
    readme = HERE / "README.md"
    if not readme.is_file():
        return
    parts = {"targets": targets, "fits": fits, "growth": growth, "variants": variants}
    parts["machine"] = machine
    if (HERE / "phase_one.csv").is_file():
        parts["one-class"] = one_class
    if (HERE / "seeds.csv").is_file():
        parts["seeds"] = seeds
    for name, build in parts.items():
        fill(readme, name, build())


if __name__ == "__main__":
    write_tables()
