"""NPY, NPZ and svmlight."""

import io
import zipfile

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.datasets import dump_svmlight_file

from maxmargin.cli.tables import Preparation, TableError, read_table


def saved(save, *arrays, **named):
    stream = io.BytesIO()
    save(stream, *arrays, **named)
    return stream.getvalue()


@pytest.mark.parametrize(
    "dtype", ["float16", "float32", "float64", "int8", "uint64", "bool", ">f8"]
)
@pytest.mark.parametrize("order", ["C", "F"])
def test_npy(given, piped, dtype, order):
    X = np.array([[0, 1, 1], [1, 0, 1]], dtype=dtype, order=order)
    content = saved(np.save, X)
    for path in (given(content, "x.npy"), given(content, "wrong.csv"), piped(content)):
        table = read_table(path)
        prepared = Preparation.fit(table).transform(table)
        assert prepared.X.dtype == np.float64
        assert_array_equal(prepared.X, X.astype(float))
        assert prepared.names == ["column 1", "column 2", "column 3"]


def test_records_have_names(given):
    records = np.array([("a", 1.5, b"q"), ("b", 2.5, b"r")], dtype="U3,f4,S1")
    table = read_table(given(saved(np.save, records), "x.npy"))
    assert [c.values.tolist() for c in table.columns] == [["a", "b"], [1.5, 2.5], ["q", "r"]]
    assert table.has_header


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.arange(3.0), r"1 dimension \(3\), and a table has 2.*reshape\(-1, 1\)"),
        (np.zeros((2, 2, 2)), r"3 dimensions \(2 x 2 x 2\)"),
        (np.zeros((0, 2)), "the array is empty"),
        (np.array([["a", {}]], dtype=object), "Python objects, which are not loaded for safety"),
    ],
)
def test_arrays_that_are_no_table(given, array, message):
    for content, name in ((saved(np.save, array), "x.npy"), (saved(np.savez, array), "x.npz")):
        with pytest.raises(TableError, match=message):
            read_table(given(content, name))


def test_complex_numbers_are_refused(given):
    table = read_table(given(saved(np.save, np.ones((3, 1), complex)), "x.npy"))
    with pytest.raises(TableError, match="'column 1' holds complex numbers"):
        Preparation.fit(table)


def test_a_cut_file_is_told_before_memory_is_taken(given):
    content = saved(np.save, np.zeros((10, 2)))
    with pytest.raises(TableError, match="cut off: 160 bytes are announced"):
        read_table(given(content[:-70], "x.npy"))
    with pytest.raises(TableError, match=r"ends in .npy, and its content is no NPY"):
        read_table(given("1,2\n", "x.npy"))


def test_npz(given):
    X, y = np.arange(6.0).reshape(3, 2), np.array(["a", "b", "a"])
    table = read_table(given(saved(np.savez, X=X, y=y, other=np.ones(7)), "x.npz"))
    prepared = Preparation.fit(table, truth="y").transform(table)
    assert_array_equal(prepared.X, X)
    assert prepared.truth.values.tolist() == ["a", "b", "a"]
    assert Preparation.fit(table).transform(table).X.shape == (3, 2)  # y is no feature
    only = read_table(given(saved(np.savez_compressed, data=X), "x.npz"))
    assert_array_equal(only.column(1).values, X[:, 1])
    with pytest.raises(TableError, match="the arrays 'a', 'b', and none is named X"):
        read_table(given(saved(np.savez, a=X, b=X), "x.npz"))


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "bsr", "dia"])
def test_sparse_npz(given, form):
    X = np.array([[0, 1.5], [2, 0], [0, 0]])
    content = saved(sparse.save_npz, sparse.csr_array(X).asformat(form))
    table = read_table(given(content, "x.npz"))
    prepared = Preparation.fit(table).transform(table)
    assert prepared.X.format == "csr"
    assert_array_equal(prepared.X.toarray(), X)


def test_wrong_indices_of_a_sparse_matrix_are_refused(given):
    parts = {"data": np.ones(2), "indices": np.array([0, 9]), "indptr": np.array([0, 1, 2])}
    content = saved(np.savez, **parts, shape=np.array([2, 2]), format=b"csr")
    with pytest.raises(TableError, match="the NumPy file is damaged"):
        read_table(given(content, "x.npz"))


@pytest.mark.parametrize(
    ("member", "message"),
    [
        ("xl/workbook.xml", "Excel workbook"),
        ("content.xml", "OpenDocument"),
        ("t.csv", "a zip archive, not like a table. Unpack it first"),
    ],
)
def test_other_zip_files(given, member, message):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(member, "1,2")
    with pytest.raises(TableError, match=message):
        read_table(given(stream.getvalue(), "x.xlsx"))


@pytest.mark.parametrize("zero_based", [True, False])
def test_svmlight(given, piped, zero_based):
    X = np.array([[1.0, 0, 2], [0, 0, 3], [0, 0, 0]])
    content = saved(lambda f: dump_svmlight_file(X, [1, 0, 1], f, zero_based=zero_based))
    for path in (given(content, "x.svm"), piped(content)):
        table = read_table(path)
        prepared = Preparation.fit(table, truth="label").transform(table)
        assert_array_equal(prepared.X.toarray(), X)
        assert_array_equal(prepared.truth.values, [1, 0, 1])
        first = 0 if zero_based else 1
        assert prepared.names == [f"column {j + first}" for j in range(3)]


def test_new_sparse_data_may_be_narrower_or_wider(given):
    trained = read_table(given("1 1:1 3:2\n0 2:1\n", "x.svm"))
    preparation = Preparation.fit(trained, drop=["2"])
    kept = Preparation.from_json(preparation.to_json())
    prepared = kept.transform(read_table(given("# none\n0 1:5\n", "x.svm")))
    assert_array_equal(prepared.X.toarray(), [[5, 0]])
    assert prepared.names == ["column 1", "column 3"]
    prepared = kept.transform(read_table(given("0 3:5 9:1\n", "x.svm")))
    assert_array_equal(prepared.X.toarray(), [[0, 5]])
    assert prepared.notes == ["6 columns beyond those of the training ignored."]
    with pytest.raises(TableError, match="sparse table of another kind"):
        kept.transform(read_table(given("1,2\n")))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1 3:1 2:1", "line 3: the index 2 after 3 does not rise"),
        ("x 3:1", "line 3: the label 'x' is no number"),
        ("1 3:1 4:z", "line 3: '4:z' is no index:value"),
        ("1 4", "line 3: '4' is no index:value"),
    ],
)
def test_wrong_svmlight_lines(given, line, message):
    with pytest.raises(TableError, match=message):
        read_table(given(f"# a comment\n1 1:1\n{line}\n", "x.svm"))


def test_sparse_values_must_be_finite(given):
    table = read_table(given("1 1:1\n\n1 2:nan\n", "x.svm"))
    with pytest.raises(TableError, match="line 3, column 2: the value is nan"):
        Preparation.fit(table)
    table = read_table(given("1 1:1\n0 2:1\n", "x.svm"))
    with pytest.raises(TableError, match="'label' stands beside the matrix"):
        Preparation.fit(table, columns=["1", "label"])
