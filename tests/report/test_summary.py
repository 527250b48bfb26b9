"""The summary: its keys, and values that are plain."""

import json

import numpy as np
import pytest
from sklearn.cluster import DBSCAN, KMeans
from sklearn.datasets import make_blobs, make_moons

from maxmargin import Report, SupportVectorClustering

KEYS = {
    "version",
    "maxmargin",
    "title",
    "headline",
    "data",
    "method",
    "partitions",
    "truth",
    "drawn",
    "warnings",
}


def test_the_keys_are_those_of_the_documentation(wine_report):
    summary = wine_report.summary
    assert set(summary) == KEYS
    assert summary["version"] == 1
    for key in KEYS:
        assert f'"{key}"' in Report.__doc__


def test_outliers_are_counted_apart():
    X, _ = make_moons(150, noise=0.06, random_state=0)
    X = np.vstack([X, [[4.0, 4.0], [-4.0, -4.0]]])
    summary = Report(DBSCAN(eps=0.25).fit(X), X).summary
    answer = summary["partitions"][0]
    assert answer["n_outliers"] == 2
    truth = Report(DBSCAN(eps=0.25).fit(X), X, truth=[*[0] * 150, 1, 1]).summary["truth"]
    assert truth["accuracy"] <= 150 / 152  # they are never right
    assert sum(c["size"] for c in answer["clusters"]) == 150
    assert "2 rows (1%) are outliers" in summary["headline"]["sentence"]
    model = SupportVectorClustering(outlier_fraction=0.05).fit(X)
    margins = Report(model, X).summary["partitions"][0]["margins"]
    assert margins["kind"] == "depth"
    assert margins["counts"][-1]["cluster"] == -1
    assert all(row["cluster"] >= 0 for row in margins["least_certain"])


def test_json_is_valid_and_has_no_nan(wine_report):
    def refuse(constant):
        raise AssertionError(constant)

    text = wine_report.json()
    assert json.loads(text, parse_constant=refuse) == wine_report.summary


def test_missing_numbers_are_null_in_json():
    X, _ = make_blobs(40, 2, centers=2, random_state=0)
    model = KMeans(2, n_init=1, random_state=0).fit(X)
    model.inertia_ = np.nan
    model.n_iter_ = np.inf
    fitted = {
        f["name"]: f["value"] for f in json.loads(Report(model, X).json())["method"]["fitted"]
    }
    assert fitted["inertia_"] is None
    assert fitted["n_iter_"] is None


@pytest.mark.parametrize("names", [["a"], ["a", "b", "c", "d"]])
def test_as_many_names_as_columns(names, blobs):
    with pytest.raises(ValueError, match="columns must name each of the 3 columns"):
        Report(KMeans(3, n_init=1).fit(blobs), blobs, columns=names)


def test_the_columns_of_fit(blobs):
    with pytest.raises(ValueError, match="X must have the 3 columns that KMeans was fitted to"):
        Report(KMeans(3, n_init=1).fit(blobs), blobs[:, :2])
