"""
A million rows, read in blocks
==============================

``fit`` takes a path. The rows are read in blocks, never as a whole, and the labels are those that
an array in memory would have got.
"""

# %%
# A file
# ------
# A million rows of eight columns, written part by part. (The tests of this page make do with
# fewer.)
import os
import tempfile
import time
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from maxmargin import CuttingPlaneClustering

n = 100_000 if os.environ.get("MAXMARGIN_EXAMPLES") == "small" else 1_000_000
rng = np.random.default_rng(0)
centers = rng.normal(scale=2.5, size=(4, 8))
truth = rng.integers(4, size=n)
folder = tempfile.TemporaryDirectory()
path = Path(folder.name, "rows.npy")
file = np.lib.format.open_memmap(path, "w+", np.float32, (n, 8))
for start in range(0, n, 50_000):
    part = truth[start : start + 50_000]
    file[start : start + 50_000] = centers[part] + rng.normal(size=(len(part), 8))
file.flush()
del file
print(f"{path.stat().st_size / 1e6:.0f} MB")

# %%
# Clusters
# --------
# The search looks at a sample of the rows, and its best run goes on with all of them, in a few
# passes over the file.
began = time.process_time()
model = CuttingPlaneClustering(n_clusters=4, random_state=0).fit(path)
print(f"{n:,} rows, {time.process_time() - began:.0f} s of CPU time")
print("sizes:", np.bincount(model.labels_))
pairs = np.zeros((4, 4), dtype=int)
np.add.at(pairs, (truth, model.labels_), 1)
print(f"{pairs.max(axis=1).sum() / n:.1%} of the rows are with those that they were drawn with")

# %%
# Labels to a file
# ----------------
# New rows can be labelled from file to file, too.
model.predict_to(path, Path(folder.name, "labels.npy"))

# %%
# The rows
# --------
# Along the hyperplanes: what the model says of a row, cluster against cluster. Too many rows to
# draw are counted: the clusters meet where only few rows are.
sample = np.load(path, mmap_mode="r")[:: n // 50_000]
values = model.decision_function(sample)
figure, panels = plt.subplots(1, 2, figsize=(11, 4.4), layout="constrained")
across, up = values[:, 0] - values[:, 1], values[:, 2] - values[:, 3]
panels[0].hexbin(across, up, gridsize=70, bins="log", cmap="viridis", mincnt=1)
panels[0].axhline(0, color="black", linewidth=0.6)
panels[0].axvline(0, color="black", linewidth=0.6)
panels[0].set(xlabel="cluster 0 − cluster 1", ylabel="cluster 2 − cluster 3")
panels[0].set_title("rows, counted")
shown = panels[1].imshow(pairs, cmap="Blues")
for (i, j), count in np.ndenumerate(pairs):
    panels[1].text(j, i, f"{count:,}", ha="center", color="white" if count > n / 8 else "black")
panels[1].set(xlabel="cluster found", ylabel="drawn from", xticks=range(4), yticks=range(4))
panels[1].set_title("what was found against what was drawn")
folder.cleanup()
plt.show()
