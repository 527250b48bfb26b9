"""Mixed tables with a known truth: twelve families, any number of draws."""

import zlib
from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd
from sklearn.datasets import make_moons

Table = tuple[str, pd.DataFrame, np.ndarray, int]
N_ROWS = 300


class Draw:
    """One draw: classes, and columns that tell them or not."""

    def __init__(self, seed: list[int], k: int | None = None) -> None:
        self.rng = np.random.default_rng(seed)
        self.k = int(self.rng.integers(2, 5)) if k is None else k
        self.classes = self.rng.choice(self.k, N_ROWS, p=self.rng.dirichlet(np.full(self.k, 8)))
        self.columns: dict[str, np.ndarray] = {}

    def add(self, name: str, values: np.ndarray) -> None:
        """Add a column."""
        self.columns[f"{name}{len(self.columns)}"] = values

    def numbers(self, n: int, apart: float) -> None:
        """Add Gaussian columns with a mean for each class."""
        for _ in range(n):
            shift = apart * self.rng.normal(size=self.k)
            self.add("x", self.rng.normal(size=N_ROWS) + shift[self.classes])

    def categories(self, n: int, levels: int, spread: float) -> None:
        """Add categories with shares for each class, the more different the smaller ``spread``."""
        for _ in range(n):
            shares = self.rng.dirichlet(np.full(levels, spread), size=self.k)
            codes = [self.rng.choice(levels, p=shares[c]) for c in self.classes]
            self.add("c", np.array([f"v{code}" for code in codes], dtype=object))

    def flags(self, n: int, spread: float) -> None:
        """Add flags with a share for each class."""
        for _ in range(n):
            share = self.rng.beta(spread, spread, size=self.k)
            yes = self.rng.random(N_ROWS) < share[self.classes]
            self.add("f", np.where(yes, "yes", "no").astype(object))

    def nuisance(self, n: int, levels: int) -> None:
        """Add categories that know nothing of the classes."""
        for _ in range(n):
            shares = self.rng.dirichlet(np.full(levels, 5))
            codes = self.rng.choice(levels, N_ROWS, p=shares)
            self.add("n", np.array([f"v{code}" for code in codes], dtype=object))


def categories(draw: Draw) -> None:
    for _ in range(8):
        draw.categories(1, int(draw.rng.integers(3, 6)), 0.5)


def counts(draw: Draw) -> None:
    for _ in range(6):
        rates = np.exp(draw.rng.normal(0.7, 0.9, size=draw.k))
        draw.add("n", draw.rng.poisson(rates[draw.classes]).astype(float))


def ratings(draw: Draw) -> None:
    for _ in range(8):
        level = draw.rng.uniform(1, 5, size=draw.k)[draw.classes]
        draw.add("r", np.clip(np.round(level + 0.9 * draw.rng.normal(size=N_ROWS)), 1, 5))


def flag_is_the_cluster(draw: Draw) -> None:
    draw.numbers(4, 1.5)
    draw.add("f", np.where(draw.classes == 0, "a", "b").astype(object))


def nuisance_flags(draw: Draw) -> None:
    centres = 3 * draw.rng.normal(size=(draw.k, 4))
    for column in (centres[draw.classes] + draw.rng.normal(size=(N_ROWS, 4))).T:
        draw.add("x", column)
    draw.nuisance(int(draw.rng.integers(1, 4)), 2)


def moons_and_flags(draw: Draw) -> None:
    X, draw.classes = make_moons(N_ROWS, noise=0.06, random_state=int(draw.rng.integers(2**31)))
    for column in X.T:
        draw.add("x", column)
    draw.nuisance(2, 2)


def numbers_and_categories(draw: Draw) -> None:
    draw.numbers(3, 1.5)
    draw.categories(4, 4, 0.6)
    draw.nuisance(2, 3)


def numbers_and_flags(draw: Draw) -> None:
    draw.numbers(3, 1.5)
    draw.flags(5, 0.5)


def flags(draw: Draw) -> None:
    draw.flags(10, 0.4)


def weak(draw: Draw) -> None:
    draw.numbers(4, 0.9)
    draw.categories(5, 3, 1.2)


def gaps(draw: Draw) -> None:
    draw.numbers(4, 2.0)
    draw.categories(3, 4, 0.5)
    for name, values in draw.columns.items():
        missing = draw.rng.random(N_ROWS) < 0.12
        draw.columns[name] = np.where(missing, None if values.dtype == object else np.nan, values)


def one_rare_category(draw: Draw) -> None:
    draw.numbers(4, 2.2)
    rare = draw.rng.random(N_ROWS) < 0.06
    draw.add("c", np.where(rare, "rare", "usual").astype(object))


#: The families, and the number of clusters where it is not drawn.
FAMILIES: dict[Callable[[Draw], None], int | None] = {
    categories: None,
    counts: None,
    ratings: None,
    flag_is_the_cluster: 2,
    nuisance_flags: None,
    moons_and_flags: 2,
    numbers_and_categories: None,
    numbers_and_flags: None,
    flags: None,
    weak: None,
    gaps: None,
    one_rare_category: None,
}


def table(name: str, seed: int) -> tuple[pd.DataFrame, np.ndarray, int]:
    """Columns, classes and their number of a draw of a family, by the name of its function."""
    (family,) = (family for family in FAMILIES if family.__name__ == name)
    draw = Draw([zlib.crc32(name.replace("_", " ").encode()), seed], FAMILIES[family])
    family(draw)
    return pd.DataFrame(draw.columns), draw.classes, draw.k


def tables(first: int, last: int) -> Iterator[Table]:
    """All families, with seeds from ``first`` to ``last`` (exclusive)."""
    for seed in range(first, last):
        for family in FAMILIES:
            yield family.__name__.replace("_", " "), *table(family.__name__, seed)
