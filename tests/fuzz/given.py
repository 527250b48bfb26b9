"""What ``fit`` takes besides rows and y: weights of rows, and pairs of them."""

from typing import Any

import numpy as np

WEIGHTS = {
    "none": lambda rng, n: None,
    "ones": lambda rng, n: np.ones(n),
    "whole": lambda rng, n: rng.integers(1, 4, n),
    "some zeros": lambda rng, n: rng.integers(0, 3, n).astype(float),
    "shares": lambda rng, n: rng.random(n),
    "one heavy": lambda rng, n: np.where(np.arange(n) == n // 2, 1e6, 1.0),
    "list": lambda rng, n: [2] * n,
    "zeros": lambda rng, n: np.zeros(n),
    "negative": lambda rng, n: np.append(np.ones(n - 1), -1.0),
    "NaN": lambda rng, n: np.append(np.ones(n - 1), np.nan),
    "huge": lambda rng, n: np.full(n, 1e308),
    "tiny": lambda rng, n: np.full(n, 5e-324),
    "too short": lambda rng, n: np.ones(max(n - 1, 0)),
    "text": lambda rng, n: ["heavy"] * n,
    "a table": lambda rng, n: np.ones((n, 2)),
}
LINKS = {
    "none": lambda rng, n: None,
    "must": lambda rng, n: {"must_link": _pairs(rng, n, 3)},
    "cannot": lambda rng, n: {"cannot_link": _pairs(rng, n, 2)},
    "both": lambda rng, n: {"must_link": _pairs(rng, n, 2), "cannot_link": _pairs(rng, n, 1)},
    "array": lambda rng, n: {"must_link": np.array(_pairs(rng, n, 2)).reshape(-1, 2)},
    "contradiction": lambda rng, n: {"must_link": [(0, n - 1)], "cannot_link": [(n - 1, 0)]},
    "none given": lambda rng, n: {},
    "outside": lambda rng, n: {"must_link": [(0, n)]},
    "itself": lambda rng, n: {"cannot_link": [(0, 0)]},
    "halves": lambda rng, n: {"must_link": [(0, 0.5)]},
    "other words": lambda rng, n: {"must": [(0, 1)]},
    "pairs alone": lambda rng, n: [(0, 1)],
}


def _pairs(rng, n, how_many):
    return [tuple(map(int, rng.permutation(max(n, 2))[:2])) for _ in range(how_many)]


def make_given(weights: str, links: str, n: int, seed: int) -> dict[str, Any]:
    """The keyword arguments of ``fit``."""
    rng, n = np.random.default_rng(seed), max(n, 1)
    made = {"sample_weight": WEIGHTS[weights](rng, n), "constraints": LINKS[links](rng, n)}
    kinds = {"sample_weight": weights, "constraints": links}
    return {name: value for name, value in made.items() if kinds[name] != "none"}
