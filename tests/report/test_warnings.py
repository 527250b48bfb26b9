"""What a reader of the report should beware of."""

import numpy as np
from sklearn.cluster import KMeans

from maxmargin import MaxMarginClustering, Report, RLSClustering


def test_warnings_come_first_from_the_caller_then_from_the_figures(wine_report):
    assert wine_report.summary["warnings"][0] == "take care"
    X = np.array([[0.0], [0.1], [0.2], [0.3], [9.0]])
    found = Report(KMeans(2, n_init=3, random_state=0).fit(X), X).summary["warnings"]
    assert found == ["Cluster 1 has fewer than three rows."]


def test_a_better_alternative_is_called_better(blobs):
    model = MaxMarginClustering(3, effort="fast", random_state=0).fit(blobs)
    worse = model.use_alternative(0)
    assert worse.chosen_["score"] < model.chosen_["score"] - 0.02
    assert any("or better (" in warning for warning in Report(worse, blobs).summary["warnings"])


def test_rows_in_another_order_are_noticed(blobs):
    for model in (KMeans(3, n_init=1, random_state=0), RLSClustering(3, random_state=0)):
        model.fit(blobs)
        assert not any("in their order" in w for w in Report(model, blobs).summary["warnings"])
        assert any("in their order" in w for w in Report(model, blobs[::-1]).summary["warnings"])


def test_one_warning_is_one_warning(blobs):
    report = Report(KMeans(3, n_init=1, random_state=0).fit(blobs), blobs, warnings="take care")
    assert report.summary["warnings"] == ["take care"]
