"""
Clusters of any shape, and of any number
========================================

Support vector clustering encloses the rows by the domain of a one-class machine; the clusters are
its pieces. Nobody says how many there are: two moons, a ring and what is inside of it are found
as they are, and rows that belong to nothing can be marked.
"""

# %%
# Four shapes and some noise
# --------------------------
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_circles, make_moons
from sklearn.metrics import adjusted_rand_score

from maxmargin import SupportVectorClustering
from maxmargin.plots import DomainDisplay, PlateauDisplay

moons, moon = make_moons(300, noise=0.05, random_state=0)
rings, ring = make_circles(300, noise=0.05, factor=0.3, random_state=0)
noise = np.random.default_rng(0).uniform([-1.5, -1.5], [6, 1.5], size=(10, 2))
X = np.vstack([moons, rings + np.array([4.2, 0]), noise])
shape = np.concatenate([moon, ring + 2])

# %%
# Nothing to set
# --------------
# The width of the kernel, and the level at which each piece stands apart, are chosen by the split
# gap: clusters that are harder to split than to tell from each other. The lowest 2 % of f are
# marked as outliers.
model = SupportVectorClustering(outlier_fraction=0.02).fit(X)
score = adjusted_rand_score(shape, model.labels_[:600])
print(f"{model.n_clusters_} clusters, ARI {score:.2f}")

# %%
# One width, one level
# --------------------
# With a number for gamma the clusters are the pieces of {f ≥ 0}, as in the first paper. nu bounds
# the share of rows outside; rings mark the support vectors.
classic = SupportVectorClustering(gamma=20, nu=0.15).fit(X)
print(f"gamma=20, nu=0.15: {classic.n_clusters_} clusters")

# %%
# Peaks instead of edges
# ----------------------
# The paper of SGD-LMSVC follows rows on the boundary uphill and joins the peaks that they reach
# (stars). Straight lines between far peaks of a ring leave it: one piece can become several
# clusters.
peaks = SupportVectorClustering(gamma=20, nu=0.15, assignment="equilibria").fit(X)
print(f"by equilibria: {peaks.n_clusters_} clusters")

# %%
# The plateau
# -----------
# A simpler rule for the width: the number of clusters that lasts longest.
steady = SupportVectorClustering(gamma="plateau").fit(X)
print(f"plateau: {steady.n_clusters_} clusters")

# %%
# Side by side
# ------------
figure, axes = plt.subplots(2, 2, figsize=(11, 6.4), layout="constrained")
DomainDisplay.from_estimator(model, X, ax=axes[0, 0])
axes[0, 0].set_title("chosen: a level for each cluster")
DomainDisplay.from_estimator(classic, X, ax=axes[0, 1])
axes[0, 1].set_title("gamma=20, nu=0.15: the pieces of {f ≥ 0}")
DomainDisplay.from_estimator(peaks, X, ax=axes[1, 0], support=False)
axes[1, 0].set_title(f"equilibria: {peaks.n_clusters_} clusters")
PlateauDisplay.from_estimator(steady, ax=axes[1, 1])
axes[1, 1].set_title("the number of clusters over the width")
for ax in axes.flat[:3]:
    ax.legend().set_visible(False)
plt.show()
