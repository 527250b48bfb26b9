"""What the user gave, as rows in blocks."""

import os
from collections.abc import Callable, Sequence
from glob import glob, has_magic
from pathlib import Path
from typing import Any

import numpy as np

from maxmargin.blocks.csv_rows import CsvRows
from maxmargin.blocks.npy import NpyRows
from maxmargin.blocks.parquet import ParquetRows
from maxmargin.blocks.parts import PartsRows
from maxmargin.blocks.rows import MemoryRows, Rows

#: Who reads a file, by the end of its name.
READERS: dict[str, Callable[..., Rows]] = {
    ".npy": NpyRows,
    ".parquet": ParquetRows,
    ".pq": ParquetRows,
    ".csv": CsvRows,
    ".tsv": CsvRows,
    ".txt": CsvRows,
}


def open_rows(X: Any, columns: Sequence[str] | None = None) -> Rows:
    """Open rows that are read in blocks, and never as a whole.

    Parameters
    ----------
    X : path, array, Dask array or dataframe, or Rows
        A file (``.parquet``, ``.npy``, ``.csv``, ``.tsv``), a folder of such files or a pattern
        such as ``"part-*.parquet"``, whose parts are taken in the order of their names; an array or
        memory map; a Dask array or dataframe; or rows of a kind of your own.
    columns : sequence of str or None, default=None
        The columns that are read, for what has names; None for all.

    Returns
    -------
    Rows
        To be given to ``fit`` and ``predict``, which open paths and Dask by themselves.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> import numpy as np
    >>> from maxmargin.blocks import open_rows
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     np.save(pathlib.Path(folder, "part-0.npy"), np.ones((3, 2)))
    ...     np.save(pathlib.Path(folder, "part-1.npy"), np.zeros((2, 2)))
    ...     rows = open_rows(folder)
    ...     rows.shape, rows[2:4].tolist()
    ((5, 2), [[1.0, 1.0], [0.0, 0.0]])
    """
    if isinstance(X, Rows):
        return X if columns is None else X[:, _places(X, columns)]
    if isinstance(X, str | os.PathLike):
        return _open_path(os.fspath(X), columns)
    if type(X).__module__.partition(".")[0] in ("dask", "dask_expr"):
        from maxmargin.blocks.dask_rows import DaskRows

        return DaskRows(X, columns)
    X = np.asanyarray(X)
    if X.ndim != 2 or X.dtype.kind not in "fiub":
        raise ValueError(
            f"rows must be an array of numbers with two axes; got one of shape {X.shape} and type "
            f"{X.dtype}."
        )
    rows: Rows = MemoryRows(X)
    if X.dtype not in (np.float32, np.float64):
        from maxmargin.blocks.mapped import MappedRows

        return MappedRows(rows, _as_float64, rows.step)
    return rows


def _open_path(path: str, columns: Sequence[str] | None) -> Rows:
    files, parts = files_of(path), []
    for file in files:
        reader = READERS.get(Path(file).suffix.lower())
        if reader is None:
            raise ValueError(
                f"rows in blocks are read from {', '.join(READERS)} files; got {file!r}."
            )
        if columns is None or reader is NpyRows:
            parts.append(reader(file))
        else:
            parts.append(reader(file, columns))
    return parts[0] if len(parts) == 1 else PartsRows(parts, files)


def files_of(path: str) -> list[str]:
    """The file of a path, or the files of a folder or a pattern in the order of their names."""
    files = [path]
    if Path(path).is_dir():
        files = sorted(str(file) for file in Path(path).iterdir() if file.suffix in READERS)
    elif has_magic(path) and not Path(path).exists():
        files = sorted(glob(path))
    if not files:
        raise FileNotFoundError(f"there is no file {path!r} of {', '.join(READERS)}.")
    for file in files:
        if not Path(file).is_file():
            raise FileNotFoundError(f"there is no file {file!r}.")
    return files


def is_read_from(path: str | os.PathLike[str], X: Any) -> bool:
    """Whether a file is one of those that rows come from, so that it must not be written.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from maxmargin.blocks.opening import is_read_from
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     part = pathlib.Path(folder, "part-0.npy")
    ...     np.save(part, np.ones((3, 2)))
    ...     is_read_from(part, folder), is_read_from(pathlib.Path(folder, "labels.npy"), folder)
    (True, False)
    """
    if isinstance(X, str | os.PathLike):
        known = Path(X).exists() or has_magic(os.fspath(X))
        files = files_of(os.fspath(X)) if known else []
    else:  # rows of files, or an array that is mapped from one
        parts = getattr(X, "parts", [X])
        named = [getattr(part, "path", getattr(part, "filename", None)) for part in parts]
        files = [str(name) for name in named if isinstance(name, str | os.PathLike)]
    return os.path.exists(path) and any(
        os.path.exists(file) and os.path.samefile(path, file) for file in files
    )


def _places(rows: Rows, columns: Sequence[str]) -> list[int]:
    names = list(rows.names or map(str, range(rows.shape[1])))
    missing = [name for name in columns if name not in names]
    if missing:
        raise ValueError(f"there is no column {', '.join(map(repr, missing))} in {names}.")
    return [names.index(name) for name in columns]


def _as_float64(rows: Any) -> Any:
    return rows.astype(np.float64)
