"""How the tables of partitions and pins are written."""

from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path

import numpy as np
from scipy.stats import rankdata

from benchmarks.methods.front_door import OURS
from benchmarks.methods.peers import versions
from benchmarks.runner import draw, machine
from benchmarks.runner.statistics import better_columns
from benchmarks.runner.study import Results
from benchmarks.runner.table import distinct, grid, markdown, mean_of, number, where

PINS = (0, 1, 2, 5, 10)  # in each class
PARTS: dict[str, Callable[[dict[str, str]], bool]] = {
    "A": lambda row: row["half"] == "A",
    "B": lambda row: row["half"] == "B",
    "all": lambda row: True,
    "unbalanced": lambda row: row["unbalanced"] in ("1", "True"),
    "B unbalanced": lambda row: row["half"] == "B" and row["unbalanced"] in ("1", "True"),
}
Means = dict[str, dict[str, float]]  # ARI by method and set


def by_method(rows: list[dict[str, str]], key: str) -> Means:
    lists: dict[str, dict[str, list[float]]] = {}
    for row in rows:
        lists.setdefault(row[key], {}).setdefault(row["set"], []).append(float(row["ari"]))
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


def lines(means: Means, parts: Mapping[str, Collection[str]]) -> Iterator[list[str]]:
    for method, sets in means.items():
        values = ([sets[s] for s in part if s in sets] for part in parts.values())
        yield [method, *(number(np.mean(value), 3) for value in values)]


def parts_of(results: Results) -> dict[str, list[str]]:
    rows = results["results"]
    return {name: distinct(filter(test, rows), "set") for name, test in PARTS.items()}


def all_methods(results: Results) -> tuple[Means, Means]:
    """Our ways to choose, and all methods with ours first."""
    ways, peers = by_method(results["results"], "way"), by_peer(results["peers"])
    return ways, {OURS: ways["normal"], f"{OURS}, effort='fast'": ways["fast"], **peers}


def method_table(results: Results) -> str:
    """The mean ARI of every method, its mean rank, and ours as a share of the best peer's."""
    parts, (_, methods) = parts_of(results), all_methods(results)
    losses = [[-of[s] for s in sorted(parts["all"])] for of in methods.values()]
    ranks = rankdata(losses, axis=0).mean(axis=1)
    rows = [
        [*line, number(rank, 2)] for line, rank in zip(lines(methods, parts), ranks, strict=True)
    ]
    best = [max(float(row[1 + i]) for row in rows[2:]) for i in range(len(PARTS))]
    shares = (number(float(rows[0][1 + i]) / value, 2) for i, value in enumerate(best))
    return markdown(["", *PARTS, "mean rank"], [*rows, ["ours ÷ the best peer", *shares, ""]])


def way_table(results: Results) -> str:
    """What each part of the choice is worth."""
    ways, _ = all_methods(results)
    shown = {f"**{OURS}**" if way == "normal" else way: sets for way, sets in ways.items()}
    shown.pop("fast")
    return markdown(["", *PARTS], lines(shown, parts_of(results)))


def loss_table(results: Results) -> str:
    """The sets on which we are farthest behind the best peer."""
    ways, methods = all_methods(results)
    peers, ours = list(methods)[2:], ways["normal"]
    best = {s: max(peers, key=lambda m, s=s: methods[m][s]) for s in ours}
    behind = {s: ours[s] - max(of[s] for of in methods.values()) for s in sorted(ours)}
    cells: dict[str, Callable[[str], str]] = {
        "ours": lambda s: number(ours[s]),
        "best of 4 offered": lambda s: number(ways["best of 4 offered"][s]),
        "best peer": lambda s: number(methods[best[s]][s]),
        "which": lambda s: best[s],
    }
    return grid("set", sorted(behind, key=lambda s: behind[s])[:12], cells)


def fresh_table(results: Results) -> str:
    """Draws of real sets that no constant was chosen on."""
    rows = results["fresh"]
    parts = {"all": distinct(rows, "set")}
    parts |= {s: distinct(where(rows, source=s), "set") for s in distinct(rows, "source")}
    parts["unbalanced"] = distinct(where(rows, unbalanced=1), "set")
    return markdown(["", *parts], lines(by_peer(rows), parts))


def pin_table(results: Results) -> str:
    """The mean ARI of each method for each number of pins."""
    rows, columns = results["pins"], {}
    for pins in PINS:
        of = where(rows, pins=pins)
        columns[pins] = lambda method, of=of: cell(where(of, method=method))
    return grid("pins in each class", distinct(rows, "method"), columns)


def cell(rows: list[dict[str, str]]) -> str:
    return number(mean_of(rows, "ari"), 3) if rows else "–"


def draw_pins(results: Results, path: Path) -> None:
    """The mean curves."""
    image, axes = draw.panels(size=(6, 4))
    ax, rows = axes[0, 0], [r | {"at": PINS.index(int(r["pins"]))} for r in results["pins"]]
    words = ("pinned rows in each class", "mean ARI of the other rows")
    draw.lines(ax, draw.curves(rows, "method", "at", "ari"), words)
    ax.set_xticks(range(len(PINS)), [str(pins) for pins in PINS])
    ax.set_ylim(0, 1)
    ax.legend(frameon=False)
    draw.save(image, path, 120)


def machine_line(results: Results) -> str:
    rows = results["results"]
    counted = f"{len(distinct(rows, 'set'))} sets, {len(distinct(rows, 'seed'))} seeds"
    return f"{counted}. {versions()}, {machine.lines(rows)}"


TABLES = {
    "methods": method_table,
    "ways": way_table,
    "losses": loss_table,
    "fresh": fresh_table,
    "pins": pin_table,
    "machine": machine_line,
}
