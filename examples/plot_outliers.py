"""
Rows that belong to no cluster
==============================

A one-class machine gives each row a value f: high where rows are dense, low where they are few.
``outlier_fraction`` marks the lowest of them, and the clusters are found among the others.
"""

# %%
# Clusters in a background
# ------------------------
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_blobs

from maxmargin import SupportVectorClustering
from maxmargin.plots import DomainDisplay

rng = np.random.default_rng(0)
blobs, _ = make_blobs(
    [150, 100, 60], centers=[[0, 0], [5, 1], [2, 5]], cluster_std=[0.8, 0.5, 0.4], random_state=0
)
X = np.vstack([blobs, rng.uniform([-4, -4], [8, 8], size=(30, 2))])
background = np.arange(len(X)) >= len(blobs)

# %%
# How many to mark
# ----------------
# The share is yours to say. Of the 30 rows of the background some lie inside of the clusters, where
# nobody could find them.
figure, panels = plt.subplots(1, 3, figsize=(13, 4.2), layout="constrained")
for panel, share in zip(panels, [0.0, 0.05, 0.1], strict=True):
    model = SupportVectorClustering(outlier_fraction=share).fit(X)
    marked = model.labels_ == -1
    right = np.sum(marked & background)
    print(
        f"{share}: {model.n_clusters_} clusters, {marked.sum()} marked, {right} of the background"
    )
    DomainDisplay.from_estimator(model, X, ax=panel, support=False)
    panel.set_title(
        f"outlier_fraction={share}: {model.n_clusters_} clusters, {marked.sum()} marked"
    )
    if panel.get_legend():
        panel.get_legend().remove()

# %%
# As a ranking
# ------------
# ``decision_function`` is f: it orders rows by how usual they are, new ones too.
usual = model.decision_function([[0, 0], [2, 2], [8, -4]])
print("centre, between, far:", usual.round(2))
plt.show()
