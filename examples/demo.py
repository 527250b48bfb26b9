"""Cluster the handwritten digits of scikit-learn, and say what came out."""

from time import process_time

import numpy as np
from sklearn.datasets import load_digits
from sklearn.metrics import adjusted_rand_score

from maxmargin import MaxMarginClustering

X, digits = load_digits(return_X_y=True)
train, new = slice(0, 1500), slice(1500, None)
print(f"{len(X)} images of handwritten digits, 8 × 8 pixels, without their labels.")
print("Ten clusters from the first 1500 images:\n")

began = process_time()
model = MaxMarginClustering(n_clusters=10, random_state=0).fit(X[train])
seconds = process_time() - began

print("  cluster  size  mostly  share")
for c in range(10):
    members = digits[train][model.labels_ == c]
    counts = np.bincount(members, minlength=10)
    print(f"  {c:7d}  {len(members):4d}  {counts.argmax():6d}  {counts.max() / len(members):5.0%}")

found = adjusted_rand_score(digits[train], model.labels_)
predicted = adjusted_rand_score(digits[new], model.predict(X[new]))
print(f"\nAgreement with the true digits (adjusted Rand index): {found:.2f}")
print(f"The same for {len(X[new])} images that were not clustered, by predict: {predicted:.2f}")
print(f"Leave-one-out fit of the clusters, which needs no labels: R² = {model.loo_score_:.2f}")
print(f"{int(model.uncertain_.sum())} images are uncertain: left out, they would go elsewhere.")
print(f"What was chosen: {model.chosen_['why']}")
print(f"{seconds:.1f} s of CPU time.")
