"""What was found, in a sentence."""

import numpy as np
import pytest
from sklearn.cluster import KMeans

from maxmargin import MultipleKernelClustering, Report


def test_every_row_its_own_cluster(blobs):
    found = Report(KMeans(len(blobs), n_init=1).fit(blobs), blobs).summary["headline"]
    assert found["sentence"] == "KMeans found 30 clusters in 30 rows, of 1 row each."


def test_differences_of_the_largest_clusters():
    X = np.repeat(np.arange(6.0), [1, 9, 8, 1, 7, 6])[:, None]
    model = KMeans(6, n_init=1, init=np.arange(6.0)[:, None]).fit(X)
    told = Report(model, X).summary["headline"]["differences"]
    assert [n for n in range(6) if f"luster {n} has" in told] == [1, 2, 4, 5]


@pytest.mark.filterwarnings("ignore::maxmargin.MaxMarginWarning")
def test_rows_that_are_all_alike_are_on_the_boundary():
    X = np.ones((12, 3))
    model = MultipleKernelClustering(2, kernels=["linear"], n_init=1, random_state=0)
    sentence = Report(model.fit(X), X).summary["headline"]["sentence"]
    assert "every row is on the right side" not in sentence
