"""
How large should clusters be?
=============================

Without any rule for sizes, the widest margin is that around a single far row, or around nothing. So
every method of this kind has one, and it can be wrong. Here are 400 rows beside 100, under four
rules.
"""

# %%
# Four rules
# ----------
# The published method gives each cluster a quota of n/k rows, and cuts the large group. As a guide,
# the quota may be left where that gains, but the search stays near it. Free sizes are judged by how
# well rows are predicted that were left out. Sizes that you know are met exactly.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

from maxmargin import RLSClustering
from maxmargin.plots import ComparisonDisplay

X, y = make_blobs([400, 100], centers=[[0, 0], [6, 0]], random_state=0)
rules = {
    "balance forced, as published": {"polish": False, "n_init": 1},
    "balance as a guide": {"proportions": "balanced"},
    "sizes free": {"proportions": None},
    "sizes known: 4 to 1": {"proportions": [0.8, 0.2]},
}
labellings, captions = {}, {}
for name, rule in rules.items():
    model = RLSClustering(2, random_state=0, **rule).fit(X)
    sizes = " and ".join(map(str, np.bincount(model.labels_)))
    labellings[name] = model.labels_
    captions[name] = f"{sizes} rows, ARI {adjusted_rand_score(y, model.labels_):.2f}"
    print(f"{name}: {captions[name]}")

ComparisonDisplay(X, ("x", "y"), labellings, captions).plot()

# %%
# Bounds
# ------
# Between a guide and exact shares there are bounds: no cluster below a hundred rows, none above
# 420. They hold at every step of the search. An integer is a number of rows, a float a share of
# n/k.
bounded = RLSClustering(2, proportions=None, min_size=100, max_size=420, random_state=0).fit(X)
print("bounded:", np.bincount(bounded.labels_))
plt.show()
