"""Labels to a file, block by block."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from maxmargin._runtime.files import replacing

Labels = Iterator[NDArray[np.integer]]


def write_labels(
    parts: Labels, n: int, path: str | os.PathLike[str], name: str = "cluster"
) -> None:
    """Write the labels of n rows; the file is there whole or not at all.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> import numpy as np
    >>> from maxmargin.blocks.labels_file import write_labels
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "labels.npy")
    ...     write_labels(iter([np.array([0, 1], np.int32), np.array([1], np.int32)]), 3, path)
    ...     np.load(path).tolist()
    [0, 1, 1]
    """
    writer = writer_of(path)
    with replacing(path) as draft, open(draft, "wb") as file:
        writer(parts, n, file, name)


def writer_of(path: str | os.PathLike[str]) -> Callable[[Labels, int, IO[bytes], str], None]:
    """What writes a file of this name, or an error that says which ones there are."""
    writers = {".npy": _npy, ".csv": _csv, ".parquet": _parquet, ".pq": _parquet}
    writer = writers.get(Path(path).suffix.lower())
    if writer is None:
        raise ValueError(f"labels go to {', '.join(writers)} files; got {os.fspath(path)!r}.")
    return writer


def _npy(parts: Labels, n: int, file: IO[bytes], name: str) -> None:
    header = {
        "descr": npy.dtype_to_descr(np.dtype(np.int32)),
        "fortran_order": False,
        "shape": (n,),
    }
    npy.write_array_header_1_0(file, header)
    for part in parts:
        file.write(np.ascontiguousarray(part, np.int32).tobytes())


def _csv(parts: Labels, n: int, file: IO[bytes], name: str) -> None:
    file.write(f"{name}\n".encode())
    for part in parts:
        file.write("".join(f"{label}\n" for label in part.tolist()).encode())


def _parquet(parts: Labels, n: int, file: IO[bytes], name: str) -> None:
    try:
        import pyarrow as pa
        from pyarrow.parquet import ParquetWriter
    except ImportError:  # polars writes whole tables: four bytes for each row
        import polars as pl

        pl.DataFrame({name: np.concatenate(list(parts), dtype=np.int32)}).write_parquet(file)
        return
    schema = pa.schema([(name, pa.int32())])
    with ParquetWriter(file, schema) as writer:
        for part in parts:
            writer.write_batch(pa.record_batch([pa.array(part, pa.int32())], schema=schema))
