"""Domains and their clusters by definition: full kernel matrices, grids, trees from the top."""

from itertools import pairwise

import numpy as np
from scipy.ndimage import label


def kernel(A, B, gamma):
    """exp(−γ ‖a − b‖²) from differences."""
    return np.exp(-gamma * ((A[:, np.newaxis] - B[np.newaxis]) ** 2).sum(axis=-1))


def heights(points, rows, alpha, gamma):
    """g = Σ α_i k(x_i, ·)."""
    return kernel(points, rows, gamma) @ alpha


def gap_of_box(alpha, K, C):
    """Primal and dual value of Equation (1) at w = Σ α_i φ(x_i)."""
    g = K @ alpha
    primal = 0.5 * alpha @ g + C * np.maximum(1 - g, 0).sum()
    return primal, alpha.sum() - 0.5 * alpha @ g


def gap_of_nu(alpha, K, nu):
    """Primal and dual value of the ν form; the best ρ is one of the heights."""
    alpha = alpha / alpha.sum()
    g = K @ alpha
    slack = [np.maximum(rho - g, 0).sum() / (nu * len(g)) - rho for rho in g]
    return 0.5 * alpha @ g + min(slack), -0.5 * alpha @ g


def lowest(a, b, rows, alpha, gamma, steps):
    """The least g at the ends of a segment and at evenly spaced points inside."""
    t = np.linspace(0, 1, steps + 2)[:, np.newaxis]
    return heights((1 - t) * a + t * b, rows, alpha, gamma).min()


def algorithm_1(K, C, draws, theta, first_end):
    """Algorithm 1 as printed: every w_t in full, as coefficients of the rows.

    Returns
    -------
    steps : list of arrays
        w_2, w_3, …
    lengths : list of float
        ‖w_{t+1} − w_t‖.
    ended : bool
    """
    w = np.zeros(len(K))
    steps, lengths = [], []
    for t, i in enumerate(draws, start=1):
        following = (1 - 1 / t) * w
        if K[i] @ w < 1:
            following[i] += C / t
        change = following - w
        w = following
        steps.append(w)
        lengths.append(np.sqrt(change @ K @ change))
        if t >= first_end and lengths[-1] <= theta:
            return steps, lengths, True
    return steps, lengths, False


def online(K, nu, most=None):
    """One pass over the rows in their order; C ≤ most, or t, follows the share ν of violations.

    Returns
    -------
    steps : list of arrays
        w_2 / C, w_3 / C, … in full: C is a factor of all of w.
    C : float
        The last one.
    """
    w, C, steps = np.zeros(len(K)), 1 / nu, []
    for t in range(1, len(K) + 1):
        violates = C * (K[t - 1] @ w) < 1
        w = (1 - 1 / t) * w
        w[t - 1] += violates / t
        steps.append(w)
        C = min(most or t, C * np.exp((violates - nu) / np.sqrt(t)))
    return steps, C


def weighted_mean(steps):
    """Σ t (t + 1) (t + 2) w_{t+1} / Σ t (t + 1) (t + 2)."""
    t = np.arange(1.0, len(steps) + 1)
    weights = t * (t + 1) * (t + 2)
    return weights @ np.array(steps) / weights.sum()


def uphill(x, rows, alpha, gamma):
    """The map P of Section 3."""
    weights = alpha * kernel(x[np.newaxis], rows, gamma)[0]
    return weights @ rows / weights.sum()


def flood_fill(rows, alpha, gamma, level, fine=600):
    """The pieces of {g ≥ level} in the plane, by a grid; −1 for rows outside."""
    low, high = rows.min(axis=0), rows.max(axis=0)
    margin = 0.1 * (high - low).max()
    axes = [np.linspace(a - margin, b + margin, fine) for a, b in zip(low, high, strict=True)]
    # a Gaussian of the plane is the product of one for each axis
    first, second = (
        kernel(axis[:, np.newaxis], rows[:, [c]], gamma) for c, axis in enumerate(axes)
    )
    g = (first * alpha) @ second.T
    pieces, _ = label(g >= level, structure=np.ones((3, 3)))
    at = [np.abs(axis[:, np.newaxis] - rows[:, c]).argmin(axis=0) for c, axis in enumerate(axes)]
    return pieces[at[0], at[1]] - 1


def components(n, start, stop):
    """Connected components by painting."""
    label = list(range(n))
    for i, j in zip(start, stop, strict=True):
        old, new = label[j], label[i]
        label = [new if value == old else value for value in label]
    return np.array(label)


def condensed(n, start, stop, levels, smallest):
    """The clusters of a tree seen from the top: (rows, level of birth, mass, parent).

    The lowest edge is cut, again and again. Two sides with enough rows are two clusters; of a
    smaller side the rows leave; where both are too small, all of them do.
    """
    clusters = []

    def sides(rows, edges, cut):
        left = [e for e in edges if e != cut]
        paint = components(n, start[left], stop[left])
        here = [{i for i in rows if paint[i] == paint[end]} for end in (start[cut], stop[cut])]
        return [(side, [e for e in left if start[e] in side]) for side in here]

    def follow(rows, edges, born, parent):
        number = len(clusters)
        clusters.append(None)
        whole, mass = frozenset(rows), 0.0
        while True:
            cut = min(edges, key=lambda e: levels[e])
            parts = sides(rows, edges, cut)
            large = [part for part in parts if len(part[0]) >= smallest]
            if len(large) == 1:
                rows_that_leave = len(rows) - len(large[0][0])
                mass += rows_that_leave * (levels[cut] - born)
                rows, edges = large[0]
                continue
            mass += len(rows) * (levels[cut] - born)
            break
        clusters[number] = (whole, born, mass, parent)
        for part in large:
            follow(*part, levels[cut], number)

    if n >= smallest:
        follow(set(range(n)), list(range(len(levels))), 0.0, -1)
    return clusters


def largest_excess(clusters):
    """The clusters below the root, none inside another, with the largest sum of masses."""

    def best(number):
        below = [best(c) for c, (_, _, _, parent) in enumerate(clusters) if parent == number]
        total = sum(part[0] for part in below)
        chosen = [c for part in below for c in part[1]]
        mass = clusters[number][2]
        if number > 0 and mass >= total:
            return mass, [number]
        return total, chosen

    return best(0)[1] if clusters else []


def longest_run(counts):
    """The ends of the longest run of equal numbers ≥ 2, by trying all of them."""
    best = (0, 0, 0)
    for first in range(len(counts)):
        for last in range(first, len(counts)):
            run = counts[first : last + 1]
            same = all(a == b for a, b in pairwise(run)) and run[0] >= 2
            if same and len(run) > best[0]:
                best = (len(run), first, last)
    return best
