"""Blobs whose rows depend on their numbers alone, made when they are asked for: any number."""

import numpy as np
from numpy.typing import NDArray

from maxmargin.blocks import Rows

COLUMNS, CLUSTERS, CHUNK = 20, 10, 16384
CENTRES = np.random.default_rng(0).normal(size=(CLUSTERS, COLUMNS), scale=2.0).astype(np.float32)


class Generated(Rows):
    """So many rows that are never in memory."""

    dtype = np.dtype(np.float32)

    def __init__(self, n: int) -> None:
        """Have so many rows."""
        self.shape = (n, COLUMNS)
        self.made = -1, np.empty((0, COLUMNS), np.float32)

    def read(self, start: int, stop: int) -> NDArray[np.float32]:
        """Make the chunks that hold these rows."""
        parts = [np.empty((0, COLUMNS), np.float32)]
        for chunk in range(start // CHUNK, -(-stop // CHUNK)):
            rows, first = self.chunk(chunk), chunk * CHUNK
            parts.append(rows[max(0, start - first) : max(0, stop - first)])
        return np.concatenate(parts)

    def chunk(self, number: int) -> NDArray[np.float32]:
        """Some rows; those of the last one are kept, as a pass asks for a few at a time."""
        if self.made[0] != number:
            rng = np.random.default_rng([1, number])
            rows = rng.standard_normal((CHUNK, COLUMNS), np.float32)
            rows += CENTRES[truth(number * CHUNK, (number + 1) * CHUNK)]
            self.made = number, rows
        return self.made[1]


def truth(start: int, stop: int) -> NDArray[np.intp]:
    """The cluster of each row."""
    return np.arange(start, stop) * 7919 % 104729 % CLUSTERS
