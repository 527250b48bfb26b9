"""The rows of a fit, and those among them that everything is chosen on."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from maxmargin._runtime.memory import require_memory
from maxmargin.blocks.local_means import local_means
from maxmargin.blocks.samples import sample_rows
from maxmargin.front_door.effort import ROWS_PER_CLUSTER, Effort
from maxmargin.front_door.sources import Proposal, affordable, proposed, rare_rows
from maxmargin.sizes import Sizes
from maxmargin.spaces.metric import Matrix, Metric
from maxmargin.spaces.pairwise import PairwiseDistances

#: For distances, a kernel, its inverse and products, besides 4 bytes for each space.
BYTES_PER_PAIR = 40
#: Rows among which those that are looked at have their neighbours.
MEANT_ROWS = 20_000


@dataclass(frozen=True)
class Subsample:
    """The rows that are looked at: all of them, or a random part.

    Attributes
    ----------
    metric : Metric
        How rows are compared.
    sizes : Sizes
        The limits for all rows.
    seen : ndarray
        The rows that are looked at; all of them where they are not too many.
    rows : matrix
        These rows, prepared by the metric.
    """

    metric: Metric
    sizes: Sizes
    seen: NDArray[np.intp]
    rows: Matrix

    @classmethod
    def draw(
        cls,
        metric: Metric,
        rows: Matrix,
        sizes: Sizes,
        effort: Effort,
        rng: np.random.Generator,
        rare: NDArray[np.intp] | None = None,
    ) -> "Subsample":
        """Look at all prepared rows, or at a random subset in random order.

        ``rare`` rows are among them, and first.
        """
        max_rows = max(effort.max_rows, ROWS_PER_CLUSTER * sizes.n_clusters)
        m = min(rows.shape[0], max_rows)
        require_memory(
            m * m * (BYTES_PER_PAIR + 4 * len(effort.spaces)),
            f"MaxMarginClustering on {m} rows",
            'Use effort="fast".',
        )
        if rows.shape[0] <= max_rows:
            return cls(metric, sizes, np.arange(rows.shape[0]), rows[:])
        seen = rng.permutation(sample_rows(sizes.pins, max_rows, rng, sizes.weights))
        if rare is not None:
            seen = np.concatenate([rare, seen[~np.isin(seen, rare)]])[:max_rows]
        return cls(metric, sizes, seen, metric.take(rows, seen))

    @property
    def n(self) -> int:
        """The number of all rows."""
        return len(self.sizes.pins)

    @property
    def whole(self) -> bool:
        """Whether all rows are looked at."""
        return len(self.seen) == self.n

    @property
    def limits(self) -> Sizes:
        """The limits for the rows that are looked at."""
        return self.sizes if self.whole else self.sizes.subset(self.seen)

    @property
    def columns(self) -> NDArray[np.intp] | None:
        """Where the rows are among precomputed distances."""
        return self.seen if self.metric.precomputed else None

    def distances(self, rows: Matrix, known: PairwiseDistances | None = None) -> PairwiseDistances:
        """Compare the rows with each other, unless all rows were compared by this metric before.

        Of many ``rows``, those that are looked at are compared as the means of their neighbours.
        """
        if known is not None and known.metric is self.metric and self.whole:
            return known
        means = self.local_means(rows)
        means = self.rows if means is None else means
        return PairwiseDistances(means, self.metric, self.columns, self.limits.weights)

    def local_means(self, rows: Matrix) -> NDArray[np.float64] | None:
        """What each row that is looked at stands for: the mean of so many rows next to it."""
        if self.whole or self.metric.name != "euclidean" or issparse(self.rows):
            return None
        some = np.sort(sample_rows(self.sizes.pins, MEANT_ROWS, np.random.default_rng(0)))
        weights = None if self.sizes.weights is None else self.sizes.weights[some]
        return local_means(self.rows, self.metric.take(rows, some), weights)

    def all_rows(self, X: Matrix | None) -> Matrix:
        """All rows of the fit, prepared; X is needed where a part of them is kept only."""
        if self.whole:
            return self.rows
        if X is None:
            raise ValueError(
                f"X must be given: the alternatives were found on {len(self.seen)} of {self.n} "
                f"rows; got None."
            )
        rows = self.metric.prepare(X)
        if rows.shape[0] != self.n:
            raise ValueError(f"X must hold the {self.n} rows of fit; got {rows.shape[0]}.")
        difference = abs(self.metric.take(rows, self.seen) - self.rows).max()
        if not difference <= 1e-6 * max(abs(self.rows).max(), 1e-300):
            raise ValueError("X must hold the rows of fit in their order; got other values.")
        return rows


def look(
    estimator: Any,
    metric: Metric,
    X: Matrix,
    rows: Matrix,
    sizes: Sizes,
    effort: Effort,
    rng: np.random.Generator,
) -> tuple[Subsample, list[Proposal]]:
    """Draw the rows that decide, and ask other sources than the search: of all rows, if they can.

    A small cluster around which there is empty space is among the rows that decide.
    """
    if affordable(rows):
        proposals = proposed(estimator, metric, X, rows, sizes)
        rare = rare_rows(proposals, effort.max_rows)
        return Subsample.draw(metric, rows, sizes, effort, rng, rare), proposals
    subsample = Subsample.draw(metric, rows, sizes, effort, rng)
    some = X[subsample.seen], subsample.rows, subsample.limits
    return subsample, proposed(estimator, metric, *some)
