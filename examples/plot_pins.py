"""
A few known labels change the answer
====================================

You often know the group of a few rows. They are *pinned*: their labels never change, and what is
learned from them moves the others. Rows that you know nothing of are -1 (or NaN, or None).
"""

# %%
# Two strips
# ----------
# Long clusters of even density with a narrow gap are what a margin gets wrong: to cut both strips
# across is the shorter boundary. (Standardised columns would undo their length; here they are kept
# as they are.)
import matplotlib.pyplot as plt
import numpy as np
from sklearn.metrics import adjusted_rand_score

from maxmargin import MaxMarginClustering
from maxmargin.plots import ComparisonDisplay

rng = np.random.default_rng(0)
strip = np.repeat([0, 1], 200)
X = rng.uniform(size=(400, 2)) * [8, 1] + np.where(strip, 1.15, 0)[:, None] * [0, 1]
order = np.argsort(X[:, 0])  # from left to right

# %%
# Pins
# ----
# The pins are spread from left to right, as many in each strip.
labellings, captions = {}, {}
for n_pins in [0, 2, 6, 10]:
    y = np.full(len(X), -1)
    for label in [0, 1]:
        rows = order[strip[order] == label]
        y[rows[np.linspace(0, 199, n_pins, dtype=int)]] = label
    model = MaxMarginClustering(n_clusters=2, standardize=False, random_state=0).fit(X, y)
    name = f"{n_pins} pins in each strip"
    labellings[name] = model.labels_
    captions[name] = f"ARI {adjusted_rand_score(strip, model.labels_):.2f}"
    print(f"{name}: {captions[name]}")

shown = ComparisonDisplay(X, ("x", "y"), labellings, captions).plot()
for panel, n_pins in zip(shown.axes_, [0, 2, 6, 10], strict=True):
    for label in [0, 1]:
        rows = order[strip[order] == label]
        pins = X[rows[np.linspace(0, 199, n_pins, dtype=int)]]
        panel.scatter(*pins.T, s=90, marker="o", facecolors="none", edgecolors="black", zorder=3)
plt.show()
