"""Put the tables of ``results.csv``, ``peers.csv``, ``number.csv`` and ``pins.csv`` in the README.

python benchmarks/selection/report.py
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import rankdata

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import run_number
import run_pins
from shared.machine import one_line
from shared.peers import versions
from shared.statistics import better_columns
from shared.table import fill, markdown, number, read_csv

PARTS: dict[str, Callable[[dict[str, str]], bool]] = {
    "A": lambda row: row["half"] == "A",
    "B": lambda row: row["half"] == "B",
    "all": lambda row: True,
    "unbalanced": lambda row: row["unbalanced"] in ("1", "True"),
    "B unbalanced": lambda row: row["half"] == "B" and row["unbalanced"] in ("1", "True"),
}
OURS = "MaxMarginClustering"

Means = dict[str, dict[str, float]]  # ARI by method and set


def by_method(rows: list[dict[str, str]], key: str) -> Means:
    lists: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        lists[row[key]][row["set"]].append(float(row["ari"]))
    return {m: {s: float(np.mean(v)) for s, v in sets.items()} for m, sets in lists.items()}


def by_peer(rows: list[dict[str, str]]) -> Means:
    """The same of peers, each with the columns on which its mean is larger."""
    better = better_columns(rows)
    own = [
        row | {"method": f"{row['method']}, {row['columns']}".removesuffix(", ")}
        for row in rows
        if row["columns"] == better[row["method"]]
    ]
    return by_method(own, "method")


def lines(means: Means, parts: dict[str, set[str]], columns: list[str]) -> Iterator[list[str]]:
    for method, sets in means.items():
        yield [
            method,
            *(number(np.mean([sets[s] for s in parts[c] if s in sets]), 3) for c in columns),
        ]


def typed(row: dict[str, str]) -> dict[str, Any]:
    """Numbers as numbers."""
    whole = ("k", "k_true", "pins", "seed")
    return {
        name: int(value)
        if name in whole and value
        else float(value)
        if name.startswith(("ari", "confidence")) and value
        else value
        for name, value in row.items()
    }


def losses(
    names: list[str], ways: dict[str, dict[str, float]], methods: dict[str, dict[str, float]]
) -> str:
    """The sets on which we are farthest behind the best peer."""
    worst = sorted(names, key=lambda s: ways["normal"][s] - max(m[s] for m in methods.values()))
    peers = list(methods)[2:]
    return markdown(
        ["set", "ours", "best of 4 offered", "best peer", "which"],
        (
            [
                s,
                number(ways["normal"][s]),
                number(ways["best of 4 offered"][s]),
                number(max(methods[m][s] for m in peers)),
                max(peers, key=lambda m: methods[m][s]),
            ]
            for s in worst[:12]
        ),
    )


def main() -> None:
    ours, peers = read_csv(HERE / "results.csv"), read_csv(HERE / "peers.csv")
    parts = {name: {r["set"] for r in ours if test(r)} for name, test in PARTS.items()}
    ways = by_method(ours, "way")
    methods = {OURS: ways["normal"], f"{OURS}, effort='fast'": ways["fast"], **by_peer(peers)}

    names = sorted(parts["all"])
    ranks = dict(
        zip(
            methods,
            rankdata([[-methods[m][s] for s in names] for m in methods], axis=0).mean(axis=1),
            strict=True,
        )
    )
    table = [[*line, number(ranks[line[0]], 2)] for line in lines(methods, parts, list(PARTS))]
    best = {c: max(float(t[1 + i]) for t in table[2:]) for i, c in enumerate(PARTS)}
    table.append(
        [
            "ours ÷ the best peer",
            *(number(float(table[0][1 + i]) / best[c], 2) for i, c in enumerate(PARTS)),
            "",
        ]
    )
    readme = HERE / "README.md"
    fill(readme, "methods", markdown(["", *PARTS, "mean rank"], table))
    rename = {"normal": "**MaxMarginClustering**"}
    ablation = {rename.get(way, way): sets for way, sets in ways.items() if way != "fast"}
    fill(readme, "ways", markdown(["", *PARTS], lines(ablation, parts, list(PARTS))))

    fill(readme, "losses", losses(names, ways, methods))
    fresh = read_csv(HERE / "fresh.csv")
    sources = {"all": {r["set"] for r in fresh}}
    sources |= {r["source"]: {q["set"] for q in fresh if q["source"] == r["source"]} for r in fresh}
    sources["unbalanced"] = {r["set"] for r in fresh if r["unbalanced"] == "1"}
    table = lines(by_peer(fresh), sources, list(sources))
    fill(readme, "fresh", markdown(["", *sources], table))
    rows = [typed(row) for row in read_csv(HERE / "number.csv")]
    fill(readme, "numbers", run_number.halves(rows))
    fill(readme, "ones", run_number.ones(rows))
    fill(readme, "worth", run_number.worth(rows))
    fill(readme, "pins", run_pins.means([typed(row) for row in read_csv(HERE / "pins.csv")]))
    seeds = len({r["seed"] for r in ours})
    fill(readme, "machine", f"{len(names)} sets, {seeds} seeds. {versions()}, {one_line()}")


if __name__ == "__main__":
    main()
