"""The tables of the README from the csv files beside it."""

import sys
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

from groups import GROUPS
from methods import DENSITY, METHODS, OURS, SHIFT
from shared.table import fill, markdown, number, read_csv

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
STREAM: dict[str, int] = {"n": 20_000, "batch": 1000, "n_landmarks": 1000, "seeds": 5}


def csv(part: str) -> list[Row]:
    return read_csv(HERE / f"{part}.csv")


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


def group_table() -> str:
    rows, lines = csv("groups"), []
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


def peer_table() -> str:
    """Ours against each of the others: the paired difference, and how many sets are won."""
    rows, lines = csv("groups"), []
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


def set_table(group: str) -> str:
    rows = [row for row in csv("groups") if row["group"] == group]
    of = {(row["set"], row["method"]): row for row in rows}
    methods = [name for name in METHODS if name != SHIFT] + [SHIFT]
    lines = []
    for name in dict.fromkeys(row["set"] for row in rows):
        facts = of[name, OURS]
        line = [name, f"{facts['n']} × {facts['d']}", facts["classes"]]
        for method in methods:
            row = of.get((name, method))
            line.append(f"{float(row['ari']):z.2f} ({row['k']})" if row else "–")
        lines.append(line)
    return markdown(["set", "n × d", "classes", *methods], lines)


def ablation_table() -> str:
    rows, lines = csv("ablations"), []
    for change in CHANGES:
        line = [change]
        for group in dict.fromkeys(row["group"] for row in rows):
            base, of = (aris(rows, group, name) for name in (AS_IS, change))
            mine = np.array([of[name] for name in base])
            line.append(number(mine.mean(), 3))
            line += ["", ""] if change == AS_IS else versus(mine, np.array(list(base.values())))
        every = [float(row["cpu_seconds"]) for row in rows if row["method"] == change]
        lines.append([*line, number(np.mean(every), 2)])
    header = ["change"]
    for group in dict.fromkeys(row["group"] for row in rows):
        header += [f"{group}: mean ARI", "difference", "won / tied / lost"]
    return markdown([*header, "CPU s of a fit"], lines)


def landmark_table() -> str:
    rows, lines = csv("landmarks"), []
    for name in dict.fromkeys(row["set"] for row in rows):
        mine = [row for row in rows if row["set"] == name]
        line = [name, f"{mine[0]['n']} × {mine[0]['d']}"]
        for count in map(str, LANDMARKS):
            some = [row for row in mine if row["n_landmarks"] == count]
            if not some:
                line.append("–")
                continue
            values = [float(row["ari"]) for row in some]
            ks = "/".join(row["k"] for row in some)
            seconds = np.mean([float(row["cpu_seconds"]) for row in some])
            spread = f" ± {np.std(values, ddof=1):.2f}" if len(values) > 1 else ""
            line.append(f"{np.mean(values):z.2f}{spread} ({ks}), {seconds:.1f} s")
        lines.append(line)
    return markdown(["set", "n × d", *map(str, LANDMARKS)], lines)


def stream_table() -> str:
    rows, lines = csv("streams"), []
    for order in dict.fromkeys(row["order"] for row in rows):
        some = [row for row in rows if row["order"] == order]
        values = [float(row["ari"]) for row in some]
        spread = f"{np.mean(values):.3f} ± {np.std(values, ddof=1):.3f}"
        lines.append([order, len(some), spread, number(min(values), 3)])
        lines[-1].append(" ".join(row["k"] for row in some))
    return markdown(["order", "seeds", "ARI of predict", "lowest", "clusters"], lines)


def digit_table() -> str:
    lines = [[row["change"], number(row["ari"]), row["k"]] for row in csv("digits")]
    return markdown(["change", "ARI", "clusters"], lines)


def machine() -> str:
    """The machine that the rows were measured on, not the one that writes the README."""
    row = csv("groups")[0]
    packages = ("python", "maxmargin", "numpy", "scipy", "scikit-learn")
    versions = ", ".join(f"{name} {row[name]}" for name in packages)
    return f"{versions}; {row['system']}, {row['cpu']}, BLAS threads: {row['blas_threads']}."


def write_tables() -> None:
    readme = HERE / "README.md"
    if not readme.is_file():
        return
    fill(readme, "groups", group_table())
    fill(readme, "peers", peer_table())
    for group, name in zip(GROUPS, ("fresh", "battery", "real", "papers"), strict=True):
        fill(readme, f"sets-{name}", set_table(group))
    for part, build in {
        "ablations": ablation_table,
        "landmarks": landmark_table,
        "streams": stream_table,
        "digits": digit_table,
    }.items():
        if (HERE / f"{part}.csv").is_file():
            fill(readme, part, build())
    fill(readme, "machine", machine())


if __name__ == "__main__":
    write_tables()
