"""What changes with an alternative."""

from itertools import permutations

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score, confusion_matrix

from maxmargin import Report


def test_alternatives_keep_as_many_rows_as_can_be(wine, wine_report):
    model, data = wine
    partitions = wine_report.summary["partitions"]
    assert len(partitions) == 1 + len(model.alternatives_)
    for i, partition in enumerate(partitions[1:]):
        other = model.use_alternative(i, data.data)
        shared = confusion_matrix(model.labels_, other.labels_)
        kept = max(sum(shared[a, b] for a, b in enumerate(p)) for p in permutations(range(3)))
        changes = partition["changes"]
        assert changes["n_moved"] == len(model.labels_) - kept
        assert sum(move["rows"] for move in changes["moves"]) == changes["n_moved"]
        assert changes["ari"] == pytest.approx(adjusted_rand_score(model.labels_, other.labels_))
        assert f"{changes['n_moved']} of 178 rows move" in changes["sentence"]
        assert partition["score"] == pytest.approx(model.alternatives_[i].score)
        for cluster in partition["clusters"]:
            assert cluster["size"] == np.sum(other.labels_ == cluster["own_number"])


def test_alternatives_can_be_left_out(wine):
    model, data = wine
    report = Report(model, data.data, alternatives=False)
    assert len(report.summary["partitions"]) == 1
    assert not any("not shown" in warning for warning in report.summary["warnings"])
