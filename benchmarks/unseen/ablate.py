"""What each source of candidates and each judge is worth on draws that nothing was chosen on.

    export MAXMARGIN_DATA=…
    python -m benchmarks.unseen.ablate [--series 10] [--draws 6]

Every draw is fitted with everything, and then with one part of the choice left out at a time; what
the search finds is the same each time, and found once. One row for each draw and part goes to
``ablation.csv``, draw by draw; the table goes to the README.
"""

import argparse
import os
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

from scipy.sparse import issparse

from benchmarks.shared.ablation import applied
from benchmarks.shared.front_door import offered
from benchmarks.shared.statistics import gain
from benchmarks.shared.table import fill, markdown, number, read_csv, write_csv
from benchmarks.unseen.draws import all_draws, part_of
from benchmarks.unseen.run import HERE, SEED
from maxmargin.front_door import choice
from maxmargin.front_door import max_margin_clustering as front_door
from maxmargin.front_door.sources import mixture
from maxmargin.front_door.sources.spanning_tree import SpanningTree

EVERYTHING = "everything"
JUDGES = "maxmargin.front_door.sources"
#: What is left out: sources, and constants of the judges at which they never say anything.
LEFT_OUT: dict[str, tuple[Sequence[str], Sequence[str]]] = {
    EVERYTHING: ((), ()),
    "the gap tree": (("GapTree",), ()),
    "the reach tree": (("ReachTree",), ()),
    "Genie": (("Genie",), ()),
    "density modes": (("DensityModes",), ()),
    "all four sources": (("GapTree", "ReachTree", "Genie", "DensityModes"), ()),
    "the weakest border": ((), (f"{JUDGES}.agreement:WEAKER=1e-9",)),
    "peaks that stand out": ((), (f"{JUDGES}.density_modes:PROMINENT=1e9",)),
    "clean gaps": ((), (f"{JUDGES}.gap_tree:CLEAN=1e9", f"{JUDGES}.gap_tree:CLEARER_OF_FEW=1e9")),
    "proposals that predict better": ((), (f"{JUDGES}.agreement:MUCH_WEAKER=0.0",)),
    "gaps that overrule a mixture": ((), (f"{JUDGES}.agreement:FAR_WEAKER=0.0",)),
    "the mixture": ((), (f"{JUDGES}.mixture:CERTAINTY=2.0",)),
    "the vote": ((), ("maxmargin.front_door.choice:VOTE_SCALE=1e-6",)),
    "the choice of columns": ((), ("maxmargin._runtime.noise_columns:MOST=0",)),
}
PARTS = ("generated", "real")


class Once:
    """A function that is called once for the same first argument and the same constants."""

    def __init__(self, function: Callable[..., Any], constants: Callable[..., Any]) -> None:
        self.function, self.constants = function, constants
        self.found: dict[Any, Any] = {}

    def __call__(self, rows: Any, *rest: Any, **named: Any) -> Any:
        """What was found for these rows."""
        matrix = getattr(rows, "rows", rows)
        key = (matrix.data if issparse(matrix) else matrix).tobytes(), self.constants(*rest)
        if key not in self.found:
            self.found[key] = self.function(rows, *rest, **named)
        return self.found[key]


@contextmanager
def remembered() -> Iterator[None]:
    """What the search finds, shortest trees and mixtures do not depend on what is left out."""
    with (
        patch.object(front_door, "generate", Once(front_door.generate, lambda *rest: None)),
        patch.object(SpanningTree, "of", Once(SpanningTree.of, lambda *rest: None)),
        patch.object(
            *(choice, "judge_mixture"),
            Once(
                choice.judge_mixture,
                lambda k, starts: (mixture.CERTAINTY, *(start.tobytes() for start in starts)),
            ),
        ),
    ):
        yield


def measure(series: int, draws: int) -> Iterator[dict[str, str | float]]:
    """Fit every draw with each part left out."""
    for part in PARTS:
        for draw in all_draws(part, series, draws):
            with remembered():
                for name, (without, change) in LEFT_OUT.items():
                    with applied(without, change):
                        (labels,) = offered(draw.X, draw.k, 1, random_state=SEED)
                    yield {
                        "family": draw.family,
                        "draw": draw.name,
                        "without": name,
                        "ari": round(draw.ari(labels), 4),
                    }


def table(rows: Sequence[dict[str, str]]) -> str:
    """For each part that was left out: mean ARI, what is lost, its error, draws won and lost."""
    scores: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        scores[part_of(row["family"])][row["without"]].append(float(row["ari"]))
    lines = []
    for name in LEFT_OUT:
        line = [name if name == EVERYTHING else f"without {name}"]
        for part in PARTS:
            own = scores[part]
            change, error, wins, losses = gain(own[EVERYTHING], own[name])
            line.append(number(sum(own[name]) / len(own[name]), 3))
            nothing = name == EVERYTHING
            line.append("" if nothing else f"{change:+.3f} ± {error:.3f}, {wins} : {losses}")
        lines.append(line)
    counts = [len(scores[part][EVERYTHING]) for part in PARTS]
    header = [f"{part}, {n} draws" for part, n in zip(PARTS, counts, strict=True)]
    return markdown(["", header[0], "change, wins : losses", header[1], "change"], lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--series", type=int, default=1, help="another number, other draws")
    parser.add_argument("--draws", type=int, default=6, help="of each family")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    rows = []
    for row in measure(options.series, options.draws):
        rows.append(row)
        if row["without"] == list(LEFT_OUT)[-1]:
            print(*row.values(), flush=True)
            write_csv(HERE / "ablation.csv", rows)
    text = table(read_csv(HERE / "ablation.csv"))
    fill(HERE / "README.md", "ablation", f"Series {options.series}.\n\n{text}")
    print(text)


if __name__ == "__main__":
    main()
