"""Two lists of scores of the same sets, compared."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

#: A gain or a loss that is smaller is none.
SAME = 0.005


def gain(before: Sequence[float], after: Sequence[float]) -> tuple[float, float, int, int]:
    """Mean gain, its standard error, wins and losses."""
    difference = np.subtract(after, before)
    error = difference.std(ddof=1) / np.sqrt(len(difference)) if len(difference) > 1 else np.nan
    wins, losses = int((difference > SAME).sum()), int((difference < -SAME).sum())
    return float(difference.mean()), float(error), wins, losses


def better_columns(rows: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """For each method, whether its mean ARI is larger on raw or on standardised columns."""
    scores: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        scores[row["method"]][row["columns"]].append(float(row["ari"]))
    return {
        method: max(columns, key=lambda c: float(np.mean(columns[c])))
        for method, columns in scores.items()
    }
