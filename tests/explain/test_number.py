"""What the evidence for a number of clusters is made of."""

import numpy as np
from sklearn.datasets import make_blobs

from maxmargin import MaxMarginClustering
from maxmargin.explain.number import evidence_curves

CURVE = {
    "k": np.array([2, 3, 4, 5]),
    "evidence": np.array([0.1, 2.2, 2.5, 0.3]),
    "separation": np.array([-0.5, 1.1, 1.9, 2.0]),
    "weakest_border": np.array([-0.5, 0.5, 0.4, 0.1]),
    "predictability": np.array([3.0, 2.9, 1.0, 0.9]),
}


def test_the_parts_by_hand():
    parts = evidence_curves(CURVE)
    assert [(part.name, part.says) for part in parts] == [
        ("evidence", 4),
        ("separation", 5),
        ("predictability", 3),
    ]
    for part in parts:
        np.testing.assert_array_equal(part.values, CURVE[part.name])
        assert part.title == part.name


def test_one_number_and_nothing_tried():
    for some, says in ((0, 1), (1, 2)):
        few = {name: values[:some] for name, values in CURVE.items()}
        assert [part.says for part in evidence_curves(few)] == [says] * 3


def test_the_parts_are_those_of_the_model():
    rows = make_blobs(150, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)[0]
    model = MaxMarginClustering(effort="fast", random_state=0).fit(rows)
    parts = evidence_curves(model.k_curve_)
    assert parts[0].says == model.n_clusters_ == 3
    assert f"{parts[0].values.max():.2f} for 3" in model.chosen_["number"]
    assert f"probability {model.k_confidence_:.2f}" in model.chosen_["number"]
