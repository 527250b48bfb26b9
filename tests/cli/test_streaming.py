"""Files that are read in blocks: the same labels, also after an interruption."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import polars as pl
import pytest
from sklearn.datasets import make_blobs

from maxmargin import CuttingPlaneClustering
from maxmargin.blocks.journal import JournaledRows

N = 60_000


@pytest.fixture
def big(tmp_path):
    X, _ = make_blobs(N, centers=3, n_features=3, cluster_std=2.0, random_state=0)
    table = pl.DataFrame(X * [1, 10, 100], schema=list("abc"))
    table.write_parquet(tmp_path / "big.parquet", row_group_size=9000)
    return table


def labels_of(path):
    return pl.read_parquet(path)["cluster"].to_numpy()


def test_cluster_and_predict_in_blocks(command, big, tmp_path):
    how = ("-k", 3, "--method", "cutting-plane", "-o")
    done = command(
        "cluster", "big.parquet", *how, "l.parquet", "--memory", "1GB", "--save", "m.skops"
    )
    assert done.stdout.startswith("60,000 rows in 3 clusters of ")
    command("cluster", "big.parquet", *how, "whole.parquet", "-q")
    assert (
        np.mean(labels_of(tmp_path / "l.parquet") == labels_of(tmp_path / "whole.parquet")) > 0.999
    )
    done = command("predict", "m.skops", "big.parquet", "--memory", "1GB", "-o", "p.parquet")
    assert "Wrote 60,000 labels" in done.stderr
    np.testing.assert_array_equal(
        labels_of(tmp_path / "l.parquet"), labels_of(tmp_path / "p.parquet")
    )
    assert not list(tmp_path.glob("*.checkpoint"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--memory", "1GB", "--report", "a.html"), "--report: not for files that are read in"),
        (("--memory", "1GB", "--encode", "onehot"), "--encode: not for files"),
        (("--resume",), "--resume needs --output"),
        (("--resume", "-o", "l.parquet"), "there is no 'l.parquet.checkpoint' to go on with"),
        (("--memory", "1MB"), "is free"),
        (("--memory", "1GB", "--columns", "z"), "no column 'z'"),
    ],
)
def test_what_does_not_go_together(options, message, command, big):
    done = command("cluster", "big.parquet", "-k", 3, *options, check=False)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_work_that_was_interrupted_goes_on_to_the_same_labels(command, big, tmp_path):
    how = ["big.parquet", "-k", "3", "--method", "cutting-plane", "--memory", "1GB", "-o"]
    command("cluster", *how, "whole.parquet", "-q")
    folder = tmp_path / "l.parquet.checkpoint"
    process = subprocess.Popen(
        [sys.executable, "-m", "maxmargin", "cluster", *how, "l.parquet"], cwd=tmp_path
    )
    while process.poll() is None and len(list(folder.glob("0*"))) < 6:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert len(list(folder.glob("0*"))) >= 6
    assert not (tmp_path / "l.parquet").exists()
    other = command("cluster", *how, "l.parquet", "--resume", "--seed", 1, check=False)
    assert "is of another file or of other options" in other.stderr
    command("cluster", *how, "l.parquet", "--resume")
    np.testing.assert_array_equal(
        labels_of(tmp_path / "l.parquet"), labels_of(tmp_path / "whole.parquet")
    )
    assert not folder.exists()


def test_passes_that_are_known_are_not_made_again(tmp_path):
    from blocks.tables import MadeRows

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
