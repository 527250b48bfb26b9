"""Sparse rows of text: ``label index:value index:value ...``."""

import math
import warnings

import numpy as np
from scipy.sparse import csr_array

from maxmargin.cli.tables.errors import TableError, quoted
from maxmargin.cli.tables.limits import FileLimits
from maxmargin.cli.tables.source import Source
from maxmargin.cli.tables.table import Column, Table, compact


def read_svmlight(source: Source, limits: FileLimits) -> Table:
    """Read an svmlight (libsvm) file; its labels are the spare column ``label``.

    Columns are named by the index in the file, from 0: a file that counts from 1 has nothing
    in column 0, and `Preparation` leaves that out. (Guessing the first index anew for each file
    could shift the columns of new data against those of the training.)
    """
    from sklearn.datasets import load_svmlight_file  # slow to import, and seldom needed

    with source.seekable() as stream:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                X, labels = load_svmlight_file(stream, dtype=np.float64, zero_based=True)
        except MemoryError:
            raise
        except Exception as error:  # of many kinds, none of which names the line
            raise _first_wrong_line(source, error) from error
    if X.shape[0] == 0:
        raise TableError(f"{source.name}: there are no rows. Give a file with data.")
    limits.check_columns(source, X.shape[1], "sparse")
    label = Column("label", np.asarray(labels, dtype=np.float64), spare=True)
    with source.open() as stream:
        lines = [i for i, line in enumerate(stream, 1) if line.partition(b"#")[0].strip()]
    places = compact(np.array(lines)) if len(lines) == X.shape[0] else None
    return Table(source.name, (label,), X.shape[0], False, places, csr_array(X), first=0)


def _first_wrong_line(source: Source, error: Exception) -> TableError:
    with source.open() as stream:
        for place, line in enumerate(stream, 1):
            wrong = _what_is_wrong(line.partition(b"#")[0].split())
            if wrong:
                return TableError(
                    f"{source.name}, line {place}: {wrong}. An svmlight line reads 'label "
                    f"index:value index:value', with rising indices. Correct the line."
                )
    return TableError(f"{source.name}: cannot be read as svmlight ({error}). Correct the file.")


def _what_is_wrong(words: list[bytes]) -> str | None:
    if not words:
        return None
    if _number(words[0]) is None:
        return f"the label {_shown(words[0])} is no number"
    last = -1
    for word in words[1:]:
        index, colon, value = word.partition(b":")
        if index == b"qid":
            continue
        if not colon or not index.isdigit() or _number(value) is None:
            return f"{_shown(word)} is no index:value"
        if int(index) <= last or int(index) >= 2**31:
            return f"the index {int(index)} after {last} does not rise, or is too large"
        last = int(index)
    return None


def _number(word: bytes) -> float | None:
    try:
        value = float(word)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _shown(word: bytes) -> str:
    return quoted(word.decode("utf-8", errors="backslashreplace"))
