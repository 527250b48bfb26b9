"""
Topics of texts
===============

Texts as sparse rows: a column for each word, weighed by how rare it is. ``CuttingPlaneClustering``
takes them as they are, and its hyperplanes have a weight for each word, so that a cluster can be
read.
"""

# %%
# Six hundred notes
# -----------------
# Nothing is downloaded: notes are drawn from four lists of words, each with many words that all
# share.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import adjusted_rand_score

from maxmargin import CuttingPlaneClustering

TOPICS = {
    "kitchen": "bread butter oven flour salt soup knife onion simmer taste bake spoon",
    "garden": "soil seed rose prune water root bloom hedge spade compost lawn shade",
    "sailing": "wind sail anchor harbour tide deck rope knot mast crew chart salt",
    "music": "violin chord tune score rhythm tempo sharp bow concert string crew note",
}
COMMON = "the a we and then again good morning much little today old new with for"
rng = np.random.default_rng(0)
truth = rng.permutation(np.repeat(np.arange(4), 150))
words = [topic.split() for topic in TOPICS.values()]
texts = [" ".join([*rng.choice(words[t], 6), *rng.choice(COMMON.split(), 14)]) for t in truth]
print(texts[0])

# %%
# Clusters
# --------
rows = TfidfVectorizer(max_df=0.3)
X = rows.fit_transform(texts)
model = CuttingPlaneClustering(n_clusters=4, kernel="linear", random_state=0).fit(X)
print(f"{X.shape[0]} × {X.shape[1]}, {X.nnz} words; ARI", end=" ")
print(f"{adjusted_rand_score(truth, model.labels_):.2f}")

# %%
# What they are about
# -------------------
# The words with the largest weights in each cluster's hyperplane.
names = rows.get_feature_names_out()
figure, panels = plt.subplots(1, 4, figsize=(12, 3.2), layout="constrained", sharex=True)
for c, panel in enumerate(panels):
    top = np.argsort(model.coef_[c])[-8:]
    panel.barh(names[top], model.coef_[c][top], color="#0072B2")
    panel.set_title(f"cluster {c}: {np.sum(model.labels_ == c)} notes", fontsize="medium")
    panel.spines[["top", "right"]].set_visible(False)
    print(f"cluster {c}:", ", ".join(names[top[::-1]]))
figure.supxlabel("weight of the word")
plt.show()
