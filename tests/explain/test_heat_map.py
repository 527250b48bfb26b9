"""Which candidates a heat map shows."""

import numpy as np
import pytest

from maxmargin.explain.candidates import CandidateScores
from maxmargin.explain.heat_map import HeatMap


def heat_map(values, chosen=(0, 0), most=25, rows=None, row_title="row"):
    values = np.asarray(values, dtype=np.float64)
    rows = rows or [f"r{i}" for i in range(len(values))]
    columns = [f"c{j}" for j in range(values.shape[1])]
    whole = CandidateScores(values, rows, columns, row_title, "column", "score", chosen)
    return HeatMap.of(whole, most)


def test_a_list_begins_with_the_best_and_has_the_choice():
    shown = heat_map(np.linspace(0, 1, 40)[:, None], (3, 0))
    assert shown.rows.tolist() == [*range(39, 15, -1), 3]
    assert shown.chosen == (24, 0)
    assert shown.hidden == ["the best 25 of 40 values of row (15 not shown)"]
    assert shown.row_names[0] == "r39"
    everything = heat_map(np.linspace(0, 1, 40)[:, None], (3, 0), most=40)
    assert everything.hidden == []


def test_what_was_not_measured_is_last_in_a_list():
    assert heat_map([[np.nan], [-5.0], [0.5]]).rows.tolist() == [2, 1, 0]


def test_ranked_candidates_stay_in_their_order():
    values = np.column_stack([np.arange(30.0), np.zeros(30)])
    shown = heat_map(values, (0, -1), 5, row_title="candidate, by rank")
    assert shown.rows.tolist() == [0, 1, 2, 3, 4]
    assert shown.hidden == ["the best 5 of 30 candidates (25 not shown)"]
    late = heat_map(values, (29, -1), 5)
    assert late.rows.tolist() == [0, 1, 2, 3, 29]
    assert late.chosen == (4, -1)


def test_a_table_keeps_the_order_of_its_values():
    values = np.zeros((30, 30))
    values[[4, 20], [7, 2]] = 1
    shown = heat_map(values, (20, 2), 2)
    assert (shown.rows.tolist(), shown.columns.tolist()) == ([4, 20], [2, 7])
    assert shown.chosen == (1, 0)
    np.testing.assert_array_equal(shown.values, [[0, 1], [1, 0]])
    assert len(shown.hidden) == 2


def test_parameters_that_all_share_are_said_once():
    shown = heat_map(np.eye(2), rows=["f(a=1, b=2)", "f(a=3, b=2)"])
    assert shown.row_names == ["f(a=1)", "f(a=3)"]
    assert shown.constants == ["b=2"]


@pytest.mark.parametrize(
    ("scores", "texts"),
    [
        ([0.1, -0.0001], ["0.100", "0.000"]),
        ([1.5, -0.25], ["1.50", "−0.25"]),
        ([12345.6, 7.0], ["1.23e+04", "7"]),
        ([0.5, np.nan], ["0.500", ""]),
    ],
)
def test_scores_have_as_many_digits_as_each_other(scores, texts):
    assert heat_map([scores]).texts == [texts]


def test_shades_begin_near_the_others_if_one_failed():
    assert heat_map([[0.9], [0.8], [0.85], [-1e6]]).lowest == pytest.approx(0.9 - 2.5 * 0.075)
    assert heat_map([[0.9], [0.8]]).lowest == 0.8
    assert heat_map([[np.nan]]).lowest is None
