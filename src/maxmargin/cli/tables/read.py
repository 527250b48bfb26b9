"""Read a table, whatever its kind."""

import os
from collections.abc import Sequence

from maxmargin.cli.tables.limits import FileLimits
from maxmargin.cli.tables.read_arrays import read_npy, read_npz
from maxmargin.cli.tables.read_csv import read_csv
from maxmargin.cli.tables.read_parquet import read_parquet
from maxmargin.cli.tables.read_svmlight import read_svmlight
from maxmargin.cli.tables.sniff import kind_of
from maxmargin.cli.tables.source import open_source, readable
from maxmargin.cli.tables.table import Table


def read_table(
    path: str | os.PathLike[str],
    *,
    header: bool | None = None,
    separator: str | None = None,
    encoding: str | None = None,
    decimal: str = ".",
    verbatim: Sequence[str] = (),
    max_unpacked: int | None = None,
    max_columns: int | None = None,
) -> Table:
    r"""Read CSV and its relatives, Parquet, NPY, NPZ or svmlight, plain or gzip.

    The content says what kind of file it is, not its ending. Whatever is wrong with the file is a
    `TableError` that names the place and the way out.

    Parameters
    ----------
    path : str or path
        The file; ``-`` is standard input.
    header : bool, optional
        Whether the first row of text holds the names of the columns; None guesses.
    separator : str, optional
        What stands between the fields of a line: a character, ``tab`` or ``space`` (any run of
        blanks and tabs); None guesses among comma, semicolon, tab, bar and blanks.
    encoding : str, optional
        The encoding of text; None means UTF-8, or what a byte order mark says.
    decimal : {".", ","}, default="."
        The decimal sign of text.
    verbatim : sequence of str, default=()
        Columns (by name or by number from 1) that stay as they are written, such as ids with
        leading zeros; unknown names do no harm.
    max_unpacked : int, optional
        The bytes that a packed file may unpack to, with any number of rows; None means 100 times
        its size, and at least 50 MB, and ten rows for each of its bytes, and at least a million.
    max_columns : int, optional
        The columns that a table may have; None means a million, and ten if it is sparse.

    Returns
    -------
    Table
        Columns of numbers and of text. Empty cells and ``NA``, ``N/A``, ``NaN``, ``null``,
        ``None``, ``?`` and the like are missing; ``true`` and ``false`` are 1 and 0. Blank lines
        are skipped. Names that repeat are kept: they matter only to who asks for them.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from maxmargin.cli.tables import read_table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a.csv").write_text("id;x\n007;1,5\n008;2,5\n")
    ...     table = read_table(Path(folder, "a.csv"), decimal=",", verbatim=["id"])
    >>> [column.values.tolist() for column in table.columns]
    [['007', '008'], [1.5, 2.5]]
    """
    source, limits = open_source(path), FileLimits(max_unpacked, max_columns)
    with readable(source.name):
        head = source.head()
        limits.check_gzip(source)
        kind = kind_of(source, head)
        if kind == "parquet":
            return read_parquet(source, limits, verbatim)
        if kind == "npy":
            return read_npy(source, limits)
        if kind == "npz":
            return read_npz(source, limits)
        if kind == "svmlight" and separator is None:
            return read_svmlight(source, limits)
        return read_csv(
            source,
            head,
            limits,
            header=header,
            separator=separator,
            encoding=encoding,
            decimal=decimal,
            verbatim=verbatim,
        )
