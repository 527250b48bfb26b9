"""How the table and the picture of the README are written."""

from pathlib import Path

from benchmarks.methods.many_rows import METHODS, OURS
from benchmarks.runner import draw, machine
from benchmarks.runner.study import Results
from benchmarks.runner.table import distinct, markdown, mean_of, number, where
from benchmarks.studies.scale import cost_model

SHORTEST = 0.005  # seconds that are told from none
Means = dict[tuple[str, int, str], dict[str, float]]


def means(results: Results) -> Means:
    """Over the seeds: by set, number of rows and method."""
    rows, found = results["rows"], {}
    for key in dict.fromkeys((row["set"], row["n"], row["method"]) for row in rows):
        some = where(rows, **dict(zip(("set", "n", "method"), key, strict=True)))
        known = [c for c in ("cpu_s", "ari", "mb") if all(row[c] for row in some)]
        row = {c: mean_of(some, c) for c in known} | {"d": some[0]["d"], "seeds": len(some)}
        found[key[0], int(key[1]), key[2]] = row
    return found


def row_table(results: Results) -> str:
    """One line for each set, number of rows and method; times as ratios to KMeans too."""
    found, lines = means(results), []
    for (name, n, method), row in found.items():
        peer = found.get((name, n, "KMeans(n_init=1)"), {}).get("cpu_s")
        ratio = row["cpu_s"] / peer if peer else None
        lines.append([name, f"{n:,} × {row['d']}", method, row["seeds"], number(row["cpu_s"], 1)])
        lines[-1] += [number(ratio, 1), number(row.get("ari"), 3), number(row.get("mb"), 0)]
    header = ["set", "rows", "method", "seeds", "CPU s", "× KMeans", "ARI", "MB above the data"]
    last = results["rows"][-1]
    where_measured = last.get("machine") or machine.one_line(last)
    return f"{markdown(header, lines)}\n\n{where_measured}"


def draw_rows(results: Results, path: Path) -> None:
    """Time and ARI against the rows, a column of panels for each set with several sizes."""
    found = means(results)
    rows = results["rows"]
    names = [s for s in distinct(rows, "set") if len(distinct(where(rows, set=s), "n")) > 1]
    image, panels = draw.panels(2, len(names), (3.2 * len(names), 6), sharex=True)
    known, lines = [m for m in METHODS if m in distinct(rows, "method")], {}
    for name, (above, below) in zip(names, panels.T, strict=True):
        for i, method in enumerate(known):
            some = {n: row for (s, n, m), row in sorted(found.items()) if (s, m) == (name, method)}
            style = {"lw": 1, "color": draw.COLOURS[i], "marker": "o", "ms": 3}
            style |= {"lw": 2.5, "color": "black"} if method == OURS else {}
            seconds = [max(row["cpu_s"], SHORTEST) for row in some.values()]
            (lines[method],) = above.plot(list(some), seconds, **style)
            if some and all("ari" in row for row in some.values()):
                below.plot(list(some), [row["ari"] for row in some.values()], **style)
        above.set(title=name, xscale="log", yscale="log")
        below.set(xlabel="rows", ylim=(0, 1.02))
    panels[0, 0].set_ylabel("CPU seconds, one thread")
    panels[1, 0].set_ylabel("adjusted Rand index")
    image.legend(lines.values(), lines.keys(), loc="outside lower center", ncols=4, fontsize=8)
    draw.save(image, path, 110)


def out_of_core_table(results: Results) -> str:
    """One line for each fit to rows that are never in memory."""
    lines = []
    for row in results["out_of_core"]:
        lines.append([row["estimator"], f"{int(row['n']):,} × 20", number(row["cpu_seconds"], 0)])
        lines[-1] += [number(row["predict_to_seconds"], 0), number(row["mb"], 0)]
        lines[-1] += [number(row["ari"], 3)]
    header = ["estimator", "rows", "CPU s of fit", "of predict_to", "MB above", "ARI"]
    return markdown(header, lines)


TABLES = {"out-of-core": out_of_core_table, "rows": row_table, **cost_model.TABLES}
