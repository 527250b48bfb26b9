"""
Pictures of a clustering
========================

What did the model find, how sure is it, what else could it have chosen, and why so many clusters?
A picture for each question, from any fitted clusterer, alone or in a pipeline.
"""

# %%
# Wines, and nothing said about them
# ----------------------------------
# 178 wines with 13 measurements each. Not even the number of clusters is given.
import matplotlib.pyplot as plt
from sklearn.cluster import DBSCAN, KMeans
from sklearn.datasets import load_wine
from sklearn.decomposition import PCA
from sklearn.metrics import adjusted_rand_score
from sklearn.preprocessing import StandardScaler

from maxmargin import MaxMarginClustering, RLSClustering
from maxmargin.plots import (
    ClustersDisplay,
    ComparisonDisplay,
    MarginsDisplay,
    NumberDisplay,
    ObjectiveDisplay,
    SelectionDisplay,
)

wine = load_wine(as_frame=True)
X, y = wine.data, wine.target
model = MaxMarginClustering(random_state=0).fit(X)
print(f"{model.n_clusters_} clusters, ARI {adjusted_rand_score(y, model.labels_):.2f}")
print(model.chosen_["why"])

# %%
# The clusters
# ------------
# Three clusters have two directions in which their models differ: the plane shows all of it, and
# the regions are exact. Rings mark rows that would go elsewhere had the model not seen them,
# stars the rows that stand for their cluster.
ClustersDisplay.from_estimator(model, X, exemplars=True)

# %%
# The same rows by their principal components, which know nothing of clusters.
ClustersDisplay.from_estimator(model, X, view="principal")

# %%
# How sure
# --------
# The margin of a row: how far the model of its cluster, fitted without the row, is above the best
# other one.
MarginsDisplay.from_estimator(model, X)

# %%
# What else
# ---------
# Every candidate in every space that judged it.
SelectionDisplay.from_estimator(model)

# %%
# Why three
# ---------
# The evidence for each number, and its two parts: how well clusters are separated, and how well
# models predict them, which falls where a cluster that was one is cut.
NumberDisplay.from_estimator(model)

# %%
# On its way
# ----------
# One search in one space: the objective after each round. The first claims are large and may lower
# it; the later ones, and the polish at the end, raise it.
Z = StandardScaler().fit_transform(X)
rls = RLSClustering(n_clusters=3, random_state=0).fit(Z)
ObjectiveDisplay.from_estimator(rls)

# %%
# Side by side
# ------------
# Other methods on the same rows, by their principal components. Clusters that share most rows have
# the same colour; crosses are outliers.
points = PCA(2).fit_transform(Z)
labellings = {
    "MaxMarginClustering": model.labels_,
    "RLSClustering": rls.labels_,
    "KMeans": KMeans(3, n_init=10, random_state=0).fit_predict(Z),
    "DBSCAN": DBSCAN(eps=2.3).fit_predict(Z),
}
scores = {name: f"ARI {adjusted_rand_score(y, found):.2f}" for name, found in labellings.items()}
for name, score in scores.items():
    print(f"{name}: {score}")
axes = ("first component", "second component")
ComparisonDisplay(points, axes, labellings, scores).plot()
plt.show()
