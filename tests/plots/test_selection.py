"""What a model was chosen among."""

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from maxmargin import MaxMarginClustering, SupportVectorClustering, UnsupervisedSearch
from maxmargin.explain.candidates import CandidateScores
from maxmargin.plots import SelectionDisplay

X = make_blobs(90, centers=[[0, 0], [8, 0], [0, 8]], random_state=0)[0]


def table(values, chosen=(0, 0), rows=None, columns=None):
    values = np.asarray(values, dtype=np.float64)
    return CandidateScores(
        values,
        rows or [f"r{i}" for i in range(values.shape[0])],
        columns or [f"c{j}" for j in range(values.shape[1])],
        "row",
        "column",
        "score",
        chosen,
    )


def frame(display):
    return display.frame_.get_xy(), display.frame_.get_width(), display.frame_.get_height()


def names(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


def test_every_score_in_its_cell_and_the_choice_in_a_frame():
    display = SelectionDisplay(table([[0.1, 0.25, np.nan], [0.5, -0.0001, 0.3]], (1, 0))).plot()
    display.figure_.canvas.draw()
    np.testing.assert_array_equal(
        display.image_.get_array().filled(np.nan), display.candidates.values
    )
    texts = [text.get_text() for text in display.numbers_]
    assert texts == ["0.100", "0.250", "0.500", "0.000", "0.300"]
    assert display.numbers_[0].get_position() == (0, 0)
    assert frame(display) == ((-0.5, 0.5), 1, 1)
    assert names(display.ax_.yaxis) == ["r0", "r1"]
    assert names(display.ax_.xaxis) == ["c0", "c1", "c2"]
    assert (display.ax_.get_ylabel(), display.ax_.get_xlabel()) == ("row", "column")
    hatched = [p for p in display.ax_.patches if p.get_hatch()]
    assert [p.get_xy() for p in hatched] == [(1.5, -0.5)]
    assert display.colorbar_ is None  # the numbers say it


def test_the_front_door_frames_the_row_of_the_choice():
    model = MaxMarginClustering(3, effort="fast", random_state=0).fit(X)
    display = SelectionDisplay.from_estimator(model)
    land = CandidateScores.of(model)
    row = land.chosen[0]
    assert frame(display) == ((-0.5, row - 0.5), len(land.columns), 1)
    np.testing.assert_array_equal(display.image_.get_array(), land.values)
    assert "leave-one-out R²" in display.ax_.get_title(loc="right")


def test_a_domain_and_searches():
    domain = SupportVectorClustering().fit(X)
    display = SelectionDisplay.from_estimator(domain)
    row, column = CandidateScores.of(domain).chosen
    assert frame(display) == ((column - 0.5, row - 0.5), 1, 1)
    grid = {"n_clusters": [2, 3, 4], "init": ["k-means++", "random"]}
    search = UnsupervisedSearch(KMeans(n_init=1, random_state=0), grid, criterion="split_gap")
    display = SelectionDisplay.from_estimator(make_pipeline(StandardScaler(), search).fit(X))
    assert names(display.ax_.xaxis) == ["2", "3", "4"]
    assert display.ax_.get_xlabel() == "n_clusters"


def test_a_list_is_sorted_and_says_what_is_not_shown():
    scores = np.linspace(0, 1, 40)[:, None]
    display = SelectionDisplay(table(scores, (3, 0))).plot()
    display.figure_.canvas.draw()
    assert len(display.rows_) == 25
    assert display.rows_.tolist() == [*range(39, 15, -1), 3]  # the choice is always there
    assert frame(display)[0] == (-0.5, 23.5)
    assert "the best 25 of 40 values of row (15 not shown)" in display.note_
    assert display.ax_.get_title(loc="right") == display.note_
    fewer = SelectionDisplay(table(scores, (39, 0))).plot(max_candidates=2)
    assert names(fewer.ax_.yaxis) == ["r39", "r38"]


def test_where_numbers_have_no_room_a_bar_says_what_shades_mean():
    display = SelectionDisplay(table(np.arange(600.0).reshape(24, 25))).plot()
    display.figure_.canvas.draw()
    assert display.numbers_ == []
    assert display.colorbar_.ax.get_ylabel() == "score"


def test_one_failure_does_not_make_all_others_look_the_same():
    display = SelectionDisplay(table([[0.9], [0.8], [0.85], [-1e6]])).plot()
    low, high = display.image_.get_clim()
    assert high == 0.9
    assert low > 0
    given = SelectionDisplay(table([[0.9], [0.8], [-1e6]])).plot(vmin=-2)
    assert given.image_.get_clim()[0] == -2


@pytest.mark.parametrize("values", [[[np.nan]], [[1.0]], [[2.0, 2.0]], [[12345.6, -1e-9]]])
def test_tables_with_little_to_see(values):
    display = SelectionDisplay(table(values)).plot()
    display.figure_.canvas.draw()
    assert len(names(display.ax_.yaxis)) == len(values)


def test_names_are_shown_as_they_are_but_not_too_long():
    odd = ["$a$ <b>", "x" * 500]
    display = SelectionDisplay(table(np.eye(2), rows=odd, columns=odd[::-1])).plot()
    display.figure_.canvas.draw()
    shown = names(display.ax_.yaxis)
    assert shown[0] == odd[0]
    assert len(shown[1]) == 52
    assert not display.ax_.get_yticklabels()[0].get_parse_math()
    assert len(names(display.ax_.xaxis)[0]) == 32


def test_parameters_that_all_share_are_said_once():
    rows = ["f(a=1, b=2)", "f(a=3, b=2)"]
    display = SelectionDisplay(table(np.eye(2), rows=rows)).plot()
    assert names(display.ax_.yaxis) == ["f(a=1)", "f(a=3)"]
    assert "throughout: b=2" in display.note_


def test_models_without_a_choice_are_refused():
    with pytest.raises(ValueError, match=r"chosen among candidates.* got KMeans"):
        SelectionDisplay.from_estimator(KMeans(2, n_init=1).fit(X))
    with pytest.raises(NotFittedError):
        SelectionDisplay.from_estimator(MaxMarginClustering())
    with pytest.raises(ValueError, match="max_candidates"):
        SelectionDisplay(table(np.eye(2))).plot(max_candidates=0)


def test_in_a_part_of_a_figure():
    from matplotlib import pyplot as plt

    part = plt.figure(layout="constrained").subfigures(1, 2)[0]
    display = SelectionDisplay(table(np.eye(2))).plot(ax=part.subplots())
    assert len(display.numbers_) == 4


def test_on_axes_that_are_given():
    from matplotlib import pyplot as plt

    _, (_, right) = plt.subplots(1, 2)
    assert SelectionDisplay(table(np.eye(2))).plot(ax=right, cmap="gray").ax_ is right
    assert len(plt.get_fignums()) == 1


def test_nothing_measured_has_no_colours():
    nothing = np.full((2, 1), np.nan)
    land = CandidateScores(nothing, ["a", "b"], ["c"], "gamma", "size", "split gap", (0, 0))
    display = SelectionDisplay(land).plot()
    assert display.colorbar_ is None
    assert display.note_.startswith("no candidate has a split gap")
