import numpy as np
import pytest

from benchmarks.datasets.battery import BatterySet
from benchmarks.studies.battery.page import better_tool, entries, groups
from benchmarks.studies.battery.tables import stability

ANSWER = {"wut/a": 0.2, "wut/b": 1.0, "uci/c": 0.9, "uci/d": 0.5}
PEERS = {
    "one": {"wut/a": 0.9, "wut/b": 1.0, "uci/c": 0.3, "uci/d": 0.5},
    "two": {"wut/a": 0.1, "wut/b": 0.4, "uci/c": 0.4, "uci/d": 0.4},
}


def test_losses_come_first_and_every_set_comes_once():
    found = groups(ANSWER, PEERS)
    assert next(iter(found)) == "Losses"
    assert found["Losses"] == ["wut/a"]
    assert found["Wins"] == ["uci/c"]
    assert found["Level, and right"] == ["wut/b"]
    assert found["Level, and not right"] == ["uci/d"]


def test_the_better_tool_is_named_with_its_sets():
    first = better_tool(ANSWER, PEERS).splitlines()[2]
    assert first == "| one | 1 | 1 | a |"


def test_an_entry_names_the_alternative_only_if_it_is_better():
    three = ANSWER | {"wut/a": 0.8}
    (loss,) = entries(["wut/a"], ANSWER, three, PEERS, {"wut/a": 1.0})
    (win,) = entries(["uci/c"], ANSWER, three, PEERS, {"uci/c": 1.0})
    assert "(offered as an alternative: 0.80), one 0.90, best published 1.00" in loss
    assert "alternative" not in win
    assert "pictures/battery/wut-a.png" in loss


def test_stability_names_what_is_not_stable():
    rows = [
        {"family": "f", "set": "s", "rows": "10", "stability": "0.5"},
        {"family": "f", "set": "t", "rows": "20", "stability": "1.0"},
    ]
    table = stability(rows, rows[1:])
    assert "| f | 0.750 | 1.000 | 1 of 2 | 1 of 1 | s 0.50 |" in table
    assert "20 rows" in table


def test_clusters_get_the_numbers_of_the_reference():
    pictures = pytest.importorskip("benchmarks.studies.battery.pictures")
    reference = np.array([1, 1, 2, 2, 0])
    np.testing.assert_array_equal(
        pictures.matched(np.array([7, 7, 4, 4, 4]), reference), [1, 1, 2, 2, 2]
    )
    # a cluster too many gets a number of its own, not that of rows that belong nowhere
    extra = pictures.matched(np.array([0, 0, 1, 1, 2]), reference)
    assert extra[:4].tolist() == [1, 1, 2, 2]
    assert extra[4] == 3


def test_a_picture_is_a_small_file(tmp_path):
    pictures = pytest.importorskip("benchmarks.studies.battery.pictures")
    rng = np.random.default_rng(0)
    reference = np.repeat([1, 2], 100)
    data = BatterySet("f", "s", rng.normal(size=(200, 3)) + 4 * reference[:, None], (reference,))
    pair = pictures.best_pair(data, {2: reference - 1}.get)
    assert pair[2] == 1
    pictures.draw(data, [("one", reference, reference)] * 2, tmp_path / "s.png")
    assert 500 < (tmp_path / "s.png").stat().st_size < 30_000
