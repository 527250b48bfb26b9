"""Files that are read in blocks: outputs are there all together, and cost no input."""

import numpy as np
import pytest

from maxmargin.cli.main import run

HOW = ("-k", "2", "--method", "rls", "--memory", "8GB", "-q")


@pytest.fixture
def rows(tmp_path, monkeypatch, rng):
    monkeypatch.chdir(tmp_path)
    table = rng.normal(size=(40, 2)) + 9 * (np.arange(40)[:, None] % 2)
    (tmp_path / "parts").mkdir()
    for name in ("rows.csv", "parts/a.csv", "parts/b.csv"):
        np.savetxt(tmp_path / name, table, delimiter=",", header="x,y", comments="")
    return (tmp_path / "rows.csv").read_bytes()


@pytest.mark.parametrize("data", ["parts", "parts/*.csv"])
@pytest.mark.parametrize("how", [(), ("--memory", "8GB")])
def test_no_part_that_is_read_is_written(data, how, rows, tmp_path, capsys):
    assert run(["cluster", data, "-k", "2", "-o", "parts/b.csv", *how]) == 2
    assert "--output must not be the file that is read" in capsys.readouterr().err
    assert (tmp_path / "parts" / "b.csv").read_bytes() == rows


@pytest.mark.usefixtures("rows")
def test_nor_are_the_pairs(tmp_path, capsys):
    (tmp_path / "pairs.csv").write_text("a,b,kind\n1,2,must\n")
    given = ["rows.csv", "-k", "2", "--link", "pairs.csv", "-o", "pairs.csv"]
    assert run(["cluster", *given]) == 2
    assert "got 'pairs.csv'" in capsys.readouterr().err


@pytest.mark.usefixtures("rows")
def test_all_of_them_or_none(tmp_path, capsys, monkeypatch):
    (tmp_path / "labels.csv").write_text("old\n")

    def full(*_, **__):
        raise OSError(28, "No space left on device", "m.skops")

    monkeypatch.setattr("maxmargin.persistence.save", full)
    assert run(["cluster", "rows.csv", *HOW, "-o", "labels.csv", "--save", "m.skops"]) == 2
    assert "No space left" in capsys.readouterr().err
    assert (tmp_path / "labels.csv").read_text() == "old\n"
    assert not (tmp_path / "m.skops").exists()
    assert not list(tmp_path.glob(".*"))  # no draft; what was found so far waits for --resume


@pytest.mark.usefixtures("rows")
@pytest.mark.parametrize("output", ["-", "labels.tsv", "labels.csv.gz"])
def test_a_name_that_no_labels_go_to_is_refused_before_the_work(output, capsys, monkeypatch):
    assert run(["cluster", "rows.csv", *HOW, "--save", "m.skops"]) == 0
    monkeypatch.setattr("maxmargin.cli.stream_commands.fit", lambda *_, **__: 1 / 0)
    monkeypatch.setattr("maxmargin.cli.stream_commands.predicted", lambda *_: 1 / 0)
    assert run(["cluster", "rows.csv", *HOW, "-o", output]) == 2
    assert run(["predict", "m.skops", "rows.csv", "--memory", "8GB", "-o", output]) == 2
    assert capsys.readouterr().err.count("labels go to .npy, .csv, .parquet, .pq files") == 2
