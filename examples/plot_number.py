"""
How many clusters, and how sure is that?
========================================

``n_clusters=None`` looks for the number with most evidence, and ``k_confidence_`` is the
probability that it is exact. One cluster is a possible answer.
"""

# %%
# Clear, doubtful, none
# ---------------------
# Five groups far apart; five that run into each other; and rows without any groups.
import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_blobs

from maxmargin import MaxMarginClustering, MaxMarginWarning
from maxmargin.plots import NumberDisplay

data = {
    "clear": make_blobs(300, centers=5, cluster_std=0.7, random_state=3)[0],
    "doubtful": make_blobs(300, centers=5, cluster_std=1.8, random_state=3)[0],
    "none": np.random.default_rng(0).normal(size=(300, 2)),
}
models = {}
for name, X in data.items():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MaxMarginWarning)  # it says where the evidence is weak
        models[name] = MaxMarginClustering(random_state=0).fit(X)
    k, sure = models[name].n_clusters_, models[name].k_confidence_
    print(f"{name}: {k}, exact with probability {sure:.2f}")

# %%
# What was found
# --------------
figure, panels = plt.subplots(1, 3, figsize=(12, 4), layout="constrained")
for panel, (name, X) in zip(panels, data.items(), strict=True):
    found = models[name]
    panel.scatter(*X.T, c=found.labels_, s=12, cmap="tab10", vmin=0, vmax=9)
    panel.set_title(f"{name}: {found.n_clusters_}, with probability {found.k_confidence_:.2f}")

# %%
# Why
# ---
# The evidence for each number, and its parts, of the doubtful rows. Where the curve is flat, look
# at the numbers beside the chosen one; and if you know the number, give it.
NumberDisplay.from_estimator(models["doubtful"])
plt.show()
