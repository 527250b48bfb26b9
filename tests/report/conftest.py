"""A report with everything in it, shared by the tests of this folder."""

import pytest
from sklearn.datasets import load_wine, make_blobs

from maxmargin import MaxMarginClustering, Report


@pytest.fixture
def blobs():
    return make_blobs([14, 10, 6], centers=[[0, 0, 0], [7, 0, 1], [0, 9, 0]], random_state=1)[0]


@pytest.fixture(scope="session")
def wine():
    data = load_wine(as_frame=True)
    model = MaxMarginClustering(3, random_state=0).fit(data.data)
    assert len(model.alternatives_) >= 2
    return model, data


@pytest.fixture(scope="session")
def wine_report(wine):
    model, data = wine
    return Report(model, data.data, truth=data.target, warnings=["take care"])
