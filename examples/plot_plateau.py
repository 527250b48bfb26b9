"""
The plateau: the number that lasts
==================================

With a narrow kernel every row is a cluster; with a wide one all rows are one. In between, the
number of clusters is right over a long range of widths: that range is the *plateau*.
"""

# %%
# From many to one
# ----------------
import warnings

import matplotlib.pyplot as plt
from sklearn.datasets import make_blobs

from maxmargin import MaxMarginWarning, SupportVectorClustering
from maxmargin.plots import DomainDisplay, PlateauDisplay

X, _ = make_blobs(300, centers=[[0, 0], [4, 0], [8, 0.5], [4, 4]], cluster_std=0.6, random_state=0)
model = SupportVectorClustering(gamma="plateau").fit(X)
print(f"{model.n_clusters_} clusters at gamma = {model.gamma_:.3g}")

# %%
# Three widths
# ------------
# Too wide, chosen, too narrow: the same rows, and the domain that encloses them.
figure, panels = plt.subplots(2, 2, figsize=(11, 7), layout="constrained")
PlateauDisplay.from_estimator(model, ax=panels[0, 0])
panels[0, 0].set_title("the number of clusters over the width")
widths = {"too wide": model.gamma_ / 40, "chosen": model.gamma_, "too narrow": model.gamma_ * 20}
for panel, (name, gamma) in zip(panels.flat[1:], widths.items(), strict=True):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MaxMarginWarning)  # it says that one cluster has all rows
        one = SupportVectorClustering(gamma=gamma).fit(X)
    print(f"{name}: {one.n_clusters_}")
    DomainDisplay.from_estimator(one, X, ax=panel, support=False)
    panel.set_title(f"{name}, gamma = {gamma:.2g}: {one.n_clusters_}")
    if panel.get_legend():
        panel.get_legend().remove()
plt.show()
