"""``maxmargin info``: what is in a model file."""

import json

import pytest


@pytest.fixture
def model(inside, blobs):
    code, _, err = inside(
        "cluster", blobs, "--id", "tree", "--truth", "kind", "-k", 3, "-o", "labels.csv",
        "--save", "model.skops",
    )  # fmt: skip
    assert code == 0, err
    return "model.skops"


def test_info(inside, model):
    code, out, _ = inside("info", model)
    assert code == 0
    assert "estimator: MaxMarginClustering" in out
    assert "fitted.sizes: [30, 20, 10]" in out
    code, out, _ = inside("info", model, "--json")
    assert json.loads(out)["fitted"]["n_clusters_"] == 3
