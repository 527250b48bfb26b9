"""Draw front-door-fails.png: touching strips of even density, where the shorter boundary wins."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.metrics import adjusted_rand_score

from maxmargin import MaxMarginClustering

rng = np.random.default_rng(0)
X = rng.uniform(size=(400, 2)) * [8, 1] + np.repeat([[0, 0], [0, 1.15]], 200, axis=0)
y = np.repeat([0, 1], 200)
model = MaxMarginClustering(2, standardize=False, random_state=0).fit(X)
panels = {"two strips": y, "the answer": model.labels_}
panels |= {f"alternative {i}": a.labels for i, a in enumerate(model.alternatives_)}

figure, axes = plt.subplots(len(panels), 1, figsize=(6, 1.5 * len(panels)), sharex=True)
for axis, (title, labels) in zip(axes, panels.items(), strict=True):
    for c, (color, marker) in enumerate([("#0072B2", "o"), ("#D55E00", "^")]):
        axis.scatter(*X[labels == c].T, s=10, c=color, marker=marker, linewidths=0)
    axis.set_title(f"{title}, ARI {adjusted_rand_score(y, labels):.2f}", fontsize=9)
    axis.set(xticks=[], yticks=[])
    print(title, adjusted_rand_score(y, labels))
figure.tight_layout()
figure.savefig(Path(__file__).parent / "front-door-fails.png", dpi=110)
