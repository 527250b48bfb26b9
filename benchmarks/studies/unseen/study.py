"""The front door on draws that no constant was chosen on: two versions, and the peers.

MAXMARGIN_SERIES is the number of the series, another one for other draws. The rows of "before" are
of another version: put its folder on PYTHONPATH (``python -m benchmarks compare`` builds it in
``build/compare/site``), and name the part. MAXMARGIN_LABELS is a folder that keeps the labels.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from typing import Any
from unittest.mock import patch

from scipy.sparse import issparse

from benchmarks.datasets.unseen import DRAWS, PARTS, Draw, all_draws
from benchmarks.methods import peers
from benchmarks.methods.front_door import OURS, offered
from benchmarks.runner.ablation import applied
from benchmarks.runner.measure import Row, timed
from benchmarks.runner.store import Labels, Store
from benchmarks.runner.study import Part, Study
from benchmarks.studies.unseen import tables
from maxmargin.front_door import choice
from maxmargin.front_door import max_margin_clustering as front_door
from maxmargin.front_door.sources import mixture
from maxmargin.front_door.sources.spanning_tree import SpanningTree

SERIES, SEED = int(os.environ.get("MAXMARGIN_SERIES", "2")), 0
#: Where there are more rows, only the answer of ours is kept.
MANY_ROWS = 1500


@cache
def drawn(part: str, series: int = SERIES, draws: int = DRAWS) -> dict[str, Draw]:
    return {draw.name: draw for draw in all_draws(part, series, draws)}


def keys(part: str, name: str) -> Iterator[Row]:
    """Every draw of a part, with ours or with every peer on both kinds of columns."""
    both = [(method, c) for method in peers.peers() for c in ("raw", "standardised")]
    for draw in drawn(part).values():
        for method, columns in both if name == tables.PEERS else [(OURS, "")]:
            if draw.y.size <= peers.MOST_ROWS_OF_SLOW or method not in peers.SLOW:
                key = {"family": draw.family, "draw": draw.name}
                yield key | {"method": method, "columns": columns}


def measure(part: str, name: str, family: str, draw: str, method: str, columns: str) -> Row:
    """The score of a method on a draw."""
    one = drawn(part)[draw]

    def fit() -> list[Labels]:
        if method == OURS:
            n_offered = 3 if one.y.size <= MANY_ROWS else 1
            return offered(one.X, one.k, n_offered, random_state=SEED)
        return [peers.run(method, peers.peers()[method], one.X, one.k, SEED, columns)]

    run = f"{name}-{SERIES}-{method}-{columns}".rstrip("-")
    key = draw.replace(" ", "-").replace(",", "").replace(":", "to")
    found, taken = timed(Store().kept, run, key, one.k, fit)
    scores = [one.ari(labels) for labels in found]
    best = max(scores) if len(scores) > 1 else ""
    return {"ari": scores[0], "best of 3": best, "seconds": taken["cpu_seconds"]}


# -- what each source of candidates and each judge is worth --------------------------------

JUDGES = "maxmargin.front_door.sources"
#: What is left out: sources, and constants of the judges at which they never say anything.
LEFT_OUT: dict[str, tuple[Sequence[str], Sequence[str]]] = {
    tables.EVERYTHING: ((), ()),
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
    "the choice of columns": ((), ("maxmargin.blocks.noise_columns:MOST=0",)),
}
ABLATION = {"series": 3, "draws": 6}  # of each family


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


def ablation_keys() -> Iterator[Row]:
    for part in ("generated", "real"):
        draws = drawn(part, **ABLATION).values()
        yield from ({"family": draw.family, "draw": draw.name} for draw in draws)


def ablate(family: str, draw: str) -> Iterator[Row]:
    """The answer with one part of the choice left out at a time; the search is the same for all."""
    one = drawn(tables.part_of(family), **ABLATION)[draw]
    with remembered():
        for name, parts in LEFT_OUT.items():
            with applied(*parts):
                (labels,) = offered(one.X, one.k, 1, random_state=SEED)
            yield {"without": name, "ari": one.ari(labels)}


FEW = {"draw": ("counts 0", "digits 0", "2 : 1, 0")}
STUDY = Study(
    "The front door on draws that no constant was chosen on: two versions, and the peers",
    parts=(
        *(
            Part(
                f"{name}-{SERIES}-{part}",
                partial(keys, part, name),
                partial(measure, part, name),
                quick=FEW,
            )
            for name in ("after", tables.PEERS, "before")
            for part in PARTS
        ),
        Part("ablation", ablation_keys, ablate, quick=FEW),
    ),
    tables=tables.TABLES,
    module=__name__,
)
