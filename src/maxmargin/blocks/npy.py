"""Rows of an NPY file, read range by range: a memory map would count as memory of the process."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin.blocks.rows import Rows


class NpyRows(Rows):
    """The rows of an array in an NPY file.

    Parameters
    ----------
    path : str
    """

    def __init__(self, path: str) -> None:
        self.path = path
        try:
            array = np.load(path, mmap_mode="r", allow_pickle=False)
        except (ValueError, EOFError) as error:
            raise ValueError(f"{path} is no NPY file, or it is damaged: {error}") from error
        if array.ndim != 2 or array.dtype.kind not in "fiub":
            raise ValueError(
                f"{path} must hold a table of numbers, an array with two axes; it holds one of "
                f"shape {array.shape} and type {array.dtype}."
            )
        self.shape = array.shape
        self.dtype = np.dtype(np.float32 if array.dtype == np.float32 else np.float64)
        self._stored = array.dtype
        self._offset = array.offset
        self._by_columns = bool(array.flags.f_contiguous and not array.flags.c_contiguous)

    def read(self, start: int, stop: int) -> NDArray[Any]:
        """Seek and read; an array that is stored by columns is mapped."""
        if self._by_columns:
            mapped = np.load(self.path, mmap_mode="r", allow_pickle=False)
            return np.ascontiguousarray(mapped[start:stop], dtype=self.dtype)
        d = self.shape[1]
        first = self._offset + start * d * self._stored.itemsize
        with open(self.path, "rb") as file:
            file.seek(first)
            values = np.fromfile(file, self._stored, (stop - start) * d)
        if len(values) < (stop - start) * d:
            raise ValueError(
                f"{self.path} ends before row {stop}; it had {self.shape[0]} rows when it was "
                f"opened. A file must not change while it is read."
            )
        return values.reshape(-1, d).astype(self.dtype, copy=False)
