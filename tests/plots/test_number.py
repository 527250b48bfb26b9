"""Why there are so many clusters."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import make_blobs
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from maxmargin import MaxMarginClustering
from maxmargin.plots import NumberDisplay

CURVE = {
    "k": np.array([2, 3, 4, 5]),
    "evidence": np.array([0.1, 2.2, 2.5, 0.3]),
    "separation": np.array([-0.5, 1.1, 1.9, 2.0]),
    "weakest_border": np.array([-0.5, 0.5, 0.4, 0.1]),
    "predictability": np.array([3.0, 2.9, 1.0, 0.9]),
}


def test_a_panel_for_each_part():
    display = NumberDisplay(CURVE, 4, 0.625).plot(color="black")
    display.figure_.canvas.draw()
    names = ["evidence", "separation", "predictability"]
    assert [panel.get_ylabel() for panel in display.axes_] == names
    for line, name in zip(display.lines_, names, strict=True):
        np.testing.assert_array_equal(line.get_ydata(), CURVE[name])
        assert line.get_color() == "black"
    assert display.said_ == {"evidence": 4, "separation": 5, "predictability": 3}
    assert [set(line.get_xdata()) for line in display.chosen_] == [{4}] * 3
    title = display.axes_[0].get_title(loc="left")
    assert title == "4 clusters chosen: exact with probability 0.62"
    assert [panel.get_title(loc="right") for panel in display.axes_] == [
        "says 4",
        "says 5",
        "says 3",
    ]


def test_the_parts_are_those_of_the_model():
    rows = make_blobs(150, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)[0]
    model = MaxMarginClustering(effort="fast", random_state=0)
    display = NumberDisplay.from_estimator(make_pipeline(StandardScaler(), model).fit(rows))
    assert display.said_["evidence"] == display.k == 3
    assert display.confidence == model.k_confidence_


def test_other_models_are_refused():
    rows = make_blobs(60, random_state=0)[0]
    with pytest.raises(ValueError, match=r"n_clusters=None.* got MaxMarginClustering"):
        NumberDisplay.from_estimator(MaxMarginClustering(2, effort="fast").fit(rows))


def test_one_cluster():
    display = NumberDisplay(CURVE, 1, 0.5).plot()
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
    display = NumberDisplay(CURVE, 4, 0.5).plot(ax=figure.add_axes((0.2, 0.3, 0.5, 0.4)))
    boxes = [panel.get_position() for panel in display.axes_]
    assert min(box.x0 for box in boxes) == pytest.approx(0.2)
    assert max(box.y1 for box in boxes) == pytest.approx(0.7)


def test_in_the_place_of_axes_that_are_given():
    from matplotlib import pyplot as plt

    figure, (left, right) = plt.subplots(1, 2)
    display = NumberDisplay(CURVE, 4, 0.5).plot(ax=right)
    assert display.figure_ is figure
    assert len(plt.get_fignums()) == 1
    assert not right.axison
    figure.canvas.draw()
    for panel in display.axes_:
        assert panel.get_position().x0 >= left.get_position().x1
