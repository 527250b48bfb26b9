"""The number of clusters: how often it is found, and what a wrong one costs.

    python benchmarks/selection/run_number.py

Writes ``number.csv``, one row for each set of ``number_sets.py`` and rule. ``ari`` is that of the
rule's own partition at the number that it chose, ``ari_given_k`` that of its partition into the
true number; ``confidence`` is ``k_confidence_``. The means are printed, and what that is worth.
"""

import os
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import numpy as np
from sklearn.metrics import adjusted_rand_score

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from number_sets import HALVES, SOURCES, all_draws
from peers import Labels, cluster
from sets import Set
from shared.table import markdown, number, write_csv

from maxmargin import MaxMarginClustering

SEED = 0
OURS = "MaxMarginClustering"
CURVED = ("one bow", "one wave", "one sheet", "one ring")
BINS = (0.0, 0.3, 0.4, 0.5, 0.6, 0.7, 1.0)
Row = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """What a rule chose: its partition, its partition into the true number, and how sure it is."""

    labels: Labels
    given: Labels | None = None
    confidence: float | None = None

    @property
    def k(self) -> int:
        """The number of clusters."""
        return len(np.unique(self.labels))


def ours(s: Set) -> Answer:
    """The front door, without the number and with it."""
    model = MaxMarginClustering(random_state=SEED).fit(s.X)
    given = MaxMarginClustering(s.k, random_state=SEED).fit_predict(s.X)
    return Answer(model.labels_, given, model.k_confidence_)


def density(s: Set) -> Answer:
    """HDBSCAN's own number."""
    return Answer(cluster("HDBSCAN", s, SEED))


RULES: dict[str, Callable[[Set], Answer]] = {OURS: ours, "HDBSCAN": density}


def results() -> Iterator[Row]:
    for half in HALVES:
        for name, s in all_draws(half):
            answers = {rule: choose(s) for rule, choose in RULES.items()}
            for rule, answer in answers.items():
                yield {
                    "half": half,
                    "set": name,
                    "family": s.family,
                    "rule": rule,
                    "k_true": s.k,
                    "k": answer.k,
                    "ari": score(s, answer.labels),
                    "ari_given_k": "" if answer.given is None else score(s, answer.given),
                    "confidence": "" if answer.confidence is None else round(answer.confidence, 3),
                }
            print(half, name, s.k, *(answer.k for answer in answers.values()), flush=True)


def score(s: Set, labels: Labels) -> float:
    return round(float(adjusted_rand_score(s.y, labels)), 4)


def parts(rows: list[Row]) -> Iterator[tuple[str, list[Row]]]:
    """The sets with clusters of each half; the real and the generated ones of them."""
    for half in HALVES:
        own = [row for row in rows if row["half"] == half and row["k_true"] > 1]
        yield half, own
        yield f"{half}, real", [row for row in own if row["family"] in SOURCES]
        yield f"{half}, generated", [row for row in own if row["family"] not in SOURCES]


def halves(rows: list[Row]) -> str:
    """How good each rule is where there are clusters."""
    table = []
    for part, own in parts(rows):
        for rule in RULES:
            some = [row for row in own if row["rule"] == rule]
            k, true = (np.array([row[name] for row in some]) for name in ("k", "k_true"))
            ari = np.mean([row["ari"] for row in some])
            known = [row["ari_given_k"] for row in some if row["ari_given_k"] != ""]
            shares = [k == true, abs(k - true) <= 1, k >= 2 * true, 2 * k <= true, k == 1]
            table.append(
                [
                    part,
                    len(some),
                    rule,
                    number(ari, 3),
                    number(ari / np.mean(known), 3) if known else "–",
                    *(number(np.mean(share), 3) for share in shares),
                ]
            )
    header = ["sets", "n", "rule", "ARI", "of that with k given", "exact", "off by ≤ 1"]
    return markdown([*header, "≥ 2 × true", "≤ ½ true", "one cluster"], table)


def ones(rows: list[Row]) -> str:
    """How often one cluster is said to be one."""
    table = []
    for half in HALVES:
        own = [row for row in rows if row["half"] == half and row["k_true"] == 1]
        kinds = {
            "all": own,
            "round, square, heavy-tailed, skewed": [r for r in own if r["family"] not in CURVED],
            "curved": [r for r in own if r["family"] in CURVED],
        }
        for kind, part in kinds.items():
            said = [
                number(np.mean([row["k"] == 1 for row in part if row["rule"] == rule]))
                for rule in RULES
            ]
            table.append([half, kind, len(part) // len(RULES), *said])
    return markdown(["half", "one cluster", "n", *RULES], table)


def worth(rows: list[Row]) -> str:
    """What the confidence says, and what is true."""
    table = []
    own = [row for row in rows if row["rule"] == OURS]
    for half in HALVES:
        some = [row for row in own if row["half"] == half]
        said = np.array([row["confidence"] for row in some], dtype=float)
        exact = np.array([row["k"] == row["k_true"] for row in some])
        for low, high in pairwise(BINS):
            inside = (said >= low) & (said < high)
            if inside.any():
                cells = [number(said[inside].mean()), number(exact[inside].mean())]
                table.append([half, f"{low:g} – {high:g}", int(inside.sum()), *cells])
        table.append([half, "all", len(some), number(said.mean()), number(exact.mean())])
    return markdown(["sets", "k_confidence_", "n", "mean", "exact"], table)


def main() -> None:
    warnings.simplefilter("ignore")
    rows = []
    for row in results():
        rows.append(row)
        write_csv(HERE / "number.csv", rows)
    print(halves(rows), ones(rows), worth(rows), sep="\n\n")


if __name__ == "__main__":
    main()
