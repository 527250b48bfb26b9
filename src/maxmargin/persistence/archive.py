"""The zip archive: what it holds, and whether that fits into memory."""

import io
import json
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from maxmargin._runtime.files import replacing
from maxmargin._runtime.memory import require_memory

METADATA = "maxmargin.json"
#: The structure of the model: a schema of skops, with stable names for our types.
MODEL = "model.json"
#: Where skops looks for it, with modules and classes instead.
SCHEMA = "schema.json"

#: How a zip archive begins, and how NumPy tells one from an array.
ZIP = b"PK"

#: The lowest level: numbers with noise in them do not get smaller with more work.
COMPRESSION = 1

#: Bytes that a byte of JSON may take as objects.
OBJECT_BYTES = 32
#: An array is read as bytes and then copied.
COPIES = 2

PathLike = str | os.PathLike[str]


class ModelFileError(ValueError):
    """A file is no model file, is damaged, is too new, or holds what is not trusted.

    Examples
    --------
    >>> import tempfile
    >>> from maxmargin.persistence import load
    >>> with tempfile.NamedTemporaryFile() as empty:
    ...     load(empty.name)
    Traceback (most recent call last):
        ...
    maxmargin.persistence.archive.ModelFileError: ... is no model file of maxmargin: it is no zip
    archive.
    """


@contextmanager
def only_file_errors(path: PathLike, note: str = "") -> Iterator[None]:
    """Let whatever goes wrong inside of the block say that it is the file."""
    try:
        yield
    except ModelFileError:
        raise
    except Exception as error:  # damaged bytes can lead anywhere
        reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise ModelFileError(
            f"{os.fspath(path)} cannot be read: it is damaged, or was not written by "
            f"maxmargin.save ({reason}).{note}"
        ) from error


def open_archive(file: Any, path: PathLike) -> ZipFile:
    """Open a zip archive that has what every model file has."""
    try:
        archive = ZipFile(file)
    except Exception as error:
        raise ModelFileError(
            f"{os.fspath(path)} is no model file of maxmargin: it is no zip archive."
        ) from error
    names = archive.namelist()
    if METADATA not in names:
        by_skops = " skops wrote it: skops.io.load reads it." if SCHEMA in names else ""
        raise ModelFileError(
            f"{os.fspath(path)} is no model file of maxmargin: it lacks {METADATA}.{by_skops}"
        )
    # other methods of compression do not bound what a few bytes become
    if len(set(names)) < len(names) or not _stored_or_deflated(archive):
        raise ModelFileError(
            f"{os.fspath(path)} is no model file of maxmargin: it is packed in another way."
        )
    return archive


def read_json(archive: ZipFile, name: str, path: PathLike) -> dict[str, Any]:
    """Read a member that is a JSON object."""
    with only_file_errors(path):
        size = archive.getinfo(name).file_size
    _require(OBJECT_BYTES * size, path)
    with only_file_errors(path):
        found = json.loads(archive.read(name))
        if not isinstance(found, dict):
            raise ValueError(f"{name} is no JSON object")
    return found


def require_room(archive: ZipFile, schema: dict[str, Any], path: PathLike) -> None:
    """Raise a MemoryError if the arrays of a model would not fit."""
    held = os.path.getsize(path)  # as a whole, while skops reads it
    _require(held + sum(info.file_size for info in archive.infolist()), path)
    with only_file_errors(path):
        reads = Counter(_members_read(schema))
        needed = sum(times * _bytes_of(archive, name) for name, times in reads.items())
    _require(held + COPIES * needed, path)


def write(path: PathLike, made: IO[bytes], schema: dict[str, Any], metadata: Any) -> None:
    """Write what skops made, with another schema and with metadata."""
    whole = io.BytesIO()
    with (
        ZipFile(made) as source,
        ZipFile(whole, "w", ZIP_DEFLATED, compresslevel=COMPRESSION) as archive,
    ):
        for name in source.namelist():
            if name != SCHEMA:
                archive.writestr(name, source.read(name))
        archive.writestr(MODEL, json.dumps(schema))
        archive.writestr(METADATA, json.dumps(metadata, indent=1))
    with replacing(path) as draft:
        draft.write_bytes(whole.getbuffer())


def for_skops(file: IO[bytes], schema: dict[str, Any]) -> IO[bytes]:
    """A copy of a model file in memory, with the schema that skops reads."""
    file.seek(0)
    copy = io.BytesIO(file.read())
    with ZipFile(copy, "a") as archive:
        if SCHEMA in archive.namelist():
            raise ValueError(f"it holds {SCHEMA} besides {MODEL}")
        archive.comment = b""
        archive.writestr(SCHEMA, json.dumps(schema))
    return copy


def nodes(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every JSON object in a schema."""
    left: list[Any] = [schema]
    while left:
        node = left.pop()
        if isinstance(node, dict):
            yield node
            left.extend(node.values())
        elif isinstance(node, list):
            left.extend(node)


def _members_read(schema: dict[str, Any]) -> Iterator[str]:
    """The members that are read, as often as they are: once for each object."""
    seen = set()
    for node in nodes(schema):
        name, number = node.get("file"), node.get("__id__")
        if isinstance(name, str) and not (number and number in seen):
            yield name
            seen.add(number)


def _bytes_of(archive: ZipFile, name: str) -> int:
    size = archive.getinfo(name).file_size
    with archive.open(name) as member:
        if member.read(len(ZIP)) != ZIP:
            return size
    with ZipFile(io.BytesIO(archive.read(name))) as inner:  # a sparse matrix: an archive itself
        if not _stored_or_deflated(inner):
            raise ValueError(f"{name} is packed in a way that SciPy does not use")
        return size + sum(info.file_size for info in inner.infolist())


def _stored_or_deflated(archive: ZipFile) -> bool:
    return all(info.compress_type in (ZIP_STORED, ZIP_DEFLATED) for info in archive.infolist())


def _require(needed: int, path: PathLike) -> None:
    require_memory(
        needed, f"the model in {os.fspath(path)}", "Load it where there is more, if you trust it."
    )
