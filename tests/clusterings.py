"""What the tests of MaxMarginClustering share."""

import numpy as np

from maxmargin import MaxMarginClustering

CENTERS = np.array([[0, 0], [8, 0], [0, 8]])


def cluster(k=2, **parameters):
    return MaxMarginClustering(k, **{"effort": "fast", "random_state": 0, **parameters})


def outcome(function):
    """What a function returns, and what its ValueError says."""
    try:
        return function(), ""
    except ValueError as error:
        return None, str(error)
