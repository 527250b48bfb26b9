"""Run the front door, or its peers, over draws that no constant was chosen on.

    export MAXMARGIN_DATA=…                         # for the real sets
    python -m benchmarks.unseen.run --name before --labels labels
    python -m benchmarks.unseen.run --name peers --labels labels
    python -m benchmarks.unseen.compare before after

runs the library that Python finds: for another version, set PYTHONPATH to its folder and take
another name. Labels are kept in the folder of ``--labels`` by that name, so that a version is run
once; ``--without`` and ``--change`` make another version in place (a source of candidates left
out, a constant changed), which needs a name of its own, too. Scores go to
``<name>-<series>-<part>.csv``, one row for each draw and method.
"""

import argparse
import os
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

from benchmarks.shared import ablation
from benchmarks.shared.front_door import offered
from benchmarks.shared.peers import MOST_ROWS_OF_SLOW, SLOW, peers, run
from benchmarks.shared.store import Labels, Store
from benchmarks.shared.table import write_csv
from benchmarks.unseen.draws import DRAWS, PARTS, Draw, all_draws

HERE = Path(__file__).parent
OURS = "MaxMarginClustering"
PEERS = "peers"
SEED = 0
#: Where there are more rows, only the answer of ours is kept.
MANY_ROWS = 1500


def methods_of(name: str, draw: Draw) -> Iterator[tuple[str, str, Any]]:
    """The methods to run: name, columns and the fit."""
    if name != PEERS:
        n_offered = 3 if draw.y.size <= MANY_ROWS else 1
        yield OURS, "", lambda: offered(draw.X, draw.k, n_offered, random_state=SEED)
        return
    for method, peer in peers().items():
        if draw.y.size > MOST_ROWS_OF_SLOW and method in SLOW:
            continue
        for columns in ("raw", "standardised"):
            yield (
                method,
                columns,
                lambda m=method, p=peer, c=columns: [run(m, p, draw.X, draw.k, SEED, c)],
            )


def fitted(store: Store | None, run_name: str, key: str, k: int, fit: Any) -> list[Labels]:
    """Labels from the folder, or else from a fit."""
    kept = store.read(run_name, key, k) if store else None
    if kept is None:
        kept = fit()
        if store:
            store.write(run_name, key, k, kept)
    return kept


def score(draw: Draw, name: str, series: int, store: Store | None) -> Iterator[dict[str, Any]]:
    """The scores of the methods on a draw."""
    for method, columns, fit in methods_of(name, draw):
        began = time.process_time()
        run_name = f"{name}-{series}-{method}-{columns}".rstrip("-")
        key = draw.name.replace(" ", "-").replace(",", "").replace(":", "to")
        scores = [draw.ari(labels) for labels in fitted(store, run_name, key, draw.k, fit)]
        row = {"family": draw.family, "draw": draw.name, "method": method, "columns": columns}
        yield row | {
            "ari": round(scores[0], 4),
            "best of 3": round(max(scores), 4) if len(scores) > 1 else "",
            "seconds": round(time.process_time() - began, 2),
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--name", required=True, help="of this version; 'peers' runs the peers")
    parser.add_argument("--parts", nargs="+", choices=list(PARTS), default=list(PARTS))
    parser.add_argument("--families", nargs="+", help="some families only")
    parser.add_argument("--series", type=int, default=0, help="another number, other draws")
    parser.add_argument("--draws", type=int, default=DRAWS, help="of each family")
    parser.add_argument("--labels", type=Path, help="the folder of the labels")
    parser.add_argument("--out", type=Path, default=HERE, help="the folder of the scores")
    ablation.add_arguments(parser)
    options = parser.parse_args()
    ablation.apply(options)
    warnings.simplefilter("ignore")
    store = Store(options.labels) if options.labels else None
    for part in options.parts:
        rows = []
        for draw in all_draws(part, options.series, options.draws):
            if not options.families or draw.family in options.families:
                rows += score(draw, options.name, options.series, store)
                print(*rows[-1].values(), flush=True)
        write_csv(options.out / f"{options.name}-{options.series}-{part}.csv", rows)


if __name__ == "__main__":
    main()
