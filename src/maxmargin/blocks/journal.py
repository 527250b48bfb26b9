"""Passes that are written down, so that work that was interrupted need not do them again."""

import json
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from maxmargin.blocks.rows import Block, Rows

JOB = "job.json"


class JournaledRows(Rows):
    """Rows whose passes are kept in a folder: a pass that is there is not made again.

    A fit with a seed asks for the same passes in the same order: those that are known lead it to
    where it was interrupted, and to the same labels.

    Parameters
    ----------
    rows : Rows
    folder : Path
        One file for each pass, with the blocks that came to their end; another job begins anew.
    job : dict
        What the passes depend on: plain numbers and text.
    """

    def __init__(self, rows: Rows, folder: Path, job: dict[str, Any]) -> None:
        self.rows, self.folder = rows, folder
        self.shape, self.dtype, self.names = rows.shape, rows.dtype, rows.names
        self._extremes = rows._extremes
        self.remote, self.n_passes = rows.remote, 0
        if not self.is_of(folder, rows, job):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            (folder / JOB).write_text(_text(rows, job))

    @staticmethod
    def is_of(folder: Path, rows: Rows, job: dict[str, Any]) -> bool:
        """Whether a folder holds passes of a job."""
        return (folder / JOB).exists() and (folder / JOB).read_text() == _text(rows, job)

    def read(self, start: int, stop: int) -> Any:
        """Of the rows themselves: single rows are soon read."""
        return self.rows.read(start, stop)

    def each(
        self, function: Callable[..., Any], *arrays: Any, kept: int = 0
    ) -> Iterator[tuple[slice, Any]]:
        """Yield the place of each micro-block and ``function(block, *parts)``, in their order.

        Nothing stays with the rows: it would be lost with the process.
        """
        path = self.folder / f"{self.n_passes:05}-{_name(function)}"
        self.n_passes += 1
        if path.exists():
            yield from _written(path)
            return
        draft, done = path.with_suffix(".draft"), 0
        if draft.exists():  # blocks of a pass that was interrupted
            for place, result in _written(draft):
                yield place, result
                done = place.stop
        with open(draft, "ab") as file:
            for place, result in self.rows.each(partial(_beyond, done, function), *arrays):
                if place.stop > done:
                    _write(file, place, result)
                    yield place, result
        draft.replace(path)

    def forget(self) -> None:
        """Remove the folder, when the work is done."""
        shutil.rmtree(self.folder, ignore_errors=True)


def _text(rows: Rows, job: dict[str, Any]) -> str:
    return json.dumps({**job, "rows": [int(size) for size in rows.shape]}, sort_keys=True)


def _name(function: Callable[..., Any]) -> str:
    """What a pass computes, so that passes of other kinds are not taken for it."""
    while isinstance(function, partial):
        inner = [part for part in function.args if callable(part)]
        function = inner[0] if inner else function.func
    return str(getattr(function, "__name__", type(function).__name__)).strip("<>")


def _write(file: Any, place: slice, result: Any) -> None:
    """A result is an array, or several arrays and numbers."""
    parts = result if isinstance(result, tuple) else (result,)
    kinds = [2 if not isinstance(result, tuple) else int(isinstance(p, np.ndarray)) for p in parts]
    np.save(file, np.array([place.start, place.stop, *kinds]), allow_pickle=False)
    for part in parts:
        np.save(file, np.asarray(part), allow_pickle=False)


def _beyond(done: int, function: Callable[..., Any], block: Block, *parts: Any) -> Any:
    """What a function says of a block; nothing, and no row is read, of those that are done."""
    return function(block, *parts) if block.stop > done else None


def _written(path: Path) -> Iterator[tuple[slice, Any]]:
    """The blocks of a file; the last one is cut off if it was not written to its end."""
    with open(path, "r+b") as file:
        end = path.stat().st_size
        while (at := file.tell()) < end:
            try:
                start, stop, *kinds = np.load(file, allow_pickle=False).tolist()
                parts = [np.load(file, allow_pickle=False) for _ in kinds]
            except (ValueError, EOFError):
                file.truncate(at)
                return
            found = tuple(p if kind else p.item() for p, kind in zip(parts, kinds, strict=True))
            yield slice(start, stop), found[0] if kinds == [2] else found
