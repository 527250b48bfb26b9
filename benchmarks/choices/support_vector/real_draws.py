"""Support vector clustering and HDBSCAN on random classes of real sets, columns as they are.

    python benchmarks/choices/support_vector/real_draws.py [SERIES DRAWS]

Writes ``real_draws.csv`` and prints the means. Series 901 was looked at while the rule for many
dimensions was chosen; series 903 is the one that is reported, run once. Rows that HDBSCAN calls
noise join their nearest clustered row.
"""

import sys
import warnings
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1]), str(HERE.parents[2])]

from methods import DENSITY, LARGER, METHODS, OURS
from shared.table import markdown, number, read_csv, write_csv
from sklearn.metrics import adjusted_rand_score

from benchmarks.unseen.draws import TEXT, real

SERIES, DRAWS = 903, 6
FILE = HERE / "real_draws.csv"


def measure(series: int, draws: int) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for draw in real(series, draws):
        if draw.family in TEXT:
            continue
        X = np.asarray(draw.X, dtype=float)
        row: dict[str, object] = {"series": series, "set": draw.name, "rows": len(X), "k": draw.k}
        for method in (OURS, DENSITY, LARGER):
            row[method] = round(adjusted_rand_score(draw.y, METHODS[method](X)), 4)
        rows.append(row)
        print(*row.values(), flush=True)
    return rows


def means() -> str:
    rows = read_csv(FILE)
    table = []
    for source in [*dict.fromkeys(row["set"].split()[0] for row in rows), ""]:
        some = [row for row in rows if row["set"].startswith(source)]
        scores = np.array([[float(row[m]) for m in (OURS, DENSITY, LARGER)] for row in some])
        table.append([source or "all", len(some), *(number(s, 3) for s in scores.mean(axis=0))])
    difference = scores[:, 0] - scores[:, 1 + int(np.argmax(scores[:, 1:].mean(axis=0)))]
    error = difference.std(ddof=1) / np.sqrt(len(difference))
    said = f"Against the better one: {difference.mean():+.3f} ± {error:.3f}."
    return markdown(["source", "draws", OURS, DENSITY, LARGER], table) + "\n\n" + said


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    series, draws = map(int, sys.argv[1:3]) if len(sys.argv) > 2 else (SERIES, DRAWS)
    found = measure(series, draws)
    if (series, draws) == (SERIES, DRAWS):
        write_csv(FILE, found)
        print(means())
