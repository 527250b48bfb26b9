"""
More than one good answer
=========================

Shapes or colours, regions or seasons: rows can often be grouped in several sensible ways, and
without labels nobody knows which one you want. ``MaxMarginClustering`` keeps those that it did not
choose.
"""

# %%
# Four groups, and two asked for
# ------------------------------
# The groups are at the corners of a rectangle. Two clusters of about the same size can be left and
# right, above and below, or even the two diagonals.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_blobs

from maxmargin import MaxMarginClustering
from maxmargin.plots import ComparisonDisplay

corners = np.array([[0, 0], [0, 5], [6, 0], [6, 5]])
X, corner = make_blobs(400, centers=corners, random_state=1)
model = MaxMarginClustering(n_clusters=2, proportions="balanced", random_state=0).fit(X)
print(model.chosen_["why"])

# %%
# Side by side
# ------------
# Alternatives differ from the answer and from each other (an adjusted Rand index below 0.8). Their
# score is how well left-out rows are predicted: here it hardly tells them apart, and so it should
# be.
labellings = {"the answer": model.labels_}
captions = {"the answer": f"score {model.chosen_['score']:.3f}"}
for i, other in enumerate(model.alternatives_):
    labellings[f"alternative {i}"] = other.labels
    captions[f"alternative {i}"] = f"score {other.score:.3f}, agrees {other.agreement:.2f}"
    print(f"alternative {i}: {captions[f'alternative {i}']}")
ComparisonDisplay(X, ("x", "y"), labellings, captions).plot()

# %%
# Take another one
# ----------------
# ``use_alternative`` gives a fitted model with that grouping: it predicts, has margins and can be
# saved.
second = model.use_alternative(0)
print("new rows:", second.predict(corners))
plt.show()
