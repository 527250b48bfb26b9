"""What kind of file is it? Told by its content, and by its ending where content cannot tell."""

import re
import zipfile

from maxmargin.cli.tables.errors import TableError
from maxmargin.cli.tables.source import Source

SVMLIGHT = {".svm", ".svmlight", ".libsvm"}
_TEXT = {".csv", ".tsv", ".tab"}
_SAVE_AS = "Save it as CSV, and give that file"
_FOREIGN: list[tuple[bytes | tuple[bytes, ...], str, str]] = [  # beginning, what it is, way out
    (b"\x1f\x8b", "gzip inside gzip", "Unpack it once"),
    (b"\xfd7zXZ\0", "an xz archive", "Unpack it first (xz -d)"),
    (b"BZh", "a bzip2 archive", "Unpack it first (bzip2 -d)"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive", "Unpack it first (zstd -d)"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", "Unpack it first"),
    (b"Rar!", "a RAR archive", "Unpack it first"),
    (b"%PDF", "a PDF document", _SAVE_AS),
    (b"\xd0\xcf\x11\xe0", "an old Excel or Office file", _SAVE_AS),
    (b"\x89HDF", "an HDF5 file", "Save the array as NPY or CSV, and give that file"),
    (b"ARROW1", "an Arrow (Feather) file", "Save it as Parquet or CSV"),
    (b"SQLite format 3", "an SQLite database", "Save the table as CSV"),
    ((b"\x89PNG", b"\xff\xd8\xff"), "a picture", "Give a table"),
    ((b"\x80\x04\x95", b"\x80\x05\x95"), "a Python pickle", "Save the table as CSV or Parquet"),
]
_MARKUP = [
    (rb"<!doctype html|<html|<head|<body", "a web page (HTML)", "Download the data itself"),
    (rb"<\?xml", "an XML document", _SAVE_AS),
    (rb"\{\s*[\"}]|\[\s*[\[{]", "JSON", _SAVE_AS),
]
_SVMLIGHT_LINE = re.compile(rb"\s*[-+.\d][^\s:,;]*((\s+(qid|\d+):[-+.\d][^\s:,;]*)*)\s*(#.*)?")


def kind_of(source: Source, head: bytes) -> str:
    """Name the kind of a file: ``parquet``, ``npy``, ``npz``, ``svmlight`` or ``csv``.

    A file that is none of them is refused, with what it looks like.

    Examples
    --------
    >>> from maxmargin.cli.tables.sniff import kind_of
    >>> from maxmargin.cli.tables.source import Source
    >>> kind_of(Source("standard input", "", None, b""), b"1 3:0.5 7:1")
    'svmlight'
    """
    if not head:
        raise TableError(f"{source.name}: the file is empty.")
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith(b"\x93NUMPY"):
        return "npy"
    if head.startswith(b"PK\x03\x04"):
        return _kind_of_zip(source)
    for magic, what, way_out in _FOREIGN:
        if head.startswith(magic):
            raise _foreign(source, what, way_out)
    for pattern, what, way_out in _MARKUP:
        if re.match(rb"(\xef\xbb\xbf)?\s*(" + pattern + rb")", head, re.IGNORECASE):
            raise _foreign(source, what, way_out)
    for ending, what in {".parquet": "Parquet", ".npy": "NPY", ".npz": "NPZ"}.items():
        if source.ending == ending:
            raise TableError(
                f"{source.name}: ends in {ending}, and its content is no {what}. The file is "
                f"damaged, or has the wrong ending: rename it."
            )
    if source.ending in SVMLIGHT:
        return "svmlight"
    return "csv" if source.ending in _TEXT or not _is_svmlight(head) else "svmlight"


def _is_svmlight(head: bytes) -> bool:
    """Whether the first lines are a label and ``index:value`` pairs, at least one of these."""
    lines = [line for line in head.splitlines()[:6] if line.split(b"#")[0].strip()]
    matches = [_SVMLIGHT_LINE.fullmatch(line) for line in lines[:5]]  # the sixth may be cut off
    return all(matches) and any(match and match[1] for match in matches)


def _kind_of_zip(source: Source) -> str:
    with source.seekable() as stream:
        try:
            with zipfile.ZipFile(stream) as archive:
                names = archive.namelist()
        except (zipfile.BadZipFile, NotImplementedError, ValueError, EOFError) as error:
            raise TableError(
                f"{source.name}: the zip (or NPZ) file is damaged or cut off ({error}). Copy the "
                f"file again."
            ) from error
    if names and all(name.endswith(".npy") for name in names):
        return "npz"
    if any(name.startswith("xl/") for name in names):
        raise _foreign(source, "an Excel workbook", _SAVE_AS)
    if "content.xml" in names:
        raise _foreign(source, "an OpenDocument file", _SAVE_AS)
    raise _foreign(source, "a zip archive", "Unpack it first (unzip)")


def _foreign(source: Source, what: str, way_out: str) -> TableError:
    return TableError(f"{source.name}: this looks like {what}, not like a table. {way_out}.")
