"""How the tables of the README are written."""

from collections.abc import Callable, Iterator

import numpy as np

from benchmarks.datasets.battery import FAMILIES
from benchmarks.methods.front_door import OURS
from benchmarks.methods.peers import versions
from benchmarks.runner import machine
from benchmarks.runner.run import FACTS
from benchmarks.runner.statistics import better_columns, gain
from benchmarks.runner.study import Results
from benchmarks.runner.table import distinct, markdown, number

THREE, BEFORE = "best of 3 offered", "before"

#: Published methods by how their names begin; of several parameters the best mean is shown.
PUBLISHED = {
    "Genie": "Genie_",
    "Genie Ic": "GIc",
    "ITM": "ITM",
    "IcA": "IcA",
    "spectral": "sklearn_spectral",
    "GMM": "sklearn_gm",
    "k-means": "sklearn_kmeans",
    "Birch": "sklearn_birch",
    "Ward": "fastcluster_ward",
    "average linkage": "fastcluster_average",
    "HDBSCAN": "FCPS_HDBSCAN",
    "PAM": "FCPS_PAM",
    "optimal index (DuNN and others)": "DuNN",
    "optimal index on a spanning tree": "mst_divisive",
}
#: A published method must have labels for nearly all sets to be shown.
FEWEST_SETS = 60
#: An answer with at least this ARI to itself is stable.
STABLE = 0.95

Scores = dict[str, float]  # by family/set


def ours(results: Results, file: str = "results") -> dict[str, Scores]:
    """The answer and the best of three, as they are in a file."""
    rows = results[file]
    columns = {OURS: "ari", THREE: "best of 3"}
    return {
        method: {f"{r['family']}/{r['set']}": float(r[column]) for r in rows}
        for method, column in columns.items()
    }


def today(results: Results) -> dict[str, Scores]:
    """The peers that were run here, each with the columns on which its mean is larger."""
    rows = results["peers"]
    better = better_columns(rows)
    found: dict[str, Scores] = {}
    for row in rows:
        if row["columns"] == better[row["method"]]:
            scores = found.setdefault(f"{row['method']}, {row['columns']}", {})
            scores[f"{row['family']}/{row['set']}"] = float(row["ari"])
    return found


def every_published(results: Results) -> dict[str, Scores]:
    """All published methods, each with all its parameters."""
    found: dict[str, Scores] = {}
    for row in results["published"]:
        key = f"{row['family']}/{row['set']}"
        for method, ari in row.items():
            if ari and method not in ("family", "set", *FACTS):
                found.setdefault(method, {})[key] = float(ari)
    return found


def published(methods: dict[str, Scores]) -> dict[str, Scores]:
    """The best parameters of each published method."""
    shown = {}
    for name, start in PUBLISHED.items():
        own = [m for m in methods if m.startswith(start) and len(methods[m]) >= FEWEST_SETS]
        best = max(own, key=lambda m: mean(methods[m]))
        shown[f"{name} (`{best}`)"] = methods[best]
    return shown


def oracle(methods: dict[str, Scores]) -> Scores:
    """The best of all methods on each set."""
    keys = dict.fromkeys(key for scores in methods.values() for key in scores)
    return {key: max(s[key] for s in methods.values() if key in s) for key in keys}


def mean(scores: Scores, family: str | None = None) -> float:
    """The mean over a family or over all sets."""
    return float(np.mean([v for k, v in scores.items() if family in (None, k.split("/")[0])]))


def lines(methods: dict[str, Scores]) -> Iterator[list[str]]:
    """A line for each method: all sets, then the families."""
    for method, scores in methods.items():
        families = [number(mean(scores, family), 3) for family in FAMILIES]
        yield [method, str(len(scores)), number(mean(scores), 3), *families]


def duels(answer: Scores, others: dict[str, Scores]) -> str:
    """Our answer against each of the others: mean gain, wins and losses."""
    table = []
    for method, scores in others.items():
        keys = [key for key in answer if key in scores]
        more, error, wins, losses = gain([scores[k] for k in keys], [answer[k] for k in keys])
        table.append([method, len(keys), f"{more:+.3f} ± {error:.3f}", f"{wins} : {losses}"])
    return markdown(["against", "sets", "gain ± se", "wins : losses"], table)


def losses(answer: Scores, three: Scores, others: dict[str, Scores], most: int = 15) -> str:
    """The sets on which the best of the others is farthest ahead."""
    best = {
        k: max((m for m in others if k in others[m]), key=lambda m: others[m][k]) for k in answer
    }
    worst = sorted(answer, key=lambda k: answer[k] - others[best[k]][k])[:most]
    return markdown(
        ["set", "ours", "best of 3", "best other", "which"],
        (
            [k, *(number(v) for v in (answer[k], three[k], others[best[k]][k])), best[k]]
            for k in worst
        ),
    )


def missing(answer: Scores, three: Scores, best: Scores, found: Scores | None = None) -> str:
    """What is missing to an ARI of 1, in parts that add up.

    Candidates that were not offered are a part of their own where the best of them is known. On
    sets with many rows they are about some of them, and may be worse than the answer.
    """
    rows, found = found is not None, found or {}
    pool = {k: max(found.get(k, -1.0), three[k]) for k in answer}
    top = {k: max(best[k], pool[k]) for k in answer}
    parts = {"offered, not chosen": {k: three[k] - answer[k] for k in answer}}
    if rows:
        parts["a candidate, not offered"] = {k: pool[k] - three[k] for k in answer}
    other = "no candidate, another method has it" if rows else "not offered, another method has it"
    parts[other] = {k: top[k] - pool[k] for k in answer}
    parts["no method has it"] = {k: 1 - top[k] for k in answer}
    parts["all that is missing"] = {k: 1 - answer[k] for k in answer}
    return markdown(["", "sets", "all", *FAMILIES], lines(parts))


def stability(rows: list[dict[str, str]], before: list[dict[str, str]]) -> str:
    """How stable the answers are in each family, how stable they were, and which are not."""
    lines = []
    for family in (*distinct(rows, "family"), "all"):
        own, old = ([r for r in part if family in (r["family"], "all")] for part in (rows, before))
        shaky = sorted((v, r["set"]) for v, r in zip(stable(own), own, strict=True) if v < STABLE)
        named = ", ".join(f"{name} {number(value)}" for value, name in shaky[:3])
        figures = [number(np.median(stable(part)), 3) for part in (own, old)]
        counts = [f"{(stable(part) >= STABLE).sum()} of {len(part)}" for part in (own, old)]
        lines.append([family, *figures, *counts, named])
    header = ["", "median", "before", "at least .95", "before", "least stable"]
    largest = max(int(row["rows"]) for row in rows)
    return markdown(header, lines) + f"\n\nThe largest of these sets has {largest} rows."


def stable(rows: list[dict[str, str]]) -> np.ndarray:
    """The stability of each set."""
    return np.array([float(row["stability"]) for row in rows])


def ranked(results: Results) -> dict[str, Scores]:
    """The peers, the best mean first."""
    return dict(sorted(today(results).items(), key=lambda item: -mean(item[1])))


def before(results: Results) -> dict[str, Scores]:
    """Our answer as it was."""
    return {f"{OURS} {BEFORE}": ours(results, BEFORE)[OURS]}


def best_of_all(results: Results) -> dict[str, Scores]:
    """The best published method on each set."""
    published_scores = every_published(results)
    return {f"the best of all {len(published_scores)} on each set": oracle(published_scores)}


def today_table(results: Results) -> str:
    return markdown(HEADER, lines(ours(results) | before(results) | ranked(results)))


def published_table(results: Results) -> str:
    shown = sorted(published(every_published(results)).items(), key=lambda item: -mean(item[1]))
    return markdown(HEADER, lines(dict(shown) | best_of_all(results)))


def duel_table(results: Results) -> str:
    others = before(results) | ranked(results) | best_of_all(results)
    return duels(ours(results)[OURS], others)


def others(results: Results) -> dict[str, Scores]:
    return ranked(results) | every_published(results)


def missing_table(results: Results) -> str:
    mine, found = ours(results), None
    if (results.folder / "pool.csv").exists():
        found = {f"{r['family']}/{r['set']}": float(r["best"]) for r in results["pool"]}
    return missing(mine[OURS], mine[THREE], oracle(others(results)), found)


def loss_table(results: Results) -> str:
    mine = ours(results)
    return losses(mine[OURS], mine[THREE], today(results) | every_published(results))


HEADER = ["", "sets", "all", *FAMILIES]
TABLES: dict[str, Callable[[Results], str]] = {
    "today": today_table,
    "published": published_table,
    "duels": duel_table,
    "missing": missing_table,
    "losses": loss_table,
    "stability": lambda results: stability(results["stability"], results[f"stability-{BEFORE}"]),
    "machine": lambda results: f"{versions()}, {machine.lines(results['results'])}",
}
