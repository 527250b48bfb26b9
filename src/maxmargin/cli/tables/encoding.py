"""From bytes to text: which encoding it is, and where it fails."""

import codecs
import io

from maxmargin.cli.tables.errors import TableError, quoted
from maxmargin.cli.tables.source import Source

_MARKS = [  # UTF-32 first: its mark begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
]


def encoding_of(source: Source, head: bytes, encoding: str | None) -> str:
    """The encoding asked for, or what the byte order mark says, or UTF-8.

    Examples
    --------
    >>> from maxmargin.cli.tables.encoding import encoding_of
    >>> from maxmargin.cli.tables.source import Source
    >>> source = Source("standard input", "", None, b"")
    >>> encoding_of(source, "x".encode("utf-16"), None), encoding_of(source, b"x", "LATIN1")
    ('utf-16', 'iso8859-1')
    """
    if encoding is not None:
        try:
            name = codecs.lookup(encoding).name
            io.TextIOWrapper(io.BytesIO(), encoding=name)  # refuses what makes no text
        except (LookupError, ValueError) as error:
            raise TableError(
                f"{source.name}: --encoding {quoted(encoding)} is unknown. Known are utf-8, "
                f"utf-16, latin-1, cp1252 and the others of Python."
            ) from error
        return "utf-8-sig" if name == "utf-8" else name
    for mark, name in _MARKS:
        if head.startswith(mark):
            return name
    return "utf-8"


def undecodable(source: Source, encoding: str) -> TableError:
    """The error for the first byte that is no text, with its line."""
    decoder = codecs.getincrementaldecoder(encoding)()
    newlines = io.IncrementalNewlineDecoder(None, translate=True)
    line, suspects = 1, b""
    try:
        with source.open() as stream:
            while block := stream.read(1 << 16):
                suspects = block
                line += newlines.decode(decoder.decode(block)).count("\n")
            decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        before = bytes(error.object[: error.start]).decode(encoding, errors="ignore")
        line += newlines.decode(before, final=True).count("\n")
        byte = f"byte 0x{error.object[error.start]:02x} " if error.object else "the end "
        return TableError(
            f"{source.name}, line {line}: {byte}is no {encoding.removesuffix('-sig')} text. "
            f"Say how the file is encoded, perhaps: {_guess(suspects, encoding)}."
        )
    except UnicodeError as error:  # UTF-16 without a byte order mark
        return TableError(
            f"{source.name}: is no {encoding} text ({error}). Say how the file is encoded with "
            f"--encoding, such as utf-16-le or latin-1."
        )
    return TableError(f"{source.name}: is no {encoding} text. Say which with --encoding.")


def nul_byte(source: Source, line: int) -> TableError:
    """The error for a character 0, which no text has."""
    head = source.head()
    way_out = "This looks like no text file: give CSV, Parquet, NPY, NPZ or svmlight."
    for start, name in ((1, "utf-16-le"), (0, "utf-16-be")):
        half = head[start::2]
        if len(head) > 3 and half.count(0) > 0.7 * len(half) and 0 not in head[1 - start :: 2]:
            way_out = f"Perhaps it is UTF-16: --encoding {name}."
    return TableError(f"{source.name}, line {line}: there is a NUL byte. {way_out}")


def _guess(block: bytes, encoding: str) -> str:
    if not encoding.startswith("utf-8"):
        return "--encoding utf-8 or --encoding latin-1"
    # Latin-1 has control characters where Windows has quotes, dashes and the euro sign.
    windows = any(0x80 <= byte <= 0x9F for byte in block)
    return "--encoding cp1252" if windows else "--encoding latin-1"
