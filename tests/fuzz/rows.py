"""Rows of every kind: what is in them, in which order and units, of which type, stored how."""

import atexit
import os
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from blocks.tables import MadeRows
from hypothesis import strategies as st
from scipy import sparse

#: Where three clear clusters are: around the origin, which linear kernels without a bias need.
CENTERS = np.array([[12.0, 0.0], [-6.0, 10.0], [-6.0, -10.0]])


def blobs(rng, n):
    return rng.normal(size=(n, 2)) + CENTERS[np.arange(n) % 3]


def with_far(rng, n, far, how_many=1):
    rows = blobs(rng, max(n, 2))
    rows[rng.permutation(len(rows))[:how_many]] = far
    return rows


def moons(rng, n):
    angle, upper = np.pi * rng.random(n), np.arange(n) % 2
    curve = np.column_stack([np.cos(angle), np.sin(angle)])
    return np.where(upper[:, None], curve, [1, 0.5] - curve) + rng.normal(0, 0.05, (n, 2))


def near_constant(rng, n):
    rows = np.full((n, 3), 7.0)
    rows[:, 0] += 1e-12 * rng.normal(size=n)
    rows[:, 1] += rng.normal(size=n)
    return rows


def collinear(rng, n):
    return rng.normal(size=(n, 1)) * [[1.0, 2.0, -3.0]]


def with_entry(value):
    def make(rng, n):
        rows = blobs(rng, max(n, 1))
        rows[rng.integers(len(rows)), rng.integers(2)] = value
        return rows

    return make


CONTENTS = {
    "blobs": blobs,
    "two clusters": lambda rng, n: rng.normal(size=(n, 3)) + 9 * (np.arange(n)[:, None] % 2),
    "one cluster": lambda rng, n: rng.normal(size=(n, 4)),
    "moons": moons,
    "uniform": lambda rng, n: rng.random((n, 2)),
    "heavy tails": lambda rng, n: rng.standard_cauchy((n, 2)),
    "very heavy tails": lambda rng, n: np.exp(np.clip(9 * rng.standard_cauchy((n, 2)), -300, 300)),
    "far row": lambda rng, n: with_far(rng, n, 1e9),
    "very far row": lambda rng, n: with_far(rng, n, 1e200),
    "row at the end of the world": lambda rng, n: with_far(rng, n, [-1.7e308, 1.7e308]),
    "a few far rows": lambda rng, n: with_far(rng, n, 1e6, 3),
    "far and apart": lambda rng, n: np.vstack([with_far(rng, n, 1e7), [[-3e8, 2e9]]]),
    "duplicates": lambda rng, n: rng.normal(size=(4, 2))[rng.integers(4, size=n)],
    "copies of every row": lambda rng, n: np.repeat(blobs(rng, -(-n // 3)), 3, axis=0)[:n],
    "mostly one row": lambda rng, n: np.where(rng.random((n, 1)) < 0.8, 3.0, rng.normal(size=n)[0]),
    "equal": lambda rng, n: np.full((n, 2), 0.1),
    "zeros": lambda rng, n: np.zeros((n, 3)),
    "signed zeros": lambda rng, n: np.where(rng.random((n, 2)) < 0.5, 0.0, -0.0),
    "constant column": lambda rng, n: np.column_stack([rng.normal(size=n), np.full(n, 5.0)]),
    "zero column": lambda rng, n: np.column_stack([blobs(rng, n), np.zeros(n)]),
    "nearly constant": near_constant,
    "one column": lambda rng, n: rng.normal(size=(n, 1)) + 8 * (np.arange(n)[:, None] % 2),
    "wide": lambda rng, n: rng.normal(size=(n, 120)),
    "collinear": collinear,
    "grid": lambda rng, n: np.column_stack(np.divmod(np.arange(n), 6)).astype(float),
    "whole numbers": lambda rng, n: np.floor(blobs(rng, n)),
    "flags": lambda rng, n: (rng.random((n, 4)) < 0.5).astype(float),
    "one-hot": lambda rng, n: np.eye(4)[rng.integers(4, size=n)],
    "rounded": lambda rng, n: np.round(blobs(rng, n), 1),
    "counts": lambda rng, n: rng.poisson(2.0, (n, 8)).astype(float),
    "far from the origin": lambda rng, n: blobs(rng, n) + 1e8,
    "columns of many units": lambda rng, n: rng.normal(size=(n, 3)) * [1e-9, 1.0, 1e9],
    "smallest numbers": lambda rng, n: rng.integers(-3, 4, (n, 2)) * 5e-324,
    "a NaN": with_entry(np.nan),
    "an infinity": with_entry(-np.inf),
    "no rows": lambda rng, n: np.empty((0, 2)),
    "no columns": lambda rng, n: np.empty((n, 0)),
    "a vector": lambda rng, n: rng.normal(size=n),
    "three axes": lambda rng, n: rng.normal(size=(n, 2, 2)),
}
#: What no table of numbers is.
REFUSED = {"a NaN", "an infinity", "no rows", "no columns", "a vector", "three axes"}
#: Clusters that are found whatever the method, the seed, the order and the origin.
CLEAR = {"blobs"}

#: Powers of two, which cost no digits, and others.
SCALES = {
    "1": 1.0,
    **{f"2**{power}": 2.0**power for power in (-1000, -560, -330, -40, 40, 330, 480, 990)},
    **{f"1e{power}": 10.0**power for power in (-300, -165, -40, -12, 8, 40, 150, 200, 300)},
}
TYPES = (
    *("float64", "float32", "float16", "longdouble", ">f8", "object"),
    *("int8", "int16", "int32", "int64", "uint8", "uint64", "bool"),
)
ORDERS = {
    "as drawn": lambda rng, X: X,
    "shuffled": lambda rng, X: X[rng.permutation(len(X))],
    "sorted": lambda rng, X: X[np.lexsort(X.T)] if X.ndim == 2 and X.shape[1] else X,
    "reversed": lambda rng, X: X[::-1],
}


class Subclass(np.ndarray):
    """An array that is not quite one."""


def read_only(X):
    X = X.copy()
    X.flags.writeable = False
    return X


def every_second(X):
    wide = np.zeros((2 * len(X), *X.shape[1:]), X.dtype)
    wide[::2] = X
    return wide[::2]


def named(X):
    return pd.DataFrame(X, columns=[f"c{i}" for i in range(X.shape[1])])


def with_duplicates(X):
    """CSR whose entries come in two halves, not sorted."""
    rows, columns = np.nonzero(X != 0)
    half = X[rows, columns].astype(float) / 2
    order = np.tile(np.arange(len(rows))[::-1], 2)
    made = sparse.coo_matrix((np.tile(half[::-1], 2), (rows[order], columns[order])), X.shape)
    stacked = sparse.csr_matrix(made.shape)
    counts = np.bincount(made.row, minlength=X.shape[0])
    by_row = np.argsort(made.row, kind="stable")
    stacked.indptr = np.append(0, np.cumsum(counts)).astype(np.int32)
    stacked.indices, stacked.data = made.col[by_row].astype(np.int32), made.data[by_row]
    stacked.has_canonical_format = stacked.has_sorted_indices = False
    return stacked


def wide_indices(X):
    made = sparse.csr_array(X)
    made.indptr, made.indices = made.indptr.astype(np.int64), made.indices.astype(np.int64)
    return made


def with_zeros(X):
    made = sparse.csr_matrix(X)
    made.data[::3] = 0
    return made


def with_text(X):
    """A table of a user: numbers beside words, dates and flags, some of them missing."""
    table, at = named(X), np.arange(len(X))
    table["word"] = np.array(["ash", "birch", None, "cedar"], object)[at % 4]
    table["day"] = pd.Timestamp("2024-02-27") + pd.to_timedelta(at % 9, unit="D")
    table["flag"] = at % 3 == 0
    return table


@cache
def folder():
    """Of this process; gone when it ends."""
    made = tempfile.TemporaryDirectory()
    process = os.getpid()
    atexit.register(lambda: made.cleanup() if os.getpid() == process else None)
    return Path(made.name)


def in_a_file(ending):
    def write(X):
        path = folder() / f"rows.{ending}"
        if ending == "npy":
            np.save(path, X)
        else:
            table = pl.DataFrame(X, schema=[f"c{i}" for i in range(X.shape[1])])
            table.write_csv(path) if ending == "csv" else table.write_parquet(path)
        return path

    return write


STORAGE = {
    "C": np.ascontiguousarray,
    "Fortran": np.asfortranarray,
    "every second row": every_second,
    "backwards": lambda X: X[::-1].copy()[::-1],
    "read-only": read_only,
    "subclass": lambda X: X.view(Subclass),
    "masked": np.ma.MaskedArray,
    "lists": lambda X: X.tolist(),
    "tuple of arrays": tuple,
    "pandas": pd.DataFrame,
    "pandas, named": named,
    "pandas, nullable": lambda X: named(X).convert_dtypes(),
    "polars": lambda X: pl.DataFrame(X),
    "CSR matrix": sparse.csr_matrix,
    "CSR array": sparse.csr_array,
    "CSC": sparse.csc_matrix,
    "COO": sparse.coo_array,
    "LIL": sparse.lil_matrix,
    "CSR, 64 bit": wide_indices,
    "CSR, duplicates": with_duplicates,
    "CSR, explicit zeros": with_zeros,
    "pandas, text": with_text,
    "polars, text": lambda X: pl.from_pandas(with_text(X)),
    "NPY": in_a_file("npy"),
    "CSV": in_a_file("csv"),
    "Parquet": in_a_file("parquet"),
    "rows of the user": lambda X: MadeRows(np.ascontiguousarray(X)),
}
SPARSE = {"CSC", "COO", "LIL", *(name for name in STORAGE if name.startswith("CSR"))}
#: Tables with text, and what is no table in memory.
TEXT = {"pandas, text", "polars, text"}
SOURCES = {"NPY", "CSV", "Parquet", "rows of the user"}
#: These hold the very same numbers as an array.
SAME_NUMBERS = set(STORAGE) - SPARSE - TEXT - {"masked", "pandas, nullable", "subclass"}
#: What SciPy, Polars and blocks do not hold.
RARE_TYPES = ("object", "float16", "longdouble", ">f8")


@dataclass(frozen=True)
class Rows:
    """A recipe: ``make`` gives the same rows every time."""

    content: str = "blobs"
    n: int = 30
    seed: int = 0
    scale: str = "1"
    order: str = "as drawn"
    type: str = "float64"
    storage: str = "C"

    def numbers(self) -> Any:
        """The rows as an array of their type."""
        rng = np.random.default_rng(self.seed)
        X = ORDERS[self.order](rng, CONTENTS[self.content](rng, self.n))
        with np.errstate(all="ignore"):
            X = X * SCALES[self.scale]
            if self.content not in REFUSED:  # what overflows is a case of its own
                X = np.clip(X, -1.7e308, 1.7e308)
                if self.type in ("float32", "float16"):
                    X = np.clip(X, np.finfo(self.type).min, np.finfo(self.type).max)
            return X.astype(self.type)

    def make(self) -> Any:
        """The rows as a user gives them."""
        X = self.numbers()
        if X.ndim != 2 or X.shape[0] == 0:
            return X
        if self.storage in {*SPARSE, *TEXT, *SOURCES, "polars"} and self.type in RARE_TYPES:
            X = X.astype(np.float64)
        return STORAGE[self.storage](X)


def _mostly(usual: str, all_: Any) -> st.SearchStrategy[str]:
    return st.one_of(st.just(usual), st.just(usual), st.sampled_from(sorted(all_)))


def rows(most: int = 40) -> st.SearchStrategy[Rows]:
    """Rows of any kind, most of them odd in one or two ways."""
    return st.builds(
        Rows,
        content=st.sampled_from(2 * sorted(set(CONTENTS) - REFUSED) + sorted(REFUSED)),
        n=st.one_of(st.integers(1, 8), st.integers(9, most), st.integers(12, most)),
        seed=st.integers(0, 99),
        scale=_mostly("1", SCALES),
        order=st.sampled_from(sorted(ORDERS)),
        type=_mostly("float64", TYPES),
        storage=_mostly("C", STORAGE),
    )


def clear_rows(most: int = 60) -> st.SearchStrategy[Rows]:
    """Clear clusters."""
    return st.builds(
        Rows,
        content=st.sampled_from(sorted(CLEAR)),
        n=st.integers(30, most),
        seed=st.integers(0, 99),
        order=st.sampled_from(sorted(ORDERS)),
    )
