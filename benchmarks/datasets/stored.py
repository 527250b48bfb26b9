"""Data sets by name: from the folder MAXMARGIN_DATA, or from OpenML."""

import os
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.datasets import fetch_openml, load_digits

VARIABLE = "MAXMARGIN_DATA"
Data = tuple[NDArray[np.floating] | csr_array, NDArray[np.int64]]

#: How OpenML knows the sets; "satellite" without its numbering gap (classes 1-5 and 7).
OPENML = {
    "ionosphere": {"data_id": 59},
    "letter": {"data_id": 6},
    "mnist": {"data_id": 554},
    "satellite": {"data_id": 182},
    "usps": {"data_id": 41082},
}


@cache
def load(name: str) -> Data:
    """Return the rows and the classes 0, 1, … of a data set.

    The folder in the variable MAXMARGIN_DATA holds ``<name>.npz`` with arrays X and y; a sparse
    set has the CSR parts data, indices, indptr and shape in the place of X. Callers must not
    change the arrays: a second call returns the same ones.
    """
    folder = os.environ.get(VARIABLE)
    if folder:
        path = Path(folder) / f"{name}.npz"
        if not path.is_file():
            raise FileNotFoundError(f"{VARIABLE} has no file {path.name}.")
        with np.load(path, allow_pickle=False) as file:
            return _rows(file), file["y"].astype(np.int64)
    if name not in OPENML:
        raise LookupError(
            f"OpenML has no data set {name!r} that this benchmark knows; put {name}.npz (arrays X "
            f"and y) in a folder and set {VARIABLE} to it."
        )
    try:
        X, y = fetch_openml(**OPENML[name], as_frame=False, return_X_y=True)
    except Exception as error:
        raise LookupError(
            f"OpenML did not give {name!r} ({error}); put {name}.npz (arrays X and y) in a folder "
            f"and set {VARIABLE} to it."
        ) from error
    return _as_float(X), _classes(y)


@cache
def digits() -> Data:
    """Return scikit-learn's digits."""
    return load_digits(return_X_y=True)


def classes(source: Callable[[], Data], *kept: int) -> Data:
    """Return the rows of some classes, which are numbered anew."""
    X, y = source()
    rows = np.isin(y, kept)
    return X[rows], np.searchsorted(np.sort(kept), y[rows])


def some(pair: Data, n: int, seed: int = 0) -> Data:
    """Return random rows, in a random order, or all if there are fewer."""
    X, y = pair
    rows = np.random.default_rng(seed).permutation(len(y))[:n]
    return X[rows], y[rows]


def _rows(file: Mapping[str, NDArray]) -> NDArray[np.floating] | csr_array:
    if "X" in file:
        return _as_float(file["X"])
    parts = (file["data"].astype(np.float64), file["indices"], file["indptr"])
    return csr_array(parts, shape=tuple(file["shape"]))


def _as_float(X: NDArray) -> NDArray[np.floating]:
    return X if X.dtype == np.uint8 else X.astype(np.float64)


def _classes(y: NDArray) -> NDArray[np.int64]:
    """Number the classes in their natural order: "10" comes after "9"."""
    try:
        y = y.astype(float)
    except ValueError:
        y = y.astype(str)
    return np.unique(y, return_inverse=True)[1].astype(np.int64)
