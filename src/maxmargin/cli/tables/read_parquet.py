"""Parquet, through polars."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin.cli.tables.errors import TableError, quoted
from maxmargin.cli.tables.limits import FileLimits
from maxmargin.cli.tables.source import Source
from maxmargin.cli.tables.table import Column, Table, find_verbatim


def polars_for(name: str) -> Any:
    """Import polars, or say how to install it; ``name`` is the file that needs it."""
    try:
        import polars
    except ImportError as error:
        raise TableError(
            f'{name}: Parquet needs polars: install it with pip install "maxmargin[parquet]", '
            f"or use CSV."
        ) from error
    return polars


def read_parquet(source: Source, limits: FileLimits, verbatim: Sequence[str] = ()) -> Table:
    """Read a Parquet file; the columns named in ``verbatim`` keep their types."""
    pl = polars_for(source.name)
    try:
        with source.seekable() as stream:
            _check_size(pl, source, stream, limits)
            frame = pl.read_parquet(stream)
        kept = find_verbatim(frame.columns, verbatim)
        columns = tuple(_column(pl, s, j in kept) for j, s in enumerate(frame.get_columns()))
    except (TableError, MemoryError, OSError):
        raise
    except (Exception, pl.exceptions.PanicException) as error:  # a panic is no Exception
        raise TableError(
            f"{source.name}: the Parquet file is damaged or of an unknown kind "
            f"({quoted(error, 80)}). Save it again."
        ) from error
    if frame.height == 0 or not columns:
        raise TableError(f"{source.name}: there are no rows. Give a file with data.")
    return Table(source.name, columns, frame.height)


def _check_size(pl: Any, source: Source, stream: Any, limits: FileLimits) -> None:
    """Ask the file how many cells it has, which are packed as well as can be."""
    lazy = pl.scan_parquet(stream)
    n_columns = len(lazy.collect_schema())
    limits.check_columns(source, n_columns)
    n_rows = lazy.select(pl.len()).collect().item()
    limits.check_unpacked(source, 8 * n_columns * n_rows)
    limits.check_rows(source, n_rows)
    stream.seek(0)


def _column(pl: Any, series: Any, verbatim: bool) -> Column:
    kind = series.dtype
    if kind.is_nested() or kind in (pl.Binary, pl.Object):
        nothing = np.full(len(series), None, dtype=object)
        return Column(series.name, nothing, refusal=f"holds {_nested(pl, kind)}")
    values: NDArray[Any]
    if verbatim and series.null_count() and not kind.is_float():
        values = np.empty(len(series), dtype=object)
        values[:] = series.to_list()
    elif verbatim and (kind.is_integer() or kind in (pl.Date, pl.Datetime)):
        values = series.to_numpy()
    elif kind == pl.Null or kind.is_float() or kind.is_decimal():
        values = series.cast(pl.Float64).fill_null(float("nan")).to_numpy()
    elif kind.is_integer() or kind == pl.Boolean:
        nulls = series.null_count() > 0
        values = (
            series.cast(pl.Float64).fill_null(float("nan")).to_numpy()
            if nulls
            else series.to_numpy()
        )
    else:  # strings, categories; dates and times as they are printed
        values = np.empty(len(series), dtype=object)
        values[:] = [None if v is None else str(v) for v in series.to_list()]
    return Column(series.name, values)


def _nested(pl: Any, kind: Any) -> str:
    if kind == pl.Binary:
        return "raw bytes"
    return "records" if kind == pl.Struct else "lists" if kind.is_nested() else "objects"
