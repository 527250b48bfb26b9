"""Least squares with a free constant: leave-one-out by refits, moves by recomputation."""

import numpy as np

from oracles.rls import indicators


def bordered(K, lam, H):
    """The model h = Ka + b with λaᵀKa and a free b: [[K + λI, 1], [1ᵀ, 0]] [a; b] = [H; 0]."""
    n = len(K)
    system = np.ones((n + 1, n + 1))
    system[:n, :n] = K + lam * np.eye(n)
    system[n, n] = 0
    solution = np.linalg.solve(system, np.vstack([H, np.zeros(H.shape[1])]))
    return solution[:n], solution[n]


def residual(K, lam):
    """A_b, what the model misses its own rows by, for each unit vector of targets."""
    a, b = bordered(K, lam, np.eye(len(K)))
    return np.eye(len(K)) - K @ a - b


def errors(K, lam, labels, k):
    """Refit without each row in turn; what the models miss it by."""
    n = len(K)
    H = indicators(labels, k)
    missed = np.empty((n, k))
    for j in range(n):
        rest = np.arange(n) != j
        a, b = bordered(K[np.ix_(rest, rest)], lam, H[rest])
        missed[j] = H[j] - K[j, rest] @ a - b
    return missed


def laplacian(W):
    """Relative to the mean degree; the degrees of a graph with few edges are not blown up."""
    degrees = W.sum(axis=1)
    return (np.diag(degrees) - W) / max(degrees.mean(), 1)


def graph_errors(W, smoothing, labels, k):
    """Smooth the labels over the graph without the label of each row in turn.

    The row itself stays in the graph: Σ_{i≠j} (h_i − f_i)² + μ fᵀLf.
    """
    n = len(W)
    H = indicators(labels, k)
    missed = np.empty((n, k))
    for j in range(n):
        seen = np.diag((np.arange(n) != j).astype(float))
        smooth = np.linalg.solve(seen + smoothing * laplacian(W), seen @ H)
        missed[j] = H[j] - smooth[j]
    return missed


def spread(labels, k):
    H = indicators(labels, k)
    return float(np.sum((H - H.mean(axis=0)) ** 2))


def error(B, labels, k):
    H = indicators(labels, k)
    return float(np.sum(H * (B @ H)))


def ratio(B, labels, k):
    """1 − R²; ∞ where there is one cluster only, so that no move leads there."""
    if np.count_nonzero(np.bincount(labels)) < 2:
        return np.inf
    return error(B, labels, k) / spread(labels, k)


def move_ratios(B, labels, k, lower, upper, rows):
    """ratio[i, c] after moving rows[i] to cluster c; ∞ where it may not go."""
    counts = np.bincount(labels, minlength=k)
    ratios = np.full((len(rows), k), np.inf)
    for i, j in enumerate(rows):
        if counts[labels[j]] <= lower[labels[j]]:
            continue
        for c in range(k):
            if c != labels[j] and counts[c] < upper[c]:
                moved = labels.copy()
                moved[j] = c
                ratios[i, c] = ratio(B, moved, k)
    return ratios


def swap_errors(B, labels, k, rows):
    """The error after each swap of two of the rows; ∞ within a cluster."""
    after = np.full((len(rows), len(rows)), np.inf)
    for i, one in enumerate(rows):
        for j, other in enumerate(rows[:i]):
            if labels[one] != labels[other]:
                swapped = labels.copy()
                swapped[one], swapped[other] = labels[other], labels[one]
                after[i, j] = after[j, i] = error(B, swapped, k)
    return after


def settle_ratios(B, labels, k, lower, upper, order, tol):
    """One pass: each row takes the best move if the ratio falls. Returns (labels, moves)."""
    labels, moves = labels.copy(), 0
    for j in order:
        ratios = move_ratios(B, labels, k, lower, upper, [j])[0]
        if ratios.min() < ratio(B, labels, k) * (1 - tol):
            labels[j] = np.argmin(ratios)
            moves += 1
    return labels, moves
