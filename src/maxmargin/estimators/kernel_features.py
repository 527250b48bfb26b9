"""Rows in the features of one kernel or several, and the labels that runs start with there."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from maxmargin._runtime.memory import require_memory
from maxmargin.blocks import MemoryRows
from maxmargin.blocks.rows import in_blocks
from maxmargin.objectives.hinge import KernelNorm, Scaling
from maxmargin.search.consensus import Consensus
from maxmargin.search.starts import SEEDS, least_squares_labels, seeded_labels
from maxmargin.solvers.cutting_plane import Limits
from maxmargin.solvers.multistart import FEW_CLUSTERS, Multistart, lowest, most_agreed, pruned
from maxmargin.solvers.optimizers import OptimizerResult
from maxmargin.spaces.features import filled_columns
from maxmargin.spaces.kernel import MANY_CLUSTERS
from maxmargin.spaces.metric import Matrix

#: Objectives that differ by this share say less than what the sources know of the labels.
CLOSE_OBJECTIVES = 0.1


@dataclass(frozen=True)
class StartLabels:
    """What runs start with.

    Attributes
    ----------
    labels : list of ndarray
    scalings : list of Scaling
        One for each start. Kernels that know nothing of its labels may have no length in it.
    choose : function of results
        Picks one of the best runs.
    warm : bool
        Whether the labels were found by runs already, so that others should stay near them.
    """

    labels: list[NDArray[np.int32]]
    scalings: list[Scaling]
    choose: Callable[[Sequence[OptimizerResult]], OptimizerResult] = lowest
    warm: bool = False


@dataclass(frozen=True)
class KernelFeatures:
    """Rows in the features of one kernel or several, and the labels that can be had from them.

    Attributes
    ----------
    tables : sequence of matrix or None
        The rows that each kernel sees, as they are; None where its features say more than
        they do: the output of a transformer, the features of a kernel matrix.
    features : matrix
        Their features, side by side.
    columns : ndarray
        Which of all features these are: those that no row has are left out.
    n_columns : int
        How many there are in all.
    scaling : Scaling
        Each kernel with its own unit of length.
    norm : KernelNorm
        Which features belong to which kernel.
    limits : Limits
    n_init : int
        Starts for each kernel.
    rng : Generator
    """

    tables: Sequence[Matrix | None]
    features: Matrix
    columns: NDArray[np.intp]
    n_columns: int
    scaling: Scaling
    norm: KernelNorm
    limits: Limits
    n_init: int
    rng: np.random.Generator

    @classmethod
    def of(
        cls,
        tables: Sequence[Matrix | None],
        features: Matrix,
        norm: KernelNorm,
        limits: Limits,
        n_init: int,
        rng: np.random.Generator,
    ) -> "KernelFeatures":
        """Leave out features that no row has, and measure the others."""
        n_columns = features.shape[1]
        columns = filled_columns(features, norm.slices)
        if len(columns) < n_columns:
            features, norm = features[:, columns], norm.of_columns(columns)
        scaling = Scaling.of(in_blocks(features), norm, limits.sizes.weights)
        return cls(tables, features, columns, n_columns, scaling, norm, limits, n_init, rng)

    def subset(self, rows: NDArray[np.intp] | None) -> "KernelFeatures":
        """The same of some of the rows; None for all."""
        if rows is None:
            return self
        different = {id(table): table for table in self.tables if table is not None}
        taken = {number: table[rows] for number, table in different.items()}
        return replace(
            self,
            tables=[None if table is None else taken[id(table)] for table in self.tables],
            features=self.features[rows],
            limits=self.limits.subset(rows),
        )

    def some_columns(self, columns: NDArray[np.intp]) -> Matrix:
        """Some of the features, or all of them without a copy."""
        return self.features if len(columns) == len(self.columns) else self.features[:, columns]

    def best(self, runs: Multistart, starts: StartLabels) -> OptimizerResult:
        """The best run with all kernels, without those that hardly count."""
        rows = in_blocks(self.features)
        return pruned(runs.best(rows, starts.scalings, self.limits, starts.labels), self.limits)

    def shortcomings(self, names: Sequence[str]) -> Iterator[str]:
        """What is wrong with kernels of these names, for warnings."""
        for name, part in zip(names, self.norm.slices, strict=True):
            if not self.scaling.scale[part].any():
                yield f"the kernel {name!r} is constant on X: it says nothing of the clusters."

    def starts(
        self,
        init: str | NDArray[np.int32],
        weights: NDArray[np.float64] | None,
        sources: bool,
        runs: Multistart,
    ) -> StartLabels:
        """What runs with all kernels start with.

        Parameters
        ----------
        init : str or labels
        weights : ndarray of shape (M,) or None
            Those of the kernels, where they are given.
        sources : bool
            Whether the kernels know what they know from different places.
        runs : Multistart
            Makes runs with one kernel.
        """
        few = self.limits.sizes.n_clusters <= FEW_CLUSTERS
        kind = "mixed" if few else "rls"
        scaling = self.scaling if weights is None else self.scaling.weighted(self.norm, weights)
        if not isinstance(init, str):
            labels = [init]
        elif self.n_kernels == 1:
            labels = self._with_one(0, init if init == "rls" or init in SEEDS else kind)
        elif init in SEEDS:
            labels = self._seeded(init, scaling)
        elif weights is not None:
            labels = self._with_sum(kind, scaling, weights)
        else:
            found = self._found(kind, runs)
            choose = lowest if few else most_agreed
            plain = StartLabels(found, [scaling] * len(found), choose, warm=True)
            if init == "kernels" or (init == "auto" and not sources):
                return plain
            return runs.context.attempt(partial(self._agreed, found), lambda: plain)
        return StartLabels(labels, [scaling] * len(labels))

    def _seeded(self, kind: str, scaling: Scaling) -> list[NDArray[np.int32]]:
        """From seed rows in the scaled features of all kernels."""
        X = self.features
        scaled = X.multiply(scaling.scale).tocsr() if issparse(X) else X * scaling.scale
        scaled = scaled.astype(X.dtype, copy=False)
        return seeded_labels(kind, scaled, self.limits.sizes, self.n_init, self.rng)

    def _with_one(self, m: int, kind: str) -> list[NDArray[np.int32]]:
        """What ``CuttingPlaneClustering`` with kernel m alone starts with."""
        sizes = self.limits.sizes
        if kind != "rls":
            return seeded_labels(kind, self._part(m), sizes, self.n_init, self.rng)
        rows = self._part(m) if self.tables[m] is None else self.tables[m]
        return [least_squares_labels(rows, sizes, self.n_init, self.rng)]

    def _with_sum(
        self, kind: str, scaling: Scaling, weights: NDArray[np.float64]
    ) -> list[NDArray[np.int32]]:
        """Seeds in the weighted sum of the kernels, and its least-squares labels."""
        seeded = self._seeded(kind, scaling) if kind != "rls" else []
        consensus = self._consensus()
        return [*seeded, consensus.labels(weights, [consensus.of_equals])]

    def _found(self, kind: str, runs: Multistart) -> list[NDArray[np.int32]]:
        """What ``CuttingPlaneClustering`` finds with each kernel alone, and with their sum.

        With very many clusters it finds no better labels than least squares, where it starts, and
        takes the longer the more there are: what least squares finds will do.
        """
        every = range(self.n_kernels)
        if kind == "rls" and self.limits.sizes.n_clusters > MANY_CLUSTERS:
            alone = [partial(self._with_one, m, kind) for m in every]
            return [labels for (labels,) in runs.context.in_turn(alone)]

        def best(
            features: Matrix, scaling: Scaling, labels: list[NDArray[np.int32]]
        ) -> NDArray[np.int32]:
            found = runs.best(MemoryRows(features), scaling, self.limits, labels)
            return found.labels.astype(np.int32)

        def with_one(m: int) -> NDArray[np.int32]:
            return best(self._part(m), self._scaling(m), self._with_one(m, kind))

        def with_sum() -> NDArray[np.int32]:
            equal = np.full(self.n_kernels, 1 / self.n_kernels)
            scaling = self.scaling.weighted(self.norm, equal)
            return best(self.features, scaling, self._seeded(kind, scaling))

        ways: list[Callable[[], NDArray[np.int32]]] = [partial(with_one, m) for m in every]
        if kind != "rls":  # else the consensus begins with the sum
            ways.append(with_sum)
        return list(runs.context.in_turn(ways))

    def _agreed(self, found: Sequence[NDArray[np.int32]]) -> StartLabels:
        """What is found, and what the kernels agree on from there.

        Of runs with objectives that are close, the one whose labels the kernels know best is
        chosen.
        """
        consensus = self._consensus()

        def best_known(results: Sequence[OptimizerResult]) -> OptimizerResult:
            limit = (1 + CLOSE_OBJECTIVES) * lowest(results).objective
            close = [result for result in results if result.objective <= limit]
            return max(close, key=lambda result: consensus.known(result.labels))

        every = [*found, consensus.of_equals]
        every += [consensus.reached_from(labels) for labels in every]
        known = [consensus.weights(labels) > 0 for labels in every]
        scalings = [self.scaling.weighted(self.norm, knows) for knows in known]
        return StartLabels(every, scalings, best_known, warm=True)

    def _consensus(self) -> Consensus:
        """Least squares with all kernels: time O(M n² + n³) for each labelling."""
        n, M = self.features.shape[0], self.n_kernels
        require_memory(
            (12 * M + 24) * n * n,
            f"a start by least squares with {M} kernels on {n} rows",
            'Use init="mixed" or a smaller init_size.',
        )
        grams = [self._scaling(m).gram(self._part(m)) for m in range(M)]
        return Consensus(grams, self.limits.sizes, self.rng)

    @property
    def n_kernels(self) -> int:
        """The number of kernels."""
        return len(self.norm.slices)

    def _scaling(self, m: int) -> Scaling:
        """That of the features of kernel m."""
        return self.scaling.of_columns(self.norm.columns(np.arange(self.n_kernels) == m))

    def _part(self, m: int) -> Matrix:
        """The features of kernel m."""
        if self.n_kernels == 1:
            return self.features  # without a copy
        part = self.features[:, self.norm.slices[m]]
        return part if issparse(part) else np.ascontiguousarray(part)
