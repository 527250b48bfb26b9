"""Every draw by its family, at most 800 rows (many clusters: 3000; imbalance: 2000 and more).

Nothing may be chosen on the series that is reported: a new series (a number) makes new draws of
everything.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import adjusted_rand_score

from benchmarks.datasets import clouds, columns, curves, nuisances
from benchmarks.datasets.curves import Pair, Rng
from benchmarks.datasets.stored import digits, load

DRAWS = 20  # of each family, of each imbalance and of each real source
RATIOS = (2, 5, 10, 20, 50, 100, 200, 500, 1000)
SOURCES = ("digits", "usps", "letter", "satellite", "coil20", "mnist")
TEXT = ("news20_rec", "cora_linqs", "webkb_texas", "webkb_washington")


@dataclass(frozen=True, eq=False)
class Draw:
    """Rows and classes 0 … k−1; −1 is a row that belongs nowhere."""

    family: str
    name: str
    X: Any
    y: NDArray[np.int64]

    @property
    def k(self) -> int:
        """The number of classes."""
        return int(self.y.max()) + 1

    def ari(self, labels: NDArray[np.integer]) -> float:
        """ARI of the rows that belong somewhere."""
        counted = self.y >= 0
        return float(adjusted_rand_score(self.y[counted], labels[counted]))


def shape(rng: Rng, i: int, spread: float = 0.0) -> Pair:
    """A shape with gaps: every kind in turn, those of the plane and of space."""
    kinds = curves.PLANE + curves.SPACE
    return kinds[i % len(kinds)](rng, int(rng.integers(300, 800)), spread)


def flat(rng: Rng, i: int, spread: float = 0.0) -> Pair:
    """A shape with gaps in the plane."""
    pair = curves.PLANE[i % len(curves.PLANE)](rng, int(rng.integers(300, 800)), spread)
    return curves.turned(rng, pair)


def either(rng: Rng, i: int) -> Pair:
    """Gaussians, or a shape with gaps."""
    return clouds.overlapping(rng, 500) if i % 2 else shape(rng, i // 2)


#: Families of generated draws: a function of a generator and the number of the draw.
GENERATED: dict[str, Callable[[Rng, int], Pair]] = {
    "gaps in the plane": flat,
    "gaps in space": lambda rng, i: curves.SPACE[i % 4](rng, int(rng.integers(400, 800))),
    "gaps embedded": lambda rng, i: columns.embedded(rng, flat(rng, i)),
    "gaps, uneven sizes": lambda rng, i: shape(rng, i, 0.8),
    "shapes, noise columns": lambda rng, i: columns.noise_columns(rng, flat(rng, i)),
    "shapes, background": lambda rng, i: columns.background(rng, flat(rng, i)),
    "different densities": lambda rng, i: clouds.densities(rng, 500),
    "rounded, 1 digit": lambda rng, i: columns.rounded(either(rng, i), 1),
    "rounded, 2 digits": lambda rng, i: columns.rounded(either(rng, i), 2),
    "rounded, 3 digits": lambda rng, i: columns.rounded(either(rng, i), 3),
    "duplicates": lambda rng, i: columns.repeated(rng, either(rng, i)),
    "flags beside clusters": lambda rng, i: columns.flags_beside(rng, either(rng, i)),
    "the flag is the cluster": lambda rng, i: columns.flag_is_the_cluster(rng, 400),
    "counts": lambda rng, i: columns.counts(rng, 500),
    "overlapping Gaussians": lambda rng, i: clouds.overlapping(rng, 500),
    "heavy tails": lambda rng, i: clouds.heavy(rng, 500),
    "curved bands": lambda rng, i: clouds.bands(rng, 600),
    "several scales": lambda rng, i: curves.scales(rng, int(rng.integers(400, 800))),
    "manifolds in many columns": lambda rng, i: clouds.manifolds(rng, 600),
    "categories beside numbers": lambda rng, i: columns.categories(rng, 500),
    "many clusters": lambda rng, i: clouds.crowd(rng, 3000),
    "shapes beside noise": lambda rng, i: nuisances.beside_noise(rng, flat(rng, i), 4),
    "Gaussians beside noise": lambda rng, i: nuisances.clouds_beside_noise(rng, 500),
    "skewed amounts": lambda rng, i: nuisances.skewed(rng, 500),
    "counts, overdispersed": lambda rng, i: nuisances.overdispersed(rng, 500),
    "outliers": lambda rng, i: nuisances.outliers(rng, 500),
}
#: Families whose clusters have empty space between them, where an answer must be stable.
WITH_GAPS = (*(family for family in GENERATED if "gaps" in family), "different densities")


def generated(series: int, draws: int) -> Iterator[Draw]:
    """The draws of every family of generators."""
    for number, (family, make) in enumerate(GENERATED.items()):
        for i in range(draws):
            X, y = make(np.random.default_rng([161, series, number, i]), i)
            yield Draw(family, f"{family} {i}", X, np.asarray(y, np.int64))


def uneven(series: int, draws: int) -> Iterator[Draw]:
    """Clusters of very different sizes."""
    for ratio in RATIOS:
        for i in range(draws):
            rng = np.random.default_rng([162, series, ratio, i])
            yield Draw(f"{ratio} : 1", f"{ratio} : 1, {i}", *clouds.imbalance(rng, ratio))


def real(series: int, draws: int) -> Iterator[Draw]:
    """Random classes of real sets, with random sizes; for text half as many draws of each set."""
    for number, source in enumerate((*SOURCES, *TEXT)):
        X, y = digits() if source == "digits" else load(source)
        classes = np.flatnonzero(np.bincount(y) >= 30)
        for i in range(draws if source in SOURCES else draws // 2):
            rng = np.random.default_rng([163, series, number, i])
            k = int(rng.integers(2, min(7, len(classes) + 1)))
            chosen = rng.choice(classes, k, replace=False)
            sizes = rng.integers(25, 130, size=k)
            rows = np.concatenate(
                [
                    rng.permutation(np.flatnonzero(y == c))[:size]
                    for c, size in zip(chosen, sizes, strict=True)
                ]
            )
            labels = np.unique(y[rows], return_inverse=True)[1].astype(np.int64)
            yield Draw(source, f"{source} {i}", X[rows].astype(np.float64), labels)


PARTS: dict[str, Callable[[int, int], Iterator[Draw]]] = {
    "generated": generated,
    "real": real,
    "uneven": uneven,
}


def part_of(family: str) -> str:
    """The part that a family belongs to."""
    if family in GENERATED:
        return "generated"
    return "real" if family in (*SOURCES, *TEXT) else "uneven"


def all_draws(part: str, series: int, draws: int = DRAWS) -> Iterator[Draw]:
    """The draws of a part, the rows of each in a random order."""
    for draw in PARTS[part](series, draws):
        order = np.random.default_rng(draw.y.size).permutation(draw.y.size)
        yield Draw(draw.family, draw.name, draw.X[order], draw.y[order])
