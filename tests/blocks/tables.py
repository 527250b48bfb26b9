"""The same rows in every kind of store."""

import numpy as np
import polars as pl

from maxmargin.blocks import Rows

NAMES = list("abcdefgh")


class MadeRows(Rows):
    """Rows that are there when they are asked for; counts how they are read."""

    def __init__(self, X, most=None):
        self.X, self.shape, self.dtype = X, X.shape, X.dtype
        self.most, self.n_read = most, 0

    def read(self, start, stop):
        assert 0 <= start <= stop <= len(self.X)
        assert self.most is None or stop - start <= self.most
        self.n_read += stop - start
        return self.X[start:stop].copy()


def npy(X, folder):
    np.save(folder / "rows.npy", X)
    return folder / "rows.npy"


def by_columns(X, folder):
    np.save(folder / "columns.npy", np.asfortranarray(X))
    return folder / "columns.npy"


def parquet(X, folder):
    path = folder / "rows.parquet"
    pl.DataFrame(X, schema=NAMES[: X.shape[1]]).write_parquet(path, row_group_size=3000)
    return path


def csv(X, folder):
    pl.DataFrame(X, schema=NAMES[: X.shape[1]]).write_csv(folder / "rows.csv")
    return folder / "rows.csv"


def parts(X, folder, n=7):
    place = folder / f"{n} parts"
    place.mkdir(exist_ok=True)
    for i, part in enumerate(np.array_split(X, n)):
        table = pl.DataFrame(part, schema=NAMES[: X.shape[1]])
        table.write_parquet(place / f"part-{i:03}.parquet")
    return place


def memmap(X, folder):
    from maxmargin.blocks import open_rows

    return open_rows(np.load(npy(X, folder), mmap_mode="r"))


STORES = {
    "npy": npy,
    "npy by columns": by_columns,
    "parquet": parquet,
    "csv": csv,
    "parts": parts,
    "memmap": memmap,
    "made": lambda X, folder: MadeRows(X),
}
