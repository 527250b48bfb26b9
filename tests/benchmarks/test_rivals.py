"""The papers' other columns: which cells are measured, and how the table is written."""

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from benchmarks.methods import cutting_planes, iterated_causes, rivals
from benchmarks.runner.study import Results
from benchmarks.runner.table import write_csv

FIGURES = {("few", "NC"): "90", ("Dig 45 pairs", "NC"): "80"}


def published(results, data, name, score):
    return FIGURES.get((data, name), "")


@pytest.fixture
def columns():
    return rivals.Columns({rivals.NC: "NC", rivals.SVR: "SVR", rivals.SVR_DEFAULT: ""}, published)


def blobs(n=60):
    return make_blobs(n, centers=[[0, 0], [9, 9]], random_state=0)


def test_what_a_paper_prints_is_measured_and_what_is_ours_alone(columns, tmp_path):
    part = columns.part({"few": blobs, "many": blobs}, lambda: Results(tmp_path), "few")
    found = [(key["dataset"], key["rival"]) for key in part.keys()]  # noqa: SIM118
    assert found == [("few", rivals.NC), ("few", rivals.SVR_DEFAULT), ("many", rivals.SVR_DEFAULT)]
    pairs = {"Dig 0-1": blobs}
    part = columns.part(pairs, lambda: Results(tmp_path), "Dig 0-1", rivals.PAIRS)
    assert list(part.keys()) == [{"dataset": "Dig 0-1", "rival": rivals.NC}]
    (row,) = part.measured({"dataset": "Dig 0-1", "rival": rivals.NC})
    assert float(row["majority"]) == 100
    assert row["grid_cells"] == 10


def test_pairs_are_a_line_of_means(columns, tmp_path):
    row = {"dataset": "few", "rival": rivals.NC, "majority": 95.0, "rand": 0.9}
    write_csv(tmp_path / "rivals.csv", [row])
    pairs = [row | {"dataset": f"Dig 0-{i}", "majority": 80.0 + i} for i in (1, 2)]
    write_csv(tmp_path / "rival_pairs.csv", pairs)
    lines = columns.table(Results(tmp_path)).splitlines()
    assert lines[2:] == [
        "| few | 95.00 (90.00) | – | – |",
        "| Dig 45 pairs | 81.50 (80.00) | – | – |",
    ]
    assert columns.table(Results(tmp_path), "rand", 3).splitlines()[2].startswith("| few | 0.900")


def test_the_balance_is_what_the_classes_allow():
    X, y = make_blobs([26, 14], centers=[[0, 0], [9, 9]], random_state=0)
    (_, make), *_ = rivals.iterated(X, y)
    assert make(0).balance == 0.3
    (_, make), *_ = rivals.relaxed(X, np.arange(40) % 4, "mmc")
    assert make(0).relaxation == "multiclass"


def test_cpmmc_of_kernels_yields_every_cell(monkeypatch):
    monkeypatch.setattr(cutting_planes, "WIDTHS", np.array([0.5]))
    monkeypatch.setattr(cutting_planes, "LAMBDAS", np.array([0.01, 0.1]))
    X, y = blobs(40)
    found = list(cutting_planes.kernel_cells(X, y, runs=2))
    assert [cell["lam"] for cell, _ in found] == [0.01, 0.1]
    assert all(ari.shape == (2,) for _, ari in found)


def test_a_cause_is_one_change(monkeypatch):
    monkeypatch.setattr(iterated_causes, "SHARES", (0.3,))
    row = iterated_causes.measure({"two": blobs}, "two", "squared loss")
    assert row["majority"] == 100
    assert row["cell"] == "σ=0.3σ0"
