"""Why there are so many clusters."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import make_blobs
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from maxmargin import MaxMarginClustering
from maxmargin.plots import NumberDisplay
from maxmargin.selection.number import SMALLEST_DIP

CURVE = {
    "k": np.array([2, 3, 4, 5]),
    "split_gap": np.array([0.1, 0.2, 0.5, 0.3]),
    "smallest_dip": np.array([np.inf, 0.9, 0.5, 0.1]),
    "predictability": np.array([3.0, 2.9, 1.0, 0.9]),
}


def test_a_panel_for_each_rule():
    display = NumberDisplay(CURVE, 4, 2).plot(color="black")
    display.figure_.canvas.draw()
    assert [panel.get_ylabel() for panel in display.axes_] == [
        "split gap",
        "smallest dip",
        "predictability",
    ]
    for line, name in zip(display.lines_, list(CURVE)[1:], strict=True):
        finite = np.isfinite(CURVE[name])
        np.testing.assert_array_equal(line.get_ydata()[finite], CURVE[name][finite])
        assert line.get_color() == "black"
    assert display.said_ == {"split_gap": 4, "smallest_dip": 4, "predictability": 3}
    assert [set(line.get_xdata()) for line in display.chosen_] == [{4}] * 3
    assert display.axes_[0].get_title(loc="left") == "4 clusters chosen: confidence 2 of 3"
    assert [panel.get_title(loc="right") for panel in display.axes_] == [
        "says 4",
        "says 4",
        "says 3",
    ]


def test_the_line_that_dips_must_pass_and_clusters_that_do_not_touch():
    panel = NumberDisplay(CURVE, 4, 2).plot().axes_[1]
    assert any(set(line.get_ydata()) == {SMALLEST_DIP} for line in panel.lines)
    (entry,) = panel.get_legend().get_texts()
    assert entry.get_text() == "no two clusters touch"
    arrows = [line for line in panel.lines if line.get_label() == entry.get_text()]
    assert arrows[0].get_xdata().tolist() == [2]


def test_the_rules_are_those_of_the_model():
    rows = make_blobs(150, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)[0]
    model = MaxMarginClustering(effort="fast", random_state=0)
    display = NumberDisplay.from_estimator(make_pipeline(StandardScaler(), model).fit(rows))
    assert list(display.said_.values()).count(display.k) == display.agreement == 3
    assert display.k == 3


def test_other_models_are_refused():
    rows = make_blobs(60, random_state=0)[0]
    with pytest.raises(ValueError, match=r"n_clusters=None.* got MaxMarginClustering"):
        NumberDisplay.from_estimator(MaxMarginClustering(2, effort="fast").fit(rows))


def test_one_cluster_and_no_predictability():
    curve = {name: CURVE[name] for name in ("k", "split_gap", "smallest_dip")}
    display = NumberDisplay(curve, 1, 3).plot()
    assert len(display.axes_) == 2
    assert display.axes_[0].get_title(loc="left").startswith("1 cluster chosen")


@pytest.mark.parametrize("n", [3, 11, 12])
def test_few_rows(n, rng):
    rows = rng.normal(size=(n, 2))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = MaxMarginClustering(effort="fast", random_state=0).fit(rows)
    display = NumberDisplay.from_estimator(model)
    display.figure_.canvas.draw()
    assert len(display.axes_) == 3


def test_in_the_place_of_axes_that_were_put_by_hand():
    from matplotlib import pyplot as plt

    figure = plt.figure()
    display = NumberDisplay(CURVE, 4, 2).plot(ax=figure.add_axes((0.2, 0.3, 0.5, 0.4)))
    boxes = [panel.get_position() for panel in display.axes_]
    assert min(box.x0 for box in boxes) == pytest.approx(0.2)
    assert max(box.y1 for box in boxes) == pytest.approx(0.7)


def test_in_the_place_of_axes_that_are_given():
    from matplotlib import pyplot as plt

    figure, (left, right) = plt.subplots(1, 2)
    display = NumberDisplay(CURVE, 4, 2).plot(ax=right)
    assert display.figure_ is figure
    assert len(plt.get_fignums()) == 1
    assert not right.axison
    figure.canvas.draw()
    for panel in display.axes_:
        assert panel.get_position().x0 >= left.get_position().x1
