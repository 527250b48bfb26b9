"""Where runs with several kernels begin: what each finds by itself, and what they agree on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from maxmargin._runtime.memory import require_memory
from maxmargin.blocks import MemoryRows
from maxmargin.objectives.hinge import Frame
from maxmargin.objectives.kernel_norm import KernelNorm
from maxmargin.search.consensus import Consensus
from maxmargin.search.starts import seeded_labels
from maxmargin.search.warm_starts import least_squares_labels
from maxmargin.solvers import Limits, Outcome
from maxmargin.solvers.multistart import Multistart, lowest
from maxmargin.spaces.kernel import Matrix

#: Objectives that differ by this share say less than what the sources know of the labels.
CLOSE = 0.1


@dataclass(frozen=True)
class Begin:
    """What runs begin with.

    Attributes
    ----------
    labels : list of ndarray
    frames : list of Frame
        In the frame of labels, kernels that know nothing of them may have no length.
    choose : function of outcomes
        Picks one of the best runs.
    good : bool
        Whether the labels were found by runs already, so that others should stay near them.
    """

    labels: list[NDArray[np.int32]]
    frames: list[Frame]
    choose: Callable[[Sequence[Outcome]], Outcome] = lowest
    good: bool = False


@dataclass(frozen=True)
class KernelStarts:
    """Rows as several kernels see them, and the labels that can be had from that.

    Attributes
    ----------
    tables : sequence of matrix or None
        The rows that each kernel sees, as they are; None where its features say more than
        they do: the output of a transformer, the features of a kernel matrix.
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

    tables: Sequence[Matrix | None]
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
            tables=[None if table is None else table[rows] for table in self.tables],
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
        rows = self._part(m) if self.tables[m] is None else self.tables[m]
        return [least_squares_labels(rows, sizes, self.n_init, self.rng)]

    def of_sum(
        self, kind: str, frame: Frame, weights: NDArray[np.float64]
    ) -> list[NDArray[np.int32]]:
        """Seeds in the frame of a weighted sum of the kernels, and its least-squares labels."""
        seeded = self.seeded(kind, frame) if kind != "rls" else []
        consensus = self.consensus()
        return [*seeded, consensus.labels(weights, [consensus.of_equals])]

    def found(self, kind: str, runs: Multistart) -> list[NDArray[np.int32]]:
        """What ``CuttingPlaneClustering`` finds with each kernel alone, and with their sum."""

        def with_one(m: int) -> NDArray[np.int32]:
            frame = self.frame.of_columns(self._columns(m))
            return self._best(runs, self._part(m), frame, self.of_one(m, kind))

        def with_sum() -> NDArray[np.int32]:
            equal = np.full(self.n_kernels, 1 / self.n_kernels)
            frame = self.frame.weighted(self.kernels, equal)
            return self._best(runs, self.features, frame, self.seeded(kind, frame))

        every: list[Callable[[], NDArray[np.int32]]]
        every = [partial(with_one, m) for m in range(self.n_kernels)]
        if kind != "rls":  # else the consensus begins with the sum
            every.append(with_sum)
        return list(runs.context.in_turn(every))

    def agreed(self, found: Sequence[NDArray[np.int32]]) -> Begin:
        """What is found, and what the kernels agree on from there.

        Of runs with objectives that are close, the one whose labels the kernels know best is
        chosen.
        """
        consensus = self.consensus()

        def best_known(outcomes: Sequence[Outcome]) -> Outcome:
            limit = (1 + CLOSE) * lowest(outcomes).objective
            close = [outcome for outcome in outcomes if outcome.objective <= limit]
            return max(close, key=lambda outcome: consensus.known(outcome.labels))

        every = [*found, consensus.of_equals]
        every += [consensus.reached_from(labels) for labels in every]
        known = [consensus.weights(labels) > 0 for labels in every]
        frames = [self.frame.weighted(self.kernels, knows) for knows in known]
        return Begin(every, frames, best_known, good=True)

    def consensus(self) -> Consensus:
        """Least squares with all kernels: time O(M n² + n³) for each labelling."""
        n, M = self.features.shape[0], self.n_kernels
        require_memory(
            (12 * M + 24) * n * n,
            f"a start by least squares with {M} kernels on {n} rows",
            'Use init="mixed" or a smaller init_size.',
        )
        grams = [self.frame.of_columns(self._columns(m)).gram(self._part(m)) for m in range(M)]
        return Consensus(grams, self.limits.sizes, self.rng)

    @property
    def n_kernels(self) -> int:
        """The number of kernels."""
        return len(self.kernels.views)

    def _best(
        self, runs: Multistart, features: Matrix, frame: Frame, starts: list[NDArray[np.int32]]
    ) -> NDArray[np.int32]:
        return runs.best(MemoryRows(features), frame, self.limits, starts).labels.astype(np.int32)

    def _columns(self, m: int) -> NDArray[np.intp]:
        return self.kernels.columns(np.arange(self.n_kernels) == m)

    def _part(self, m: int) -> Matrix:
        """The features of kernel m."""
        part = self.features[:, self.kernels.views[m]]
        return part if issparse(part) else np.ascontiguousarray(part)
