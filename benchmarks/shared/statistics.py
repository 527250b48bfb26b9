"""Two lists of scores of the same sets, compared."""

from collections.abc import Sequence

import numpy as np

#: A gain or a loss that is smaller is none.
SAME = 0.005


def gain(before: Sequence[float], after: Sequence[float]) -> tuple[float, float, int, int]:
    """Mean gain, its standard error, wins and losses."""
    difference = np.subtract(after, before)
    error = difference.std(ddof=1) / np.sqrt(len(difference)) if len(difference) > 1 else np.nan
    wins, losses = int((difference > SAME).sum()), int((difference < -SAME).sum())
    return float(difference.mean()), float(error), wins, losses
