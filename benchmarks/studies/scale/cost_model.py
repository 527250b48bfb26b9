"""What a fit on Dask will cost: a law for each figure, fitted to small fits on one worker.

A figure is a constant and so much for each row in each pass. The number of passes is not foreseen:
it depends on the data, and is taken as it was.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from benchmarks.runner.study import Results
from benchmarks.runner.table import distinct, markdown, where

#: Rows and workers of the fits that give the laws, and of those that they are checked on.
GIVEN = ((50_000, 1), (100_000, 1), (200_000, 1), (300_000, 1))
CHECKED = ((1_000_000, 1), (1_000_000, 2))
#: What is never run here.
FAR = 1_000_000_000, 100
#: The figures, and what they are called.
COSTS = {
    "workers_s": "CPU s of all workers",
    "busiest_s": "of the busiest",
    "driver_s": "of the driver",
    "sent_mb": "MB sent",
    "got_mb": "MB got",
}
Row = Mapping[str, str]
Law = tuple[float, float]


def law_of(rows: Sequence[Row], cost: str) -> Law:
    """The constant, and what a row costs in a pass: relative errors are smallest."""
    cells = np.array([_row_passes(row) for row in rows])
    measured = np.array([float(row[cost]) for row in rows])
    design = np.column_stack([np.ones(len(rows)), cells]) / measured[:, None]
    constant, each = np.linalg.lstsq(design, np.ones(len(rows)))[0]
    return float(constant), float(each)


def said(law: Law, row: Row, cost: str) -> float:
    """What a law says of a fit; workers share the rows, and each of them begins."""
    constant, each = law
    workers, cells = int(row["workers"]), _row_passes(row)
    if cost == "busiest_s":
        return constant + each * cells / workers
    return (workers if cost == "workers_s" else 1) * constant + each * cells


def laws(results: Results) -> dict[str, tuple[dict[str, Law], list[Row]]]:
    """By estimator: the law of each figure, and the fits that it is checked on."""
    rows, found = results["cost"], {}
    for name in distinct(rows, "estimator"):
        own = where(rows, estimator=name)
        given = [row for row in own if (int(row["n"]), int(row["workers"])) in GIVEN]
        others = [row for row in own if row not in given]
        found[name] = {cost: law_of(given, cost) for cost in COSTS}, others
    return found


def law_table(results: Results) -> str:
    """What a fit takes whatever its rows, and what each row takes in each pass."""
    lines = []
    for name, (law, _) in laws(results).items():
        for cost in ("workers_s", "driver_s", "sent_mb", "got_mb"):
            constant, each = law[cost]
            in_seconds = cost.endswith("_s")
            unit = f"{each * 1e9:.0f} ns" if in_seconds else f"{each * 1e6:.2f} bytes"
            whole = f"{constant:.1f} s" if in_seconds else f"{constant:.1f} MB"
            lines.append([name, COSTS[cost], whole, unit])
    return markdown(["estimator", "figure", "of a fit", "and for each row and pass"], lines)


def check_table(results: Results) -> str:
    """What the laws say of larger fits, and of two workers, beside what was measured."""
    lines = []
    for name, (law, rows) in laws(results).items():
        for row in rows:
            line = [name, f"{int(row['n']):,}", row["workers"], row["passes"]]
            for cost in COSTS:
                foreseen, measured = said(law[cost], row, cost), float(row[cost])
                line.append(f"{foreseen:.1f} / {measured:.1f} = {foreseen / measured:.2f}")
            lines.append(line)
    header = ["estimator", "rows", "workers", "passes", *COSTS.values()]
    return markdown(header, lines)


def far_table(results: Results) -> str:
    """An extrapolation: a thousand times the rows that were measured."""
    (n, workers), lines = FAR, []
    for name, (law, rows) in laws(results).items():
        row = {"n": str(n), "workers": str(workers), "passes": rows[-1]["passes"]}
        busiest, driver = (said(law[cost], row, cost) for cost in ("busiest_s", "driver_s"))
        traffic = sum(said(law[cost], row, cost) for cost in ("sent_mb", "got_mb"))
        lines.append([name, row["passes"], f"{busiest / 60:.0f} min", f"{driver / 60:.0f} min"])
        lines[-1].append(f"{traffic / 1e3:.1f} GB")
    header = ["estimator", "passes", "CPU of a worker", "CPU of the driver", "through the driver"]
    return markdown(header, lines)


def _row_passes(row: Row) -> float:
    return float(row["n"]) * float(row["passes"])


TABLES = {"cost-laws": law_table, "cost-checked": check_table, "cost-far": far_table}
