"""Plain NumPy twins of the compiled loops: they recompute everything at every step."""

import numpy as np

from oracles.rls import indicators


def value(R, labels, k):
    H = indicators(labels, k)
    return float(np.sum(H * (R @ H)))


def move_gains(R, labels, k):
    """gain[j, d] = f after moving row j to cluster d, minus f now."""
    now = value(R, labels, k)
    gains = np.empty((len(labels), k))
    for j in range(len(labels)):
        for d in range(k):
            moved = labels.copy()
            moved[j] = d
            gains[j, d] = value(R, moved, k) - now
    return gains


def swap_gains(R, labels, k):
    """gain[i, j] = f after rows i and j changed places, minus f now."""
    now = value(R, labels, k)
    n = len(labels)
    gains = np.zeros((n, n))
    for i in range(n):
        for j in range(i):
            swapped = labels.copy()
            swapped[i], swapped[j] = labels[j], labels[i]
            gains[i, j] = gains[j, i] = value(R, swapped, k) - now
    return gains


def claim(R, labels, k, d, quota):
    """Cluster d takes quota rows, one by one, each time the best."""
    labels = labels.copy()
    for _ in range(quota):
        gains = move_gains(R, labels, k)[:, d]
        gains[labels == d] = -np.inf
        if np.all(np.isinf(gains)):
            break
        labels[np.argmax(gains)] = d
    return labels


def settle(R, labels, k, order, lower, upper):
    """One pass of stochastic descent."""
    labels = labels.copy()
    for j in order:
        counts = np.bincount(labels, minlength=k)
        if counts[labels[j]] <= lower[labels[j]]:
            continue
        gains = move_gains(R, labels, k)[j]
        gains[counts >= upper] = -np.inf
        gains[labels[j]] = 0
        if gains.max() > 1e-10:
            labels[j] = np.argmax(gains)
    return labels


def descend(R, labels, k, lower, upper):
    """Steepest single moves within the bounds until none gains."""
    labels = labels.copy()
    while True:
        counts = np.bincount(labels, minlength=k)
        gains = move_gains(R, labels, k)
        gains[:, counts >= upper] = -np.inf
        gains[counts[labels] <= lower[labels]] = -np.inf
        gains[np.arange(len(labels)), labels] = -np.inf
        if gains.max() <= 1e-10:
            return labels
        j, d = np.unravel_index(np.argmax(gains), gains.shape)
        labels[j] = d
