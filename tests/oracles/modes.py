"""The merge tree by its definition: the pieces above every water level."""

import numpy as np
from scipy.sparse.csgraph import connected_components


def prominences(heights, W):
    """For each row, how far the water falls before its piece holds a higher row; inf if never."""
    found = np.zeros(len(heights))
    for i, height in enumerate(heights):
        for water in np.sort(heights)[::-1]:
            above = heights >= water
            _, piece = connected_components(W * np.outer(above, above), directed=False)
            if water <= height and heights[piece == piece[i]].max() > height:
                found[i] = height - water
                break
        else:
            found[i] = np.inf
    return found
