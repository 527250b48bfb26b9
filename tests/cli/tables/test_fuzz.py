"""Whatever the bytes: a table, or a TableError."""

import gzip
import io
import math
import sys

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from scipy import sparse

from maxmargin.cli.tables import Column, Preparation, TableError, read_table, write_table

SETTINGS = settings(
    max_examples=150, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)


def swallow(content, **options):
    """Read and prepare; only a TableError may come out."""
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(content))
    try:
        table = read_table("-", **options)
        assert table.n_rows > 0
        for encode, impute in (("onehot", "median"), ("auto", "auto")):
            preparation = Preparation.fit(table, encode=encode, impute=impute)
            prepared = preparation.transform(table)
        values = prepared.X.data if sparse.issparse(prepared.X) else prepared.X
        assert np.isfinite(np.asarray(values)).all()
        assert prepared.X.shape == (table.n_rows, len(prepared.names))
    except TableError:
        pass
    finally:
        sys.stdin = before


def _array_bytes(save, *args, **named):
    stream = io.BytesIO()
    save(stream, *args, **named)
    return stream.getvalue()


X = np.arange(12.0).reshape(4, 3)
GOOD = {
    "csv": b"id,x,y\na,1,2\nb,3,4\nc,5,6\n",
    "quoted": b'x;y\r\n"1,5";"a ""b"""\r\n2;"c\nd"\r\n',
    "utf-16": "x\ty\n1\t2\n3\té\n".encode("utf-16"),
    "gzip": gzip.compress(b"x,y\n1,2\n3,4\n", mtime=0),
    "svmlight": b"1 1:0.5 7:1 # a\n0 2:1\n-1 qid:3 3:1e5\n",
    "npy": _array_bytes(np.save, X),
    "npz": _array_bytes(np.savez, X=X, y=np.ones(4)),
    "compressed npz": _array_bytes(np.savez_compressed, X=X),
    "sparse": _array_bytes(sparse.save_npz, sparse.csr_array(X)),
    "parquet": _array_bytes(
        lambda f: pl.DataFrame({"x": [1, 2], "t": ["a", None]}).write_parquet(f)
    ),
}


@SETTINGS
@given(st.binary(max_size=300))
def test_any_bytes(content):
    swallow(content)


@SETTINGS
@given(
    st.text(alphabet='ab1.5-,;\t| \n\r"_?NA:éx\0', max_size=120),
    st.sampled_from([None, ",", "space", "tab"]),
    st.sampled_from([".", ","]),
    st.sampled_from([None, True, False]),
)
def test_any_text(text, separator, decimal, header):
    swallow(text.encode(), separator=separator, decimal=decimal, header=header)


@pytest.mark.parametrize("kind", GOOD)
def test_good_files_are_read(kind, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GOOD[kind])))
    assert read_table("-").n_rows in (2, 3, 4)


@pytest.mark.parametrize("kind", GOOD)
@settings(SETTINGS, max_examples=60)
@given(data=st.data())
def test_damaged_files(kind, data):
    content = bytearray(GOOD[kind])
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
        assume(content)
    swallow(bytes(content))


@SETTINGS
@given(
    st.lists(
        st.tuples(st.floats(allow_nan=False, allow_infinity=False), st.integers(-(10**18), 10**18)),
        min_size=1,
        max_size=20,
    ),
    st.sampled_from(["r", "e", ".3f"]),
    st.sampled_from([",", ";", "\t", "|", " "]),
)
def test_numbers_are_those_of_float(rows, form, separator):
    lines = [[repr(a) if form == "r" else format(a, form), str(b)] for a, b in rows]
    text = "\n".join(separator.join(cells) for cells in [["x", "y"], *lines])
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(text.encode()))
    try:
        table = read_table("-")
    finally:
        sys.stdin = before
    for j, column in enumerate(table.columns):
        assert column.values.tolist() == [float(cells[j]) for cells in lines]


CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)


@SETTINGS
@given(
    st.lists(st.tuples(CELLS, st.integers(-9, 9), st.floats()), min_size=1, max_size=12),
    st.sampled_from(["o.csv", "o.tsv", "o.csv.gz", "o.parquet"]),
)
def test_written_tables_are_read_back(tmp_path_factory, rows, name):
    path = tmp_path_factory.getbasetemp() / name
    texts, whole, real = (list(values) for values in zip(*rows, strict=True))
    columns = {"t": Column("t", np.array(texts, dtype=object)), "i": whole, "f": np.array(real)}
    write_table(path, columns)
    table = read_table(path, verbatim=["t"], header=True)
    back = [column.values.tolist() for column in table.columns]
    assert back[0] == texts
    assert back[1] == whole
    for a, b in zip(back[2], real, strict=True):
        expected = b if name == "o.parquet" else float(f"{b:.6g}")
        assert a == expected or (math.isnan(a) and math.isnan(b))
