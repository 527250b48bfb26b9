"""
A table with categories, flags, dates and gaps
==============================================

A data frame goes in as it is. What became of each column can be read, and so can what makes a
cluster different.
"""

# %%
# Customers
# ---------
# Two kinds of customers, which nobody knows. A flag that has nothing to do with them (`newsletter`)
# is in the table too: two values with nothing between them look like a perfect gap.
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score

from maxmargin import MaxMarginClustering
from maxmargin.plots import ComparisonDisplay

rng = np.random.default_rng(0)
n = 400
regular = rng.random(n) < 0.4
table = pd.DataFrame(
    {
        "age": rng.normal(np.where(regular, 52, 34), 6).round(),
        "spent": rng.lognormal(np.where(regular, 4.6, 3.4), 0.4).round(2),
        "pays by": np.where(rng.random(n) < np.where(regular, 0.2, 0.8), "card", "invoice"),
        "newsletter": rng.random(n) < 0.5,
        "region": rng.choice(["north", "south", "west"], n),
        "first order": pd.Timestamp("2023-01-01") + pd.to_timedelta(rng.integers(0, 700, n), "D"),
    }
)
table.loc[::9, "age"] = np.nan
print(table.head(3))

# %%
# Clusters
# --------
model = MaxMarginClustering(n_clusters=2, random_state=0).fit(table)
for column in model.encoder_.columns_:
    print(column)

# %%
# Against k-means on one-hot columns
# ----------------------------------
# The usual recipe: fill gaps, one column for each value, variance 1.
filled = table.assign(age=table["age"].fillna(table["age"].median()))
filled["first order"] = filled["first order"].astype("int64")
hot = pd.get_dummies(filled, columns=["pays by", "newsletter", "region"]).astype(float)
usual = KMeans(2, n_init=10, random_state=0).fit_predict((hot - hot.mean()) / hot.std())

labellings = {"the two kinds": regular.astype(int), "MaxMarginClustering": model.labels_}
labellings["k-means, one-hot columns"] = usual
captions = {
    name: f"ARI {adjusted_rand_score(regular, labels):.2f}" for name, labels in labellings.items()
}
for name, caption in captions.items():
    print(f"{name}: {caption}")
points = np.column_stack([filled["age"], np.log10(filled["spent"])])
ComparisonDisplay(points, ("age", "spent (log10)"), labellings, captions).plot()
plt.show()
