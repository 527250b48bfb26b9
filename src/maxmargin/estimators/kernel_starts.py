"""Where runs with several kernels begin: what each finds by itself, and what they agree on."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from maxmargin._runtime.memory import require_memory
from maxmargin.blocks import MemoryRows
from maxmargin.kernels.kernel import Matrix
from maxmargin.objectives.hinge import Frame
from maxmargin.objectives.kernel_norm import KernelNorm
from maxmargin.search.consensus import Consensus
from maxmargin.search.informed import named, seeded_labels, shaken_labels
from maxmargin.solvers import Limits
from maxmargin.solvers.multistart import Multistart


@dataclass(frozen=True)
class KernelStarts:
    """Rows as several kernels see them, and the labels that can be had from that.

    Attributes
    ----------
    tables : sequence of matrix
        The rows that each kernel sees, as they are.
    features : matrix
        Their features, side by side.
    frame : Frame
        Each kernel with its own unit of length.
    kernels : KernelNorm
        Which features belong to which kernel.
    limits : Limits
    n_init : int
        Starts for each kernel.
    rng : Generator
    """

    tables: Sequence[Matrix]
    features: Matrix
    frame: Frame
    kernels: KernelNorm
    limits: Limits
    n_init: int
    rng: np.random.Generator

    def take(self, rows: NDArray[np.intp]) -> "KernelStarts":
        """The same of some of the rows."""
        return replace(
            self,
            tables=[table[rows] for table in self.tables],
            features=self.features[rows],
            limits=replace(self.limits, sizes=self.limits.sizes.subset(rows)),
        )

    def seeded(self, kind: str, frame: Frame) -> list[NDArray[np.int32]]:
        """From seed rows in the features of all kernels, as long as they are in the frame."""
        X = self.features
        framed = X.multiply(frame.scale).tocsr() if issparse(X) else X * frame.scale
        framed = framed.astype(X.dtype, copy=False)
        return seeded_labels(kind, framed, self.limits.sizes, self.n_init, self.rng)

    def of_one(self, m: int, kind: str) -> list[NDArray[np.int32]]:
        """What ``CuttingPlaneClustering`` with kernel m alone begins with."""
        sizes = self.limits.sizes
        if kind != "rls":
            return seeded_labels(kind, self._part(m), sizes, self.n_init, self.rng)
        rows = self.tables[m]
        return [named(shaken_labels(rows, sizes, self.n_init, self.rng, self.limits.stop), sizes)]

    def found_by_one(self, m: int, kind: str, runs: Multistart) -> NDArray[np.int32]:
        """What ``CuttingPlaneClustering`` with kernel m alone finds."""
        frame = self.frame.of_columns(self._columns(m))
        starts = self.of_one(m, kind)
        return runs.best(MemoryRows(self._part(m)), frame, self.limits, starts).labels.astype(
            np.int32
        )

    def found_by_sum(self, kind: str, runs: Multistart) -> NDArray[np.int32]:
        """What it finds with the plain sum of the kernels."""
        M = len(self.kernels.views)
        frame = self.frame.weighted(self.kernels, np.full(M, 1 / M))
        starts = self.seeded(kind, frame)
        return runs.best(MemoryRows(self.features), frame, self.limits, starts).labels.astype(
            np.int32
        )

    def consensus(self) -> Consensus:
        """What the kernels agree on: time O(M n² + n³)."""
        n, M = self.features.shape[0], len(self.kernels.views)
        require_memory(
            (12 * M + 24) * n * n,
            f"a start by least squares with {M} kernels on {n} rows",
            'Use init="mixed" or a smaller init_size.',
        )
        grams = [self.frame.of_columns(self._columns(m)).gram(self._part(m)) for m in range(M)]
        return Consensus(grams, self.limits.sizes, self.rng, self.limits.stop)

    def _columns(self, m: int) -> NDArray[np.intp]:
        return self.kernels.columns(np.arange(len(self.kernels.views)) == m)

    def _part(self, m: int) -> Matrix:
        """The features of kernel m."""
        part = self.features[:, self.kernels.views[m]]
        return part if issparse(part) else np.ascontiguousarray(part)
