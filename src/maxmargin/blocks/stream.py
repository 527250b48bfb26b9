"""Rows of files that are best read from the beginning to the end."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin.blocks.rows import Rows


class StreamRows(Rows):
    """Rows that come one batch after another; what is asked for in order is read once.

    Attributes
    ----------
    path : str
        The file.
    """

    path: str
    _stream: Iterator[NDArray[Any]] | None = None
    _batch: NDArray[Any]
    _at = 0  # the number of the first row of the batch

    @abstractmethod
    def batches(self, start: int) -> Iterator[NDArray[Any]]:
        """The rows from ``start`` on, in batches of any size."""

    def read(self, start: int, stop: int) -> NDArray[Any]:
        """Go on with the stream, or begin another one."""
        if self._stream is None or not self._near(start):
            self._stream, self._at = self.batches(start), start
            self._batch = np.empty((0, self.shape[1]), self.dtype)
        parts = [np.empty((0, self.shape[1]), self.dtype)]
        while start < stop:
            if start >= self._at + len(self._batch):
                self._next(start)
                continue
            part = self._batch[start - self._at : stop - self._at]
            parts.append(part)
            start += len(part)
        return parts[1] if len(parts) == 2 else np.concatenate(parts)

    def _near(self, start: int) -> bool:
        """Whether the stream comes to a row soon."""
        return self._at <= start <= self._at + len(self._batch) + self.micro

    def _next(self, start: int) -> None:
        assert self._stream is not None, "it was begun"
        self._at += len(self._batch)
        try:
            batch = next(self._stream, None)
        except (OSError, MemoryError, KeyboardInterrupt):
            self._stream = None
            raise
        except Exception as error:
            self._stream = None
            raise ValueError(f"{self.path} cannot be read near row {start}: {error}") from error
        if batch is None:
            self._stream = None
            raise ValueError(
                f"{self.path} ends after {self._at} rows; it had {self.shape[0]} when it was "
                f"opened. A file must not change while it is read."
            )
        self._batch = np.ascontiguousarray(batch, dtype=self.dtype)

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_stream": None}


def chosen(kinds: Mapping[str, Any], columns: Sequence[str] | None, path: str) -> dict[str, Any]:
    """What is known of the columns that are asked for; an error names those that are not there."""
    if columns is None:
        return dict(kinds)
    missing = [name for name in columns if name not in kinds]
    if missing:
        raise ValueError(
            f"{path} has no column {', '.join(map(repr, missing))}; it has "
            f"{', '.join(map(repr, kinds))}."
        )
    return {name: kinds[name] for name in columns}
