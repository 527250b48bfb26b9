"""Every kind of store gives the same rows, and says what is wrong with it."""

import pickle

import numpy as np
import polars as pl
import pytest
from blocks.tables import STORES, MadeRows, parquet, parts

from maxmargin.blocks import open_rows
from maxmargin.blocks.parquet import ParquetRows


@pytest.fixture(scope="module")
def X():
    return np.random.default_rng(0).normal(size=(20_001, 3))


@pytest.mark.parametrize("store", STORES)
def test_the_same_rows_come_from_everywhere(store, X, tmp_path):
    rows = open_rows(STORES[store](X, tmp_path))
    assert (rows.shape, rows.dtype, len(rows)) == (X.shape, X.dtype, len(X))
    which = np.random.default_rng(1).permutation(len(X))[:500]
    for _ in range(2):  # a stream may stand anywhere
        for ask in (slice(None), slice(5, 6), slice(9000, 12_000), slice(0, 0), which, [3, 3, 0]):
            np.testing.assert_array_equal(rows[ask], X[ask])
    np.testing.assert_array_equal(rows[::100], X[::100])
    np.testing.assert_array_equal(rows[:, [2, 0]][which], X[which][:, [2, 0]])
    np.testing.assert_array_equal(rows[X[:, 0] > 2], X[X[:, 0] > 2])
    np.testing.assert_array_equal(rows.extremes(), [X.min(axis=0), X.max(axis=0)])
    copy = pickle.loads(pickle.dumps(rows))  # as it goes to another process
    np.testing.assert_array_equal(copy[100:200], X[100:200])
    with pytest.raises(IndexError, match="20001"):
        rows[np.array([20_001])]


@pytest.mark.parametrize("engine", ["polars", "pyarrow"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_parquet_by_both_libraries(engine, dtype, X, tmp_path):
    path = parquet(X.astype(dtype), tmp_path)
    rows = ParquetRows(str(path), engine=engine)
    assert (rows.dtype, rows.names) == (dtype, ["a", "b", "c"])
    np.testing.assert_array_equal(rows[:], X.astype(dtype))
    np.testing.assert_array_equal(rows[15_000:15_010], X.astype(dtype)[15_000:15_010])
    some = ParquetRows(str(path), columns=["c", "a"], engine=engine)
    np.testing.assert_array_equal(some[:10], X.astype(dtype)[:10, [2, 0]])
    with pytest.raises(ValueError, match="no column 'z'; it has 'a', 'b', 'c'"):
        ParquetRows(str(path), columns=["z"], engine=engine)


def test_integers_and_flags_are_numbers(tmp_path):
    pl.DataFrame({"a": [1, 2], "b": [True, False]}).write_parquet(tmp_path / "a.parquet")
    np.save(tmp_path / "a.npy", np.array([[1, 1], [2, 0]]))
    for path in tmp_path.iterdir():
        assert open_rows(path)[:].tolist() == [[1.0, 1.0], [2.0, 0.0]]
    assert open_rows(np.array([[1, 1], [2, 0]]))[:].dtype == np.float64


@pytest.mark.parametrize("text", ["1,2\n3,4", "1;2\n3;4\n", "1\t2\n3\t4\n", "1 2\n3 4\n"])
@pytest.mark.parametrize("header", [True, False])
def test_text_of_several_kinds(text, header, tmp_path):
    separator = next(sign for sign in ",;\t " if sign in text)
    path = tmp_path / "a.csv"
    path.write_text((f'"x"{separator}y\n' if header else "") + text)
    rows = open_rows(path)
    assert rows.names == (["x", "y"] if header else None)
    assert rows[:].tolist() == [[1, 2], [3, 4]]


def test_parts_without_rows_and_with_one(X, tmp_path):
    place = parts(X[:10], tmp_path, n=4)
    pl.DataFrame(X[:0], schema=list("abc")).write_parquet(place / "part-001b.parquet")
    pl.DataFrame(X[:1], schema=list("abc")).write_parquet(place / "part-zzz.parquet")
    rows = open_rows(place)
    np.testing.assert_array_equal(rows[:], np.vstack([X[:10], X[:1]]))
    np.testing.assert_array_equal(open_rows(f"{place}/part-00*.parquet")[:], X[:10])


def test_what_is_wrong_is_named(X, tmp_path):
    place = parts(X, tmp_path, n=3)
    last = place / "part-002.parquet"
    whole = last.read_bytes()
    for damaged in (whole[:-100], b"PAR1" + whole[4:200], b""):
        last.write_bytes(damaged)
        with pytest.raises(ValueError, match=r"part-002.parquet is no Parquet file, or it is dama"):
            open_rows(place)
    tables = {
        "it lacks 'c'; it alone has 'z'": pl.DataFrame(X[:5], schema=["a", "b", "z"]),
        "their order differs": pl.DataFrame(X[:5], schema=["b", "a", "c"]),
        "no numbers: 'c'": pl.DataFrame({"a": [1.0], "b": [1.0], "c": ["x"]}),
        "holds float32 numbers": pl.DataFrame(X[:5].astype(np.float32), schema=list("abc")),
    }
    for message, table in tables.items():
        table.write_parquet(last)
        with pytest.raises(ValueError, match=r"part-002.parquet") as caught:
            open_rows(place)
        assert message in str(caught.value)
    with pytest.raises(FileNotFoundError, match="nothing"):
        open_rows(tmp_path / "nothing.parquet")
    with pytest.raises(FileNotFoundError, match="there is no file"):
        open_rows(str(tmp_path / "*.nothing"))
    (tmp_path / "a.xlsx").write_text("")
    with pytest.raises(ValueError, match=r"are read from .npy, .parquet"):
        open_rows(tmp_path / "a.xlsx")


def test_damage_inside_of_a_file_is_named_when_it_is_read(X, tmp_path):
    path = parquet(X, tmp_path)
    damaged = bytearray(path.read_bytes())
    damaged[20_000:60_000] = bytes(40_000)
    path.write_bytes(damaged)
    for engine in ("polars", "pyarrow"):
        rows = ParquetRows(str(path), engine=engine)
        with pytest.raises((ValueError, OSError)):
            rows[:]
    np.save(tmp_path / "a.npy", X)
    rows = open_rows(tmp_path / "a.npy")
    (tmp_path / "a.npy").write_bytes((tmp_path / "a.npy").read_bytes()[:-100])
    with pytest.raises(ValueError, match=r"a.npy ends before row 20001"):
        rows[:]
    (tmp_path / "a.csv").write_text("a,b\n1,2\n3\n")
    with pytest.raises(ValueError, match=r"a.csv, rows 0 to 1: "):
        open_rows(tmp_path / "a.csv")[:]


def test_gaps_are_named(X):
    for value, word in ((np.nan, "NaN"), (np.inf, "infinity")):
        gap = X.copy()
        gap[17_000, 1] = value
        rows = MadeRows(gap)
        with pytest.raises(ValueError, match=f"X has {word} in row 17000, column 1: "):
            rows.extremes()


def test_rows_are_not_read_as_a_whole_by_accident(X):
    with pytest.raises(TypeError, match=r"rows\[:\] reads all rows"):
        np.asarray(MadeRows(X))
    rows = MadeRows(X, most=4096)
    rows.extremes()
    rows.sum(lambda block: (sum(len(tile) for _, tile in block.tiles()),))
    assert rows.n_read == 2 * len(X)
    rows.n_read = 0
    rows[np.arange(20)]
    assert rows.n_read <= 4096  # tiles without a row that is asked for are left out
