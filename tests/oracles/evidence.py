"""The evidence for a partition, pair by pair and edge by edge."""

from itertools import combinations

import numpy as np


def share(W, a, b):
    """Edges between two sets of rows, relative to those of the smaller one."""
    cut = W[np.ix_(a, b)].sum()
    if not cut:
        return 0.0
    return cut / (min(W[np.ix_(a, a)].sum(), W[np.ix_(b, b)].sum()) + cut)


def blob_share(n, dimension):
    return 0.45 * (max(n, 12) / 12) ** (-1.4 / dimension)


def border(W, a, b, own_a, own_b, dip, dimension):
    """How much two clusters are two."""
    relative = share(W, a, b) / blob_share(len(a) + len(b), dimension)
    if relative == 0:
        return 1.0
    neutral = 0.6 * min(1, max(0.02, (own_a + own_b) / 2))
    votes = [(neutral - relative) / neutral, (0.6 - relative) / 0.6, (dip - 0.55) / 0.55]
    weights = [1, max(0, 1 - 2 / dimension), 1]
    clipped = [min(1, max(-1, vote)) for vote in votes]
    return sum(w * v for w, v in zip(weights, clipped, strict=True)) / sum(weights)


def smallest_tree(Q):
    """The sum over the tree of smallest entries, those below 0 counting .7: Kruskal's way."""
    k, total = len(Q), 0.0
    tree = list(range(k))
    for i, j in sorted(combinations(range(k), 2), key=lambda pair: Q[pair]):
        if tree[i] != tree[j]:
            total += Q[i, j] if Q[i, j] > 0 else 0.7 * Q[i, j]
            tree = [tree[i] if piece == tree[j] else piece for piece in tree]
    return total
