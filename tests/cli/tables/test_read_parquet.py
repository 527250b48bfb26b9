"""Parquet through polars."""

import datetime
import io
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from maxmargin.cli.tables import Preparation, TableError, read_table, write_table

DAY = datetime.date(2020, 1, 2)


@pytest.fixture
def frame():
    return pl.DataFrame(
        {
            "whole": [1, None],
            "big": [2**60 + 1, 2],
            "real": [0.5, None],
            "flag": [True, False],
            "word": ["a", None],
            "kind": pl.Series(["k", "l"], dtype=pl.Categorical),
            "day": [DAY, None],
            "nested": [[1], [2]],
            "nothing": [None, None],
        }
    )


@pytest.fixture
def path(frame, given):
    stream = io.BytesIO()
    frame.write_parquet(stream)
    return given(stream.getvalue(), "t.parquet")


def test_types(path):
    columns = {column.name: column for column in read_table(path).columns}
    np.testing.assert_array_equal(columns["whole"].values, [1, np.nan])
    assert columns["big"].values.tolist() == [2**60 + 1, 2]
    np.testing.assert_array_equal(columns["real"].values, [0.5, np.nan])
    assert columns["flag"].values.tolist() == [1, 0]
    assert columns["word"].values.tolist() == ["a", None]
    assert columns["word"].missing.tolist() == [False, True]
    assert columns["kind"].values.tolist() == ["k", "l"]
    assert columns["day"].values.tolist() == ["2020-01-02", None]
    assert columns["nothing"].missing.all()


def test_nested_columns_can_be_dropped(path):
    table = read_table(path)
    with pytest.raises(TableError, match=r"'nested' holds lists. Ways out: --drop nested"):
        Preparation.fit(table)
    with pytest.raises(TableError, match="row 2"):
        Preparation.fit(table, columns=["real"])
    assert Preparation.fit(table, columns=["big"]).transform(table).X.shape == (2, 1)


@pytest.mark.parametrize("name", ["whole", "big", "real", "flag", "word", "day"])
def test_an_id_keeps_its_type(frame, path, name):
    table = read_table(path, verbatim=[name])
    fitted = Preparation.fit(table, columns=["big" if name != "big" else "flag"], id=name)
    prepared = fitted.transform(table)
    write_table("out.parquet", {name: prepared.id, "cluster": np.array([0, 1])})
    back = pl.read_parquet("out.parquet")
    assert back[name].dtype == frame[name].dtype
    missing = back[name].fill_nan(None) if name == "real" else back[name]
    assert missing.to_list() == frame[name].to_list()
    assert back["cluster"].to_list() == [0, 1]


def test_damage_and_emptiness(path, given):
    content = Path(path).read_bytes()
    with pytest.raises(TableError, match=r"t.parquet: the Parquet file is damaged"):
        read_table(given(content[:-30], "t.parquet"))
    stream = io.BytesIO()
    pl.DataFrame({"x": []}).write_parquet(stream)
    with pytest.raises(TableError, match="there are no rows"):
        read_table(given(stream.getvalue(), "t.parquet"))


def test_without_polars(path, monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(TableError, match=r"pip install \"maxmargin\[parquet\]\""):
        read_table(path)
