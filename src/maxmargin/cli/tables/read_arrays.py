"""Arrays of NumPy: NPY, NPZ, and the sparse matrices that SciPy keeps in NPZ."""

import math
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, load_npz

from maxmargin._runtime.memory import require_memory
from maxmargin.cli.tables.errors import TableError, listed, quoted
from maxmargin.cli.tables.limits import FileLimits
from maxmargin.cli.tables.source import Source
from maxmargin.cli.tables.table import Column, Table

_SPARSE = {"data", "shape", "format"}  # of any form; the others have parts of the form
_PARTS = {"indices", "indptr", "row", "col", "offsets", "_is_array"}
_FORMATS = {"csr", "csc", "bsr"}


def read_npy(source: Source, limits: FileLimits) -> Table:
    """Read an array of two dimensions, or one of records."""
    with source.seekable() as stream:
        size = stream.seek(0, 2)
        stream.seek(0)
        with _loading(source):
            shape, dtype = _announced(stream)
        size -= stream.tell()
        if dtype.hasobject:
            raise _pickled(source)
        needed = math.prod(shape) * dtype.itemsize
        if needed > size:
            raise TableError(
                f"{source.name}: the NPY file is cut off: {needed:,} bytes are announced, and "
                f"{size:,} are there. Copy the file again."
            )
        require_memory(needed, "The array", "Give fewer rows or columns.")
        stream.seek(0)
        with _loading(source):
            array = np.load(stream, allow_pickle=False)
    columns = _columns(source, array, limits)
    return Table(source.name, columns, len(array), array.dtype.names is not None)


def read_npz(source: Source, limits: FileLimits) -> Table:
    """Read the array ``X`` (or the only one, or a sparse matrix), with others as labels."""
    with source.seekable() as stream, _loading(source):
        with zipfile.ZipFile(stream) as archive:
            needed = sum(member.file_size for member in archive.infolist())
        limits.check_unpacked(source, needed)
        require_memory(needed, "The arrays", "Give fewer rows or columns.")
        stream.seek(0)
        with np.load(stream, allow_pickle=False) as arrays:
            names = set(arrays.files)
            sparse = names >= _SPARSE
            if not sparse and "X" not in names and len(names) > 1:
                raise TableError(
                    f"{source.name}: there are the arrays {listed(map(quoted, sorted(names)))}, "
                    f"and none is named X. Save the table as X, and labels beside it as y."
                )
            kept = names - _SPARSE - _PARTS if sparse else names
            rest = {name: arrays[name] for name in kept}
            if sparse:
                _check_shape(source, limits, arrays["shape"])
        if sparse:
            stream.seek(0)
            return _sparse(source, load_npz(stream), rest)
    array = rest.pop("X" if "X" in rest else next(iter(rest)))
    columns = _columns(source, array, limits)
    has_header = array.dtype.names is not None
    return Table(source.name, columns + _spare(rest, len(array)), len(array), has_header)


def _announced(stream: BinaryIO) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """The shape and the type that an NPY file says it has."""
    major, _ = np.lib.format.read_magic(stream)
    read = np.lib.format.read_array_header_1_0
    shape, _, dtype = (read if major == 1 else np.lib.format.read_array_header_2_0)(stream)
    return shape, dtype


def _columns(source: Source, array: NDArray[Any], limits: FileLimits) -> tuple[Column, ...]:
    shape = " x ".join(map(str, array.shape)) or "a single number"
    if 0 in array.shape:
        raise TableError(f"{source.name}: the array is empty ({shape}). Give a file with data.")
    limits.check_rows(source, len(array))
    if array.dtype.names is not None and array.ndim == 1:
        named = {name: array[name] for name in array.dtype.names}
    elif array.ndim == 2:
        limits.check_columns(source, array.shape[1])
        named = {f"column {j + 1}": array[:, j] for j in range(array.shape[1])}
    else:
        way_out = "reshape(-1, 1) makes one column" if array.ndim == 1 else "reshape it"
        raise TableError(
            f"{source.name}: the array has {array.ndim} dimension{'s' * (array.ndim != 1)} "
            f"({shape}), and a table has 2, rows and columns: {way_out}."
        )
    return tuple(_column(name, values) for name, values in named.items())


def _check_shape(source: Source, limits: FileLimits, shape: NDArray[Any]) -> None:
    """Refuse a sparse matrix that has little in it but its shape."""
    if shape.shape == (2,) and shape.dtype.kind in "iu":
        limits.check_columns(source, int(shape[1]), "sparse")
        require_memory(8 * int(shape[0]), "The matrix", "Give fewer rows.")
        limits.check_rows(source, int(shape[0]))


def _column(name: str, values: NDArray[Any], spare: bool = False) -> Column:
    refusal = None
    if values.ndim != 1:
        refusal, values = "holds arrays", np.full(len(values), None, dtype=object)
    elif values.dtype.kind == "c":
        refusal = "holds complex numbers"
    elif values.dtype.kind == "S":
        values = np.array([v.decode("utf-8", "backslashreplace") for v in values], dtype=object)
    elif values.dtype.kind not in "biuf":
        values = values.astype(str).astype(object)
    elif values.dtype.kind == "f":
        with np.errstate(over="ignore"):  # what is beyond float64 is named as infinite later
            values = values.astype(np.float64, copy=False)
    return Column(name, values, spare, refusal)


def _spare(arrays: dict[str, NDArray[Any]], n_rows: int) -> tuple[Column, ...]:
    """The arrays beside the table that have a value for each row."""
    return tuple(
        _column(name, values, spare=True)
        for name, values in sorted(arrays.items())
        if values.shape == (n_rows,)
    )


def _sparse(source: Source, found: Any, rest: dict[str, NDArray[Any]]) -> Table:
    if found.ndim != 2 or found.dtype.kind not in "biuf":
        raise TableError(f"{source.name}: the sparse matrix must hold numbers in 2 dimensions.")
    if 0 in found.shape:
        raise TableError(f"{source.name}: the sparse matrix is empty. Give a file with data.")
    if found.format in _FORMATS:
        found.check_format(full_check=True)  # wrong indices would be read beyond the arrays
    matrix = csr_array(found, dtype=np.float64)
    n_rows = int(matrix.shape[0])
    return Table(source.name, _spare(rest, n_rows), n_rows, has_header=False, matrix=matrix)


@contextmanager
def _loading(source: Source) -> Iterator[None]:
    """Turn the many ways in which a damaged file fails into one."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except (TableError, MemoryError):
        raise
    except Exception as error:
        if "allow_pickle" in str(error):
            raise _pickled(source) from error
        raise TableError(
            f"{source.name}: the NumPy file is damaged ({quoted(error, 80)}). Save it again."
        ) from error


def _pickled(source: Source) -> TableError:
    return TableError(
        f"{source.name}: holds Python objects, which are not loaded for safety. Save numbers: "
        f"np.save(file, X.astype(float))."
    )
