"""Ways to scale mixed columns: numbers and the zeros and ones of categories."""

from collections.abc import Callable

import numpy as np

from maxmargin.blocks.indicators import indicator_blocks


def scaled(X: np.ndarray, block: Callable[[np.ndarray], np.ndarray], ranges: bool) -> np.ndarray:
    """Scale numbers by their deviation or range, and each category by a function of its shares."""
    Z = X - X.mean(axis=0)
    spread = np.ptp(X, axis=0) if ranges else np.where(X.std(axis=0) > 0, X.std(axis=0), 1)
    out = np.clip(Z / np.where(spread > 0, spread, 1), -3, 3)
    for columns in indicator_blocks(X):
        two = len(columns) == 1
        flag = (X[:, columns] - X[:, columns].min()) / np.ptp(X[:, columns])
        values = np.hstack([1 - flag, flag]) if two else X[:, columns]
        factor = block(values.mean(axis=0))
        centred = (values - values.mean(axis=0)) * factor
        out[:, columns] = np.sqrt(2) * centred[:, 1:] if two else centred
    return out


def _one_hot(p: np.ndarray) -> np.ndarray:
    return 1 / np.sqrt(np.maximum(p * (1 - p), 1e-12))


#: Name: the factor of the zeros and ones of a category with these shares; numbers by ranges.
WAYS: dict[str, tuple[Callable[[np.ndarray], np.ndarray | float], bool]] = {
    "one-hot, standardised": (_one_hot, False),
    "FAMD (1 / sqrt(share))": (lambda p: 1 / np.sqrt(np.maximum(p, 1e-12)), False),
    "Gower-like (ranges, 1 / sqrt(2))": (lambda p: np.sqrt(0.5), True),
    "block of variance 1": (lambda p: 1 / np.sqrt(np.sum(p * (1 - p))), False),
    "apart 2": (lambda p: np.sqrt(2), False),
    "apart sqrt(2)": (lambda p: 1.0, False),
    "apart 1": (lambda p: np.sqrt(0.5), False),
    "apart sqrt(1/2), ours": (lambda p: 0.5, False),
    "apart 1/2": (lambda p: np.sqrt(0.125), False),
}
