"""Lloyd's iterations in plain NumPy."""

import numpy as np


def lloyd(X, centers, max_iter):
    labels = np.full(len(X), -1)
    centers = centers.copy()
    for it in range(max_iter + 1):
        squared = ((X[:, None] - centers) ** 2).sum(axis=2)
        before, labels = labels, np.argmin(squared, axis=1)
        nearest = squared.min(axis=1)
        if np.array_equal(labels, before) or it == max_iter:
            break
        moved = labels.copy()
        for c in range(len(centers)):
            if not np.any(moved == c) and nearest.max() > 0:
                far = np.argmax(nearest)
                moved[far], nearest[far] = c, 0
        labels = moved
        for c in np.unique(moved):
            centers[c] = X[moved == c].mean(axis=0)
    return labels, nearest.sum()
