"""Where bytes come from: a file, a pipe or standard input, unpacked if they are gzip."""

import difflib
import gzip
import io
import os
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from maxmargin.cli.tables.errors import TableError, listed, printable, quoted

HEAD = 1 << 16


@dataclass(frozen=True, eq=False)
class Source:
    """Bytes that can be read more than once.

    Attributes
    ----------
    name : str
        The name for messages.
    ending : str
        The file's ending in lower case, without ``.gz``; "" for standard input.
    path : Path or None
        The file; None if ``content`` holds all there is.
    content : bytes or None
        What came through a pipe.
    packed : bool
        Whether the bytes are gzip.
    """

    name: str
    ending: str
    path: Path | None
    content: bytes | None
    packed: bool = False

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Open the bytes from the beginning, unpacked."""
        raw: BinaryIO = (
            io.BytesIO(self.content or b"") if self.path is None else self.path.open("rb")
        )
        with raw:
            if self.packed:
                with gzip.open(raw) as unpacked:
                    yield cast(BinaryIO, unpacked)
            else:
                yield raw

    @property
    def size(self) -> int:
        """The bytes as they came, packed or not."""
        return len(self.content or b"") if self.path is None else self.path.stat().st_size

    def head(self) -> bytes:
        """The first bytes, unpacked."""
        with self.open() as stream:
            return stream.read(HEAD)

    @contextmanager
    def seekable(self) -> Iterator[BinaryIO]:
        """Open the bytes for a reader that jumps; gzip is unpacked in memory first."""
        with self.open() as stream:
            yield io.BytesIO(stream.read()) if self.packed else stream


def open_source(path: str | os.PathLike[str]) -> Source:
    """Find out where to read; ``-`` is standard input.

    Examples
    --------
    >>> from maxmargin.cli.tables.source import open_source
    >>> open_source("no-such-file.csv")
    Traceback (most recent call last):
    ...
    maxmargin.cli.tables.errors.TableError: no-such-file.csv: there is no such file.
    """
    if os.fspath(path) == "-":
        with readable("standard input"):
            content = sys.stdin.buffer.read()
        return Source("standard input", "", None, content, content[:2] == b"\x1f\x8b")
    file = Path(path)
    name = printable(str(file))
    with readable(name):
        if "\0" in str(file) or not file.exists():
            raise TableError(f"{name}: there is no such file.{_instead(file)}")
        if file.is_dir():
            raise TableError(f"{name}: this is a folder. Give a file inside it.")
        if not stat.S_ISREG(file.stat().st_mode):  # a pipe can be read only once
            content = file.read_bytes()
            return Source(name, "", None, content, content[:2] == b"\x1f\x8b")
        with file.open("rb") as stream:
            packed = stream.read(2) == b"\x1f\x8b"
    plain = file.with_suffix("") if file.suffix.lower() == ".gz" else file
    return Source(name, plain.suffix.lower(), file, None, packed)


@contextmanager
def readable(name: str) -> Iterator[None]:
    """Turn what may go wrong with bytes on their way into a TableError."""
    try:
        yield
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise TableError(
            f"{name}: the gzip data is damaged or cut off ({error}). Copy the file again."
        ) from error
    except OSError as error:
        raise TableError(f"{name}: cannot be read ({error.strerror or error}).") from error
    except MemoryError as error:
        raise TableError(
            f"{name}: does not fit into memory. {error or 'Use fewer rows or columns.'}"
        ) from error


def _instead(file: Path) -> str:
    """Where a link leads to, or files beside it that may be meant."""
    try:
        if file.is_symlink():
            return f" It is a link to {quoted(os.readlink(file))}, and nothing is there."
        beside = os.listdir(file.parent)
    except (OSError, ValueError):
        return ""
    close = difflib.get_close_matches(file.name, beside, n=3)
    return f" Did you mean {listed(quoted(name) for name in close)}?" if close else ""
