"""Each cluster in numbers."""

import re

import pytest
from sklearn.cluster import KMeans

from maxmargin import MaxMarginClustering, Report


def test_sizes_and_means_are_of_all_rows(wine, wine_report):
    model, data = wine
    answer = wine_report.summary["partitions"][0]
    for cluster in answer["clusters"]:
        inside = model.labels_ == cluster["number"]
        assert cluster["size"] == inside.sum()
        assert cluster["share"] == pytest.approx(inside.mean())
        first = cluster["differs"][0]
        column = data.data[first["feature"]]
        assert first["inside"] == pytest.approx(column[inside].mean())
        assert first["elsewhere"] == pytest.approx(column[~inside].mean())
        means = data.data[inside].mean() - data.data[~inside].mean()
        strongest = (means / data.data.std(ddof=0)).abs()
        assert first["feature"] == strongest.idxmax()
        assert abs(first["difference"]) == pytest.approx(strongest.max())


def test_values_that_differ_are_told_apart(blobs):
    blobs = blobs + 1e9
    first = Report(KMeans(3, n_init=1, random_state=0).fit(blobs), blobs).summary["partitions"][0]
    for cluster in first["clusters"]:
        inside, outside = re.search(r": (.+) against (.+) elsewhere", cluster["sentence"]).groups()
        assert inside != outside


def test_typical_rows_are_rows_of_fit(blobs):
    model = MaxMarginClustering(3, effort="fast", random_state=0).fit(blobs)
    of_fit, of_others = (
        Report(model, rows).summary["partitions"][0] for rows in (blobs, blobs[:-1])
    )
    assert all(cluster["typical"] for cluster in of_fit["clusters"])
    assert not any(cluster["typical"] for cluster in of_others["clusters"])
