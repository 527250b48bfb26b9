"""Regularised least squares by solving linear systems, leave-one-out by refitting."""

import itertools

import numpy as np


def indicators(labels, k):
    return (np.asarray(labels)[:, None] == np.arange(k)).astype(float)


def hat(K, lam):
    """R = K(K + λI)⁻¹."""
    return np.linalg.solve(K + lam * np.eye(len(K)), K).T


def value(K, lam, labels, k):
    """F = Σ_c h_cᵀ R h_c."""
    H = indicators(labels, k)
    return float(np.sum(H * (hat(K, lam) @ H)))


def fit(K, lam, labels, k):
    """Dual coefficients (K + λI)⁻¹ H."""
    return np.linalg.solve(K + lam * np.eye(len(K)), indicators(labels, k))


def paper_Q(K, lam, labels, k):
    """Eq. 13 of UMC-RLS from eq. 7: the fitted objective of every one-versus-all problem."""
    total = 0.0
    for c in range(k):
        y = np.where(np.asarray(labels) == c, 1.0, -1.0)
        a = np.linalg.solve(K + lam * np.eye(len(K)), y)
        total += np.sum((y - K @ a) ** 2) + lam * a @ K @ a
    return total


def evommc_fitness(K, lam_per_row, y):
    """Eq. 10 of EvoMMC: minimum over c of (1/n)‖y − Kc‖² + λ cᵀKc."""
    n = len(y)
    c = np.linalg.solve(K + lam_per_row * n * np.eye(n), y)
    return np.sum((y - K @ c) ** 2) / n + lam_per_row * c @ K @ c


def loo_predictions(K, lam, labels, k):
    """Refit without each row in turn and predict it."""
    n = len(K)
    H = indicators(labels, k)
    out = np.empty((n, k))
    for j in range(n):
        rest = np.arange(n) != j
        a = np.linalg.solve(K[np.ix_(rest, rest)] + lam * np.eye(n - 1), H[rest])
        out[j] = K[j, rest] @ a
    return out


def loo_r2(K, lam, labels, k):
    H = indicators(labels, k)
    error = np.sum((H - loo_predictions(K, lam, labels, k)) ** 2)
    return 1 - error / np.sum((H - H.mean(axis=0)) ** 2)


def best_labelling(K, lam, k, lower, upper):
    """The largest f over all labellings within the bounds, by trying every one (n ≤ 12)."""
    n = len(K)
    assert n <= 12
    R = hat(K, lam)
    best = -np.inf
    for labels in itertools.product(range(k), repeat=n):
        counts = np.bincount(labels, minlength=k)
        if np.all(counts >= lower) and np.all(counts <= upper):
            H = indicators(labels, k)
            best = max(best, float(np.sum(H * (R @ H))))
    return best
