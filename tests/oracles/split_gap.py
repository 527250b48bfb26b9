"""The split gap by its formulas, with loops over all pairs of rows."""

from itertools import combinations

import numpy as np


def weakness(W, levels, dimension, a, b, valley=0.03):
    cut = sum(W[i, j] for i in a for j in b)
    if cut == 0:
        return -valley
    own = [sum(W[i, j] for i in side for j in side) for side in (a, b)]
    between = np.mean([min(levels[i], levels[j]) for i in a for j in b if W[i, j]])
    fall = dimension * (min(np.mean(levels[a]), np.mean(levels[b])) - between)
    return cut / (min(own) + cut) - valley * min(max(fall, -1), 1)


def best_split(W):
    """The bipartition of a small graph with the smallest normalised cut, of all of them."""
    n = len(W)
    smallest = max(2, int(np.ceil(0.1 * n)))
    best, sides = np.inf, None
    for size in range(smallest, n // 2 + 1):
        for first in combinations(range(n), size):
            a = np.array(first)
            b = np.setdiff1d(np.arange(n), a)
            cut = W[np.ix_(a, b)].sum()
            ncut = cut / W[a].sum() + cut / W[b].sum()
            if ncut < best:
                best, sides = ncut, (a, b)
    return sides


def density(distances, first, last):
    """ℓ and δ from all neighbours' distances in ascending order, without zeros."""
    r = distances[:, :last]
    ratios = [np.log(row[-1] / value) for row in r for value in row[:-1]]
    return -np.log(r[:, first - 1 :].mean(axis=1)), max(1, 1 / np.mean(ratios))
