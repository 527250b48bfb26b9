"""The rows of a fit, and those among them that everything is chosen on."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from maxmargin.selection.cells import Terrain
from maxmargin.sizes import Sizes
from maxmargin.spaces.kernel import Matrix
from maxmargin.spaces.metric import Metric


@dataclass(frozen=True)
class Subsample:
    """What a fitted model keeps of the rows.

    Attributes
    ----------
    geometry : Metric
        How rows are compared.
    sizes : Sizes
        The limits for all rows.
    seen : ndarray
        The rows that are looked at; all of them where they are not too many.
    rows : matrix
        These rows, prepared by the geometry.
    """

    geometry: Metric
    sizes: Sizes
    seen: NDArray[np.intp]
    rows: Matrix

    @classmethod
    def of(
        cls,
        geometry: Metric,
        rows: Matrix,
        sizes: Sizes,
        max_rows: int,
        rng: np.random.Generator,
    ) -> "Subsample":
        """Look at all prepared rows, or at a random subset."""
        seen = sample(sizes, max_rows, rng)
        whole = len(seen) == len(sizes.pins)
        return cls(geometry, sizes, seen, rows if whole else geometry.take(rows, seen))

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
        return self.seen if self.geometry.precomputed else None

    def holds(self, rows: Matrix) -> bool:
        """Whether these are all prepared rows of the scene, in their order."""
        difference = abs(self.geometry.take(rows, self.seen) - self.rows).max()
        return bool(difference <= 1e-6 * max(abs(self.rows).max(), 1e-300))

    def terrain(self) -> Terrain:
        """The rows as the cells see them."""
        return Terrain.of(self.geometry, self.rows)


def sample(sizes: Sizes, max_rows: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """All rows, or a random subset in random order.

    Pinned rows come first, up to half of the subset and as evenly from the clusters as can be.
    """
    n = len(sizes.pins)
    if n <= max_rows:
        return np.arange(n)
    order = rng.permutation(n)
    pinned = order[sizes.pins[order] >= 0]
    turn = np.empty(len(pinned), np.intp)  # which one of its cluster a row is
    for c in range(sizes.n_clusters):
        members = sizes.pins[pinned] == c
        turn[members] = np.arange(members.sum())
    first = pinned[np.argsort(turn, kind="stable")][: max_rows // 2]
    rest = order[~np.isin(order, first)]
    free = sizes.pins[rest] < 0
    chosen = np.concatenate([first, rest[free], rest[~free]])[:max_rows]
    return rng.permutation(chosen)
