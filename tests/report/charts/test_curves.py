"""Lines of the report."""

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from maxmargin import CuttingPlaneClustering, RLSClustering, SupportVectorClustering
from maxmargin.explain.objective import ObjectivePath
from maxmargin.plots import NumberDisplay, ObjectiveDisplay, PlateauDisplay
from maxmargin.report.charts.curves import (
    MAX_STEPS,
    number_figure,
    objective_figure,
    plateau_figure,
)

X = make_blobs(90, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)[0]
CURVE = {
    "k": np.array([2, 3, 4, 5]),
    "evidence": np.array([0.1, 2.2, 2.5, 0.3]),
    "separation": np.array([-0.5, 1.1, 1.9, 2.0]),
    "weakest_border": np.array([-0.5, 0.5, 0.4, 0.1]),
    "predictability": np.array([3.0, 2.9, 1.0, 0.9]),
}


def values_of(spec, name="values"):
    return spec["datasets"][name]


def test_the_display_shows_what_each_part_says(no_screen):
    figure = number_figure({"chosen": 4, **CURVE}, "number")
    display = NumberDisplay(CURVE, 4, 0.5).plot()
    assert len(figure.charts) == len(display.lines_) == 3
    for chart, line, says in zip(
        figure.charts, display.lines_, display.said_.values(), strict=True
    ):
        heights = [np.nan if v["y"] is None else v["y"] for v in values_of(chart.spec)]
        np.testing.assert_array_equal(heights, line.get_ydata())
        assert [point["x"] for point in values_of(chart.spec, "says")] == [says]
        assert values_of(chart.spec, "chosen") == [{"x": 4}]
        assert f"says {says}" in chart.spec["title"]
    assert figure.table.header == [*list(CURVE)[:3], "weakest border", "predictability"]
    assert figure.table.rows[0] == [2, 0.1, -0.5, -0.5, 3.0]


@pytest.mark.parametrize(
    "model",
    [RLSClustering(3, random_state=0), CuttingPlaneClustering(3, n_init=1, random_state=0)],
    ids=lambda model: type(model).__name__,
)
def test_the_display_has_the_same_stretches(model, no_screen):
    model.fit(X)
    figure = objective_figure(ObjectivePath.of(model), "objective")
    values = values_of(figure.charts[0].spec)
    display = ObjectiveDisplay.from_estimator(model)
    for part, line in enumerate(display.lines_):
        own = [(v["x"], v["y"]) for v in values if v["part"] == part]
        np.testing.assert_allclose(own, line.get_xydata())
    assert len({v["part"] for v in values}) == len(display.lines_)
    assert values_of(figure.charts[0].spec, "answer") == [{"y": model.objective_}]
    better = "larger" if isinstance(model, RLSClustering) else "smaller"
    assert f"{better} is better" in figure.description


def test_a_long_path_is_thinned_and_keeps_the_ends_of_its_stretches():
    path = ObjectivePath([np.arange(1000.0, 0, -1), np.array([7.0, 6.0])], 6.0)
    figure = objective_figure(path, "objective")
    values = values_of(figure.charts[0].spec)
    assert len(values) <= MAX_STEPS
    places = [(v["part"], v["x"]) for v in values]
    assert {(0, 1), (0, 1000), (1, 1001), (1, 1002)} <= set(places)
    assert figure.table.total == 1002


def test_an_objective_that_does_not_change_has_an_axis():
    path = ObjectivePath([np.array([0.0356, 0.0356])], 0.0356)
    spec = objective_figure(path, "objective").charts[0].spec
    low, high = spec["layer"][0]["encoding"]["y"]["scale"]["domain"]
    assert 0.035 < low < 0.0356 < high < 0.036


def test_the_display_has_the_same_plateau(no_screen):
    model = SupportVectorClustering(gamma="plateau").fit(X)
    spec = plateau_figure(model.plateau_, "plateau").charts[0].spec
    line = PlateauDisplay.from_estimator(model).line_
    np.testing.assert_array_equal([(v["x"], v["y"]) for v in values_of(spec)], line.get_xydata())
    assert values_of(spec, "chosen") == [{"x": model.plateau_.gamma}]
