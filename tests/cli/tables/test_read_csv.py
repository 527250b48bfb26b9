"""Text tables: what is guessed, what becomes a number, and which line a row is on."""

import gzip
import os
import threading
import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from maxmargin.cli.tables import TableError, read_csv, read_table
from maxmargin.cli.tables.dialect import sniff_dialect


def shown(table):
    return {column.name: column.values.tolist() for column in table.columns}


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", " ", "   "])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_what_can_be_sniffed(given, separator, end, encoding):
    lines = [["x", "é"], ["1", "2.5"], ["-3", "4e2"]]
    text = end.join(separator.join(line) for line in lines) + end
    table = read_table(given(text.encode(encoding), "t.txt"))
    assert shown(table) == {"x": [1, -3], "é": [2.5, 400]}
    assert [table.line_of(i) for i in range(2)] == [2, 3]


@pytest.mark.parametrize(
    ("lines", "separator", "header"),
    [
        (["1,5;2,5;3,5", "2,5;3,5;4,5"], ";", False),
        (["1,5 2,5", "2,5 3,5"], " ", False),
        (["2020-01-01 10:00,5,6", "2020-01-02 10:00,7,8"], ",", False),
        (["John Smith, Berlin City", "Anna Meier, Paris West"], ",", True),
        (["a,1,2", "b,3,4"], ",", False),
        (["city,2019", "Rome,5"], ",", False),  # numbers may be names: say --header
        (["x,2019", "1,5"], ",", True),
        (['"a;b",1', '"c;d",2'], ",", False),
        (["x", "1"], ",", True),
        (["word", "words of many kinds", "one"], ",", True),
        (["NA,1", "2,3"], ",", False),
    ],
)
def test_guesses(lines, separator, header):
    found = sniff_dialect(lines)
    assert (found.separator, found.header) == (separator, header)


def test_what_is_said_is_not_guessed(given):
    path = given("1 2,3\n4 5,6\n")
    assert shown(read_table(path, header=True, separator=",")) == {"1 2": ["4 5"], "3": [6]}
    assert list(shown(read_table(path, separator="space"))) == ["column 1", "column 2"]
    assert shown(read_table(path, separator="space", decimal=","))["column 2"] == [2.3, 5.6]
    assert shown(read_table(given(b"x\n\xe9\n"), encoding="latin1")) == {"x": ["é"]}


def test_cells(given):
    text = "a,b,c,d,e,f\n 3 ,true,NA,1_0,007,2020-01-01\n1e2,False,null,2,008,-\n"
    table = read_table(given(text), verbatim=["e"])
    a, b, c, d, e, f = table.columns
    assert_array_equal(a.values, [3, 100])
    assert_array_equal(b.values, [1, 0])
    assert np.isnan(c.values).all()
    assert d.values.tolist() == ["1_0", "2"]
    assert e.values.tolist() == ["007", "008"]
    assert f.values.tolist() == ["2020-01-01", "-"]
    assert not f.missing.any()


def test_quotes_blank_lines_and_lines_of_rows(given):
    text = 'x, "long, name"\n\n1,"a\nb"\n   \n2,"say ""hi"""\n3,c\n\n'
    table = read_table(given(text))
    assert shown(table) == {"x": [1, 2, 3], "long, name": ["a\nb", 'say "hi"', "c"]}
    assert [table.line_of(i) for i in range(3)] == [3, 6, 7]


@pytest.mark.parametrize("text", ["x,y,\n1,2,\n3,4,\n", "x,y\n1,2,\n3,4,\n"])
def test_separators_at_the_ends_of_lines(given, text):
    assert shown(read_table(given(text))) == {"x": [1, 3], "y": [2, 4]}
    unnamed = read_table(given("1,2,\n3,4,\n"))
    assert shown(unnamed) == {"column 1": [1, 3], "column 2": [2, 4]}


def test_the_line_that_excel_writes_first(given):
    table = read_table(given("sep=;\r\nx;y\r\n1;2\r\n"))
    assert shown(table) == {"x": [1], "y": [2]}
    assert table.line_of(0) == 3


def test_decimal_commas_between_commas(given):
    table = read_table(given('"1,5","2,5"\n"3,5","4,5"\n'), decimal=",")
    assert shown(table) == {"column 1": [1.5, 3.5], "column 2": [2.5, 4.5]}
    table = read_table(given("1,5\n2,5\n"), decimal=",")
    assert shown(table) == {"column 1": [1.5, 2.5]}


def test_names_that_are_missing_or_repeat(given):
    table = read_table(given("x,,x\n1,2,3\n4,5,6\n"))
    assert [column.name for column in table.columns] == ["x", "column 2", "x"]


def test_text_after_many_numbers_is_kept_as_written(given):
    n = read_csv.PORTION
    cells = ["1.50"] * (n + 3) + ["none of it"] + ["2"] * n
    flags = ["true"] * (n + 3) + ["0"] * (n + 1)
    rows = "".join(
        f"{i},{cell},{flag}\n" for i, (cell, flag) in enumerate(zip(cells, flags, strict=True))
    )
    number, text, flag = read_table(given("i,cell,flag\n" + rows)).columns
    assert_array_equal(number.values, np.arange(2 * n + 4))
    assert text.values.tolist() == cells
    assert flag.values.tolist() == flags


def test_ragged_rows_are_found_beyond_the_first_portion(given):
    n = read_csv.PORTION
    with pytest.raises(TableError, match=f"line {n + 12}: 3 fields where 2 are expected: '7,8,9'"):
        read_table(given("x,y\n" + "1,2\n" * (n + 10) + "7,8,9\n"))


def test_memory_stays_near_that_of_the_numbers(given):
    n, d = 20_000, 10
    path = given((",".join(["0.123456"] * d) + "\n") * n)
    tracemalloc.start()
    try:
        table = read_table(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    numbers = sum(column.values.nbytes for column in table.columns)
    assert numbers == 8 * n * d
    assert peak < 2 * numbers + 2**20  # and a portion of rows; the cells alone would take 11 MB


def test_gzip_is_told_by_its_content(given, piped):
    packed = gzip.compress(b"x,y\n1,2\n3,4\n")
    for path in (given(packed), given(packed, "t.csv.gz"), piped(packed)):
        assert shown(read_table(path)) == {"x": [1, 3], "y": [2, 4]}


def test_standard_input_is_named(piped):
    with pytest.raises(TableError, match=r"^standard input, line 2: 1 field"):
        read_table(piped(b"x,y\n1\n2,3\n4,5\n"))


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_pipes_can_be_read_only_once(tmp_path):
    content = b"x,y\n" + b"1,2\n" * (read_csv.PORTION + 9) + b"1,late\n"
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=[content])
    writer.start()
    table = read_table(tmp_path / "pipe")
    writer.join()
    assert table.columns[1].values[[0, -1]].tolist() == ["2", "late"]


def test_numbered_columns_stay_verbatim_unless_a_name_is_a_number(given):
    assert shown(read_table(given("a,b\n01,02\n"), verbatim=["2"])) == {"a": [1], "b": ["02"]}
    table = read_table(given("2,b\n01,02\n"), verbatim=["2"], header=True)
    assert shown(table) == {"2": ["01"], "b": [2]}
