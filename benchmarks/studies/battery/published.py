"""The published labels of other methods: https://github.com/gagolews/clustering-results-v1.

The folder of an unpacked copy is named by MAXMARGIN_BATTERY_RESULTS.
"""

import gzip
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.datasets.battery import RESULTS, BatterySet, Labels, folder, score

Found = dict[str, dict[int, Labels]]  # labels by method and number of clusters


def read_labels(path: Path) -> dict[str, Labels]:
    """The labels of a file by method; a method without a label for each row is left out."""
    with gzip.open(path, "rt") as file:
        header = [name.strip('"') for name in file.readline().strip().split(",")]
        table = np.genfromtxt(file, delimiter=",", ndmin=2)
    whole = np.isfinite(table).all(axis=0)
    return {
        name: column.astype(np.int64)
        for name, column, complete in zip(header, table.T, whole, strict=True)
        if complete
    }


def published(data: BatterySet) -> Found:
    """All published labels of a set."""
    found: Found = {}
    for source in sorted(path for path in folder(RESULTS).glob("original/*") if path.is_dir()):
        for k in data.numbers:
            path = source / data.family / f"{data.name}.result{k}.gz"
            if path.is_file():
                for method, labels in read_labels(path).items():
                    found.setdefault(method, {})[k] = labels
    return found


def scores(data: BatterySet, found: Found) -> dict[str, float]:
    """The score of every method with labels for the set."""
    return {
        method: round(score(data, partial(dict.get, by_k)), 4) for method, by_k in found.items()
    }
