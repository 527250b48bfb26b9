"""How two versions are compared, with the peers beside them."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from benchmarks.datasets.unseen import PARTS, part_of
from benchmarks.methods.front_door import OURS
from benchmarks.methods.peers import versions
from benchmarks.runner import machine
from benchmarks.runner.statistics import gain
from benchmarks.runner.study import Results
from benchmarks.runner.table import markdown, mean_of, number, where

VERSIONS, PEERS = ("before", "after"), "peers"
EVERYTHING = "everything"
Scores = dict[str, dict[str, float]]  # by method with its columns, and draw


def series_of(results: Results) -> int:
    """The last series that both versions were run on."""
    found = [re.findall(r"^after-(\d+)-", path.name) for path in results.folder.glob("after-*.csv")]
    if not found:
        raise FileNotFoundError("no series was run")
    return max(int(number[0]) for number in found)


def read(results: Results, name: str, column: str) -> tuple[Scores, dict[str, str]]:
    """The scores of a version in all parts that were run, and the family of each draw."""
    scores, families = defaultdict(dict), {}
    for part in PARTS:
        file = f"{name}-{series_of(results)}-{part}"
        for row in results[file] if (results.folder / f"{file}.csv").is_file() else ():
            method = f"{row['method']}, {row['columns']}" if row["columns"] else row["method"]
            scores[method][row["draw"]] = float(row[column] or row["ari"])
            families[row["draw"]] = row["family"]
    return dict(scores), families


def better_columns(peers: Scores, draws: Sequence[str]) -> Scores:
    """Each peer with the columns, raw or standardised, on which its mean is larger."""
    best: dict[str, str] = {}
    for method in peers:
        name = method.split(", ")[0]
        other = best.setdefault(name, method)
        if mean(peers[method], draws) > mean(peers[other], draws):
            best[name] = method
    return {name: peers[method] for name, method in best.items()}


def mean(scores: dict[str, float], draws: Sequence[str]) -> float:
    """Mean over some draws; not a number if one of them was not run."""
    return float(np.mean([scores.get(draw, np.nan) for draw in draws]))


def lines(
    before: dict[str, float], after: dict[str, float], families: dict[str, str], peers: Scores
) -> Iterator[list[str]]:
    """A line for each family and one for each part."""
    groups, totals = defaultdict(list), defaultdict(list)
    for draw in after:
        groups[families[draw]].append(draw)
        if draw in before:
            totals[part_of(families[draw])].append(draw)
    for name, draws in (groups | totals).items():
        part = name if name in totals else part_of(name)
        others = better_columns(peers, totals[part]).values()
        shown = [mean(scores, draws) for scores in (before, after, *others)]
        first, second, *rest = ("–" if np.isnan(value) else number(value, 3) for value in shown)
        pairs = [before.get(d, np.nan) for d in draws], [after[d] for d in draws]
        better, error, wins, losses = gain(*pairs)
        change = "–" if np.isnan(better) else f"{better:+.3f} ± {error:.3f}"
        score = "–" if np.isnan(better) else f"{wins} : {losses}"
        family = f"**{name}**" if name in totals else name
        yield [family, str(len(draws)), first, second, change, score, *rest]


def version_table(results: Results, column: str) -> str:
    """Means of each family before and after, the gain, wins and losses, and the peers."""
    before, after = (read(results, name, column) for name in VERSIONS)
    peers, _ = read(results, PEERS, column)
    found = lines(before[0][OURS], after[0][OURS], after[1], peers)
    shown = dict.fromkeys(method.split(", ")[0] for method in peers)
    header = ["family", "draws", *VERSIONS, "gain ± se", "wins : losses", *shown]
    return f"Series {series_of(results)}.\n\n{markdown(header, found)}"


def ablation_table(results: Results) -> str:
    """For each part that was left out: mean ARI, what is lost, its error, draws won and lost."""
    rows = [row | {"part": part_of(row["family"])} for row in results["ablation"]]
    parts, table = dict.fromkeys(row["part"] for row in rows), []
    for name in dict.fromkeys(row["without"] for row in rows):
        line = [name if name == EVERYTHING else f"without {name}"]
        for part in parts:
            own, base = (where(rows, part=part, without=one) for one in (name, EVERYTHING))
            values = ([float(row["ari"]) for row in some] for some in (base, own))
            change, error, wins, losses = gain(*values)
            text = f"{change:+.3f} ± {error:.3f}, {wins} : {losses}"
            line += [number(mean_of(own, "ari"), 3), "" if name == EVERYTHING else text]
        table.append(line)
    header = [""]
    for part in parts:
        header += [f"{part}, {len(where(rows, part=part, without=EVERYTHING))} draws", "change"]
    return markdown(header, table)


TABLES = {
    "result": partial(version_table, column="ari"),
    "three": partial(version_table, column="best of 3"),
    "ablation": ablation_table,
    "machine": lambda results: (
        f"{versions()}, {machine.lines(results[f'after-{series_of(results)}-generated'])}"
    ),
}
