"""How the tables of the README are written."""

from functools import partial
from typing import Any

import numpy as np

from benchmarks.datasets.groups import GROUPS
from benchmarks.methods.densities import DENSITY, LARGER, METHODS, OURS, SHIFT
from benchmarks.runner import machine
from benchmarks.runner.study import Results
from benchmarks.runner.table import distinct, markdown, mean_of, number, where

Row = dict[str, str]
AS_IS, BY_LABELS = "as it is", "the candidate that the labels would choose"
#: Differences of ARI up to this are a tie.
TIE = 0.01
#: Constants that are changed, by module and name, and parameters.
CHANGES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    AS_IS: ({}, {}),
    "weak pieces are not joined": ({"graph.WEAKEST": np.inf}, {}),
    "5 neighbours only": ({"domain_graph.GAP_NEIGHBORS": (5, 5)}, {}),
    "10 neighbours only": ({"domain_graph.GAP_NEIGHBORS": (10, 10)}, {}),
    "nu=0.5": ({}, {"nu": 0.5}),
    "widths .15, .25, .35, .5": ({"width.NARROW_WIDTHS": (0.15, 0.25, 0.35, 0.5)}, {}),
}
LANDMARKS = (500, 1000, 2000, None)
LANDMARK_SEEDS = 3
#: Sets with more rows than landmarks: what the rule was found on, and class draws made afterwards.
MANY = (
    *("mnist, 10 000", "mnist", "usps", "satellite", "letter", "four shapes"),
    *(f"{source}, classes {i}" for source in ("mnist", "usps") for i in range(3)),
)
AS_THEY_ARE, MEANS = "as they are", "means"
STREAM: dict[str, int] = {"n": 20_000, "batch": 1000, "n_landmarks": 1000, "seeds": 5}


def aris(rows: list[Row], group: str, method: str) -> dict[str, float]:
    return {
        row["set"]: float(row["ari"])
        for row in rows
        if (row["group"], row["method"]) == (group, method)
    }


def versus(ours: np.ndarray, theirs: np.ndarray) -> list[str]:
    """The paired difference with its standard error, and how many are won, tied and lost."""
    difference = ours - theirs
    error = difference.std(ddof=1) / np.sqrt(len(difference))
    won, lost = (difference > TIE).sum(), (difference < -TIE).sum()
    return [
        f"{difference.mean():+.3f} ± {error:.3f}",
        f"{won} / {len(difference) - won - lost} / {lost}",
    ]


def group_table(results: Results) -> str:
    rows, lines = results["groups"], []
    for group in GROUPS:
        base = aris(rows, group, DENSITY)
        if not base:
            continue
        for method in METHODS:
            of = aris(rows, group, method)
            theirs = np.array([base[name] for name in of])
            mine = np.array(list(of.values()))
            line = [group if method == OURS else "", len(of), method, number(mine.mean(), 3)]
            if method == DENSITY:
                line += ["1.00", "", ""]
            else:
                line += [number(mine.mean() / theirs.mean()), *versus(mine, theirs)]
            lines.append(line)
    header = ["group", "sets", "method", "mean ARI", "÷ HDBSCAN(5)", "paired difference"]
    return markdown([*header, "won / tied / lost"], lines)


def peer_table(results: Results) -> str:
    """Ours against each of the others: the paired difference, and how many sets are won."""
    rows, lines = results["groups"], []
    for method in METHODS:
        if method == OURS:
            continue
        line = [method]
        for group in GROUPS:
            mine, theirs = aris(rows, group, OURS), aris(rows, group, method)
            pair = [np.array([one[name] for name in theirs]) for one in (mine, theirs)]
            line += versus(*pair)
        lines.append(line)
    header = ["ours minus"]
    for group in GROUPS:
        header += [group, "won / tied / lost"]
    return markdown(header, lines)


def set_table(results: Results, group: str) -> str:
    rows = where(results["groups"], group=group)
    of = {(row["set"], row["method"]): row for row in rows}
    methods = [name for name in METHODS if name != SHIFT] + [SHIFT]
    lines = []
    for name in distinct(rows, "set"):
        facts = of[name, OURS]
        line = [name, f"{facts['n']} × {facts['d']}", facts["classes"]]
        for method in methods:
            row = of.get((name, method))
            line.append(f"{float(row['ari']):z.2f} ({row['k']})" if row else "–")
        lines.append(line)
    return markdown(["set", "n × d", "classes", *methods], lines)


def ablation_table(results: Results) -> str:
    rows, lines = results["ablations"], []
    for change in CHANGES:
        line = [change]
        for group in distinct(rows, "group"):
            base, of = (aris(rows, group, name) for name in (AS_IS, change))
            mine = np.array([of[name] for name in base])
            line.append(number(mine.mean(), 3))
            line += ["", ""] if change == AS_IS else versus(mine, np.array(list(base.values())))
        lines.append([*line, number(mean_of(where(rows, method=change), "cpu_seconds"), 2)])
    header = ["change"]
    for group in distinct(rows, "group"):
        header += [f"{group}: mean ARI", "difference", "won / tied / lost"]
    return markdown([*header, "CPU s of a fit"], lines)


def landmark_table(results: Results) -> str:
    rows, lines = results["landmarks"], []
    for name in distinct(rows, "set"):
        mine = where(rows, set=name)
        line = [name, f"{mine[0]['n']} × {mine[0]['d']}"]
        for count in map(str, LANDMARKS):
            some = where(mine, n_landmarks=count)
            if not some:
                line.append("–")
                continue
            values = [float(row["ari"]) for row in some]
            ks = "/".join(row["k"] for row in some)
            seconds = mean_of(some, "cpu_seconds")
            spread = f" ± {np.std(values, ddof=1):.2f}" if len(values) > 1 else ""
            line.append(f"{np.mean(values):z.2f}{spread} ({ks}), {seconds:.1f} s")
        lines.append(line)
    return markdown(["set", "n × d", *map(str, LANDMARKS)], lines)


def mean_table(results: Results) -> str:
    rows, lines = results["means"], []
    for name in distinct(rows, "set"):
        mine = where(rows, set=name)
        line = [name, f"{int(mine[0]['n']):,} × {mine[0]['d']}"]
        for way in (AS_THEY_ARE, MEANS):
            some = where(mine, landmarks=way)
            ks = "/".join(row["k"] for row in some)
            values = [float(row["ari"]) for row in some]
            line += [f"{np.mean(values):z.3f} ({ks})", f"{mean_of(some, 'cpu_seconds'):.1f}"]
        lines.append(line)
    return markdown(["set", "n × d", AS_THEY_ARE, "CPU s", MEANS, "CPU s"], lines)


def stream_table(results: Results) -> str:
    rows, lines = results["streams"], []
    for order in distinct(rows, "order"):
        some = where(rows, order=order)
        values = [float(row["ari"]) for row in some]
        spread = f"{np.mean(values):.3f} ± {np.std(values, ddof=1):.3f}"
        lines.append([order, len(some), spread, number(min(values), 3)])
        lines[-1].append(" ".join(row["k"] for row in some))
    return markdown(["order", "seeds", "ARI of predict", "lowest", "clusters"], lines)


def digit_table(results: Results) -> str:
    lines = [[row["change"], number(row["ari"]), row["k"]] for row in results["digits"]]
    return markdown(["change", "ARI", "clusters"], lines)


IN_REAL_DRAWS = (OURS, DENSITY, LARGER)


def real_draw_table(results: Results) -> str:
    """Means of each source, and ours against the better HDBSCAN."""
    rows, lines = results["real_draws"], []
    for source in [*dict.fromkeys(row["set"].split()[0] for row in rows), ""]:
        some = [row for row in rows if row["set"].startswith(source)]
        scores = np.array([[float(row[method]) for method in IN_REAL_DRAWS] for row in some])
        means = (number(mean, 3) for mean in scores.mean(axis=0))
        lines.append([source or "all", len(some), *means])
    better = 1 + int(np.argmax(scores[:, 1:].mean(axis=0)))
    difference, _ = versus(scores[:, 0], scores[:, better])
    table = markdown(["source", "draws", *IN_REAL_DRAWS], lines)
    return f"{table}\n\nAgainst the better one: {difference}."


TABLES = {
    "real-draws": real_draw_table,
    "groups": group_table,
    "peers": peer_table,
    **{
        f"sets-{name}": partial(set_table, group=group)
        for group, name in zip(GROUPS, ("fresh", "battery", "real", "papers"), strict=True)
    },
    "ablations": ablation_table,
    "landmarks": landmark_table,
    "means": mean_table,
    "streams": stream_table,
    "digits": digit_table,
    "machine": lambda results: machine.lines(results["groups"]),
}
