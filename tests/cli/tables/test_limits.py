"""Small files that would become large: refused before the work, read if the user says so."""

import gzip
import io

import numpy as np
import pytest
from scipy import sparse

from maxmargin.cli.tables import TableError, limits, read_table


def saved(save, *arrays, **named):
    stream = io.BytesIO()
    save(stream, *arrays, **named)
    return stream.getvalue()


def one_line():
    return gzip.compress(b"1," * 10**6)


def many_rows():
    return gzip.compress(b"1\n" * 10**6)


def packed_arrays():
    return saved(np.savez_compressed, X=np.zeros((250_000, 2)))


def packed_twice():
    return gzip.compress(saved(np.save, np.zeros((250_000, 2))))


def parquet():
    pl = pytest.importorskip("polars")
    stream = io.BytesIO()
    pl.DataFrame({"x": np.zeros(10**6)}).write_parquet(stream)
    return stream.getvalue()


BOMBS = [one_line, many_rows, packed_arrays, packed_twice, parquet]


@pytest.fixture
def small_limit(monkeypatch):
    monkeypatch.setattr(limits, "MOST_BYTES", 10**6)


@pytest.mark.usefixtures("small_limit")
@pytest.mark.parametrize("piped_in", [False, True], ids=["file", "pipe"])
@pytest.mark.parametrize("bomb", BOMBS)
def test_what_unpacks_to_too_much_is_refused(given, piped, bomb, piped_in):
    path = piped(bomb()) if piped_in else given(bomb(), "bomb")
    with pytest.raises(TableError, match=r"unpack to more than [\d,]+, as .* --max-unpacked"):
        read_table(path)


@pytest.mark.usefixtures("small_limit")
@pytest.mark.parametrize("bomb", [many_rows, packed_arrays, packed_twice, parquet])
def test_a_larger_limit_lets_it_through(given, bomb):
    table = read_table(given(bomb(), "bomb"), max_unpacked=10**8)
    assert table.n_rows >= 250_000


def hollow_rows(form):
    shape = (30_000, 2)
    made = sparse.csr_array(([1.0], ([0], [1])), shape)
    return saved(sparse.save_npz, made.asformat(form))


TALL = {
    "gzip": gzip.compress(b"1\n" * 30_000),
    "gzip, empty": gzip.compress(b"a,b\n" + b",\n" * 30_000),
    "gzip, carriage returns": gzip.compress(b"1\r" * 30_000),
    "gzip, array": gzip.compress(saved(np.save, np.zeros((30_000, 1), np.int8))),
    "gzip, svmlight": gzip.compress(b"0 1:1\n" * 30_000),
    "npz": saved(np.savez_compressed, X=np.zeros((30_000, 1), np.int8)),
    "sparse": hollow_rows("csr"),
    "sparse, no pointers": hollow_rows("coo"),
}


@pytest.mark.parametrize("kind", TALL)
def test_many_rows_of_few_bytes_are_refused(given, kind, monkeypatch):
    path = given(TALL[kind], "tall")
    assert read_table(path).n_rows >= 29_999
    monkeypatch.setattr(limits, "ROWS_IN_ANY_CASE", 1000)
    with pytest.raises(TableError, match=r"unpack to more than [\d,]+ rows, as .* --max-unpacked"):
        read_table(path)
    assert read_table(path, max_unpacked=10**7).n_rows >= 29_999


def test_many_rows_of_parquet_are_refused(given, monkeypatch):
    content = parquet()
    monkeypatch.setattr(limits, "ROWS_IN_ANY_CASE", 1000)
    monkeypatch.setattr(limits, "MOST_BYTES", 10**9)
    with pytest.raises(TableError, match=r"unpack to more than [\d,]+ rows"):
        read_table(given(content, "t.parquet"))


def test_many_rows_that_have_something_to_say_are_read(given, rng, monkeypatch):
    monkeypatch.setattr(limits, "ROWS_IN_ANY_CASE", 1000)
    flags = "\n".join(f"{a},{b}" for a, b in rng.integers(0, 2, (30_000, 2)))
    assert read_table(given(gzip.compress(flags.encode()))).n_rows == 30_000


def test_what_unpacks_as_tables_do_is_read(given, rng):
    text = "\n".join(f"{a:.3f},{b:.3f}" for a, b in rng.normal(size=(2000, 2)))
    assert read_table(given(gzip.compress(text.encode()), "t.csv.gz")).n_rows == 2000


def hollow(form, shape):
    """A sparse matrix that has one entry, and is very large."""
    row = [1] if form == "coo" else None
    parts = {"row": row, "col": [1]} if row else {"indices": [1], "indptr": [0, 1, 1]}
    return saved(np.savez, format=form.encode(), shape=np.array(shape), data=[1.0], **parts)


def wide_text():
    return ("1," * 2000 + "1\n").encode() * 3


WIDE = {
    "csr": hollow("csr", (2, 4 * 10**12)),
    "csr, a little too wide": hollow("csr", (2, 10**7 + 1)),
    "coo": hollow("coo", (2, 4 * 10**12)),
    "npy": saved(np.save, np.zeros((1, 2 * 10**6), np.int8)),
    "npz": saved(np.savez, X=np.zeros((1, 2 * 10**6), np.int8)),
    "svmlight": b"1 1:1 20000000:1\n0 1:1\n",
}


@pytest.mark.parametrize("kind", WIDE)
def test_too_many_columns_are_refused(given, kind):
    with pytest.raises(TableError, match=r"there are [\d,]+ columns, and up to .* --max-columns"):
        read_table(given(WIDE[kind], "wide"))


def test_the_number_of_columns_can_be_chosen(given):
    with pytest.raises(TableError, match=r"there are 2,001 columns, and up to 2,000"):
        read_table(given(wide_text()), max_columns=2000)
    assert len(read_table(given(wide_text()), max_columns=2001).columns) == 2001
    table = read_table(given(WIDE["svmlight"], "x.svm"), max_columns=20_000_001)
    assert table.matrix.shape[1] == 20_000_001


def test_no_rows_and_very_many_columns(given):
    content = saved(np.save, np.zeros((0, 3), np.int8))
    content = content.replace(b"(0, 3), }            ", b"(0, 4000000000000), }")
    with pytest.raises(TableError, match="the array is empty"):
        read_table(given(content, "x.npy"))


def test_very_many_rows_of_a_sparse_matrix(given):
    with pytest.raises(TableError, match="does not fit into memory"):
        read_table(given(hollow("coo", (4 * 10**13, 2)), "tall.npz"))


@pytest.mark.parametrize(
    ("size", "code"), [("4GB", 0), ("0.5 gb", 0), ("100", 2), ("lots", 2), ("-1", 2), ("1e9", 2)]
)
def test_a_size_is_read_with_its_unit(tmp_path, size, code, capsys):
    from maxmargin.cli.main import run

    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"1\n2\n8\n9\n" * 50))
    how = ["cluster", str(path), "-k", "2", "--method", "rls", f"--max-unpacked={size}"]
    assert run(how) == code
    assert code == 0 or "--max-unpacked" in capsys.readouterr().err


def test_sparse_matrices_as_they_are_still_read(given):
    content = saved(sparse.save_npz, sparse.csr_array(np.eye(4)))
    assert read_table(given(content, "x.npz")).n_rows == 4
