"""
A photograph in two parts, from a few scribbles
===============================================

Pixels are rows: colour and place. Left alone, a clustering finds *some* two parts of a picture. A
few scribbles say which ones are meant: the pixels below them are pinned.
"""

# %%
# The photograph
# --------------
# The flower that comes with scikit-learn, at an eighth of its size. The columns are the colours
# and, with less weight, the place.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_sample_image

from maxmargin import RLSClustering

image = load_sample_image("flower.jpg")[4::8, 4::8] / 255
height, width, _ = image.shape
down, right = np.mgrid[:height, :width] / height
X = np.column_stack([image.reshape(-1, 3), 0.4 * down.ravel(), 0.4 * right.ravel()])
print(f"{height} × {width} pixels, {len(X)} rows")

# %%
# Scribbles
# ---------
# Two strokes on the flower, four outside of it. -1 is a pixel that nobody touched.
scribbles = np.full((height, width), -1)
scribbles[28, 28:52] = 1
scribbles[16:40, 40] = 1
scribbles[4, 8:72] = 0
scribbles[10:46, 12] = 0
scribbles[10:46, 66] = 0
scribbles[50, 20:72] = 0

# %%
# With and without
# ----------------
# A hundred landmarks (Nyström) stand for the kernel matrix of all pixels. The bud below the flower
# has its colour, and goes with it; another stroke would tell them apart.
settings = {"approximation": "nystroem", "proportions": None, "random_state": 0}
alone = RLSClustering(2, **settings).fit(X)
guided = RLSClustering(2, **settings).fit(X, scribbles.ravel())
print(f"{guided.n_pinned_} pixels pinned, {np.mean(guided.labels_ == 1):.0%} are flower")

figure, panels = plt.subplots(1, 4, figsize=(13, 2.6), layout="constrained")
drawn = image.copy()
drawn[scribbles == 1], drawn[scribbles == 0] = [1, 1, 1], [0, 0.9, 1]
panels[0].imshow(drawn)
panels[0].set_title("scribbles")
panels[1].imshow(alone.labels_.reshape(height, width), cmap="gray")
panels[1].set_title("without scribbles")
panels[2].imshow(guided.labels_.reshape(height, width), cmap="gray")
panels[2].set_title("with scribbles")
cut = np.where(guided.labels_.reshape(height, width, 1) == 1, image, 1 - 0.15 * (1 - image))
panels[3].imshow(cut)
panels[3].set_title("cut out")
for panel in panels:
    panel.set_axis_off()
plt.show()
