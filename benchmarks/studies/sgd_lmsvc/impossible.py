"""Which published pairs of purity and Rand index no clustering has.

A pair is proved impossible by a bound, or possible by a clustering that has it; the README has the
proof, and ``tests/benchmarks`` compares the bounds with all clusterings of a few rows.
"""

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

HALF = 0.005  # figures are rounded to two digits,
WHOLE = 0.01  # or cut off: bounds allow for both
SAFE = 1e-9
STEPS = 20_000
N_STARTS = 12
Ints = NDArray[np.int64]


def columns(sizes: Ints) -> tuple[NDArray, NDArray, NDArray, NDArray]:
    """The clusters that suffice: from some classes min(b, all) rows each, for every b.

    Classes of equal size are told apart by number only. Returns b, the rows by size of class,
    φ = s² − 2 Σ a², and the rows there are.
    """
    kinds, counts = np.unique(sizes, return_counts=True)
    tallest = np.arange(1, sizes.max() + 1)
    some = np.array(list(product(*(range(count + 1) for count in counts))))[1:]
    each = np.minimum(tallest[:, np.newaxis], kinds)
    rows = (each[:, np.newaxis, :] * some).reshape(-1, len(kinds)).astype(float)
    squares = (each[:, np.newaxis, :] ** 2 * some).sum(axis=2).ravel()
    return (
        np.repeat(tallest, len(some)).astype(float),
        rows,
        rows.sum(axis=1) ** 2 - 2.0 * squares,
        (kinds * counts).astype(float),
    )


def largest_rand(sizes: Ints, majority: int) -> float:
    """No clustering with at most so many rows in the majority of their cluster has more.

    The bound is that of the dual variables, whatever the solver's accuracy: what they violate is
    paid for once for each of at most n clusters.
    """
    n = int(sizes.sum())
    tallest, rows, value, there = columns(sizes)
    # One unit: the pairs of the largest class. It keeps the numbers near 1.
    unit = float(sizes.max()) ** 2
    found = linprog(
        value / unit, A_ub=tallest[np.newaxis], b_ub=[majority], A_eq=rows.T, b_eq=there
    )
    price, prices = -found.ineqlin.marginals[0], found.eqlin.marginals
    price = max(price, 0.0)
    reduced = value / unit + price * tallest - rows @ prices
    least = unit * (prices @ there - price * majority + n * min(0.0, reduced.min()))
    wrong = 0.5 * (float((sizes.astype(float) ** 2).sum()) + least)
    return 1 - wrong / (n * (n - 1) / 2)


def smallest_rand(sizes: Ints, majority: int) -> float:
    """No clustering with at least so many rows in the majority of their cluster has less."""
    n = int(sizes.sum())
    others = n - majority
    split = (sizes * (sizes - 1) // 2).sum()
    mixed = others * sizes.max() + others * (others - 1) // 2
    return max(0.0, float(1 - (split + mixed) / (n * (n - 1) / 2)))


def figures(counts: Ints, sizes: Ints) -> tuple[float, float]:
    """Purity and Rand index of a table of clusters × classes."""
    n = int(sizes.sum())
    wrong = (counts.sum(axis=1) ** 2).sum() + (sizes**2).sum() - 2 * (counts**2).sum()
    return float(counts.max(axis=1).sum() / n), float(1 - wrong / (n * (n - 1)))


def dust(sizes: Ints, some: NDArray[np.bool_], tall: int) -> Ints:
    """Up to so many rows of some classes one by one: a cluster has one row of each, at most.

    The rest of each class is a cluster. Few lines lose so much purity for so little Rand index.
    """
    loose = np.where(some, np.minimum(sizes, tall), 0)
    return np.vstack([np.diag(sizes - loose), np.arange(tall)[:, np.newaxis] < loose]).astype(int)


def starts(sizes: Ints, purity: float, rand: float) -> list[Ints]:
    """The classes, all rows together, and the clusterings of ``dust`` that are nearest."""
    subsets = np.array(list(product((False, True), repeat=len(sizes))))[1:]
    tables = (
        dust(sizes, some, tall) for some in subsets for tall in range(1, sizes[some].max() + 1)
    )
    found = sorted(tables, key=lambda table: missed(table, sizes, purity, rand)[0])
    return [np.diag(sizes), sizes[np.newaxis].copy(), *found[:N_STARTS]]


def nearest_pair(sizes: Ints, purity: float, rand: float, seed: int = 0) -> tuple[float, float]:
    """Look for a clustering with these figures: rows move at random, better or equal is kept."""
    rng = np.random.default_rng(seed)
    best, best_miss = (0.0, 0.0), np.inf
    for start in starts(sizes, purity, rand):
        counts = np.vstack([start, np.zeros((4, len(sizes)), dtype=np.int64)])
        miss, pair = missed(counts, sizes, purity, rand)
        for _ in range(STEPS):
            if miss == 0:
                return pair
            source, target = rng.integers(len(counts), size=2)
            kind = rng.integers(len(sizes))
            if source == target or not counts[source, kind]:
                continue
            moved = rng.integers(1, counts[source, kind] + 1) if rng.random() < 0.5 else 1
            counts[source, kind] -= moved
            counts[target, kind] += moved
            new_miss, new_pair = missed(counts, sizes, purity, rand)
            if new_miss <= miss:
                miss, pair = new_miss, new_pair
            else:
                counts[source, kind] += moved
                counts[target, kind] -= moved
        if miss < best_miss:
            best, best_miss = pair, miss
    return best


def missed(
    counts: Ints, sizes: Ints, purity: float, rand: float
) -> tuple[float, tuple[float, float]]:
    """By how much figures differ from those wanted, beyond rounding."""
    pair = figures(counts, sizes)
    far = (abs(pair[0] - purity) - HALF + SAFE, abs(pair[1] - rand) - HALF + SAFE)
    return sum(max(0.0, one) for one in far), pair


def judge(sizes: Ints, purity: float, rand: float) -> dict[str, Any]:
    """Bounds, a verdict, and its reason."""
    n = int(sizes.sum())
    most = min(n, int(np.floor(n * (purity + WHOLE) - SAFE)))
    least = int(np.ceil(n * (purity - HALF) - SAFE))
    row: dict[str, Any] = {"floor": sizes.max() / n, "smallest": "", "largest": ""}
    row |= {"near_purity": "", "near_rand": ""}
    if most < sizes.max():
        return row | {"verdict": "impossible", "reason": "purity below the largest class"}
    row["smallest"], row["largest"] = smallest_rand(sizes, least), largest_rand(sizes, most)
    if row["largest"] < rand - HALF:
        return row | {"verdict": "impossible", "reason": "Rand above what the purity allows"}
    if row["smallest"] > rand + WHOLE:
        return row | {"verdict": "impossible", "reason": "Rand below what the purity allows"}
    row["near_purity"], row["near_rand"] = nearest_pair(sizes, purity, rand)
    far = max(abs(row["near_purity"] - purity), abs(row["near_rand"] - rand))
    return row | {"verdict": "possible" if far <= HALF else "open", "reason": ""}
