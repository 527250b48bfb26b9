"""The same recipe for the training data and for new data."""

import json

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.datasets import load_iris

from maxmargin.cli.tables import Preparation, TableError, read_table


def kept(preparation):
    """The preparation after a stay in a file."""
    again = Preparation.from_json(json.loads(json.dumps(preparation.to_json())))
    assert again == preparation
    return again


def test_iris_as_a_file_is_iris(given):
    iris = load_iris()
    lines = ["sl,sw,pl,pw,kind,id"]
    for i, (row, y) in enumerate(zip(iris.data, iris.target, strict=True)):
        lines.append(",".join(map(repr, row.tolist())) + f",{iris.target_names[y]},{i:03}")
    table = read_table(given("\n".join(lines)), verbatim=["id"])
    prepared = kept(Preparation.fit(table, id="id", truth="kind")).transform(table)
    assert_array_equal(prepared.X, iris.data)
    assert prepared.names == ["sl", "sw", "pl", "pw"]
    assert prepared.id.values[7] == "007"
    assert_array_equal(prepared.truth.values, iris.target_names[iris.target])
    assert prepared.notes == []


@pytest.mark.parametrize(
    ("columns", "drop", "names"),
    [
        (None, [], ["x", "y", "z", "a,b", "4"]),
        (["y", "x"], [], ["y", "x"]),
        (["2-3"], [], ["y", "z"]),
        (["1", "4"], [], ["x", "4"]),  # the name comes before the number
        (["a,b"], [], ["a,b"]),
        (['x,"a,b", y'], [], ["x", "a,b", "y"]),
        (["1-4"], ["y,z"], ["x", "a,b"]),
        (None, ["5"], ["x", "y", "z", "a,b"]),
    ],
)
def test_selection(given, columns, drop, names):
    table = read_table(given('x,y,z,"a,b",4\n1,2,3,4,5\n2,4,5,6,7\n'), header=True)
    prepared = Preparation.fit(table, columns=columns, drop=drop).transform(table)
    assert prepared.names == names


def test_gaps_are_filled_with_values_of_the_training(given):
    training = read_table(given("x,y\n1,1\n2,\n9,3\n"))
    for impute, x, y in (("median", 2, 2), ("mean", 4, 2)):
        preparation = kept(Preparation.fit(training, impute=impute))
        prepared = preparation.transform(training)
        assert_array_equal(prepared.X, [[1, 1], [2, y], [9, 3]])
        assert prepared.notes == ["1 missing value filled in."]
        new = preparation.transform(read_table(given("x,y\nNA,50\n100,\n")))
        assert_array_equal(new.X, [[x, 50], [100, y]])


def test_gaps_of_new_data_are_refused_without_impute(given):
    preparation = Preparation.fit(read_table(given("x,y\n1,1\n2,3\n")))
    with pytest.raises(TableError, match=r"'y' \(1 value, first in line 2\).*train with --impute"):
        preparation.transform(read_table(given("x,y\n1,\n")))
    with pytest.raises(TableError, match=r"trained on numbers.*'y' \(line 3: 'b'"):
        preparation.transform(read_table(given("x,y\n1,2\n1,b\n3,4\n")))
    with pytest.raises(TableError, match="line 2, column 'x': the value is inf"):
        preparation.transform(read_table(given("x,y\ninf,2\n")))


def test_onehot(given):
    training = read_table(given("x,city\n1,Rome\n2, Oslo\n3,Rome\n"))
    preparation = kept(Preparation.fit(training, encode="onehot"))
    prepared = preparation.transform(training)
    assert prepared.names == ["x", "city=Oslo", "city=Rome"]
    assert_array_equal(prepared.X, [[1, 0, 1], [2, 1, 0], [3, 0, 1]])
    new = preparation.transform(read_table(given("x,city\n1,Bonn\n2,Rome\n3,Kiel\n")))
    assert_array_equal(new.X, [[1, 1 / 3, 2 / 3], [2, 0, 1], [3, 1 / 3, 2 / 3]])
    assert new.notes[0].startswith("2 values of 'city' did not occur in the training data")
    with pytest.raises(TableError, match="values are missing in column 'city'"):
        preparation.transform(read_table(given("x,city\n1,\n2,Rome\n")))


def test_missing_text_is_the_average_under_impute(given):
    training = read_table(given("x,city\n1,Rome\n2,NA\n3,Oslo\n4,Rome\n"))
    with pytest.raises(TableError, match="values are missing in column 'city'"):
        Preparation.fit(training, encode="onehot")
    prepared = Preparation.fit(training, encode="onehot", impute="mean").transform(training)
    assert prepared.names == ["x", "city=Oslo", "city=Rome"]
    assert_array_equal(prepared.X, [[1, 0, 1], [2, 1 / 3, 2 / 3], [3, 1, 0], [4, 0, 1]])
    assert prepared.notes == ["1 missing value filled in."]


def test_auto_tells_kinds_of_text_apart(given):
    rows = [f"{i},n{i},2024-01-{1 + i % 28:02},{'ab'[i % 2]}," for i in range(30)]
    training = read_table(given("\n".join(["x,name,day,kind,none", *rows])))
    preparation = kept(Preparation.fit(training, encode="auto", impute="auto"))
    prepared = preparation.transform(training)
    assert prepared.names == ["x", "day (year)", "kind=a", "kind=b"]
    assert np.ptp(prepared.X[:, 1]) * 365.2425 == pytest.approx(27)
    assert [sentence.split(":")[0] for sentence in preparation.done] == [
        "'name'", "'day'", "'kind'", "'none'",
    ]  # fmt: skip
    new = read_table(given("kind,day,x\nc,2024-03-01,1\nb,,\n"), verbatim=preparation.verbatim)
    again = preparation.transform(new)
    assert_array_equal(again.X[:, 2:], [[0.5, 0.5], [0, 1]])
    assert "another order" in again.notes[0]
    assert "1 value of 'kind' did not occur" in again.notes[1]
    wrong = read_table(given("kind,day,x\na,soon,1\n"), verbatim=preparation.verbatim)
    with pytest.raises(TableError, match="'day' was a date at fit, and now it is text"):
        preparation.transform(wrong)


def test_auto_takes_no_typing_error_for_a_category(given):
    table = read_table(given("x,y\n1,2\n3,4\n5,4\n7,O\n"))
    with pytest.raises(TableError, match="1 of 4 values are text"):
        Preparation.fit(table, encode="auto", impute="auto")
    table = read_table(given("x,y\na,\nb,\n"))
    with pytest.raises(TableError, match="no column can be used"):
        Preparation.fit(table, columns=["y"], encode="auto", impute="auto")


def test_categories_that_look_like_numbers_in_new_data(given):
    preparation = Preparation.fit(read_table(given("x,c\n1,01\n2,b\n")), encode="onehot")
    table = read_table(given("x,c\n1,01\n2,01\n"), verbatim=preparation.verbatim)
    assert_array_equal(preparation.transform(table).X, [[1, 1, 0], [2, 1, 0]])


def test_columns_of_new_data_are_found_by_name(given):
    training = read_table(given("id,x,y,w\na,1,2,0\nb,3,5,1\n"))
    preparation = kept(Preparation.fit(training, id="id", drop=["w"]))
    new = preparation.transform(read_table(given("y,new,x,w\n2,9,1,0\n4,9,3,1\n")))
    assert_array_equal(new.X, [[1, 2], [3, 4]])
    assert new.id is None
    assert new.notes == [
        "There is no column 'id' (--id of the training) in the file.",
        "Columns that the training did not have are ignored: 'new'.",
        "The columns are in another order than in the training: names tell them.",
    ]
    other = read_table(given("y,who,x\n2,q,1\n4,r,3\n"))
    assert preparation.transform(other, id="who").id.values.tolist() == ["q", "r"]
    with pytest.raises(TableError, match="1 column that the model needs is missing: 'y'"):
        preparation.transform(read_table(given("x\n1\n")))
    with pytest.raises(TableError, match="2 columns are named 'x'"):
        preparation.transform(read_table(given("x,x,y\n1,2,3\n")))


def test_columns_without_names_are_found_by_place(given):
    preparation = kept(Preparation.fit(read_table(given("a,1,2\nb,3,4\n")), id="1"))
    assert preparation.id == "column 1"
    for text in ("007,5,6\n", "who,x,y\n007,5,6\n"):
        new = preparation.transform(read_table(given(text), verbatim=preparation.verbatim))
        assert_array_equal(new.X, [[5, 6]])
        assert new.id.values.tolist() == ["007"]
    with pytest.raises(TableError, match="needs is missing: 'column 3'"):
        preparation.transform(read_table(given("1,2\n3,4\n")))


def test_one_row_is_enough_for_a_model(given):
    preparation = Preparation.fit(read_table(given("x\n1\n2\n")))
    prepared = preparation.transform(read_table(given("x\n5\n")))
    assert_array_equal(prepared.X, [[5]])
    assert prepared.notes == []


def test_constant_columns_are_noted(given):
    table = read_table(given("x,y\n1,2\n3,2\n"))
    notes = Preparation.fit(table).transform(table).notes
    assert notes == ["The same value in all rows: 'y'."]


def test_labels_may_be_known_in_part(given):
    table = read_table(given("x,y\n1,a\n3,\n"), verbatim=["y"])
    truth = Preparation.fit(table, truth="y").transform(table).truth
    assert truth.missing.tolist() == [False, True]


@pytest.mark.parametrize("wrong", [{}, {"features": 3}, [], None])
def test_what_is_no_preparation(wrong):
    with pytest.raises(TableError, match="does not say how its columns are prepared"):
        Preparation.from_json(wrong)
