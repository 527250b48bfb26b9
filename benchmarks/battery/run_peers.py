"""Run the peers of today over the battery, on raw and on standardised columns.

    export MAXMARGIN_BATTERY=…
    python -m benchmarks.battery.run_peers --labels labels [--methods Genie Lumbermark]

Labels are kept in the folder of ``--labels``, so that a second run costs the new methods only. The
scores of all methods with labels there go to ``peers.csv``; others stay in it as they are.
"""

import argparse
import os
import warnings
from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path
from typing import Any

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

from benchmarks.battery.suite import BatterySet, Labels, battery, score
from benchmarks.shared.peers import CHOOSE_K, MOST_ROWS_OF_SLOW, SLOW, Peer, peers, run
from benchmarks.shared.store import Store
from benchmarks.shared.table import read_csv, write_csv

HERE = Path(__file__).parent
COLUMNS = ("raw", "standardised")
SEED = 0

Row = dict[str, Any]


def labels_of(
    store: Store, data: BatterySet, method: str, peer: Peer | None, columns: str, k: int
) -> Labels | None:
    """Labels from the folder, or else from the peer, if it may run."""
    k = 0 if method in CHOOSE_K else k
    kept = store.read(f"{method}-{columns}", data.key, k)
    if kept is None and peer is not None:
        kept = [run(method, peer, data.X, k, SEED, columns)]
        store.write(f"{method}-{columns}", data.key, k, kept)
    return None if kept is None else kept[0]


def scores(store: Store, chosen: list[str] | None) -> Iterator[Row]:
    """The score of every method on every set; only the chosen ones are run."""
    methods = peers()
    for data in battery():
        for method, peer in methods.items():
            too_slow = method in SLOW and len(data.X) > MOST_ROWS_OF_SLOW
            runs = peer if (chosen is None or method in chosen) and not too_slow else None
            for columns in COLUMNS:
                found = {k: labels_of(store, data, method, runs, columns, k) for k in data.numbers}
                ari = score(data, found.get)
                if ari is not None:
                    yield {
                        "family": data.family,
                        "set": data.name,
                        "method": method,
                        "columns": columns,
                        "ari": round(ari, 4),
                    }
        print(data.key, flush=True)


def joined(rows: list[Row], kept: list[Row]) -> list[Row]:
    """New rows, and those of a file that they do not replace, by set and method."""
    key = itemgetter("family", "set", "method", "columns")
    every = {key(row): row for row in (*kept, *rows)}
    sets = list(dict.fromkeys(place[:2] for place in every))
    methods = list(dict.fromkeys((*peers(), *(place[2] for place in every))))
    order = sorted(every, key=lambda place: (sets.index(place[:2]), methods.index(place[2])))
    return [every[place] for place in order]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--labels", type=Path, required=True, help="the folder of the labels")
    parser.add_argument("--methods", nargs="+", help="run these only; all by default")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    path = HERE / "peers.csv"
    kept = read_csv(path) if path.exists() else []
    write_csv(path, joined(list(scores(Store(options.labels), options.methods)), kept))


if __name__ == "__main__":
    main()
