"""
Rows that come later
====================

A clustering here is a model: it says which cluster a new row belongs to, how sure that is, and you
can ask whether new rows still look like those of the fit.
"""

# %%
# Fit once
# --------
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_moons
from sklearn.metrics import adjusted_rand_score

from maxmargin import MaxMarginClustering, SupportVectorClustering
from maxmargin.plots import ClustersDisplay

X, y = make_moons(300, noise=0.08, random_state=0)
model = MaxMarginClustering(n_clusters=2, random_state=0).fit(X)

# %%
# Predict
# -------
# New rows of the same kind get the same clusters. ``predict_proba`` says how sure the model is:
# between the moons it is not.
new, new_y = make_moons(500, noise=0.08, random_state=1)
agreement = adjusted_rand_score(new_y, model.predict(new))
print(f"new rows: ARI {agreement:.2f}")
between = [[0.5, 0.25]]
print("between the moons:", model.predict_proba(between).round(2))

# %%
# Are they still the same kind of rows?
# -------------------------------------
# ``predict`` answers for any row, also for one that has nothing to do with the clusters. The domain
# of support vector clustering knows where rows were: count how many of the new ones are outside of
# it.
domain = SupportVectorClustering(outlier_fraction=0.02).fit(X)
drifted = new + np.array([0.0, 0.6])
outside = {}
for name, rows in {"fitted": X, "new": new, "drifted": drifted}.items():
    outside[name] = np.mean(domain.predict(rows) == -1)
    print(f"{name}: {outside[name]:.0%} outside")

# %%
# The pictures
# ------------
figure, panels = plt.subplots(1, 2, figsize=(12, 4.4), layout="constrained")
ClustersDisplay.from_estimator(model, X, ax=panels[0])
panels[0].set_title("the model: regions of the clusters")
where = domain.predict(drifted) == -1
panels[1].scatter(*X.T, s=8, c="#bbbbbb", label="fitted")
panels[1].scatter(*drifted[~where].T, s=10, c="#0072B2", label="drifted, inside")
panels[1].scatter(*drifted[where].T, s=14, c="#D55E00", marker="x", label="drifted, outside")
panels[1].legend(fontsize="small")
panels[1].set_title(f"drifted rows: {outside['drifted']:.0%} outside of the domain")
plt.show()
