"""The same rows as several methods see them."""

import numpy as np
import pytest

from maxmargin.plots import ComparisonDisplay

POINTS = np.random.default_rng(0).normal(size=(60, 2))
FIRST = np.arange(60) % 3


def offsets(points):
    return np.asarray(points.get_offsets())


def test_a_panel_for_each_method_in_agreeing_colours():
    other = np.array([2, 0, 1])[FIRST]
    labellings = {"a": FIRST, "b": other}
    captions = {"a": "ARI 1.00"}
    display = ComparisonDisplay(POINTS, ("x", "y"), labellings, captions).plot()
    display.figure_.canvas.draw()
    assert [panel.get_title() for panel in display.axes_] == ["a", "b"]
    assert display.axes_[0].texts[0].get_text() == "ARI 1.00"
    for ours, theirs in zip(*display.points_, strict=True):
        np.testing.assert_array_equal(offsets(ours), offsets(theirs))
        np.testing.assert_array_equal(ours.get_facecolor(), theirs.get_facecolor())
    np.testing.assert_array_equal(display.matched_["b"], FIRST)
    assert display.note_ == ""


@pytest.mark.parametrize("n", [1, 2, 5, 12])
def test_up_to_twelve_methods_are_legible(n):
    labellings = {f"a method {i} with a long name" * 3: FIRST - (i % 2) for i in range(n)}
    captions = dict.fromkeys(labellings, "a caption " * 20)
    display = ComparisonDisplay(POINTS, ("x" * 300, "y"), labellings, captions).plot()
    figure = display.figure_
    figure.canvas.draw()
    assert figure.bbox.width == 1200
    assert figure.bbox.height <= 800
    assert len(display.axes_) == n == len(figure.axes)
    boxes = [panel.title.get_window_extent() for panel in display.axes_]
    for i, box in enumerate(boxes):
        assert box.x0 >= 0
        assert box.x1 <= 1200
        assert box.y1 <= figure.bbox.height
        assert not any(box.overlaps(other) for other in boxes[i + 1 :])
        caption = display.axes_[i].texts[0].get_window_extent()
        assert not box.overlaps(caption)
        assert caption.x1 <= 1200
        assert display.axes_[i].get_window_extent().width > 200


def test_names_are_shown_as_they_are():
    odd = "$x_1$ <script>"
    display = ComparisonDisplay(POINTS, (odd, odd), {odd: FIRST}, {odd: odd}).plot()
    display.figure_.canvas.draw()
    panel = display.axes_[0]
    texts = [panel.title, panel.texts[0], panel.xaxis.label, panel.yaxis.label]
    assert [text.get_text() for text in texts] == [odd] * 4
    assert not any(text.get_parse_math() for text in texts)


def test_of_many_rows_the_same_sample_for_all(rng):
    labels = np.repeat([0, 1], [19_990, 10])
    display = ComparisonDisplay(
        rng.normal(size=(20_000, 2)), ("x", "y"), {"a": labels, "b": 1 - labels}
    ).plot(max_points=100)
    assert [len(offsets(p)) for p in display.points_[0]] == [90, 10]
    np.testing.assert_array_equal(offsets(display.points_[0][1]), offsets(display.points_[1][1]))
    assert display.note_ == "100 of 20,000 rows drawn at random"
    assert display.axes_[-1].texts[-1].get_text() == display.note_


def test_what_cannot_be_compared():
    with pytest.raises(ValueError, match="1 to 12 methods; got 13"):
        ComparisonDisplay(POINTS, ("x", "y"), {str(i): FIRST for i in range(13)}).plot()
    with pytest.raises(ValueError, match="1 to 12 methods; got 0"):
        ComparisonDisplay(POINTS, ("x", "y"), {}).plot()
    with pytest.raises(ValueError, match=r"labellings\['b'\] must label the 60 rows"):
        ComparisonDisplay(POINTS, ("x", "y"), {"a": FIRST, "b": FIRST[:5]}).plot()


def test_in_the_place_of_axes_that_are_given():
    from matplotlib import pyplot as plt

    figure, (_, right) = plt.subplots(1, 2)
    display = ComparisonDisplay(POINTS, ("x", "y"), {"a": FIRST, "b": FIRST}).plot(ax=right)
    assert display.figure_ is figure
    assert len(plt.get_fignums()) == 1


def test_lists_are_taken():
    points = [[0.0, 0.0], [1.0, 1.0]]
    display = ComparisonDisplay(points, ("x", "y"), {"a": [0, 1]}).plot()
    assert len(display.points_[0]) == 2
