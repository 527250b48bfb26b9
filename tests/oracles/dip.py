"""The dip by linear programs: the smallest distance to a unimodal function, mode by mode."""

import numpy as np
from scipy.optimize import linprog


def dip(values):
    """Try each distinct value as the mode; only there may the unimodal function jump.

    Variables: G at every distinct value (at the mode: before and after its jump), and the
    distance D. G is linear in between, convex before the mode, concave after it.
    """
    x, counts = np.unique(values, return_counts=True)
    after = np.cumsum(counts) / counts.sum()
    before = after - counts / counts.sum()
    return min(_with_mode(x, before, after, mode) for mode in range(len(x)))


def _with_mode(x, before, after, mode):
    r = len(x)
    left = list(range(mode + 1))  # columns of G(x_0), ..., G(x_mode−)
    right = list(range(mode + 1, r + 1))  # of G(x_mode), ..., G(x_last)
    distance = r + 1
    rows, bounds = [], []

    def at_most(bound, terms):
        row = np.zeros(r + 2)
        for column, value in terms.items():
            row[column] += value
        rows.append(row)
        bounds.append(bound)

    for i, column in enumerate(left):
        at_most(before[i], {column: 1, distance: -1})  # G(x−) ≤ F(x−) + D
        value = after[i] if i < mode else before[i]
        at_most(-value, {column: -1, distance: -1})
    for i, column in enumerate(right, start=mode):
        at_most(-after[i], {column: -1, distance: -1})  # G(x) ≥ F(x) − D
        value = before[i] if i > mode else after[i]
        at_most(value, {column: 1, distance: -1})
    for column in range(r):
        at_most(0, {column: 1, column + 1: -1})  # G rises
    for columns, places, sign in ((left, x[: mode + 1], 1), (right, x[mode:], -1)):
        for p in range(1, len(columns) - 1):
            first = 1 / (places[p] - places[p - 1])
            second = 1 / (places[p + 1] - places[p])
            at_most(
                0,
                {
                    columns[p - 1]: -sign * first,
                    columns[p]: sign * (first + second),
                    columns[p + 1]: -sign * second,
                },
            )
    cost = np.zeros(r + 2)
    cost[distance] = 1
    found = linprog(cost, A_ub=np.array(rows), b_ub=bounds, bounds=[(0, 1)] * (r + 2))
    assert found.status == 0
    return found.fun
