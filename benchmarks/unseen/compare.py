"""Compare two versions of the library on the unseen draws, with the peers beside them.

python -m benchmarks.unseen.compare before after [--series 0] [--out folder] [--readme]
"""

import argparse
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.shared.machine import one_line
from benchmarks.shared.peers import versions
from benchmarks.shared.statistics import gain
from benchmarks.shared.table import fill, markdown, number, read_csv
from benchmarks.unseen.draws import part_of
from benchmarks.unseen.run import HERE, OURS, PEERS

Scores = dict[str, dict[str, float]]  # by method with its columns, and draw


def read(folder: Path, name: str, series: int, column: str) -> tuple[Scores, dict[str, str]]:
    """The scores of a version in all parts that were run, and the family of each draw."""
    scores, families = defaultdict(dict), {}
    for path in sorted(folder.glob(f"{name}-{series}-*.csv")):
        for row in read_csv(path):
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
    for draw in before:
        if draw in after:
            groups[families[draw]].append(draw)
            totals[part_of(families[draw])].append(draw)
    for name, draws in (groups | totals).items():
        part = name if name in totals else part_of(name)
        others = better_columns(peers, totals[part]).values()
        better, error, wins, losses = gain([before[d] for d in draws], [after[d] for d in draws])
        shown = [mean(scores, draws) for scores in (before, after, *others)]
        first, second, *rest = ("–" if np.isnan(value) else number(value, 3) for value in shown)
        change = f"{better:+.3f} ± {error:.3f}"
        family = f"**{name}**" if name in totals else name
        yield [family, str(len(draws)), first, second, change, f"{wins} : {losses}", *rest]


def table(folder: Path, names: Sequence[str], series: int, column: str = "ari") -> str:
    """Means of each family before and after, the gain, wins and losses, and the peers."""
    before, after = (read(folder, name, series, column) for name in names)
    peers, _ = read(folder, PEERS, series, column)
    found = lines(before[0][OURS], after[0][OURS], before[1], peers)
    shown = dict.fromkeys(method.split(", ")[0] for method in peers)
    return markdown(["family", "draws", *names, "gain ± se", "wins : losses", *shown], found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs=2, help="two names of `run`")
    parser.add_argument("--series", type=int, default=0)
    parser.add_argument("--column", choices=("ari", "best of 3", "seconds"), default="ari")
    parser.add_argument("--out", type=Path, default=HERE, help="the folder of the scores")
    parser.add_argument("--readme", action="store_true", help="fill the README too")
    options = parser.parse_args()
    print(table(options.out, options.names, options.series, options.column))
    if options.readme:
        for place, column in {"result": "ari", "three": "best of 3"}.items():
            text = table(options.out, options.names, options.series, column)
            fill(HERE / "README.md", place, f"Series {options.series}.\n\n{text}")
        fill(HERE / "README.md", "machine", f"{versions()}, {one_line()}")


if __name__ == "__main__":
    main()
