"""Rows of a Parquet file, in batches: by polars, or else by pyarrow."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin.blocks.rows import NotNumbers
from maxmargin.blocks.stream import StreamRows, chosen
from maxmargin.blocks.table import FileTable

BATCH_BYTES = 4 * 2**20


class ParquetRows(StreamRows):
    """The numeric columns of a Parquet file.

    Parameters
    ----------
    path : str
    columns : sequence of str or None
        Those that are read; None for all.
    engine : {"polars", "pyarrow", None}
        Who reads it; None takes polars where it is installed, which needs half of the time.
    """

    def __init__(
        self, path: str, columns: Sequence[str] | None = None, engine: str | None = None
    ) -> None:
        self.path, self.engine = path, engine or _installed()
        n, kinds = _head(path, self.engine)
        kinds = chosen(kinds, columns, path)
        wrong = [name for name, kind in kinds.items() if kind is None]
        if wrong:
            raise NotNumbers(
                f"{path} has columns that are no numbers: {', '.join(map(repr, wrong))}. Rows in "
                f"blocks must be numbers: leave these columns out, or encode them first."
            )
        self.names = list(kinds)
        self.shape = (n, len(kinds))
        single = set(kinds.values()) == {4}
        self.dtype = np.dtype(np.float32 if single else np.float64)

    def batches(self, start: int) -> Iterator[NDArray[Any]]:
        """The rows from ``start`` on."""
        rows = int(max(256, min(65536, BATCH_BYTES // (8 * self.shape[1]))))
        if self.engine == "polars":
            import polars as pl

            kind = pl.Float32 if self.dtype == np.float32 else pl.Float64
            for batch in _by_polars(self.path, self.names, start, rows):
                yield batch.cast(kind).to_numpy()
        else:
            for part in _by_pyarrow(self.path, self.names, start, rows):
                columns = [c.to_numpy(zero_copy_only=False) for c in part.columns]
                yield np.column_stack([np.asarray(c, dtype=self.dtype) for c in columns])


class ParquetTable(FileTable):
    """The columns of a Parquet file, of any kind.

    Parameters
    ----------
    path : str
    columns : sequence of str or None
        Those that are read; None for all.
    engine : {"polars", "pyarrow", None}
    """

    def __init__(
        self, path: str, columns: Sequence[str] | None = None, engine: str | None = None
    ) -> None:
        self.path, self.engine = path, engine or _installed()
        self.n_rows, kinds = _head(path, self.engine)
        self.names = list(chosen(kinds, columns, path))

    def frames(self, start: int) -> Iterator[Any]:
        """The rows from ``start`` on."""
        rows = int(max(256, min(16384, BATCH_BYTES // (32 * len(self.names)))))
        if self.engine == "polars":
            yield from _by_polars(self.path, self.names, start, rows)
            return
        for part in _by_pyarrow(self.path, self.names, start, rows):
            yield dict(zip(self.names, map(_values, part.columns), strict=True))


def _by_polars(path: str, names: Any, start: int, rows: int) -> Iterator[Any]:
    import polars as pl

    frame = pl.scan_parquet(path, glob=False).select(names).slice(start)
    yield from frame.collect_batches(chunk_size=rows, maintain_order=True)


def _by_pyarrow(path: str, names: Any, start: int, rows: int) -> Iterator[Any]:
    from pyarrow.parquet import ParquetFile

    with ParquetFile(path, pre_buffer=False) as file:
        groups = list(range(file.metadata.num_row_groups))
        sizes = [file.metadata.row_group(group).num_rows for group in groups]
        ends = np.cumsum(sizes)
        first = int(np.searchsorted(ends, start, side="right"))
        skip = start - int(ends[first - 1] if first else 0)
        for batch in file.iter_batches(batch_size=rows, row_groups=groups[first:], columns=names):
            part = batch.slice(skip)
            skip = max(0, skip - len(batch))
            yield part


def _values(column: Any) -> NDArray[Any]:
    """The values of a column of arrow; numbers are numbers, gaps in them NaN."""
    if column.type in _number_types():
        return np.asarray(column.to_numpy(zero_copy_only=False), dtype=np.float64)
    found = np.empty(len(column), dtype=object)
    found[:] = column.to_pylist()
    return found


def _number_types() -> set[Any]:
    import pyarrow as pa

    whole = (pa.int8, pa.int16, pa.int32, pa.int64, pa.uint8, pa.uint16, pa.uint32, pa.uint64)
    return {kind() for kind in (*whole, pa.float16, pa.float32, pa.float64)}


def _head(path: str, engine: str) -> tuple[int, dict[str, int | None]]:
    """The number of rows, and the bytes of a value of each column; None for other than numbers."""
    try:
        return _polars_head(path) if engine == "polars" else _pyarrow_head(path)
    except (OSError, MemoryError):
        raise
    except Exception as error:  # each library has its own
        raise ValueError(f"{path} is no Parquet file, or it is damaged: {error}") from error


def _installed() -> str:
    """Who can read Parquet files."""
    for engine in ("polars", "pyarrow"):
        try:
            __import__(engine)
        except ImportError:
            continue
        return engine
    raise ImportError("Parquet files need polars or pyarrow: pip install 'maxmargin[parquet]'.")


def _polars_head(path: str) -> tuple[int, dict[str, int | None]]:
    import polars as pl

    schema = pl.read_parquet_schema(path)
    n = pl.scan_parquet(path, glob=False).select(pl.len()).collect().item()
    return int(n), {
        name: 4 if kind == pl.Float32 else 8 if kind.is_numeric() or kind == pl.Boolean else None
        for name, kind in schema.items()
    }


def _pyarrow_head(path: str) -> tuple[int, dict[str, int | None]]:
    import pyarrow as pa
    from pyarrow.parquet import ParquetFile

    with ParquetFile(path, pre_buffer=False) as file:
        n, schema = file.metadata.num_rows, file.schema_arrow

    def width(kind: Any) -> int | None:
        if pa.types.is_float32(kind):
            return 4
        wide = (pa.types.is_integer, pa.types.is_floating, pa.types.is_boolean)
        return 8 if any(is_kind(kind) for is_kind in wide) else None

    return n, {field.name: width(field.type) for field in schema}
