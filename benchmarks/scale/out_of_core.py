"""Rows that are never in memory: ``python -m benchmarks.scale.out_of_core [millions of rows]``.

20 columns, 10 clusters; rows are made when they are asked for, which is part of the CPU seconds of
``fit`` and ``predict_to``. Prints these, the resident memory at its peak above that before (labels
and margins take 12 bytes for each row of it), and the adjusted Rand index.
"""

import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from sklearn.metrics import adjusted_rand_score

from benchmarks.shared.memory import peak_memory, reset_peak
from maxmargin import CuttingPlaneClustering, MaxMarginClustering
from maxmargin.blocks import Rows

COLUMNS, CLUSTERS, CHUNK = 20, 10, 16384
CENTRES = np.random.default_rng(0).normal(size=(CLUSTERS, COLUMNS), scale=2.0).astype(np.float32)


class Generated(Rows):
    """Blobs whose rows depend on their numbers alone."""

    dtype = np.dtype(np.float32)

    def __init__(self, n):
        """Have so many rows."""
        self.shape = (n, COLUMNS)
        self.made = -1, np.empty((0, COLUMNS), np.float32)

    def read(self, start, stop):
        """Make the chunks that hold these rows."""
        parts = [np.empty((0, COLUMNS), np.float32)]
        for chunk in range(start // CHUNK, -(-stop // CHUNK)):
            rows, first = self.chunk(chunk), chunk * CHUNK
            parts.append(rows[max(0, start - first) : max(0, stop - first)])
        return np.concatenate(parts)

    def chunk(self, number):
        """Some rows; those of the last one are kept, as a pass asks for a few at a time."""
        if self.made[0] != number:
            rng = np.random.default_rng([1, number])
            rows = rng.standard_normal((CHUNK, COLUMNS), np.float32)
            rows += CENTRES[truth(number * CHUNK, (number + 1) * CHUNK)]
            self.made = number, rows
        return self.made[1]


def truth(start, stop):
    """The cluster of each row."""
    return np.arange(start, stop) * 7919 % 104729 % CLUSTERS


def main():
    n = int(1e6 * float(sys.argv[1] if len(sys.argv) > 1 else 20))
    rows = Generated(n)
    models = [
        CuttingPlaneClustering(CLUSTERS, random_state=0),
        MaxMarginClustering(CLUSTERS, random_state=0),
    ]
    for model in models:
        model.fit(Generated(3000)[:])  # what is imported late
    print("estimator,rows,fit CPU s,predict_to CPU s,peak MB,ARI")
    for model in models:
        reset_peak()
        before, began = peak_memory(), time.process_time()
        model.fit(rows)
        fitted = time.process_time()
        with tempfile.TemporaryDirectory() as folder:
            model.predict_to(rows, Path(folder, "labels.npy"))
            written = time.process_time()
            taken = (peak_memory() - before) / 1e6
            labels = np.load(Path(folder, "labels.npy"))
        ari = adjusted_rand_score(truth(0, n), labels)
        times = f"{fitted - began:.0f},{written - fitted:.0f}"
        print(f"{type(model).__name__},{n},{times},{taken:.0f},{ari:.3f}", flush=True)


if __name__ == "__main__":
    main()
