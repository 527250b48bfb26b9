"""How the tables of the README are written."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.runner import machine
from benchmarks.runner.study import Results
from benchmarks.runner.table import markdown, number

Row = dict[str, Any]
ALONE = "alone: "
UNIFORM, DEFAULT, PAPER = "uniform", "default", 'optimizer="mkc", norm=2'
CHOICES: dict[str, dict[str, Any]] = {
    "norm=1": {"norm": 1},
    "norm=1.5": {"norm": 1.5},
    "norm=2": {"norm": 2},
    'init="kernels"': {"init": "kernels"},
    'init="mixed"': {"init": "mixed"},
    'norm=2, init="kernels"': {"norm": 2, "init": "kernels"},
}
CHOICE_SEEDS = 2
SMALL_TEXT = "20-news rec, 1000 rows"
#: Quick ones first.
MAIN_SETS = (
    "redundant + 2 noise",
    "2 good + 6 noise",
    "halves + noise",
    "1 good + 2 noise",
    "wine + noise",
    "breast cancer + noise",
    "digits",
    "digits + noise",
    "USPS, 2000 rows",
    "satellite, 2000 rows",
    "COIL-20",
    "20-news rec",
)
CHOICE_SETS = ("halves + noise", "2 good + 6 noise", "wine + noise", SMALL_TEXT, "digits")
#: A noise source should have less of the weights, and two good ones more.
LITTLE, MUCH = 0.05, 0.1


class BySet:
    """Rows by set and method, in the order of the seeds."""

    def __init__(self, rows: list[Row]) -> None:
        self._rows: dict[tuple[str, str], list[Row]] = {}
        for row in sorted(rows, key=lambda row: int(row["seed"])):
            self._rows.setdefault((row["set"], row["method"]), []).append(row)

    def of(self, name: str, method: str, column: str, most: int | None = None) -> np.ndarray:
        """The values of the first seeds."""
        rows = self._rows.get((name, method), [])[:most]
        return np.array([float(row[column]) for row in rows])

    def mean(self, name: str, method: str, column: str = "ari", most: int | None = None) -> float:
        """Their mean; nan without any."""
        values = self.of(name, method, column, most)
        return float(values.mean()) if len(values) else np.nan

    def with_deviation(self, name: str, method: str) -> str:
        """The mean ARI and the standard deviation between seeds."""
        values = self.of(name, method, "ari")
        return f"{values.mean():z.3f} ± {values.std(ddof=1):.3f}" if len(values) > 1 else "–"

    def against(self, name: str, other: str) -> tuple[float, str]:
        """How far the mean ARI of the default is above another, and in how many seeds."""
        ours, theirs = self.of(name, DEFAULT, "ari"), self.of(name, other, "ari")
        if len(ours) != len(theirs):
            raise LookupError(f"{name}: seeds of {other!r} are missing; let the run go on.")
        above = np.count_nonzero(ours > theirs)
        difference = float(np.mean(ours - theirs))
        return difference, f"{difference:+.3f}, {above} of {len(ours)} seeds"

    def shares(self, name: str, method: str = DEFAULT, most: int | None = None) -> dict[str, float]:
        """The mean share of each source in the weights."""
        rows = [self._parsed(row["shares"]) for row in self._rows.get((name, method), [])[:most]]
        return {source: float(np.mean([row[source] for row in rows])) for source in rows[0]}

    def seeds(self, name: str) -> int:
        """How many."""
        return len(self._rows.get((name, DEFAULT), []))

    def alone(self, name: str) -> list[str]:
        """The sources of a set, best first."""
        sources = [key[1] for key in self._rows if key[0] == name and key[1].startswith(ALONE)]
        return sorted(sources, key=lambda method: -self.mean(name, method))

    def size(self, name: str) -> str:
        """Rows and clusters."""
        row = self._rows[name, DEFAULT][0]
        return f"{row['n']}, {row['k']}"

    def names(self, wanted: tuple[str, ...]) -> Iterator[str]:
        """The sets with any result."""
        return (name for name in wanted if (name, DEFAULT) in self._rows)

    @staticmethod
    def _parsed(shares: str) -> dict[str, float]:
        pairs = (item.rsplit(": ", 1) for item in shares.split("; "))
        return {name: float(share) for name, share in pairs}


def main_table(found: BySet) -> str:
    rows = []
    for name in found.names(MAIN_SETS):
        best = found.alone(name)[0]
        rows.append(
            [
                name,
                found.size(name),
                found.seeds(name),
                f"{found.with_deviation(name, best)} ({best.removeprefix(ALONE)})",
                found.with_deviation(name, UNIFORM),
                found.with_deviation(name, DEFAULT),
                " / ".join(
                    number(found.mean(name, method, "accuracy"), 3)
                    for method in (best, UNIFORM, DEFAULT)
                ),
                " / ".join(
                    number(found.mean(name, method, "cpu_seconds"), 1)
                    for method in (best, UNIFORM, DEFAULT)
                ),
            ]
        )
    header = ["ARI", "n, k", "seeds", "best source alone", "uniform", "ours"]
    return markdown([*header, "accuracy: best / uniform / ours", "CPU s"], rows)


def checks_table(found: BySet) -> str:
    rows, passed, counted = [], np.zeros(4, int), np.zeros(4, int)
    for name in found.names(MAIN_SETS):
        shares = found.shares(name)
        noise = [share for source, share in shares.items() if source.startswith("noise")]
        good = [share for source, share in shares.items() if not source.startswith("noise")]
        single, by_single = found.against(name, found.alone(name)[0])
        uniform, by_uniform = found.against(name, UNIFORM)
        checks: list[bool | None] = [
            single > 0,
            uniform > 0,
            sum(share > MUCH for share in good) > 1 if len(good) > 1 else None,
            max(noise) < LITTLE if noise else None,
        ]
        counted += [check is not None for check in checks]
        passed += [check is True for check in checks]
        words = {True: "yes", False: "**no**", None: "–"}
        rows.append(
            [
                name,
                f"{words[checks[0]]} ({by_single})",
                f"{words[checks[1]]} ({by_uniform})",
                words[checks[2]],
                words[checks[3]] + (f" ({max(noise):.3f})" if noise else ""),
            ]
        )
    rows.append(["sets that pass", *(f"{p} of {c}" for p, c in zip(passed, counted, strict=True))])
    header = ["", "above every source", "above uniform", "two weights > .1"]
    return markdown([*header, "noise < .05 (largest)"], rows)


def sources_table(found: BySet) -> str:
    rows = []
    for name in found.names(MAIN_SETS):
        shares = found.shares(name)
        for source in shares:
            method = ALONE + source
            rows.append(
                [
                    name,
                    source,
                    found.with_deviation(name, method),
                    number(found.mean(name, method, "accuracy"), 3),
                    number(found.mean(name, method, "cpu_seconds"), 1),
                    number(shares[source], 3),
                ]
            )
    return markdown(["set", "source", "ARI alone", "accuracy", "CPU s", "its share in ours"], rows)


def choices_table(found: BySet) -> str:
    """The mean of the first seeds, and the largest share of noise; dashes for what is missing."""
    methods = [DEFAULT, *CHOICES, PAPER]
    rows, means = [], []
    for name in found.names(CHOICE_SETS):
        row, means_of_set = [name], []
        for method in methods:
            scores = found.of(name, method, "ari", CHOICE_SEEDS)
            complete = len(scores) == CHOICE_SEEDS
            means_of_set.append(scores.mean() if complete else np.nan)
            if not complete:
                row.append("–")
                continue
            shares = found.shares(name, method, CHOICE_SEEDS)
            noise = [share for source, share in shares.items() if source.startswith("noise")]
            seconds = found.mean(name, method, "cpu_seconds", CHOICE_SEEDS)
            largest = f" ({max(noise):.2f})" if noise else ""
            row.append(f"{scores.mean():.3f}{largest}, {seconds:.1f} s")
        rows.append(row)
        means.append(means_of_set)
    rows.append(["mean ARI", *("–" if np.isnan(m) else f"{m:.3f}" for m in np.mean(means, axis=0))])
    header = [f"`{method}`" if method != DEFAULT else "default" for method in methods]
    return markdown(["ARI (largest noise share), CPU", *header], rows)


def of(table: Callable[[BySet], str]) -> Callable[[Results], str]:
    """A table of the rows of the study."""
    return lambda results: table(BySet(results["results"]))


TABLES = {
    "main": of(main_table),
    "checks": of(checks_table),
    "sources": of(sources_table),
    "choices": of(choices_table),
    "machine": lambda results: machine.lines(results["results"]),
}
