"""The sets of the battery and its protocol: how labels are scored there.

The battery is https://github.com/gagolews/clustering-data-v1 (release 1.1.0), unpacked in the
folder that MAXMARGIN_BATTERY names. It is not part of this project: it has a licence of its own.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import adjusted_rand_score

DATA = "MAXMARGIN_BATTERY"
RESULTS = "MAXMARGIN_BATTERY_RESULTS"
FAMILIES = ("fcps", "graves", "other", "sipu", "uci", "wut")
MOST_ROWS = 20_000

Labels = NDArray[np.integer]


@dataclass(frozen=True, eq=False)
class BatterySet:
    """Rows and reference labellings 1, 2, …, k; a reference's 0 is a row that belongs nowhere."""

    family: str
    name: str
    X: NDArray[np.float64]
    references: tuple[Labels, ...]

    @property
    def key(self) -> str:
        """The name within the battery: family/name."""
        return f"{self.family}/{self.name}"

    @property
    def numbers(self) -> list[int]:
        """The numbers of clusters that are asked for: those of the references."""
        return sorted({number_of(reference) for reference in self.references})

    def rounded(self, digits: int) -> "BatterySet":
        """The same in steps of 1/10, 1/100, … of each column's range: 11, 101, … values at most."""
        lowest, span = self.X.min(axis=0), np.ptp(self.X, axis=0)
        parts = (self.X - lowest) / np.where(span > 0, span, 1.0)
        return replace(self, X=lowest + np.round(parts, digits) * span)

    def sampled(self, most: int, seed: int = 0) -> "BatterySet":
        """The same with so many random rows at most."""
        n = len(self.X)
        return (
            self.rows(np.sort(np.random.default_rng(seed).permutation(n)[:most]))
            if n > most
            else self
        )

    def rows(self, chosen: NDArray[np.integer]) -> "BatterySet":
        """The same set with some of its rows; a cluster that lost all of them is not asked for."""
        references = tuple(reference[chosen] for reference in self.references)
        return BatterySet(self.family, self.name, self.X[chosen], references)


def folder(variable: str) -> Path:
    """The folder in an environment variable, or an error that says what belongs there."""
    value = os.environ.get(variable)
    if not value or not Path(value).is_dir():
        raise LookupError(
            f"{variable}={value!r}: set it to the folder of an unpacked "
            f"{'clustering-results-v1' if variable == RESULTS else 'clustering-data-v1'} "
            "of github.com/gagolews."
        )
    return Path(value)


def names() -> list[str]:
    """Every set as family/name."""
    root = folder(DATA)
    return [
        f"{family}/{path.name.removesuffix('.labels0.gz')}"
        for family in FAMILIES
        for path in sorted((root / family).glob("*.labels0.gz"))
    ]


def load(key: str, most_rows: int = MOST_ROWS) -> BatterySet | None:
    """Read a set by its family/name; None if it has more rows."""
    family, name = key.split("/")
    root = folder(DATA) / family
    references = tuple(
        np.loadtxt(path, dtype=np.int64) for path in sorted(root.glob(f"{name}.labels*.gz"))
    )
    if len(references[0]) > most_rows:
        return None
    return BatterySet(family, name, np.loadtxt(root / f"{name}.data.gz", ndmin=2), references)


def battery(
    only: Sequence[str] = (), most_rows: int = MOST_ROWS, sample: int | None = None, seed: int = 0
) -> Iterator[BatterySet]:
    """The sets with at most ``most_rows`` rows, of each only ``sample`` random ones.

    ``only`` holds names, families or family/name.
    """
    keys = names()
    known = {*keys, *(part for key in keys for part in key.split("/"))}
    if unknown := set(only) - known:
        raise LookupError(f"The battery has no family and no set {', '.join(sorted(unknown))}.")
    for key in keys:
        if only and not {key, *key.split("/")} & set(only):
            continue
        data = load(key, most_rows)
        if data is not None:
            yield data.sampled(sample, seed) if sample else data


def number_of(reference: Labels) -> int:
    """The number of clusters of a reference."""
    return len(np.unique(reference[reference != 0]))


def ari(reference: Labels, labels: Labels) -> float:
    """ARI of the rows that belong somewhere."""
    counted = reference != 0
    return float(adjusted_rand_score(reference[counted], labels[counted]))


def score(data: BatterySet, labels_for: Callable[[int], Labels | None]) -> float | None:
    """The suite's protocol: the best over the references, each with labels for its own k.

    ``labels_for(k)`` is None where there are none; the score is None if there are none at all.
    """
    pairs = [(r, labels_for(number_of(r))) for r in data.references]
    scores = [ari(reference, labels) for reference, labels in pairs if labels is not None]
    return max(scores, default=None)
