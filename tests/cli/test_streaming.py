"""Files that are read in blocks: the same labels, also after an interruption."""

import os
import signal
import subprocess
import sys
import time

import dask
import numpy as np
import polars as pl
import pytest
from blocks.tables import MadeRows
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score
from sklearn.pipeline import make_pipeline

from maxmargin import CuttingPlaneClustering, MaxMarginWarning, TableEncoder
from maxmargin.blocks.journal import JournaledRows
from maxmargin.cli import streaming
from maxmargin.cli.main import run
from maxmargin.preprocessing import TableScaler

N = 60_000


@pytest.fixture
def big(tmp_path, monkeypatch):
    X, _ = make_blobs(N, centers=3, n_features=3, cluster_std=2.0, random_state=0)
    table = pl.DataFrame(X * [1, 10, 100], schema=list("abc"))
    table.write_parquet(tmp_path / "big.parquet", row_group_size=9000)
    monkeypatch.chdir(tmp_path)


def labels_of(path):
    return pl.read_parquet(path)["cluster"].to_numpy()


PLANES = CuttingPlaneClustering(3, random_state=0)
HOW = ("-k", "3", "--method", "cutting-plane", "-o")


@pytest.mark.usefixtures("big")
def test_cluster_and_predict_in_blocks(tmp_path, capsys):
    streamed = (*HOW, "l.parquet", "--memory", "64GB", "--save", "m.skops")
    assert run(["cluster", "big.parquet", *streamed]) == 0
    assert capsys.readouterr().out.startswith("60,000 rows in 3 clusters of ")
    assert run(["cluster", "big.parquet", *HOW, "whole.parquet", "-q"]) == 0
    np.testing.assert_array_equal(labels_of("l.parquet"), labels_of("whole.parquet"))
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


def test_a_pass_goes_on_where_it_was_interrupted(tmp_path):
    X = np.random.default_rng(0).normal(size=(80_000, 2))
    (expected,) = MadeRows(X).sum(lambda block: (block.rows.sum(axis=0),))
    folder = tmp_path / "journal"
    with pytest.raises(KeyboardInterrupt):
        for n, _ in enumerate(JournaledRows(MadeRows(X), folder, {}).each(_sums), 1):
            if n == 3:
                raise KeyboardInterrupt
    (draft,) = folder.glob("*.draft")
    draft.write_bytes(draft.read_bytes()[:-3])  # the last one was not written to its end
    rows = MadeRows(X)
    (found,) = JournaledRows(rows, folder, {}).sum(_sums)
    np.testing.assert_array_equal(found, expected)
    assert rows.n_read == 80_000 - 2 * 16_384


def _sums(block):
    return (block.rows.sum(axis=0),)


@pytest.fixture(scope="module")
def scheduler():
    """The address of a cluster on this machine, whose workers are threads."""
    distributed = pytest.importorskip("distributed")
    quiet = {"distributed.logging.distributed": "critical"}
    with (
        dask.config.set(quiet),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, protocol="tcp://",
            host="127.0.0.1", dashboard_address="127.0.0.1:0",
        ) as cluster,
    ):  # fmt: skip
        yield cluster.scheduler_address


@pytest.mark.usefixtures("big")
def test_the_workers_of_a_cluster_find_the_same(scheduler, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(streaming, "PATIENCE", "1s")
    how = ("cluster", "big.parquet", *HOW)
    assert run([*how, "whole.parquet", "-q"]) == 0
    assert run([*how, "l.parquet", "--dask", scheduler, "--save", "m.skops"]) == 0
    assert capsys.readouterr().out.startswith("60,000 rows in 3 clusters of ")
    np.testing.assert_array_equal(labels_of("l.parquet"), labels_of("whole.parquet"))
    asked = ("predict", "m.skops", "big.parquet", "--dask", scheduler, "-o", "p.parquet")
    assert run(asked) == 0
    np.testing.assert_array_equal(labels_of("l.parquet"), labels_of("p.parquet"))
    assert not list(tmp_path.glob("*.checkpoint"))
    for options, message in (
        (("--dask", "tcp://127.0.0.1:9"), "there is no Dask scheduler at 'tcp://127.0.0.1:9'"),
        (("--dask", scheduler, "--columns", "z"), "has no column 'z'"),
    ):
        assert run([*how, "l.parquet", *options]) == 2
        assert message in capsys.readouterr().err


@pytest.mark.parametrize("place", ["here", "workers"])
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_table_with_text_and_gaps(place, kind, request, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    X, y = make_blobs(900, centers=3, n_features=2, random_state=0)
    city = np.array(["Rome", "Oslo", "Lima"], object)[y]
    table = pl.DataFrame({"a": X[:, 0], "city": city.tolist(), "b": X[:, 1]})
    gaps = pl.when(pl.int_range(900) % 50 == 0).then(None).otherwise(pl.col("a"))
    table = table.with_columns(a=gaps, row_id=pl.int_range(900))
    getattr(table, f"write_{kind}")(f"t.{kind}")
    there = {"here": ["--memory", "64GB"]}
    there = there.get(place) or ["--dask", request.getfixturevalue("scheduler")]
    assert run(["cluster", f"t.{kind}", *HOW, "l.parquet", *there, "--save", "m.skops"]) == 0
    assert "columns were left out: 'row_id'" in capsys.readouterr().err
    assert adjusted_rand_score(labels_of("l.parquet"), y) > 0.95
    model = make_pipeline(TableEncoder(standardize=False), TableScaler(), PLANES)
    with pytest.warns(MaxMarginWarning, match="row_id"):
        np.testing.assert_array_equal(labels_of("l.parquet"), model.fit(table)[-1].labels_)
    assert run(["predict", "m.skops", f"t.{kind}", *there, "-o", "p.parquet"]) == 0
    np.testing.assert_array_equal(labels_of("p.parquet"), model.predict(table))
