"""How much a file may make of itself: checked before the work, and raised by an option."""

from dataclasses import dataclass

from maxmargin.cli.tables.errors import TableError
from maxmargin.cli.tables.source import Source

#: What may come of a packed file: so many times its size, or so many bytes if that is more. Tables
#: of numbers become 3 to 20 times larger; files that are made to fill memory a thousand times.
MOST_TIMES = 100
MOST_BYTES = 50 * 10**6
#: The rows that may come of a file for each of its bytes, or in any case. Two columns of random
#: flags have three for each byte of gzip; files that are made to take minutes have hundreds.
ROWS_PER_BYTE = 10
ROWS_IN_ANY_CASE = 10**6
MOST_COLUMNS = {"dense": 10**6, "sparse": 10**7}
BYTES_AT_ONCE = 1 << 20


@dataclass(frozen=True)
class FileLimits:
    """What a file may become; None for the usual.

    Attributes
    ----------
    unpacked : int or None
        The bytes that a packed file (gzip, NPZ, Parquet) may unpack to, with any number of rows.
    columns : int or None
        The columns that a table may have.
    """

    unpacked: int | None = None
    columns: int | None = None

    def check_gzip(self, source: Source) -> None:
        """Unpack a file as far as it may go, before anybody reads what is in it."""
        if not source.packed:
            return
        size = lines = 0
        with source.open() as stream:
            while portion := stream.read(BYTES_AT_ONCE):
                size += len(portion)
                lines += max(portion.count(b"\n"), portion.count(b"\r"))
                self.check_unpacked(source, size)
                self.check_rows(source, lines)

    def check_unpacked(self, source: Source, size: int) -> None:
        """Refuse a file that says, or shows, that it unpacks to so many bytes."""
        most = self._most(source)
        if size > most:
            raise TableError(
                f"{source.name}: {source.size:,} bytes unpack to more than {most:,}, as files do "
                f"that are made to fill memory. If this one is as it should be, give "
                f"--max-unpacked a larger size, such as 4GB."
            )

    def check_rows(self, source: Source, n_rows: int) -> None:
        """Refuse a small file that says, or shows, that it has very many rows."""
        most = max(ROWS_IN_ANY_CASE, ROWS_PER_BYTE * source.size)
        if n_rows > most and self.unpacked is None:
            raise TableError(
                f"{source.name}: {source.size:,} bytes unpack to more than {most:,} rows, as files "
                f"do that are made to take very long. If this one is as it should be, give "
                f"--max-unpacked a size, such as 4GB."
            )

    def check_columns(self, source: Source, n_columns: int, kind: str = "dense") -> None:
        """Refuse a table that is wider than we go through in reasonable time."""
        most = MOST_COLUMNS[kind] if self.columns is None else self.columns
        if n_columns > most:
            raise TableError(
                f"{source.name}: there are {n_columns:,} columns, and up to {most:,} are read. "
                f"Number the columns anew, or give --max-columns a larger number."
            )

    def _most(self, source: Source) -> int:
        return max(MOST_BYTES, MOST_TIMES * source.size) if self.unpacked is None else self.unpacked
