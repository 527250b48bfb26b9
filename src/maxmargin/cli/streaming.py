"""Files that are larger than memory: rows in blocks from the file to the labels."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin._runtime.progress import Step, tell
from maxmargin.blocks import Rows, open_rows
from maxmargin.blocks.mapped import MappedRows
from maxmargin.blocks.rows import NotNumbers
from maxmargin.blocks.table import open_table
from maxmargin.cli.errors import UserError
from maxmargin.preprocessing import TableEncoder


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
        self, function: Callable[..., Any], *arrays: Any, kept: int = 0
    ) -> Iterator[tuple[slice, Any]]:
        """Of the rows themselves; a step for every block."""
        began, n = time.perf_counter(), self.shape[0]
        tell(Step("Reading", "row", 0, n))
        for place, found in self.rows.each(function, *arrays, kept=kept):
            rate = place.stop / max(time.perf_counter() - began, 1e-9)
            tell(Step("Reading", "row", place.stop, n, f"{rate:,.0f} rows/s"))
            yield place, found


#: How long a scheduler may take to answer.
PATIENCE = "10s"
Opener = Callable[[Rows], Rows]


@contextmanager
def readers(dask: str | None) -> Iterator[Opener]:
    """Who reads rows: this process, or the workers of a Dask cluster, which see the file too."""
    if dask is None:
        yield WatchedRows
        return
    try:
        from distributed import Client

        from maxmargin.blocks.dask_rows import read_by_workers
    except ImportError as error:
        raise UserError("--dask needs dask: pip install 'maxmargin[distributed]'.") from error
    try:
        client = Client(dask, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        raise UserError(f"there is no Dask scheduler at {dask!r}: {error}") from error
    with client:
        yield lambda rows: WatchedRows(read_by_workers(rows))


def rows_of(data: str, columns: list[str] | None, read: Opener) -> tuple[Rows, TableEncoder | None]:
    """The rows of a file, and what makes numbers of its columns if they are not."""
    path = os.path.abspath(data)  # workers may be anywhere
    try:
        rows = read(open_rows(path, columns))
        rows.extremes()
        return rows, None
    except NotNumbers:
        table = open_table(path, columns)
        if table is None:
            raise
    encoder = TableEncoder(standardize=False).fit(table)
    return read(encoder.transform(table)), encoder


def predicted(estimator: Any, data: str, read: Opener) -> tuple[int, Iterator[NDArray[np.integer]]]:
    """The number of rows, and their labels block by block; transformers see a tile at a time."""
    *before, last = [step for _, step in getattr(estimator, "steps", [("", estimator)])]
    if not hasattr(last, "_labels_in_parts"):
        raise UserError(f"{type(last).__name__} cannot predict rows in blocks; leave out --memory.")
    encoder = before[0] if before else getattr(last, "encoder_", None)
    if isinstance(encoder, TableEncoder):
        rows = read(encoder.transform(os.path.abspath(data)))
        before = before[1:]
    else:
        names = getattr(estimator, "feature_names_in_", None)
        columns = None if names is None else [str(name) for name in names]
        rows = read(open_rows(os.path.abspath(data), columns))
    for step in before:
        step = copy(step)
        vars(step).pop("feature_names_in_", None)  # tiles are arrays, in the order of the names
        rows = MappedRows(rows, step.transform, rows.step)
    if encoder is None and rows.shape[1] != last.n_features_in_:
        raise UserError(
            f"the model has {last.n_features_in_} columns, and the file {rows.shape[1]}."
        )
    return rows.shape[0], last._labels_in_parts(rows)
