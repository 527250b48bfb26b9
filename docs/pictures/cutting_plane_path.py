"""Draw cutting-plane-path.png: the objective under the cuts, with and without the repair."""

import warnings
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from maxmargin import CuttingPlaneClustering

X, y = load_digits(return_X_y=True)
X = X[np.isin(y, [1, 2, 7, 9])]

figure, axes = plt.subplots(1, 2, figsize=(10, 3.4), sharey=True)
for axis, optimizer in zip(axes, ("cpm3c", "cccp"), strict=True):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = CuttingPlaneClustering(
            4, alpha=0.1, optimizer=optimizer, n_init=1, max_iter=12, random_state=0
        ).fit(X)
    paths = model.objective_path_[: None if optimizer == "cpm3c" else -1]
    place, rises = 0, 0
    for steps in paths:
        axis.plot(place + np.arange(len(steps)), steps, "-", color="#0072B2", lw=1)
        up = np.flatnonzero(np.diff(steps) > 1e-9)
        rises += len(up)
        for i in up:
            axis.plot(place + np.array([i, i + 1]), steps[i : i + 2], color="#D55E00", lw=2)
        axis.plot(place, steps[0], "o", color="#0072B2", ms=3)
        place += len(steps)
    axis.set_title(
        f'optimizer="{optimizer}": {rises} of {place - len(paths)} steps rise', fontsize=10
    )
    axis.set_xlabel("problems solved (a dot: a new cut)")
axes[0].set_ylabel("objective under the cuts")
figure.tight_layout()
figure.savefig(Path(__file__).parent / "cutting-plane-path.png", dpi=110)
