"""Known labels beside the clusters."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import adjusted_rand_score, confusion_matrix

from maxmargin import Report


def test_known_labels_score_the_answer_and_unknown_ones_are_left_out(wine):
    model, data = wine
    truth = data.target.astype(object).to_numpy(copy=True)
    truth[:5] = [None, np.nan, float("nan"), pd.NA, None]
    found = Report(model, data.data, truth=truth).summary["truth"]
    known, labels = data.target[5:], model.labels_[5:]
    assert (found["n_known"], found["n_unknown"]) == (173, 5)
    assert found["ari"] == pytest.approx(adjusted_rand_score(known, labels))
    table = np.array(found["counts"])
    assert table.sum() == 173
    assert table.tolist() == confusion_matrix(labels, known).tolist()
    assert found["accuracy"] == pytest.approx(np.max(table, axis=0).sum() / 173)


def test_truth_changes_nothing_but_itself(wine, wine_report):
    model, data = wine
    alone = Report(model, data.data).summary
    assert alone["truth"] is None
    assert alone["partitions"] == wine_report.summary["partitions"]
