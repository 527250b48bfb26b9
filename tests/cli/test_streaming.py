"""Files that are read in blocks: the same labels, also after an interruption."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import polars as pl
import pytest
from blocks.tables import MadeRows
from sklearn.datasets import make_blobs

from maxmargin import CuttingPlaneClustering
from maxmargin.blocks.journal import JournaledRows
from maxmargin.cli.main import run

N = 60_000


@pytest.fixture
def big(tmp_path, monkeypatch):
    X, _ = make_blobs(N, centers=3, n_features=3, cluster_std=2.0, random_state=0)
    table = pl.DataFrame(X * [1, 10, 100], schema=list("abc"))
    table.write_parquet(tmp_path / "big.parquet", row_group_size=9000)
    monkeypatch.chdir(tmp_path)


def labels_of(path):
    return pl.read_parquet(path)["cluster"].to_numpy()


HOW = ("-k", "3", "--method", "cutting-plane", "-o")


@pytest.mark.usefixtures("big")
def test_cluster_and_predict_in_blocks(tmp_path, capsys):
    streamed = (*HOW, "l.parquet", "--memory", "64GB", "--save", "m.skops")
    assert run(["cluster", "big.parquet", *streamed]) == 0
    assert capsys.readouterr().out.startswith("60,000 rows in 3 clusters of ")
    assert run(["cluster", "big.parquet", *HOW, "whole.parquet", "-q"]) == 0
    assert np.mean(labels_of("l.parquet") == labels_of("whole.parquet")) > 0.999
    assert run(["predict", "m.skops", "big.parquet", "--memory", "64GB", "-o", "p.parquet"]) == 0
    assert "Wrote 60,000 labels" in capsys.readouterr().err
    np.testing.assert_array_equal(labels_of("l.parquet"), labels_of("p.parquet"))
    assert not list(tmp_path.glob("*.checkpoint"))


@pytest.mark.usefixtures("big")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--memory", "64GB", "--report", "a.html"), "--report: not for files that are read in"),
        (("--memory", "64GB", "--encode", "onehot"), "--encode: not for files"),
        (("--memory", "64GB", "--link", "pairs.csv"), "--link: not for files"),
        (("--memory", "64GB", "--weights", "x"), "--weights: not for files"),
        (("--resume",), "--resume needs --output"),
        (("--resume", "-o", "l.parquet"), "there is no 'l.parquet.checkpoint' to go on with"),
        (("--memory", "1MB"), "is free"),
        (("--memory", "64GB", "--columns", "z"), "no column 'z'"),
    ],
)
def test_what_does_not_go_together(options, message, capsys):
    assert run(["cluster", "big.parquet", "-k", "3", *options]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.usefixtures("big")
def test_work_that_was_killed_goes_on_to_the_same_labels(tmp_path, capsys):
    how = ["cluster", "big.parquet", *HOW]
    assert run([*how, "whole.parquet", "--memory", "64GB", "-q"]) == 0
    folder = tmp_path / "l.parquet.checkpoint"
    command = [sys.executable, "-m", "maxmargin", *how, "l.parquet", "--memory", "64GB"]
    process = subprocess.Popen(command, cwd=tmp_path)
    while process.poll() is None and len(list(folder.glob("0*"))) < 6:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert len(list(folder.glob("0*"))) >= 6
    assert not (tmp_path / "l.parquet").exists()
    assert run([*how, "l.parquet", "--resume", "--seed", "1"]) == 2
    assert "is of another file or of other options" in capsys.readouterr().err
    assert run([*how, "l.parquet", "--resume", "-q"]) == 0
    np.testing.assert_array_equal(labels_of("l.parquet"), labels_of("whole.parquet"))
    assert not folder.exists()


def test_passes_that_are_known_are_not_made_again(tmp_path):
    X, _ = make_blobs(20_000, centers=3, n_features=3, cluster_std=2.0, random_state=0)
    model = CuttingPlaneClustering(3, n_init=1, random_state=0)
    expected = model.fit(X).labels_
    for job, read in (({"seed": 0}, True), ({"seed": 0}, False), ({"seed": 1}, True)):
        rows = MadeRows(X)
        journal = JournaledRows(rows, tmp_path / "journal", job)
        np.testing.assert_array_equal(model.fit(journal).labels_, expected)
        assert (rows.n_read > 0) == read
    journal.forget()
    assert not (tmp_path / "journal").exists()
