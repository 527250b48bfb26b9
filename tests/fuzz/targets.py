"""What y may be: nothing, true classes, partial labels of many kinds, and what is none."""

from typing import Any

import numpy as np
import pandas as pd


def _some(rng, n, k, unknown, share=0.2):
    """Labels of some rows; the others are unknown."""
    y = np.full(n, unknown, dtype=object)
    known = rng.random(n) < share
    y[known] = rng.integers(k, size=int(known.sum()))
    return y


def _numbers(rng, n, k, unknown):
    return _some(rng, n, k, unknown).astype(float)


def _one_each(rng, n, k):
    y = np.full(n, -1)
    rows = rng.permutation(n)[:k]
    y[rows] = np.arange(len(rows))
    return y


TARGETS = {
    "none": lambda rng, n, k: None,
    "complete": lambda rng, n, k: rng.integers(k, size=n),
    "complete text": lambda rng, n, k: np.array(["ash", "birch", "cedar"])[rng.integers(3, size=n)],
    "two classes": lambda rng, n, k: rng.choice([-1, 1], size=n),
    "partial": lambda rng, n, k: _some(rng, n, k, -1).astype(int),
    "partial, one each": _one_each,
    "partial, one cluster": lambda rng, n, k: np.where(rng.random(n) < 0.2, 0, -1),
    "partial, all unknown": lambda rng, n, k: np.full(n, -1),
    "partial, int8": lambda rng, n, k: _some(rng, n, k, -1).astype(np.int8),
    "partial, NaN": lambda rng, n, k: _numbers(rng, n, k, np.nan),
    "partial, None": lambda rng, n, k: _some(rng, n, k, None),
    "partial, list": lambda rng, n, k: _some(rng, n, k, None).tolist(),
    "partial, pd.NA": lambda rng, n, k: pd.array(_some(rng, n, k, pd.NA), dtype="Int64"),
    "partial, series": lambda rng, n, k: pd.Series(_some(rng, n, k, -1).astype(int)),
    "partial, column": lambda rng, n, k: _some(rng, n, k, -1).astype(int)[:, None],
    "partial, too large": lambda rng, n, k: np.append(np.full(n - 1, -1), k),
    "partial, text": lambda rng, n, k: np.append(np.full(n - 1, None), "ash"),
    "partial, halves": lambda rng, n, k: np.append(np.full(n - 1, -1.0), 0.5),
    "too short": lambda rng, n, k: np.full(max(n - 1, 0), -1),
    "a number": lambda rng, n, k: 3,
    "empty": lambda rng, n, k: [],
}


def make_target(kind: str, n: int, k: int, seed: int) -> Any:
    """The y of that kind for n rows and k clusters."""
    return TARGETS[kind](np.random.default_rng(seed), max(n, 1), max(k, 1))


def pins_of(y: Any, n: int) -> np.ndarray:
    """The cluster of every pinned row, −1 elsewhere; read as the docs say, not as the code does."""
    if y is None or np.ndim(y) == 0 or len(y) != n:
        return np.full(n, -1)
    values = [None if value is pd.NA else value for value in np.ravel(np.asarray(y, object))]
    unknown = [v is None or v != v or (not isinstance(v, str) and v == -1) for v in values]
    known = {v for v, u in zip(values, unknown, strict=True) if not u}
    coded = all(v in (-1, 1) for v in values) and known == {1}
    if not any(unknown) or coded:
        return np.full(n, -1)
    return np.array([-1 if u else int(v) for v, u in zip(values, unknown, strict=True)])
