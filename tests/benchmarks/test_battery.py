import gzip

import numpy as np
import pytest

from benchmarks.datasets import battery as suite
from benchmarks.datasets.battery import BatterySet, ari, battery, number_of, score
from benchmarks.runner.statistics import better_columns, gain
from benchmarks.runner.store import Store
from benchmarks.studies.battery.published import published, read_labels, scores
from benchmarks.studies.battery.study import N_SUBSETS, agreement, subsets
from benchmarks.studies.battery.tables import missing, oracle


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt") as file:
        file.write(text)


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A battery of two sets: six rows with two references, and three rows with one."""
    write(tmp_path / "data/wut/six.data.gz", "0 0\n0 1\n5 5\n5 6\n9 9\n7 7\n")
    write(tmp_path / "data/wut/six.labels0.gz", "1\n1\n2\n2\n2\n0\n")
    write(tmp_path / "data/wut/six.labels1.gz", "1\n1\n2\n2\n3\n0\n")
    write(tmp_path / "data/uci/three.data.gz", "1\n2\n3\n")
    write(tmp_path / "data/uci/three.labels0.gz", "1\n1\n2\n")
    monkeypatch.setenv(suite.DATA, str(tmp_path / "data"))
    monkeypatch.setenv(suite.RESULTS, str(tmp_path / "results"))
    return tmp_path


def test_rows_that_belong_nowhere_are_fitted_and_not_scored(small):
    (data,) = battery(["six"])
    assert data.X.shape == (6, 2)
    assert data.numbers == [2, 3]
    # the last row is wrong, and does not count
    assert ari(data.references[0], np.array([0, 0, 1, 1, 1, 0])) == 1


def test_the_best_reference_counts_each_with_its_own_k(small):
    (data,) = battery(["wut/six"])
    labels = {2: np.array([0, 1, 0, 1, 0, 1]), 3: np.array([5, 5, 6, 6, 7, 7])}
    assert score(data, labels.get) == 1
    assert score(data, {2: labels[2]}.get) == ari(data.references[0], labels[2]) < 1
    assert score(data, {}.get) is None


def test_sets_are_chosen_by_family_name_and_size(small):
    assert [data.key for data in battery()] == ["uci/three", "wut/six"]
    assert [data.key for data in battery(["uci"])] == ["uci/three"]
    assert [data.key for data in battery(most_rows=3)] == ["uci/three"]
    with pytest.raises(LookupError, match="no set seven"):
        list(battery(["seven"]))


def test_a_sample_is_drawn_once_and_keeps_rows_and_labels_together(small):
    (one,) = battery(["six"], sample=4)
    (two,) = battery(["six"], sample=4)
    (whole,) = battery(["six"])
    np.testing.assert_array_equal(one.X, two.X)
    assert len(one.X) == 4
    for row, label in zip(one.X, one.references[1], strict=True):
        (place,) = np.flatnonzero((row == whole.X).all(axis=1))
        assert whole.references[1][place] == label


def test_a_missing_folder_is_named(monkeypatch):
    monkeypatch.delenv(suite.DATA, raising=False)
    with pytest.raises(LookupError, match="MAXMARGIN_BATTERY=None: set it to the folder"):
        suite.names()


def test_published_labels_are_scored_where_they_are(small):
    root = small / "results/original"
    write(root / "a/wut/six.result2.gz", '"x","y"\n1,1\n1,2\n2,1\n2,2\n2,1\n1,NA\n')
    write(root / "b/wut/six.result3.gz", "z\n1\n1\n2\n2\n3\n3\n")
    (data,) = battery(["six"])
    found = published(data)
    assert {method: list(by_k) for method, by_k in found.items()} == {"x": [2], "z": [3]}
    assert scores(data, found) == {"x": 1, "z": 1}
    assert set(read_labels(root / "a/wut/six.result2.gz")) == {"x"}


def test_the_oracle_takes_the_best_of_each_set():
    assert oracle({"a": {"s": 0.5, "t": 0.1}, "b": {"t": 0.9}}) == {"s": 0.5, "t": 0.9}


def test_labels_are_kept(tmp_path):
    store = Store(tmp_path)
    labels = [np.array([0, 1, 1]), np.array([2, 0, 1])]
    assert store.read("ours", "wut/six", 2) is None
    store.write("ours", "wut/six", 2, labels)
    np.testing.assert_array_equal(store.read("ours", "wut/six", 2), labels)
    assert store.read("ours", "wut/six", 3) is None
    store.write("ours", "wut/six", 3, labels[:1])
    np.testing.assert_array_equal(store.read("ours", "wut/six", 3), labels[:1])


def test_gain_counts_wins_and_losses():
    mean, error, wins, losses = gain([0.5, 0.5, 0.5], [0.8, 0.501, 0.4])
    assert mean == pytest.approx(0.201 / 3)
    assert error == pytest.approx(np.std([0.3, 0.001, -0.1], ddof=1) / np.sqrt(3))
    assert (wins, losses) == (1, 1)


def peer_row(method, columns="raw", ari="0.5", name="six"):
    return {"family": "wut", "set": name, "method": method, "columns": columns, "ari": ari}


def test_each_peer_counts_with_its_better_columns():
    rows = [peer_row("a", "raw", "0.2"), peer_row("a", "standardised", "0.4"), peer_row("b")]
    assert better_columns(rows) == {"a": "standardised", "b": "raw"}


def test_agreement_looks_at_common_rows_only():
    rows = [np.array([0, 1, 2, 3]), np.array([1, 2, 3, 4])]
    labels = [np.array([0, 0, 1, 1]), np.array([5, 7, 7, 7])]
    assert agreement(rows, labels) == [1.0]
    assert agreement(rows, [labels[0], np.array([0, 1, 0, 1])])[0] < 1


def test_subsets_have_seventy_percent_of_the_rows():
    found = subsets(100)
    assert len(found) == N_SUBSETS
    assert all(len(np.unique(rows)) == 70 for rows in found)
    assert number_of(np.array([0, 2, 2, 5])) == 2


def test_rows_of_a_set_can_be_taken():
    data = BatterySet("f", "s", np.arange(6.0).reshape(3, 2), (np.array([1, 2, 2]),))
    part = data.rows(np.array([0, 2]))
    np.testing.assert_array_equal(part.references[0], [1, 2])
    assert part.key == "f/s"


def test_columns_are_rounded_to_digits_of_their_range():
    X = np.array([[0.0, 100.0, 7.0], [0.013, 167.0, 7.0], [0.1, 300.0, 7.0]])
    data = BatterySet("f", "s", X, (np.array([1, 2, 2]),)).rounded(1)
    np.testing.assert_allclose(data.X, [[0, 100, 7], [0.01, 160, 7], [0.1, 300, 7]])


def test_what_is_missing_adds_up():
    keys = [f"{family}/s" for family in suite.FAMILIES]
    answer, three, best = (dict.fromkeys(keys, value) for value in (0.5, 0.7, 0.6))
    table = [line.split(" | ") for line in missing(answer, three, best).splitlines()[2:]]
    # the best of three is above the others: nothing is missing there
    assert [line[2] for line in table] == ["0.200", "0.000", "0.300", "0.500"]
