"""Tables with a known number of classes whose columns depend on each other within a class.

Latent classes are the wrong model of them, as of most real tables: a trait that differs within a
class, numbers that go together, tails, a second grouping across the first, no classes at all.
"""

import zlib
from collections.abc import Callable

import numpy as np
import pandas as pd

from benchmarks.datasets.mixed_tables import N_ROWS, Draw


def _items(draw: Draw, trait: np.ndarray, n: int, levels: int) -> None:
    """Add answers on a scale that a trait drives, each with noise and thresholds of its own."""
    for _ in range(n):
        value = trait + draw.rng.normal(size=N_ROWS)
        cuts = np.sort(draw.rng.normal(size=levels - 1)) * np.std(value) + np.mean(value)
        draw.add("i", np.digitize(value, cuts).astype(float))


def _shifts(draw: Draw, apart: float) -> np.ndarray:
    return apart * draw.rng.permutation(draw.k)[draw.classes]


def scale_of_answers(draw: Draw) -> None:
    """Answers that go together within a class as well."""
    trait = _shifts(draw, 2.0) + draw.rng.normal(size=N_ROWS)
    _items(draw, trait, 8, 4)


def two_scales(draw: Draw) -> None:
    for _ in range(2):
        _items(draw, _shifts(draw, 2.5) + draw.rng.normal(size=N_ROWS), 4, 5)


def tests_with_a_factor(draw: Draw) -> None:
    """Yes and no by a trait, as in a test; and a class that only some of them know."""
    trait = draw.rng.normal(size=N_ROWS)
    for item in range(10):
        level = trait + draw.rng.normal() + (_shifts(draw, 2.0) if item < 4 else 0)
        draw.add("f", np.where(level + 0.7 * draw.rng.normal(size=N_ROWS) > 0, "yes", "no"))


def numbers_together(draw: Draw) -> None:
    """Numbers with a common factor within a class, and categories."""
    factor = draw.rng.normal(size=N_ROWS)
    for _ in range(4):
        shift = 2 * draw.rng.normal(size=draw.k)
        own = draw.rng.normal(size=N_ROWS)
        draw.add("x", shift[draw.classes] + draw.rng.normal() * factor + 0.6 * own)
    draw.categories(4, 3, 0.6)


def tails(draw: Draw) -> None:
    """Numbers with heavy or skewed tails, and flags."""
    for column in range(4):
        shift = 2 * draw.rng.normal(size=draw.k)[draw.classes]
        if column % 2:
            draw.add("x", shift + draw.rng.standard_t(3, size=N_ROWS))
        else:
            draw.add("x", np.exp(0.5 * shift + 0.7 * draw.rng.normal(size=N_ROWS)))
    draw.flags(4, 0.5)


def another_grouping(draw: Draw) -> None:
    """Half of the columns know the classes, half know others that cross them."""
    draw.numbers(2, 2.0)
    draw.flags(5, 0.4)
    known, draw.classes = draw.classes, draw.rng.integers(3, size=N_ROWS)
    k, draw.k = draw.k, 3
    draw.numbers(1, 1.5)
    draw.categories(4, 3, 0.5)
    draw.classes, draw.k = known, k


def one_trait(draw: Draw) -> None:
    """No classes: answers by a trait."""
    _items(draw, 1.5 * draw.rng.normal(size=N_ROWS), 8, 4)


def one_cloud(draw: Draw) -> None:
    """No classes: numbers that go together, and categories that lean to one side of them."""
    numbers = draw.rng.normal(size=(N_ROWS, 4)) @ draw.rng.normal(size=(4, 4))
    for column in numbers.T:
        draw.add("x", column)
        draw.add("c", np.digitize(column + draw.rng.normal(size=N_ROWS), [-1.0, 1.0]).astype(float))


#: The families, and the number of classes where it is not drawn.
FAMILIES: dict[Callable[[Draw], None], int | None] = {
    scale_of_answers: None,
    two_scales: None,
    tests_with_a_factor: 2,
    numbers_together: None,
    tails: None,
    another_grouping: None,
    one_trait: 1,
    one_cloud: 1,
}


def table(name: str, seed: int) -> tuple[pd.DataFrame, np.ndarray, int]:
    """Columns, classes and their number of a draw of a family, by the name of its function."""
    (family,) = (family for family in FAMILIES if family.__name__ == name)
    draw = Draw([zlib.crc32(name.encode()), seed], FAMILIES[family])
    family(draw)
    return pd.DataFrame(draw.columns), draw.classes, draw.k
