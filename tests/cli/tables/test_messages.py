"""What users read when something is wrong: the file, the place, the way out."""

import gzip

import pytest

from maxmargin.cli.tables import Preparation, TableError, read_table

# name: (content of t.csv, options of read_table, options of fit, message)
CASES = {
    "empty": ("", {}, {}, "t.csv: the file is empty."),
    "blank": ("\n\n", {}, {}, "t.csv: there are no rows. Give a file with data."),
    "header": ("x,y\n", {}, {}, "t.csv: there is a header and no rows. Give a file with data."),
    "one row": (
        "x,y\n1,2\n",
        {},
        {},
        "t.csv: there is one row only, and clusters need at least two. Give a file with more rows.",
    ),
    "ragged": (
        "x,y\n1,2\n\n3\n",
        {},
        {},
        "t.csv, line 4: 1 field where 2 are expected: '3'. Correct or remove the line, or name "
        "another --separator (taken: ',').",
    ),
    "title": (
        "My data\nx,y\n1,2\n3,4\n",
        {},
        {},
        "t.csv, line 1: 1 field where 2 are expected: 'My data'. Correct or remove the line, or "
        "name another --separator (taken: ',').",
    ),
    "open quote": (
        'x,y\n1,2\n3,"4\n5,6\n',
        {},
        {},
        't.csv, line 3: a quote (") is opened and never closed. Close or remove it.',
    ),
    "text after a quote": (
        'x,y\n1,"2"3\n4,5\n',
        {},
        {},
        't.csv, line 2: there is text after a closing quote ("). Write "" for a quote inside a '
        "field.",
    ),
    "long field": (
        "x\n1\n" + "9" * 200_000 + "\n",
        {},
        {},
        't.csv, line 3: a field is longer than 131,072 characters. Perhaps a quote (") is not '
        'closed: close it, or write "" for a quote inside a field.',
    ),
    "latin-1": (
        b"x,y\n1,2\n3,\xe9\n",
        {},
        {},
        "t.csv, line 3: byte 0xe9 is no utf-8 text. Say how the file is encoded, perhaps: "
        "--encoding latin-1.",
    ),
    "windows": (
        b"x,y\r1,2\r3,\x80\r",
        {},
        {},
        "t.csv, line 3: byte 0x80 is no utf-8 text. Say how the file is encoded, perhaps: "
        "--encoding cp1252.",
    ),
    "NUL": (
        b"x,y\n1,\0\n",
        {},
        {},
        "t.csv, line 2: there is a NUL byte. This looks like no text file: give CSV, Parquet, "
        "NPY, NPZ or svmlight.",
    ),
    "UTF-16 without a mark": (
        "x,y\n1,2\n".encode("utf-16-be"),
        {},
        {},
        "t.csv, line 1: there is a NUL byte. Perhaps it is UTF-16: --encoding utf-16-be.",
    ),
    "unknown encoding": (
        "x\n1\n",
        {"encoding": "base64"},
        {},
        "t.csv: --encoding 'base64' is unknown. Known are utf-8, utf-16, latin-1, cp1252 and the "
        "others of Python.",
    ),
    "separator": (
        "x\n1\n",
        {"separator": "::"},
        {},
        "--separator '::': give a single character, or one of tab and space.",
    ),
    "decimal": (
        "x\n1\n",
        {"decimal": "'"},
        {},
        '--decimal "\'": give . or , (a point or a comma).',
    ),
    "pdf": (
        "%PDF-1.7",
        {},
        {},
        "t.csv: this looks like a PDF document, not like a table. Save it as CSV, and give that "
        "file.",
    ),
    "html": (
        "\n<!DOCTYPE html><html>",
        {},
        {},
        "t.csv: this looks like a web page (HTML), not like a table. Download the data itself.",
    ),
    "cut gzip": (
        gzip.compress(b"x,y\n" + bytes(range(48, 58)) * 999)[:40],
        {},
        {},
        "t.csv: the gzip data is damaged or cut off (Compressed file ended before the "
        "end-of-stream marker was reached). Copy the file again.",
    ),
    "cut zip": (
        b"PK\x03\x04abc",
        {},
        {},
        "t.csv: the zip (or NPZ) file is damaged or cut off (File is not a zip file). Copy the "
        "file again.",
    ),
    "text": (
        "who,x,kind\na\x1b,1,k\nb,2,k\n",
        {},
        {},
        "t.csv: only numbers can be clustered, and there is text in column 'who' (line 2: "
        "'a\\x1b'), column 'kind' (line 2: 'k'). Ways out: --encode onehot; --drop who --drop "
        "kind; --id who (its values all differ); --truth kind if these are known labels.",
    ),
    "a typo": (
        "x,y z\n1,2\n3,4\n5,4\n7,O\n",
        {},
        {"columns": ["y z"]},
        "t.csv: only numbers can be clustered, and there is text in column 'y z' (line 5: 'O'; 1 "
        "of 4 values are text). Ways out: --encode onehot; --drop 'y z'; --truth 'y z' if these "
        "are known labels.",
    ),
    "decimal comma": (
        "x;y\n1,5;2\n1,5;4\n",
        {},
        {},
        "t.csv: only numbers can be clustered, and there is text in column 'x' (line 2: '1,5'). "
        "Ways out: --encode onehot; --drop x; --truth x if these are known labels; --decimal , if "
        "'x' has a decimal comma.",
    ),
    "decimal point": (
        "x;y\n1.5;2\n1.5;4\n",
        {"decimal": ","},
        {},
        "t.csv: only numbers can be clustered, and there is text in column 'x' (line 2: '1.5'). "
        "Ways out: --encode onehot; --drop x; --truth x if these are known labels; --decimal . if "
        "'x' has a decimal point.",
    ),
    "a typo among decimal commas": (
        "x;y\n1,5;2\n1,5;4\nO;6\n",
        {"decimal": ","},
        {},
        "t.csv: only numbers can be clustered, and there is text in column 'x' (line 4: 'O'; 1 of "
        "3 values are text). Ways out: --encode onehot; --drop x; --truth x if these are known "
        "labels.",
    ),
    "names taken for a row": (
        "city,2019,2020\nRome,5,6\nOslo,7,8\n",
        {},
        {},
        "t.csv: only numbers can be clustered, and there is text in column 'column 1' (line 1: "
        "'city'). Ways out: --encode onehot; --drop 'column 1'; --id 'column 1' (its values all "
        "differ); --header if line 1 holds names.",
    ),
    "thousands": (
        "x;y\n1,234,000;2\n1,234,000;4\n",
        {},
        {},
        "t.csv: only numbers can be clustered, and there is text in column 'x' (line 2: "
        "'1,234,000'). Ways out: --encode onehot; --drop x; --truth x if these are known labels; "
        "write the numbers of 'x' without thousands separators.",
    ),
    "missing": (
        "x,y\n1,2\n,NA\n?,3\n",
        {},
        {},
        "t.csv: values are missing in column 'x' (2 values, first in line 3), 'y' (1 value, first "
        "in line 3). Ways out: --impute median; --drop x --drop y.",
    ),
    "nothing at all": (
        "x,y\n1,\n2,\n",
        {},
        {"impute": "median"},
        "t.csv: there is no value at all in column 'y'. Way out: --drop y.",
    ),
    "infinite": (
        "x,y\n1,2\n3,-inf\n",
        {},
        {},
        "t.csv, line 3, column 'y': the value is -inf (or too large for a number); up to 1e+150 "
        "can be clustered. Correct it, or leave it empty and use --impute median, or --drop y.",
    ),
    "nearly infinite": (
        "x,y\n1e308,2\n-1e308,3\n",
        {},
        {},
        "t.csv, line 2, column 'x': the value is 1e+308 (or too large for a number); up to 1e+150 "
        "can be clustered. Correct it, or leave it empty and use --impute median, or --drop x.",
    ),
    "repeated names": (
        "x,y,x\n1,2,3\n4,5,6\n",
        {},
        {},
        "t.csv: columns 1 and 3 are both named 'x'. Rename one, or leave it out: --drop 3.",
    ),
    "ambiguous name": (
        "x,y,x\n1,2,3\n4,5,6\n",
        {},
        {"drop": ["x"]},
        "t.csv: --drop 'x' is the name of several columns (1, 3). Give the number instead, such "
        "as --drop 3.",
    ),
    "unknown name": (
        "width,height\n1,2\n3,4\n",
        {},
        {"columns": ["heigth"]},
        "t.csv: --columns 'heigth': there is no such column. Did you mean --columns height? The "
        "file has 'width', 'height'.",
    ),
    "unknown number": (
        "x,y\n1,2\n3,4\n",
        {},
        {"drop": ["2-3"]},
        "t.csv: --drop 2-3: no column has this name, and the numbers of the columns go from 1 to "
        "2.",
    ),
    "nothing left": (
        "x,y\n1,2\n3,4\n",
        {},
        {"drop": ["x"], "id": "y"},
        "t.csv: no column is left to cluster by. Name some with --columns, or drop fewer; the "
        "file has 'x', 'y'.",
    ),
    "feature and id": (
        "x,y\n1,2\n3,4\n",
        {},
        {"columns": ["x"], "id": "x"},
        "t.csv: column 'x' is both in --columns and --id. A feature cannot be either: leave it "
        "out of one.",
    ),
    "unknown way": (
        "x,y\n1,2\n3,4\n",
        {},
        {"impute": "zero"},
        "--impute 'zero' is unknown. Allowed: median, mean, auto.",
    ),
    "categories": (
        "x\n" + "".join(f"v{i}\n" for i in range(101)),
        {},
        {"encode": "onehot"},
        "t.csv: column 'x' has 101 different values, and --encode onehot makes a column for each "
        "of up to 100. Ways out: --encode auto, --drop x or --id x.",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_message(given, case):
    content, reading, fitting, message = CASES[case]
    path = given(content)
    with pytest.raises(TableError) as caught:
        Preparation.fit(read_table(path, **reading), **fitting)
    assert str(caught.value) == message


def test_files_that_are_not_there(given):
    given("x\n1\n", "flowers.csv")
    with pytest.raises(TableError, match=r"Did you mean 'flowers.csv'"):
        read_table("flower.csv")
    with pytest.raises(TableError, match="this is a folder"):
        read_table(".")
    with pytest.raises(TableError, match="no such file"):
        read_table("a\0b")


def test_at_most_five_columns_are_listed(given):
    table = read_table(given("a,b,c,d,e,f,g\n" + "x,x,x,x,x,x,x\n" * 2))
    with pytest.raises(TableError, match=r"'e' \(line 2: 'x'\) and 2 more"):
        Preparation.fit(table)
