"""Estimators do what the record says, where clusters are well separated; the command works.

The whole record takes minutes and holds on one machine only: see its README.
"""

import argparse
import json
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.studies.record import command, files
from benchmarks.studies.record.cases import CASES, decode, encode
from benchmarks.studies.record.compare import differences
from benchmarks.studies.record.files import RECORD, Change, Record

CLEAR = [name for name, case in CASES.items() if case.clear]
COMMITTED = Record.read(RECORD)


@pytest.mark.parametrize("name", CLEAR)
def test_well_separated_clusters_are_as_recorded(name):
    before, after = COMMITTED.cases[name], CASES[name].outcome()
    assert after.get("error") == before.get("error")
    np.testing.assert_array_equal(decode(after["labels"]), decode(before["labels"]))
    assert after["n_clusters_"] == before["n_clusters_"]
    if "predicted" in before:
        np.testing.assert_array_equal(decode(after["predicted"]), decode(before["predicted"]))


def test_the_record_has_all_cases():
    assert list(COMMITTED.cases) == list(CASES)
    assert COMMITTED.n_changes == len(files.read_changes())


# -- the command ---------------------------------------------------------------------------

CLEAR_CASE, OTHER_CASE = "RLSClustering/linear/two", "RLSClustering/linear/wine"


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """The command with a record and a list of changes that it may spoil."""
    monkeypatch.setattr(files, "CHANGES", tmp_path / "changes.json")
    monkeypatch.setattr(command, "RECORD", tmp_path / "record.json")
    files.write_changes([])
    small = {name: COMMITTED.cases[name] for name in (CLEAR_CASE, OTHER_CASE)}
    replace(COMMITTED, cases=small, n_changes=0).write(command.RECORD)

    def run(*arguments):
        options = command.parser(argparse.ArgumentParser()).parse_args(
            [*arguments[:1], *map(str, arguments[1:])]
        )
        return options.run(options), capsys.readouterr().out

    return run


@pytest.fixture
def changed(run, tmp_path):
    """A function that writes a record in which some figures of a case are others."""

    def write(name=None, machine=None, **figures):
        record = Record.read(command.RECORD)
        if name is not None:
            record.cases[name].update(figures)
        path = tmp_path / "after.json"
        replace(record, machine=machine or record.machine).write(path)
        return path

    return write


def test_labels_come_back():
    labels = np.array([-1, 0, 3, 3, 7, 0])
    np.testing.assert_array_equal(decode(encode(labels)), labels)


@pytest.mark.parametrize(
    ("name", "figures", "expected"),
    [
        (None, {}, 0),
        (CLEAR_CASE, {"objective_": 1.0}, 1),
        (CLEAR_CASE, {"labels": encode(np.zeros(100))}, 1),
        (OTHER_CASE, {"labels": encode(np.zeros(128))}, 0),
        (OTHER_CASE, {"n_clusters_": 2}, 1),
        (OTHER_CASE, {"error": "no longer allowed"}, 1),
    ],
)
def test_compare_fails_for_what_must_not_differ(run, changed, name, figures, expected):
    status, said = run("compare", command.RECORD, changed(name, **figures))
    assert status == expected
    assert all(figure in said for figure in figures)


@pytest.mark.parametrize(("factor", "expected"), [(1 + 1e-8, 0), (1 + 1e-5, 1)])
def test_objectives_may_differ_by_a_millionth(run, changed, factor, expected):
    objective = COMMITTED.cases[OTHER_CASE]["objective_"] * factor
    assert run("compare", command.RECORD, changed(OTHER_CASE, objective_=objective))[0] == expected


def test_a_case_that_is_gone_is_a_difference():
    less = replace(COMMITTED, cases={})
    found = differences(COMMITTED, less, [])
    assert [d.figure for d in found] == ["case"] * len(COMMITTED.cases)


def test_accept_wants_every_changed_case_named_and_a_cause(run, changed):
    before = command.RECORD.read_text()
    path = changed(OTHER_CASE, loo_score_=0.5)
    assert run("accept", path)[0] == 1
    assert run("accept", path, "--cases", OTHER_CASE)[0] == 1
    assert run("accept", path, "--why", "bias", "--cases", CLEAR_CASE)[0] == 1
    assert run("accept", path, "--why", "bias", "--cases", OTHER_CASE, CLEAR_CASE)[0] == 1
    assert command.RECORD.read_text() == before
    assert files.read_changes() == []


def test_what_was_accepted_is_listed_and_no_longer_unexpected(run, changed, tmp_path):
    old = tmp_path / "before.json"
    old.write_text(command.RECORD.read_text())
    path = changed(OTHER_CASE, loo_score_=0.5)
    assert run("accept", path, "--why", "with bias", "--cases", "RLSClustering/*")[0] == 0
    assert files.read_changes() == [Change("with bias", [OTHER_CASE], ["loo_score_"])]
    assert Record.read(command.RECORD).cases[OTHER_CASE]["loo_score_"] == 0.5
    status, said = run("compare", old, command.RECORD)
    assert status == 0
    assert "with bias" in said
    # the same figure is watched again from here on
    assert run("compare", command.RECORD, changed(OTHER_CASE, loo_score_=0.7))[0] == 1


def test_accept_refuses_another_machine(run, changed):
    path = changed(OTHER_CASE, {**COMMITTED.machine, "numpy": "0.1"}, loo_score_=0.5)
    status, said = run("accept", path, "--why", "bias", "--cases", OTHER_CASE)
    assert status == 1
    assert "numpy" in said


def test_record_writes_what_it_fits(run, tmp_path):
    path = tmp_path / "some.json"
    assert run("make", "--only", OTHER_CASE, "--out", path)[0] == 0
    found = json.loads(path.read_text())
    assert list(found["cases"]) == [OTHER_CASE]
    assert run("compare", path, path)[0] == 0
    assert run("accept", path)[0] == 1  # not all cases
