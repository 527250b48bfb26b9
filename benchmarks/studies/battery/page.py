"""How docs/battery.md is written: set by set what is right and wrong, the losses first."""

import os
from collections.abc import Iterator
from pathlib import Path

from benchmarks.datasets.battery import BatterySet, battery
from benchmarks.methods.front_door import OURS
from benchmarks.methods.peers import CHOOSE_K
from benchmarks.runner.store import LABELS, Store
from benchmarks.runner.study import Results
from benchmarks.runner.table import markdown, number
from benchmarks.studies.battery.tables import (
    THREE,
    Scores,
    every_published,
    mean,
    oracle,
    ours,
    today,
)

PAGE = "../../../docs/battery.md"
#: From here on a difference can be seen in the picture.
MUCH = 0.05
RIGHT = 0.95


def by_peer(results: Results) -> dict[str, Scores]:
    """The better of raw and standardised columns on each set, for each peer."""
    found: dict[str, Scores] = {}
    for row in results["peers"]:
        scores, key = found.setdefault(row["method"], {}), f"{row['family']}/{row['set']}"
        scores[key] = max(scores.get(key, -1), float(row["ari"]))
    return found


def better_tool(answer: Scores, peers: dict[str, Scores]) -> str:
    """How often, and where, each peer is much better or much worse than ours."""
    table = []
    for name, scores in peers.items():
        both = [k for k in answer if k in scores]
        ahead = sorted(
            (k for k in both if scores[k] - answer[k] > MUCH), key=lambda k: answer[k] - scores[k]
        )
        behind = sum(answer[k] - scores[k] > MUCH for k in both)
        examples = ", ".join(k.split("/")[1] for k in ahead[:6])
        table.append([name, len(ahead), behind, examples + (", …" if len(ahead) > 6 else "")])
    table.sort(key=lambda line: -line[1])
    return markdown(["peer", "better by .05", "worse by .05", "better on"], table)


def entries(
    keys: list[str], answer: Scores, three: Scores, peers: dict[str, Scores], best: Scores
) -> Iterator[str]:
    """A set's name, its figures and its picture."""
    for key in keys:
        name = max(peers, key=lambda m, key=key: peers[m].get(key, -1.0))
        text = f"ours {number(answer[key])}"
        if three[key] - answer[key] > MUCH:
            text += f" (offered as an alternative: {number(three[key])})"
        text += f", {name} {number(peers[name][key])}, best published {number(best[key])}"
        yield f"**{key}**: {text}\n\n![{key}](pictures/battery/{key.replace('/', '-')}.png)\n"


def means(answer: Scores, three: Scores, peers_today: dict[str, Scores]) -> str:
    """The means of ours and of the peers, in a sentence."""
    peers = sorted(peers_today.items(), key=lambda item: -mean(item[1]))
    listed = "; ".join(
        f"{name} columns {number(mean(scores), 3)}"
        + (f" (on {len(scores)} sets)" if len(scores) < len(answer) else "")
        for name, scores in peers
    )
    return (
        f"The mean ARI is {number(mean(answer), 3)}, of the best of the answer and its first two "
        f"alternatives {number(mean(three), 3)}. The peers: {listed}. Ours is right "
        f"(ARI ≥ {RIGHT}) on {sum(v >= RIGHT for v in answer.values())} of {len(answer)} sets."
    )


def groups(answer: Scores, peers: dict[str, Scores]) -> dict[str, list[str]]:
    """The sets by how ours compares with the best peer, the largest distance first."""
    best = oracle(peers)
    behind = {k: best[k] - answer[k] for k in answer}
    order = sorted(answer, key=lambda k: -behind[k])
    level = [k for k in order if abs(behind[k]) <= MUCH]
    return {
        "Losses": [k for k in order if behind[k] > MUCH],
        "Wins": [k for k in reversed(order) if behind[k] < -MUCH],
        "Level, and not right": [k for k in level if answer[k] < RIGHT],
        "Level, and right": [k for k in level if answer[k] >= RIGHT],
    }


def mean_text(results: Results) -> str:
    mine = ours(results)
    return means(mine[OURS], mine[THREE], today(results))


def set_text(results: Results) -> str:
    mine, peers, best = ours(results), by_peer(results), oracle(every_published(results))
    sets = []
    for title, keys in groups(mine[OURS], peers).items():
        sets += [
            f"## {title} ({len(keys)})\n",
            *entries(keys, mine[OURS], mine[THREE], peers, best),
        ]
    return "\n".join(sets).rstrip()


TABLES = {
    f"{PAGE}#means": mean_text,
    f"{PAGE}#tools": lambda results: better_tool(ours(results)[OURS], by_peer(results)),
    f"{PAGE}#sets": set_text,
}


def draw_all(results: Results, folder: Path) -> None:
    """A picture for each set, from the labels that were kept; without them it stays as it is."""
    from benchmarks.studies.battery import pictures

    if LABELS not in os.environ:
        raise FileNotFoundError(f"set {LABELS} to the folder of the labels")
    store, peers = Store(), by_peer(results)
    for data in battery():
        names = sorted(peers, key=lambda m: -peers[m].get(data.key, -1.0))
        runs = ("ours", *(f"{names[0]}-{columns}" for columns in ("raw", "standardised")))
        if not all(store.has(run, data.key) for run in runs):
            continue
        shown = [panel(store, data, OURS, "ours")]
        found = [panel(store, data, names[0], run) for run in runs[1:]]
        shown.append(max(found, key=lambda item: item[0]))
        reference = shown[0][1][2]
        truth = f"{data.key}, reference", reference, reference
        path = folder / f"{data.key.replace('/', '-')}.png"
        pictures.draw(data, [truth, *(item[1] for item in shown)], path)


def panel(store: Store, data: BatterySet, name: str, run: str) -> tuple[float, tuple]:
    """The score and the panel of a method whose labels are in the folder."""
    from benchmarks.studies.battery.pictures import best_pair

    def labels_for(k: int):
        kept = store.read(run, data.key, 0 if name in CHOOSE_K else k)
        return None if kept is None else kept[0]

    reference, labels, score = best_pair(data, labels_for)
    return score, (f"{name}, {score:.2f}", labels, reference)
