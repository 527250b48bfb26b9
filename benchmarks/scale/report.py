"""Put the measurements of rows.csv into the README, and draw them: ``rows.png``."""

from collections import defaultdict
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from benchmarks.scale.run import OURS, RESULTS, methods
from benchmarks.shared.table import fill, markdown, number, read_csv

HERE = Path(__file__).parent
SHORTEST = 0.005  # seconds that are told from none


def means(rows: list[dict[str, str]]) -> dict[tuple[str, int, str], dict[str, float]]:
    """Over the seeds: by set, number of rows and method."""
    found: dict[tuple[str, int, str], list[dict[str, str]]] = defaultdict(list)
    for row in rows:
        found[row["set"], int(row["n"]), row["method"]].append(row)
    return {
        key: {
            "d": int(some[0]["d"]),
            "seeds": len(some),
            **{
                column: float(np.mean([float(row[column]) for row in some]))
                for column in ("cpu_s", "ari", "mb")
                if all(row[column] for row in some)
            },
        }
        for key, some in found.items()
    }


def table(found: dict[tuple[str, int, str], dict[str, float]]) -> str:
    """One line for each set, number of rows and method; times as ratios to KMeans too."""
    lines = []
    for (name, n, method), row in found.items():
        peer = found.get((name, n, "KMeans(n_init=1)"), {}).get("cpu_s")
        ratio = row["cpu_s"] / peer if peer else None
        lines.append(
            [
                *(name, f"{n:,} × {row['d']}", method, row["seeds"], number(row["cpu_s"], 1)),
                *(number(ratio, 1), number(row.get("ari"), 3), number(row.get("mb"), 0)),
            ]
        )
    header = ["set", "rows", "method", "seeds", "CPU s", "× KMeans", "ARI", "MB above the data"]
    return markdown(header, lines)


def draw(found: dict[tuple[str, int, str], dict[str, float]]) -> None:
    """Time and ARI against the rows, a column of panels for each set with several sizes."""
    names = [
        name
        for name in dict.fromkeys(name for name, _, _ in found)
        if len({n for other, n, _ in found if other == name}) > 1
    ]
    figure, panels = plt.subplots(
        2, len(names), figsize=(3.2 * len(names), 6), sharex=True, squeeze=False
    )
    known = [method for method in methods(2, 0) if any(m == method for _, _, m in found)]
    lines = {}
    for name, (above, below) in zip(names, panels.T, strict=True):
        for i, method in enumerate(known):
            sizes = sorted(n for other, n, m in found if (other, m) == (name, method))
            some = [found[name, n, method] for n in sizes]
            style = {"lw": 1, "color": f"C{i}", "marker": "o", "ms": 3}
            style |= {"lw": 2.5, "color": "black"} if method == OURS else {}
            seconds = [max(row["cpu_s"], SHORTEST) for row in some]
            (lines[method],) = above.plot(sizes, seconds, **style)
            if some and all("ari" in row for row in some):
                below.plot(sizes, [row["ari"] for row in some], **style)
        above.set(title=name, xscale="log", yscale="log")
        below.set(xlabel="rows", ylim=(0, 1.02))
    panels[0, 0].set_ylabel("CPU seconds, one thread")
    panels[1, 0].set_ylabel("adjusted Rand index")
    figure.legend(
        lines.values(), lines.keys(), loc="lower center", ncols=4, fontsize=8, frameon=False
    )
    figure.tight_layout(rect=(0, 0.08, 1, 1))
    figure.savefig(HERE / "rows.png", dpi=110)


def main() -> None:
    """Read, fill, draw."""
    rows = read_csv(RESULTS)
    found = means(rows)
    fill(HERE / "README.md", "rows", f"{table(found)}\n\n{rows[-1]['machine']}")
    draw(found)


if __name__ == "__main__":
    main()
