"""
Rows that belong together, and rows that do not
===============================================

Sometimes you cannot name a group, but you know of two rows that they belong together (the same
person, two photographs of one object), or that they do not. Such pairs are *must-link* and
*cannot-link*.
"""

# %%
# Two clusters of four blobs
# --------------------------
# Left and right is as good an answer as above and below. (Each is to have at least 0.8 · n/2 rows.)
import matplotlib.pyplot as plt
import numpy as np
from sklearn.base import clone
from sklearn.datasets import make_blobs

from maxmargin import MaxMarginClustering
from maxmargin.plots import ComparisonDisplay

X, blob = make_blobs([80, 80, 80, 80], centers=[[0, 0], [0, 4.5], [5, 0], [5, 4.5]], random_state=0)
clusterer = MaxMarginClustering(n_clusters=2, min_size=0.8, random_state=0)
free = clusterer.fit(X)

# %%
# Pairs
# -----
# Three pairs say that rows of the two lower blobs belong together, and one that a lower and an
# upper row do not. They hold in the answer, and the rows around them follow.
rows = [np.flatnonzero(blob == b) for b in range(4)]
pairs = {
    "must_link": list(zip(rows[0][:3].tolist(), rows[2][:3].tolist(), strict=True)),
    "cannot_link": [(int(rows[0][5]), int(rows[1][5]))],
}
linked = clone(clusterer).fit(X, constraints=pairs)
for kind, links in pairs.items():
    together = [bool(linked.labels_[i] == linked.labels_[j]) for i, j in links]
    print(f"{kind}: together in the answer? {together}")

# %%
# Black lines join rows that must be together, red ones those that must not.
labellings = {"no pairs": free.labels_, "with four pairs": linked.labels_}
shown = ComparisonDisplay(X, ("x", "y"), labellings).plot()
for kind, color in {"must_link": "black", "cannot_link": "crimson"}.items():
    for pair in pairs[kind]:
        shown.axes_[1].plot(*X[list(pair)].T, color=color, marker="o", markersize=4, zorder=4)
plt.show()
