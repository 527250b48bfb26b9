"""How sure the labels are."""

import numpy as np


def test_margins_are_counted_over_all_rows_and_the_least_certain_are_named(wine, wine_report):
    model, _ = wine
    margins = wine_report.summary["partitions"][0]["margins"]
    assert margins["n_negative"] == model.uncertain_.sum()
    assert sum(sum(strip["counts"]) for strip in margins["counts"]) == len(model.labels_)
    assert 0 in np.round(margins["edges"], 12) or min(margins["edges"]) > 0
    least = margins["least_certain"]
    assert [row["row"] for row in least] == np.argsort(model.margin_, kind="stable")[:10].tolist()
    assert all(row["other"] != row["cluster"] for row in least)
