"""The best of all candidates that the front door had on each set, by the truth.

    export MAXMARGIN_BATTERY=…
    python -m benchmarks.battery.pool

Writes ``pool.csv``: of the sets with more rows than decide, the rows that did.
"""

import os
import warnings
from pathlib import Path
from typing import Any
from unittest.mock import patch

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

from benchmarks.battery.suite import BatterySet, Labels, ari, battery, number_of
from benchmarks.shared.table import write_csv
from maxmargin import MaxMarginClustering
from maxmargin.front_door import max_margin_clustering as front_door
from maxmargin.front_door.choice import Choice, choose

HERE = Path(__file__).parent


def candidates(data: BatterySet, k: int) -> tuple[Choice, Labels]:
    """What a fit chooses from, and the rows that decide."""
    seen: list[Choice] = []

    def watched(*args: Any, **parameters: Any) -> Choice:
        seen.append(choose(*args, **parameters))
        return seen[-1]

    with patch.object(front_door, "choose", watched):
        model = MaxMarginClustering(k, random_state=0).fit(data.X)
    return seen[0], model._sample.seen


def measure(data: BatterySet) -> dict[str, Any]:
    """The best candidate over the references, each with its own number, and how many there are."""
    best, many = -1.0, 0
    for k in data.numbers:
        choice, rows = candidates(data, k)
        for reference in data.references:
            if number_of(reference) == k:
                found = [ari(reference[rows], c.labels) for c in choice.candidates]
                best, many = max(best, *found), max(many, len(found))
    return {"family": data.family, "set": data.name, "best": round(best, 4), "candidates": many}


def main() -> None:
    warnings.simplefilter("ignore")
    rows = []
    for data in battery():
        rows.append(measure(data))
        print(*rows[-1].values(), flush=True)
    write_csv(HERE / "pool.csv", rows)


if __name__ == "__main__":
    main()
