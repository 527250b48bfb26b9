"""The tables of the README from ``published.csv`` and ``results.csv``."""

import sys
from pathlib import Path

from threadpoolctl import threadpool_limits

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from shared import machine, table
from shared.table import number

LEAST = 0.02  # the rounding of the published figures, and of ten runs


def published() -> dict[tuple[str, str, str], tuple[str, str]]:
    """Return value and standard deviation by table, data set and method."""
    rows = table.read_csv(HERE / "published.csv")
    return {(r["table"], r["dataset"], r["method"]): (r["value"], r["std"]) for r in rows}


def mark(ours: str, theirs: str, std: str) -> str:
    """† below and ‡ above the published figure by more than its standard deviation."""
    gap = float(ours) - float(theirs)
    if abs(gap) <= max(float(std or 0), LEAST) + 1e-9:
        return ""
    return " †" if gap < 0 else " ‡"


def write_tables() -> None:
    """Add the published figures to ``results.csv``, and fill the tables of the README."""
    paper = published()
    rows = table.read_csv(HERE / "results.csv")
    for row in rows:
        name, method = row["dataset"], row["method"]
        row["published_mean"], row["published_std"] = paper["1", name, method]
        row["published_max"], _ = paper["2", name, method]
    table.write_csv(HERE / "results.csv", rows)
    first, second = [], []
    for row in rows:
        name, method = row["dataset"], row["method"]
        mean, std = paper["1", name, method]
        best, _ = paper["2", name, method]
        damaged = not std  # one cell, see the note in published.csv
        first.append(
            [
                name,
                method,
                "? ± " + mean if damaged else f"{mean} ± {std}",
                f"{number(row['oracle_mean'])} ± {number(row['oracle_std'])}"
                + ("" if damaged else mark(row["oracle_mean"], mean, std)),
                row["oracle_cell"] or "–",
                number(row["no_labels_mean"]) if row["no_labels_cell"] else "–",
                row["no_labels_cell"] or "–",
            ]
        )
        second.append(
            [
                name,
                method,
                number(best),
                number(row["oracle_max"]) + mark(row["oracle_max"], best, mean if damaged else std),
                number(row["no_labels_max"]),
            ]
        )
    header = [
        "data",
        "method",
        "published",
        "ours (oracle)",
        "its cell",
        "ours (no labels)",
        "its cell",
    ]
    readme = HERE / "README.md"
    table.fill(readme, "table-1", table.markdown(header, first))
    header = ["data", "method", "published", "ours (oracle)", "ours (no labels)"]
    table.fill(readme, "table-2", table.markdown(header, second))
    table.fill(readme, "machine", machine.one_line())


if __name__ == "__main__":
    with threadpool_limits(1):
        write_tables()
