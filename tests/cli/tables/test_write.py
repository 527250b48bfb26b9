"""Tables are written whole, and read back the same."""

import gzip
import io
import os
import sys

import numpy as np
import polars as pl
import pytest

from maxmargin.cli.tables import Column, TableError, check_output, read_table, write_table


@pytest.fixture
def columns():
    ids = np.array(["007", 'say "hi", or\r\nnot', " blank ", "", "\ta\r"], dtype=object)
    margins = np.array([1 / 3, -1e-9, 123456.789, np.nan, 0.0])
    return {"id": Column("id", ids), "cluster": np.array([0, 1, -1, 0, 1]), "margin, m": margins}


@pytest.mark.parametrize("name", ["o.csv", "o.tsv", "o.csv.gz", "O.TSV.GZ"])
def test_text_is_read_back_the_same(tmp_path, columns, name):
    write_table(tmp_path / name, columns)
    back = read_table(tmp_path / name, verbatim=["id"])
    assert [column.name for column in back.columns] == list(columns)
    assert back.columns[0].values.tolist() == columns["id"].values.tolist()
    np.testing.assert_array_equal(back.columns[1].values, columns["cluster"])
    np.testing.assert_allclose(back.columns[2].values, columns["margin, m"], rtol=1e-5)
    assert os.listdir(tmp_path) == [name]


def test_text_to_the_letter(tmp_path, columns):
    expected = (
        b'id,cluster,"margin, m"\n007,0,0.333333\n"say ""hi"", or\r\nnot",1,-1e-09\n'
        b' blank ,-1,123457\n,0,\n"\ta\r",1,0\n'
    )
    write_table(tmp_path / "o.csv", columns)
    assert (tmp_path / "o.csv").read_bytes() == expected
    for _ in range(2):  # the same bytes each time
        write_table(tmp_path / "o.csv.gz", columns)
        packed = (tmp_path / "o.csv.gz").read_bytes()
        assert gzip.decompress(packed) == expected
        assert packed[4:8] == b"\0\0\0\0"


def test_parquet_keeps_numbers_whole(tmp_path, columns):
    write_table(tmp_path / "o.parquet", columns)
    frame = pl.read_parquet(tmp_path / "o.parquet")
    assert frame["id"].to_list() == columns["id"].values.tolist()
    assert frame["cluster"].dtype == pl.Int64
    np.testing.assert_array_equal(frame["margin, m"].to_numpy(), columns["margin, m"])


def test_numbers_of_an_id_are_not_rounded(tmp_path):
    ids = Column("id", np.array([1234567.0, 0.123456789, np.nan]))
    write_table(tmp_path / "o.csv", {"id": ids})
    assert (tmp_path / "o.csv").read_text() == 'id\n1234567\n0.123456789\n""\n'


@pytest.mark.parametrize("with_bytes", [True, False])
def test_standard_output(monkeypatch, with_bytes):
    stream = io.BytesIO()
    out = io.TextIOWrapper(stream, encoding="ascii") if with_bytes else io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    check_output("-")
    write_table("-", {"é": [1, 2]})
    monkeypatch.undo()
    assert (stream.getvalue().decode() if with_bytes else out.getvalue()) == "é\n1\n2\n"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("o.xlsx", "it must be one of .csv, .tsv, .csv.gz"),
        ("o", "it must be one of"),
        ("o.parquet.gz", "it must be one of"),
        ("no/o.csv", "there is no folder no. Create it first"),
        ("folder.csv", "this is a folder"),
        ("x" * 300 + ".csv", "cannot be written"),
    ],
)
def test_paths_that_cannot_be_written(tmp_path, monkeypatch, name, message):
    monkeypatch.chdir(tmp_path)
    os.mkdir("folder.csv")
    with pytest.raises(TableError, match=message):
        write_table(name, {"x": [1]})
    assert os.listdir() == ["folder.csv"]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_folders_that_cannot_be_written_to(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(TableError, match="the folder cannot be written to"):
        check_output(tmp_path / "o.csv")


def test_parquet_without_polars_is_refused_before_the_work(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(TableError, match="Parquet needs polars"):
        check_output(tmp_path / "o.parquet")


def test_lengths_must_agree():
    with pytest.raises(ValueError, match="same length"):
        write_table("-", {"x": [1], "y": [1, 2]})


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".csv.gz"])
def test_formulas_can_be_escaped(tmp_path, ending):
    odd = ["=1+1", "+A1", "-cmd|x", "@SUM(A1)", "\tx", "\rx", "-5", "+1e3", "plain", "a=b", ""]
    columns = {"=id": Column("=id", np.array(odd, dtype=object)), "value": np.linspace(-1, 1, 11)}
    for escape in (False, True):
        path = tmp_path / f"t{escape}{ending}"
        write_table(path, columns, escape_formulas=escape)
        table = read_table(path, verbatim=["1"], header=True)
        expected = [f"'{cell}" for cell in odd[:6]] + odd[6:] if escape else odd
        assert table.columns[0].values.tolist() == expected
        assert table.columns[0].name == ("'=id" if escape else "=id")
        np.testing.assert_allclose(table.columns[1].values, columns["value"], atol=1e-6)
