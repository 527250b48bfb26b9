"""How the tables of the number of clusters are written."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from benchmarks.datasets.numbers import HALVES, SOURCES
from benchmarks.methods.front_door import OURS
from benchmarks.runner.study import Results
from benchmarks.runner.table import distinct, markdown, mean_of, number, where

RULES = (OURS, "HDBSCAN")
CURVED = ("one bow", "one wave", "one sheet", "one ring")
BINS = (0.0, 0.3, 0.4, 0.5, 0.6, 0.7, 1.0)
Rows = list[dict[str, Any]]


def typed(results: Results) -> Rows:
    """Numbers as numbers."""
    whole, real = ("k", "k_true"), ("ari", "ari_given_k", "confidence")
    return [
        row
        | {name: int(row[name]) for name in whole}
        | {name: float(row[name]) if row[name] else "" for name in real}
        for row in results["number"]
    ]


def parts(rows: Rows) -> Iterator[tuple[str, Rows]]:
    """The sets with clusters of each half; the real and the generated ones of them."""
    for half in HALVES:
        own = [row for row in rows if row["half"] == half and row["k_true"] > 1]
        yield half, own
        yield f"{half}, real", [row for row in own if row["family"] in SOURCES]
        yield f"{half}, generated", [row for row in own if row["family"] not in SOURCES]


def halves(results: Results) -> str:
    """How good each rule is where there are clusters."""
    lines = []
    for part, own in parts(typed(results)):
        for rule in RULES:
            some = [row for row in own if row["rule"] == rule]
            k, true = (np.array([row[name] for row in some]) for name in ("k", "k_true"))
            ari = np.mean([row["ari"] for row in some])
            known = [row["ari_given_k"] for row in some if row["ari_given_k"] != ""]
            share = number(ari / np.mean(known), 3) if known else "–"
            shares = [k == true, abs(k - true) <= 1, k >= 2 * true, 2 * k <= true, k == 1]
            lines.append([part, len(some), rule, number(ari, 3), share])
            lines[-1] += [number(np.mean(share), 3) for share in shares]
    header = ["sets", "n", "rule", "ARI", "of that with k given", "exact", "off by ≤ 1"]
    return markdown([*header, "≥ 2 × true", "≤ ½ true", "one cluster"], lines)


def ones(results: Results) -> str:
    """How often one cluster is said to be one."""
    lines = []
    for half in HALVES:
        own = [row for row in typed(results) if row["half"] == half and row["k_true"] == 1]
        kinds = {
            "all": own,
            "round, square, heavy-tailed, skewed": [r for r in own if r["family"] not in CURVED],
            "curved": [r for r in own if r["family"] in CURVED],
        }
        for kind, part in kinds.items():
            said = [[row["k"] == 1 for row in part if row["rule"] == rule] for rule in RULES]
            shares = [number(np.mean(one)) for one in said]
            lines.append([half, kind, len(part) // len(RULES), *shares])
    return markdown(["half", "one cluster", "n", *RULES], lines)


def worth(results: Results) -> str:
    """What the confidence says, and what is true."""
    lines = []
    for half in HALVES:
        some = [r for r in typed(results) if r["rule"] == OURS and r["half"] == half]
        said = np.array([row["confidence"] for row in some], dtype=float)
        exact = np.array([row["k"] == row["k_true"] for row in some])
        for low, high in pairwise(BINS):
            inside = (said >= low) & (said < high)
            if inside.any():
                cells = [number(said[inside].mean()), number(exact[inside].mean())]
                lines.append([half, f"{low:g} – {high:g}", int(inside.sum()), *cells])
        lines.append([half, "all", len(some), number(said.mean()), number(exact.mean())])
    return markdown(["sets", "k_confidence_", "n", "mean", "exact"], lines)


def mixed(results: Results) -> str:
    """The number of clusters of mixed tables, by family."""
    rows, lines = results["number_tables"], []
    for family in (*distinct(rows, "family"), "all"):
        own = rows if family == "all" else where(rows, family=family)
        means = (mean_of(own, c) for c in ("ari", "ari_given_k", "exact", "confidence"))
        lines.append([family.replace("_", " "), len(own), *map(number, means)])
    return markdown(["tables", "n", "ARI", "with k given", "exact", "k_confidence_"], lines)


TABLES = {"numbers": halves, "ones": ones, "worth": worth}
