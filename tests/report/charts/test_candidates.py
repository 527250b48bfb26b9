"""The heat map of the report."""

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs

from maxmargin import MaxMarginClustering, SupportVectorClustering, UnsupervisedSearch
from maxmargin.explain.candidates import CandidateScores
from maxmargin.plots import SelectionDisplay
from maxmargin.report.charts.candidates import candidates_figure

X = make_blobs(90, centers=3, cluster_std=2.5, random_state=3)[0]


def values_of(figure):
    return figure.charts[0].spec["datasets"]["values"]


@pytest.mark.parametrize(
    "model",
    [
        MaxMarginClustering(3, effort="fast", random_state=0),
        SupportVectorClustering(),
        UnsupervisedSearch(
            KMeans(n_init=1, random_state=0),
            {"n_clusters": list(range(2, 32))},
            criterion="split_gap",
        ),
    ],
    ids=["front door", "domain", "list"],
)
def test_the_display_shows_the_same_cells(model, no_screen):
    candidates = CandidateScores.of(model.fit(X))
    display = SelectionDisplay(candidates).plot()
    cells = values_of(candidates_figure(candidates, "candidates"))
    shown = display.image_.get_array().filled(np.nan)
    scores = np.array([np.nan if c["score"] is None else c["score"] for c in cells])
    np.testing.assert_array_equal(scores.reshape(shown.shape), shown)
    assert [c["text"] for c in cells if c["text"]] == [t.get_text() for t in display.numbers_]
    framed = np.flatnonzero([c["chosen"] for c in cells]) // shown.shape[1]
    assert set(framed) == {round(display.frame_.get_y() + 0.5)}


def test_the_best_are_drawn_and_all_are_in_the_table():
    scores = np.linspace(0, 1, 40)[:, None]
    names = [f"a={i}" for i in range(40)]
    found = CandidateScores(scores, names, ["score"], "candidate", "", "score", (39, 0))
    figure = candidates_figure(found, "candidates")
    assert [c["row"] for c in values_of(figure)] == [f"a={i}" for i in range(39, 14, -1)]
    assert "the best 25 of 40 candidates (15 not shown)" in figure.description
    assert [row[0] for row in figure.table.rows] == names


def test_a_failure_does_not_make_all_others_look_the_same():
    scores = np.array([[0.9], [0.8], [0.85], [-1e6]])
    found = CandidateScores(scores, list("abcd"), ["score"], "candidate", "", "score", (0, 0))
    cells = candidates_figure(found, "candidates").charts[0].spec["layer"][0]
    scale = cells["encoding"]["color"]["scale"]
    assert scale["clamp"]
    assert 0 < scale["domain"][0] < 0.8
    assert scale["domain"][1] == 0.9


def test_candidates_with_equal_names_stay_apart():
    names = ["long " * 30] * 30
    scores = np.zeros((30, 1))
    found = CandidateScores(scores, names, ["score"], "candidate", "", "score", (0, 0))
    cells = values_of(candidates_figure(found, "candidates"))
    assert len({cell["row"] for cell in cells}) == 25
    assert sum(cell["chosen"] for cell in cells) == 1


def test_what_was_not_measured_has_no_number():
    scores = np.array([[0.5, np.nan], [0.25, 0.75]])
    found = CandidateScores(scores, ["a", "b"], ["c", "d"], "row", "column", "score", (1, 1))
    cells = values_of(candidates_figure(found, "candidates"))
    assert [(cell["score"], cell["text"]) for cell in cells][:2] == [(0.5, "0.500"), (None, "")]
    assert [cell["chosen"] for cell in cells] == [False, False, False, True]


def test_missing_cells_do_not_change_the_order_of_columns():
    scores = np.array([[0.5, np.nan, 0.1], [0.25, 0.75, np.nan]])
    found = CandidateScores(scores, ["a", "b"], ["c", "d", "e"], "row", "column", "score", (1, 1))
    for layer in candidates_figure(found, "candidates").charts[0].spec["layer"]:
        assert layer["encoding"]["x"]["sort"] == ["c", "d", "e"]
        assert layer["encoding"]["y"]["sort"] == ["a", "b"]
