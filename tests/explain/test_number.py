"""What each rule says of the number of clusters."""

import numpy as np
from sklearn.datasets import make_blobs

from maxmargin import MaxMarginClustering
from maxmargin.explain.number import rules_of
from maxmargin.selection.number import SMALLEST_DIP

CURVE = {
    "k": np.array([2, 3, 4, 5]),
    "split_gap": np.array([0.1, 0.2, 0.5, 0.3]),
    "smallest_dip": np.array([np.inf, 0.9, 0.5, 0.1]),
    "predictability": np.array([3.0, 2.9, 1.0, 0.9]),
}


def test_three_rules_by_hand():
    rules = rules_of(CURVE)
    assert [(rule.name, rule.says) for rule in rules] == [
        ("split_gap", 4),
        ("smallest_dip", 4),
        ("predictability", 3),
    ]
    assert [rule.threshold for rule in rules] == [None, SMALLEST_DIP, None]
    assert rules[1].title == "smallest dip"
    for rule in rules:
        np.testing.assert_array_equal(rule.values, CURVE[rule.name])


def test_no_valley_and_nothing_tried():
    flat = {**CURVE, "smallest_dip": np.full(4, 0.1)}
    assert rules_of(flat)[1].says == 1
    nothing = {name: values[:0] for name, values in CURVE.items()}
    assert [rule.says for rule in rules_of(nothing)] == [1, 1, 1]


def test_without_predictability_there_are_two():
    del (curve := dict(CURVE))["predictability"]
    assert [rule.name for rule in rules_of(curve)] == ["split_gap", "smallest_dip"]


def test_the_rules_are_those_of_the_model():
    rows = make_blobs(150, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)[0]
    model = MaxMarginClustering(effort="fast", random_state=0).fit(rows)
    said = [rule.says for rule in rules_of(model.k_curve_)]
    assert said.count(model.n_clusters_) == model.k_confidence_ == 3
    assert (
        f"split gap {said[0]}, dips {said[1]}, drop of the fit {said[2]}"
        in (model.chosen_["number"])
    )
