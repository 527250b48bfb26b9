"""A choice of columns, in whatever way it is written, is their numbers or a message."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from maxmargin.spaces.kernel_list import read_columns

NAMES = np.array(["a", "b", "c", "d"], dtype=object)


def read(columns, names=NAMES, n_features=4):
    return read_columns(columns, "kernels[2]", n_features, names)


@pytest.mark.parametrize(
    ("columns", "numbers"),
    [
        ("c", [2]),
        (np.str_("c"), [2]),
        (2, [2]),
        (np.int64(2), [2]),
        (-1, [3]),
        (["d", "a"], [3, 0]),
        (("d", 0), [3, 0]),
        (np.array(["d", "a"]), [3, 0]),
        (pd.Index(["d", "a"]), [3, 0]),
        (pd.Series(["d", "a"]), [3, 0]),
        (pl.Series(["d", "a"]), [3, 0]),
        ([3, -4], [3, 0]),
        (np.array([3, 0], dtype=np.uint8), [3, 0]),
        (np.array([-1, 0], dtype=np.int8), [3, 0]),
        (range(1, 3), [1, 2]),
        ((number for number in (3, 1)), [3, 1]),
        (slice(1, 3), [1, 2]),
        (slice(None, None, -2), [3, 1]),
        (slice(0, 10**30), [0, 1, 2, 3]),
        ([True, False, False, True], [0, 3]),
        (np.array([True, False, False, True]), [0, 3]),
        (pd.Series([True, False, False, True]), [0, 3]),
        (pl.Series([True, False, False, True]), [0, 3]),
    ],
    ids=lambda value: f"{type(value).__module__}.{type(value).__name__}",
)
def test_columns_become_numbers_in_their_order(columns, numbers):
    chosen = read(columns)
    assert chosen.dtype == np.intp
    np.testing.assert_array_equal(chosen, numbers)


@pytest.mark.parametrize("names", [list(NAMES), tuple(NAMES), NAMES, pd.Index(NAMES)])
def test_names_of_columns_may_be_any_sequence(names):
    np.testing.assert_array_equal(read(["b", "a"], names), [1, 0])


def test_numbers_need_no_names():
    np.testing.assert_array_equal(read([3, 1], names=None), [3, 1])


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ("z", r"no column 'z'\. X has a, b, c, d\."),
        (["a", "z"], r"no column 'z'"),
        ("", r"no column ''"),
        (4, r"no column 4\. X has 4 columns, from 0 to 3"),
        (-5, r"no column -5\. X has 4 columns"),
        ([0, 10**30], rf"no column {10**30}\. X has 4 columns"),
        ([0, 0], r"name a column twice; got \[0, 0\]"),
        ([0, -4], r"name a column twice"),
        (["a", 0], r"name a column twice"),
        ([], r"at least one column; got \[\]"),
        (slice(9, 12), r"at least one column; got slice\(9, 12, None\)"),
        ([False] * 4, r"at least one column"),
        ([True] * 5, r"is a mask of 5 entries; X has 4 columns"),
        (np.array([True, False]), r"is a mask of 2 entries; X has 4 columns"),
        ([True, 0], r"must be names, numbers, a slice or a mask of columns; got True among them"),
        (True, r"must be names, numbers, a slice or a mask of columns; got True"),
        (np.True_, r"must be names, numbers"),
        (1.0, r"must be names, numbers, a slice or a mask of columns; got 1\.0"),
        ([1.0], r"must be names, numbers.* got 1\.0 among them"),
        (np.array([1.0]), r"must be names, numbers.* among them"),
        ([np.nan], r"must be names, numbers.* got nan among them"),
        ([None], r"must be names, numbers.* got None among them"),
        ([["a", "b"]], r"must be names, numbers.* got \['a', 'b'\] among them"),
        (np.array([[0, 1]]), r"must be names, numbers.* among them"),
        (np.array(1), r"must be names, numbers.* got array\(1\)"),
        (np.ones((4, 1), dtype=bool), r"must be names, numbers.* among them"),
        (lambda table: [0], r"must be names, numbers"),
    ],
)
def test_what_is_no_choice_of_columns_is_said(columns, message):
    with pytest.raises(ValueError, match=rf"columns of kernels\[2\].*{message}"):
        read(columns)


@pytest.mark.parametrize("columns", ["a", ["a"], [0, "b"]])
def test_names_without_a_data_frame_are_refused(columns):
    with pytest.raises(
        ValueError, match=r"columns of kernels\[2\] has the name '[ab]', and X has no column names"
    ):
        read(columns, names=None)


def test_of_many_names_some_are_listed():
    names = [f"x{i}" for i in range(12)]
    with pytest.raises(ValueError, match=r"no column 'z'\. X has x0, .*x9, …\.$"):
        read("z", names, n_features=12)
