"""Labels on disk, so that a method is run once: a gzipped csv for each method, set and k."""

import gzip
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Labels = NDArray[np.integer]


#: The folder that labels are kept in; without it none are.
LABELS = "MAXMARGIN_LABELS"


class Store:
    """A folder of labellings; each file has a column for each labelling of a fit."""

    def __init__(self, root: Path | None = None) -> None:
        self.root = Path(os.environ[LABELS]) if root is None and LABELS in os.environ else root

    def kept(self, method: str, key: str, k: int, fit: Callable[[], list[Labels]]) -> list[Labels]:
        """The labellings of a fit, which is made only if they are not there."""
        if self.root is None:
            return fit()
        found = self.read(method, key, k)
        if found is None:
            found = fit()
            self.write(method, key, k, found)
        return found

    def path(self, method: str, key: str, k: int) -> Path:
        """The file of the labels of a method."""
        assert self.root is not None, "there is a folder"
        return self.root / method / f"{key.replace('/', '_')}.{k}.csv.gz"

    def has(self, method: str, key: str) -> bool:
        """Whether a method was run on a set, for any number of clusters."""
        assert self.root is not None, "there is a folder"
        return any((self.root / method).glob(f"{key.replace('/', '_')}.*.csv.gz"))

    def read(self, method: str, key: str, k: int) -> list[Labels] | None:
        """The labellings of a fit, the answer first, or None if it was not run."""
        path = self.path(method, key, k)
        if not path.is_file():
            return None
        table = np.loadtxt(path, delimiter=",", skiprows=1, dtype=np.int64, ndmin=2)
        return list(table.T)

    def write(self, method: str, key: str, k: int, labels: list[Labels]) -> None:
        """Keep the labellings of a fit; a file is there whole or not at all."""
        path = self.path(method, key, k)
        path.parent.mkdir(parents=True, exist_ok=True)
        header = ",".join(["answer", *(f"alternative {i}" for i in range(1, len(labels)))])
        part = path.with_suffix(".part")
        with gzip.open(part, "wt") as file:
            np.savetxt(file, np.column_stack(labels), "%d", ",", header=header, comments="")
        part.replace(path)
