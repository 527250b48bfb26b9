"""Files that are larger than memory: rows in blocks from the file to the labels."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin._runtime.progress import Step, tell
from maxmargin.blocks import Rows, open_rows
from maxmargin.blocks.mapped import MappedRows
from maxmargin.blocks.rows import of_tiles
from maxmargin.cli.errors import UserError


class WatchedRows(Rows):
    """Rows that tell how far a pass over them is, and how fast."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.shape, self.dtype, self.names = rows.shape, rows.dtype, rows.names
        self.remote = rows.remote

    def read(self, start: int, stop: int) -> Any:
        """Of the rows themselves."""
        return self.rows.read(start, stop)

    def each(
        self, function: Callable[..., Any], *arrays: NDArray[Any]
    ) -> Iterator[tuple[slice, Any]]:
        """Of the rows themselves; a step for every block."""
        began, n = time.perf_counter(), self.shape[0]
        tell(Step("Reading", "row", 0, n))
        for place, found in self.rows.each(function, *arrays):
            rate = place.stop / max(time.perf_counter() - began, 1e-9)
            tell(Step("Reading", "row", place.stop, n, f"{rate:,.0f} rows/s"))
            yield place, found


@contextmanager
def opened(data: str, columns: list[str] | None, dask: str | None) -> Iterator[WatchedRows]:
    """The rows of a file, here or by the workers of a Dask cluster."""
    if dask is None:
        yield WatchedRows(open_rows(data, columns))
        return
    try:
        import dask.dataframe as dd
        from distributed import Client
    except ImportError as error:
        raise UserError("--dask needs dask: pip install 'maxmargin[distributed]'.") from error
    readers = {".parquet": dd.read_parquet, ".csv": dd.read_csv}
    reader = readers.get(Path(data).suffix.lower())
    if reader is None:
        raise UserError(f"--dask reads {' and '.join(readers)} files; got {data!r}.")
    try:
        client = Client(dask, timeout="10s")
    except (OSError, ValueError) as error:
        raise UserError(f"there is no Dask scheduler at {dask!r}: {error}") from error
    with client:
        yield WatchedRows(open_rows(reader(data), columns))


def predicted(estimator: Any, rows: Rows) -> Iterator[NDArray[np.int32]]:
    """The labels of rows, block by block; a pipeline's transformers see a tile at a time."""
    *before, last = [step for _, step in getattr(estimator, "steps", [("", estimator)])]
    if not hasattr(last, "_bare"):
        raise UserError(f"{type(last).__name__} cannot predict rows in blocks; leave out --memory.")
    for step in before:
        step = copy(step)
        vars(step).pop("feature_names_in_", None)  # tiles are arrays, in the order of the names
        rows = MappedRows(rows, step.transform, rows.step)
    if rows.shape[1] != last.n_features_in_:
        raise UserError(
            f"the model has {last.n_features_in_} columns, and the file {rows.shape[1]}."
        )
    for _, (part,) in rows.each(partial(of_tiles, last._bare()._matrix_labels)):
        yield part
