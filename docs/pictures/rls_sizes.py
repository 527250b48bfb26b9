"""Draw rls-sizes.png: 400 and 100 points under the four settings of the size control."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

from maxmargin import RLSClustering

X, y = make_blobs([400, 100], centers=[[0, 0], [6, 0]], random_state=0)
SETTINGS = {
    'the paper: forced balance\npolish=False, proportions="balanced"': {
        "polish": False,
        "n_init": 1,
    },
    'balance as a guide (default)\npolish=True, proportions="balanced"': {},
    "free sizes\nproportions=None": {"proportions": None},
    "known sizes\nproportions=[0.8, 0.2]": {"proportions": [0.8, 0.2]},
}

figure, axes = plt.subplots(1, 4, figsize=(13, 3.4), sharex=True, sharey=True)
for axis, (title, parameters) in zip(axes, SETTINGS.items(), strict=True):
    model = RLSClustering(2, random_state=0, **parameters).fit(X)
    sizes = "/".join(map(str, np.bincount(model.labels_)))
    agreement = adjusted_rand_score(y, model.labels_)
    for c, (color, marker) in enumerate([("#0072B2", "o"), ("#D55E00", "^")]):
        rows = model.labels_ == c
        axis.scatter(*X[rows].T, s=12, c=color, marker=marker, alpha=0.7, linewidths=0)
    axis.set_title(title, fontsize=9)
    axis.set_xlabel(f"sizes {sizes}, ARI {agreement:.2f}")
    axis.set(xticks=[], yticks=[])
figure.tight_layout()
figure.savefig(Path(__file__).parent / "rls-sizes.png", dpi=110)
