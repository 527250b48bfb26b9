"""The one runner of the benchmark: keys, rows, tables, the page, and two commits compared."""

import json
import sys
from types import ModuleType

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs

from benchmarks.runner import compare, machine, measure, run, study, table
from benchmarks.runner.study import Part, Results, Study

CALLS = []


def squared(n, method):
    CALLS.append((n, method))
    if method == "fails":
        raise ValueError("no such method")
    return {"square": n**2, "third": 1 / 3, "nothing": None}


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A study of one part in a folder of its own."""
    module = ModuleType("a_small_study")
    module.__file__ = str(tmp_path / "study.py")
    monkeypatch.setitem(sys.modules, "a_small_study", module)
    (tmp_path / "README.md").write_text("# Small\n<!-- squares -->\nold\n<!-- /squares -->\n")
    CALLS.clear()
    return Study(
        "A small study",
        parts=(
            Part(
                "results",
                {"n": (1, 2, 3), "method": ("one", "two")},
                squared,
                quick={"n": (2,)},
                only=lambda n, method: (n, method) != (3, "two"),
            ),
        ),
        tables={"squares": lambda results: " ".join(row["square"] for row in results["results"])},
        module="a_small_study",
    )


def test_a_part_is_the_product_of_its_axes(small):
    (part,) = small.parts
    assert len(list(part.keys())) == 5
    assert list(part.keys(quick=True)) == [{"n": 2, "method": "one"}, {"n": 2, "method": "two"}]
    listed = Part("p", lambda: ({"a": a, "b": -a} for a in range(3)), squared, quick={"a": (1,)})
    assert list(listed.keys(quick=True)) == [{"a": 1, "b": -1}]


def test_rows_are_kept_and_a_run_goes_on(small):
    assert run.run(small, only="1 *") == 0
    rows = table.read_csv(small.folder / "results.csv")
    assert [(row["n"], row["method"], row["square"]) for row in rows] == [
        ("1", "one", "1"),
        ("1", "two", "1"),
    ]
    assert rows[0]["third"] == "0.333333"
    assert rows[0]["nothing"] == ""
    assert {*machine.PACKAGES, "python", "cpu", "blas_threads", "commit"} <= set(rows[0])
    assert "1 1" in (small.folder / "README.md").read_text()
    run.run(small)
    assert len(CALLS) == len(table.read_csv(small.folder / "results.csv")) == 5
    run.run(small)
    assert len(CALLS) == 5


def test_rows_that_are_measured_later_stand_in_their_place(small):
    run.run(small, only="* two")
    run.run(small, only="1 one")
    rows = table.read_csv(small.folder / "results.csv")
    assert [(row["n"], row["method"]) for row in rows] == [("1", "one"), ("1", "two"), ("2", "two")]
    (part,) = small.parts
    older = {"n": "9", "method": "one"}
    assert run.in_order(part, [older, *rows]) == [*rows, older]


def test_quick_writes_no_result(small, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(run, "QUICK", tmp_path / "quick")
    assert run.run(small, quick=True) == 0
    assert not (small.folder / "results.csv").exists()
    assert "| 2 | two | 4 |" in capsys.readouterr().out


def test_a_failure_is_told_and_the_others_go_on(small, capsys):
    part = Part("results", {"n": (1, 2), "method": ("fails", "one")}, squared)
    assert run.run(Study("s", (part,), {}, "a_small_study")) == 2
    assert len(table.read_csv(small.folder / "results.csv")) == 2
    assert "1 fails failed" in capsys.readouterr().err


def test_a_table_without_rows_stays_as_it_is(small):
    assert run.report(small) == ["squares"]
    assert "old" in (small.folder / "README.md").read_text()


def test_results_are_found_by_their_keys(small):
    run.run(small)
    results = Results(small.folder)
    assert results.by("results", "n", "method")["2", "two"]["square"] == "4"
    assert len(table.where(results["results"], method="one", n=[1, 3])) == 2
    assert table.mean_of(results["results"], "square") == pytest.approx((1 + 1 + 4 + 4 + 9) / 5)


def test_only_the_fit_is_timed_and_rows_of_nowhere_do_not_count():
    X, y = make_blobs(60, centers=[[0, 0], [20, 0]], random_state=0)
    found = measure.fit(KMeans(2, random_state=0), X, np.where(np.arange(60) < 5, -1, y))
    assert found["ari"] == 1
    assert found["majority"] == found["one_to_one"] == 100
    assert found["cpu_seconds"] >= 0
    assert measure.facts(X, y)["largest_class"] == 50


def test_a_row_says_what_is_not_the_default_of_a_model():
    X, y = make_blobs(20, centers=2, random_state=0)
    assert measure.fit(KMeans(2, n_init=3, random_state=0), X, y)["parameters"] == "n_init=3"


def test_means_over_runs():
    found = measure.over([{"a": 1.0, "cell": "x", "b": "z"}, {"a": 3.0, "cell": "y", "b": "z"}])
    assert found == {"b": "z", "a": 2.0, "a_sd": 1.0, "seeds": 2}


def rows_of(*seconds, ari=0.5):
    return [[{"n": 1, "cpu_seconds": str(s), "ari": str(ari), "python": "3"}] for s in seconds]


@pytest.mark.parametrize(
    ("after", "verdicts"),
    [
        (rows_of(1.0, 1.1), [""]),
        (rows_of(1.5, 1.6), ["slower"]),
        (rows_of(0.5, 1.6), [""]),
        (rows_of(1.0, 1.0, ari=0.4), ["", "other"]),
    ],
)
def test_a_loss_shows(after, verdicts):
    found = compare.judged("a", [rows_of(1.0, 1.2), after])
    assert [line[-1] for line in found] == verdicts


def test_every_study_is_read_and_its_parts_have_names_of_their_own(monkeypatch):
    for name in study.names():
        one = study.load(name)
        files = [part.file for part in one.parts]
        assert len(set(files)) == len(files)
        assert one.name == name
        page = (one.folder / "README.md").read_text(encoding="utf-8") if one.tables else ""
        for place in one.tables:
            if "#" not in place and place not in ("ablation",):
                assert f"<!-- {place} -->" in page, (name, place)
    with pytest.raises(LookupError, match="no study 'none'"):
        study.load("none")


def test_tables_are_what_the_rows_say():
    """The README of every study is what ``report`` writes."""
    for name in study.names():
        one = study.load(name)
        results = Results(one.folder)
        for place, write in one.tables.items():
            if "#" in place or place == "machine":  # a page of docs; versions of optional peers
                continue
            try:
                text = write(results)
            except FileNotFoundError:
                continue
            assert text in (one.folder / "README.md").read_text(encoding="utf-8"), (name, place)


def test_a_combination_in_a_process_of_its_own_is_the_same(monkeypatch, tmp_path):
    one = study.load("speed_rls")
    part = one.part("results")
    key = {"method": "KMeans(n_init=10)", "n": 500, "turn": 0}
    (row,) = run.apart(one, part, key)
    (same,) = run.here(part, json.loads(json.dumps(key)))
    assert row["ari"] == same["ari"]
    assert float(row["cpu_seconds"]) > 0
