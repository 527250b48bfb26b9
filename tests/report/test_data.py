"""The data in numbers."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.cluster import KMeans

from maxmargin import Report


def test_the_columns_of_dense_and_sparse_rows_are_the_same(rng):
    X = rng.poisson(0.4, (60, 7)).astype(float)
    model = KMeans(2, n_init=2, random_state=0).fit(X)
    dense = Report(model, X).summary
    sparse = Report(model, csr_matrix(X)).summary
    assert sparse["data"]["density"] == pytest.approx(np.mean(X != 0))
    assert (dense["data"]["kind"], sparse["data"]["kind"]) == ("dense", "sparse")
    for a, b in zip(dense["data"]["columns"], sparse["data"]["columns"], strict=True):
        assert a.pop("name") == b.pop("name")
        assert a == pytest.approx(b)
    a, b = (s["partitions"][0]["clusters"][0]["differs"][0] for s in (dense, sparse))
    assert a["difference"] == pytest.approx(b["difference"])
