"""
Clusters from several views of the same images
==============================================

A digit can be looked at in more than one way: its pixels, how dark its rows and columns are,
and its Fourier magnitudes, which change little when it is shifted. Each view confuses other
digits. Here they are clustered together, next to a view that knows nothing, and the weights of
the views are learned with the clusters. No label is used before the last step, which compares.
"""

# %%
# Four views side by side
# -----------------------
# The columns of all views go into one table. The last view has the pixels of *other* images: the
# same distribution, but no relation to the digits.

import numpy as np
from sklearn.datasets import load_digits
from sklearn.metrics import adjusted_rand_score

X, digits = load_digits(return_X_y=True)
X, digits = X[:800], digits[:800]
images = X.reshape(-1, 8, 8)
views = {
    "pixels": X,
    "profiles": np.hstack([images.sum(axis=1), images.sum(axis=2)]),
    "Fourier": np.abs(np.fft.rfft2(images)).reshape(len(X), -1),
    "other images": np.random.default_rng(0).permutation(X),
}
table = np.hstack(list(views.values()))
ends = np.cumsum([view.shape[1] for view in views.values()])
kernels = [
    {"kernel": "rbf", "columns": slice(end - view.shape[1], end), "name": name}
    for (name, view), end in zip(views.items(), ends, strict=True)
]

# %%
# Clusters and weights
# --------------------

from maxmargin import MultipleKernelClustering

model = MultipleKernelClustering(10, kernels=kernels, random_state=0).fit(table)
for name, weight in model.kernel_weights_.items():
    print(f"{name:12s} {weight:.2f}")

# %%
# Was it worth it?
# ----------------
# Each view alone, all with equal weights, and the learned weights, by the adjusted Rand index with
# the true digits.


def score(**parameters):
    clusterer = MultipleKernelClustering(10, random_state=0, **parameters)
    return adjusted_rand_score(digits, clusterer.fit_predict(table))


scores = {f"{kernel['name']} alone": score(kernels=[kernel]) for kernel in kernels}
scores["equal weights"] = score(kernels=kernels, kernel_weights="uniform")
scores["learned weights"] = adjusted_rand_score(digits, model.labels_)
for name, value in scores.items():
    print(f"{name:20s} {value:.2f}")

# %%
# The pictures
# ------------

import matplotlib.pyplot as plt

from maxmargin.plots import KernelWeightsDisplay

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.2))
KernelWeightsDisplay.from_estimator(model, ax=left)
bars = right.barh(list(scores), list(scores.values()), color=["#999999"] * 5 + ["#0072B2"])
right.bar_label(bars, fmt="%.2f", padding=3)
right.invert_yaxis()
right.set_xlim(0, 1.1)
right.set_xlabel("agreement with the digits (adjusted Rand index)")
right.spines[["top", "right"]].set_visible(False)
figure.tight_layout()
plt.show()
