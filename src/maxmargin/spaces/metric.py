"""How far rows are from each other, the one choice that comes before any kernel; the Gaussian."""

from copy import copy
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler, normalize
from sklearn.utils.extmath import row_norms, safe_sparse_dot

from maxmargin._runtime.memory import aligned_rows, row_blocks
from maxmargin._runtime.parameters import Bool, OneOf
from maxmargin._runtime.units import (
    FAR,
    FARTHEST,
    SAFE,
    Units,
    center_of,
    middle,
    share_a_unit,
    some_rows,
    spread,
    usual_range,
    usual_size,
    warn_of_vanishing_columns,
    with_safe_lengths,
)
from maxmargin._runtime.warnings import warn_user
from maxmargin.blocks import Rows
from maxmargin.blocks.far_rows import far_rows
from maxmargin.blocks.noise_columns import ALL_SEEN, rows_apart, second_hills, telling_columns
from maxmargin.blocks.scaling import fit_scaler
from maxmargin.spaces.distance_matrix import check_distances

Matrix = Any  # a dense array or a CSR matrix
Weights = NDArray[np.float64] | None  # what each row counts for; None for 1

#: Squared distances below this share of the squared norms are computed from differences.
CANCELLED = 1e-6
#: Columns up to which all of them are.
FEW_COLUMNS = 3
FLOAT64_EPS = float(np.finfo(np.float64).eps)
FLOAT32_EPS = float(np.finfo(np.float32).eps)
FLOAT32_MAX = float(np.finfo(np.float32).max)
#: What single precision does not tell from 0, nor its inverse from infinity.
FLOAT32_TINY = 1e-30
#: Values below e⁻²⁰⁰ (e⁻⁸⁰) are raised to it: smaller ones add nothing, and cost as much as twenty.
LOWEST_EXPONENT = {8: -200.0, 4: -80.0}  # by bytes
#: The scale of the data is the median distance to this neighbour.
SCALE_NEIGHBOR = 7
#: Standard deviations beyond which a value says "far" and no more.
CUT = 3.0

#: Dense rows with more columns are projected on so many leading directions.
DIRECTIONS = 100

#: A column with at most so many values is discrete,
FEW_VALUES = 12
#: and so is one that has one value in so many of the rows.
COMMON = 0.25
#: Every so many rows of distances give the usual one.
SOME_DISTANCES = 7

#: Kernels to which a row counts by its length, which may be that of all others together.
BY_PRODUCTS = ("linear", "poly", "polynomial", "sigmoid")

METRICS = ("euclidean", "cosine", "precomputed")
STANDARDIZE = OneOf("auto") | Bool()


class Metric:
    """The distances between rows.

    Dense rows with more than 100 columns are compared in their 100 leading principal
    directions: what is left out is noise to most distances, and most of the work.

    Parameters
    ----------
    metric : {"euclidean", "cosine", "precomputed"}
        ``"cosine"`` is the Euclidean distance between rows of unit length, and what sparse
        rows always get: their length is the length of a text. With ``"precomputed"`` a row
        holds its distances to the rows that were fitted.
    standardize : bool or "auto"
        Whether dense columns get mean 0 and variance 1 first, and values beyond three
        standard deviations are cut there: a column that is nearly constant must not turn a
        few rows into outliers. Columns of two values are scaled as `TableScaler` does.
        ``"auto"`` does so unless the columns share a unit (:func:`share_a_unit`), and leaves out
        those that can part no clusters (:func:`telling_columns`). Sparse columns are taken as they
        are: to centre them would fill them.

    Attributes
    ----------
    standardized_ : bool
        Whether they were, if they are dense.
    columns_ : ndarray or None
        The columns that are compared; None for all of them.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.spaces.metric import Metric
    >>> X = np.array([[0.0, 100.0], [1.0, 300.0]])
    >>> metric = Metric("euclidean", standardize=True).fit(X)
    >>> rows = metric.prepare(X)
    >>> metric.squared_distances(rows, rows).tolist()
    [[0.0, 8.0], [8.0, 0.0]]
    """

    farthest_ = FARTHEST  # of metrics in files that do not say it, nor the columns
    columns_: NDArray[np.intp] | None = None

    def __init__(self, metric: str = "euclidean", standardize: bool | str = True) -> None:
        self.name = OneOf(*METRICS).check("metric", metric)
        self.standardize = STANDARDIZE.check("standardize", standardize)

    @property
    def precomputed(self) -> bool:
        """Whether rows are distances."""
        return self.name == "precomputed"

    def fit(self, X: Matrix) -> Self:
        """Learn the means and the scales of the columns."""
        self.scaler_: StandardScaler | None = None
        self.directions_: PCA | None = None
        self.sparse_, self.factor_, self.farthest_ = issparse(X), 1.0, FARTHEST
        self.columns_ = None
        self.standardized_ = bool(self.standardize)
        if self.standardize == "auto" and not (self.sparse_ or self.precomputed):
            self.standardized_ = not share_a_unit(X)
        if self.precomputed:
            check_distances(X)
        if not self.angles:
            self._choose_units(X)
        if self.precomputed:
            return self
        # Distances do not change when all rows are shifted, but far from the origin they lose
        # their digits: rows are centred even where they keep their scale. Angles do change.
        if not self.sparse_ and (self.standardized_ or self.name == "euclidean"):
            self.scaler_ = fit_scaler(
                *(X, self.factor_, usual_range(X)),
                with_std=self.standardized_,
                with_flags=X.shape[0] > FEW_VALUES,
            )
            if self.standardize == "auto" and self.standardized_ and self.name == "euclidean":
                some = X[some_rows(X)]
                telling = telling_columns(self.prepare(some), few_valued(some))
                seen = some if X.shape[0] > ALL_SEEN else X[:]
                telling |= rows_apart(seen)
                telling[~telling] = second_hills(seen[:, ~telling])
                self.columns_ = None if telling.all() else np.flatnonzero(telling)
        if not self.sparse_ and min(X.shape) > DIRECTIONS:
            rows = self.prepare(X[some_rows(X)])
            if np.ptp(rows, axis=0).max() > 0:
                directions = PCA(DIRECTIONS, svd_solver="randomized", random_state=0)
                self.directions_ = directions.fit(rows)
        return self

    @property
    def angles(self) -> bool:
        """Whether the lengths of rows do not matter, so that there are no units."""
        return (self.name == "cosine" and not self.standardized_) or (
            self.sparse_ and not self.precomputed
        )

    def _choose_units(self, X: Matrix) -> None:
        """Where squares would overflow or vanish, others: a power of two costs no digits.

        Those of most rows: a few that are far must not make the others vanish.
        """
        low, high = SAFE.get(X.dtype.itemsize, SAFE[8])
        if self.precomputed:
            usual = usual_size(np.abs(X.toarray() if issparse(X) else X)[::SOME_DISTANCES])
        else:
            largest = usual_size(np.abs(spread(X)).max(axis=1, initial=0))
            usual = max(middle(X)[1], largest * FLOAT64_EPS)
        lowest = -126 if X.dtype.itemsize == 4 else -1022
        if not low < usual < high:
            self.factor_ = 2.0 ** -float(max(np.frexp(usual)[1], lowest))
        if not self.standardized_:
            self.farthest_ = FARTHEST * usual * self.factor_
        elif self.factor_ != 1 and not (self.precomputed or issparse(X)):
            warn_of_vanishing_columns(X, self.factor_)

    def raw(self, X: Matrix) -> Matrix:
        """Dense rows around their mean, in safe units, with columns as they are."""
        with np.errstate(over="ignore"):
            rows = np.asarray(X, dtype=np.float64) * self.factor_
        center = center_of(rows)
        limit = FARTHEST * middle(X)[1] * self.factor_
        with np.errstate(over="ignore"):
            return self._compared(np.clip(rows - center, -limit, limit))

    @property
    def left_out(self) -> NDArray[np.intp]:
        """The columns that are not compared."""
        if self.columns_ is None or self.scaler_ is None:
            return np.empty(0, np.intp)
        return np.delete(np.arange(len(self.scaler_.mean_)), self.columns_)

    @property
    def whole(self) -> Self:
        """The same with all columns."""
        other = copy(self)
        other.columns_ = None
        return other

    def _compared(self, rows: Matrix) -> Matrix:
        return rows if self.columns_ is None else rows[:, self.columns_]

    def table(self, X: Matrix) -> NDArray[np.floating] | None:
        """Dense rows as they are, in safe units; None where there are no columns to look at."""
        if issparse(X) or self.precomputed:
            return None
        return Units.of(X).scaled(np.asarray(X, dtype=np.float64))

    def prepare(self, X: Matrix, cut: bool = True) -> Matrix:
        """The rows as they are compared; or where nothing is cut, as they are seen."""
        if isinstance(X, Rows):
            from maxmargin.blocks.mapped import MappedRows

            step, alone = aligned_rows(X.shape[1]), self.directions_ is None
            return MappedRows(X, partial(self.prepare, cut=cut), step, alone)
        if self.precomputed:
            D = np.abs(X.toarray() if issparse(X) else X).astype(np.float64) * self.factor_
            return np.minimum(D, FARTHEST * SAFE[8][1], out=D)
        if issparse(X) != self.sparse_:  # new rows may come in the other form
            X = csr_array(X) if self.sparse_ else X.toarray()
        with np.errstate(over="ignore"):
            X = X if self.factor_ == 1 else X * self.factor_  # a copy of all rows
            X = X if self.scaler_ is None else _scaled(self.scaler_, X)
        if self.scaler_ is not None:
            farthest = CUT if self.standardized_ and cut else self.farthest_
            np.clip(X, -farthest, farthest, out=X)
        if self.name == "cosine" or self.sparse_:
            X = normalize(with_safe_lengths(X))
        X = self._compared(X)
        return X if self.directions_ is None else self.directions_.transform(X)

    def take(self, rows: Matrix, which: NDArray[np.intp]) -> Matrix:
        """Some of the fitted rows, by themselves."""
        return rows[np.ix_(which, which)] if self.precomputed else rows[which]

    def squared_distances(
        self, A: Matrix, B: Matrix, columns: NDArray[np.intp] | None = None, tol: float = 0.0
    ) -> NDArray[np.float64]:
        """‖a − b‖² between prepared rows.

        Parameters
        ----------
        A, B : prepared rows
        columns : ndarray or None
            With precomputed distances A itself holds them, and ``columns`` says which of the
            fitted rows B are.
        tol : float, default=0.0
            An error that does not matter. Without one, every digit of small distances is
            right, and copies are at 0.
        """
        if self.precomputed:
            D = A if columns is None else A[:, columns]
            return np.square(D.astype(np.float64, order="C", copy=False))
        return squared_distances(A, B, tol)


def _scaled(scaler: StandardScaler, X: NDArray[np.floating]) -> NDArray[np.floating]:
    """What a scaler does, without its checks: these rows were checked."""
    X = np.array(X, dtype=X.dtype if X.dtype.kind == "f" else np.float64)
    X -= scaler.mean_
    if scaler.with_std:
        X /= scaler.scale_
    return X


def squared_distances(A: Matrix, B: Matrix, tol: float = 0.0) -> NDArray[Any]:
    """‖a − b‖² between rows; ``tol`` is an error that does not matter.

    In single precision where that is good enough, else in double.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.spaces.metric import squared_distances
    >>> squared_distances(np.array([[1e9, 0.0]]), np.array([[1e9, 3.0], [1e9, 0.0]])).tolist()
    [[9.0, 0.0]]
    """
    A, B = (rows.astype(np.float64, copy=False) for rows in (A, B))
    norms_A, norms_B = row_norms(A, squared=True), row_norms(B, squared=True)
    largest = norms_A.max(initial=0) + norms_B.max(initial=0)
    if _single_will_do(A, largest, tol):
        light = _in_one_product(A, B, norms_A, norms_B, 1.0)
        return np.clip(light, 0, FLOAT32_MAX, out=light)  # three times as fast as np.maximum
    exact = FLOAT64_EPS * largest >= tol
    if exact and A.shape[1] <= FEW_COLUMNS and not issparse(A):  # nearly as fast as products
        return sum(np.square(np.subtract.outer(a, b)) for a, b in zip(A.T, B.T, strict=True))
    D = safe_sparse_dot(A, B.T, dense_output=True)  # scikit-learn's checks take longer for one row
    D *= -2
    D += norms_A[:, None]
    D += norms_B
    np.maximum(D, 0, out=D)
    if exact:
        # ‖a‖² − 2ab + ‖b‖² has lost its digits where rows are much nearer to each other than to
        # the origin: copies must be at 0, and what is near an outlier must not be equal.
        i, j = np.nonzero(CANCELLED * (norms_A[:, None] + norms_B) >= D)
        for part in row_blocks(len(i), A.shape[1]):
            D[i[part], j[part]] = row_norms(A[i[part]] - B[j[part]], squared=True)
    return D


def _single_will_do(A: Matrix, largest: float, tol: float) -> bool:
    known = tol > FLOAT32_TINY and largest < FLOAT32_MAX / 8
    return known and 8 * FLOAT32_EPS * largest < tol and not issparse(A)


def _in_one_product(
    A: NDArray[np.float64],
    B: NDArray[np.float64],
    norms_A: NDArray[np.float64],
    norms_B: NDArray[np.float64],
    factor: float,
) -> NDArray[np.float32]:
    """A multiple of ‖a‖² − 2ab + ‖b‖² in single precision: sums would cost as much again."""
    d = A.shape[1]
    left, right = (np.ones((len(rows), d + 2), np.float32) for rows in (A, B))
    left[:, :d], left[:, d] = A, norms_A
    right[:, :d], right[:, d], right[:, d + 1] = -2 * factor * B, factor, factor * norms_B
    return left @ right.T


def gaussian_kernel(A: Matrix, B: Matrix, gamma: float, tol: float) -> NDArray[Any]:
    """exp(−γ‖a − b‖²) between rows; ``tol`` is an error of it that does not matter.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.spaces.metric import gaussian_kernel
    >>> gaussian_kernel(np.zeros((1, 4)), np.ones((2, 4)), gamma=0.25, tol=1e-4).round(3).tolist()
    [[0.36800000071525574, 0.36800000071525574]]
    """
    A, B = (rows.astype(np.float64, copy=False) for rows in (A, B))
    norms_A, norms_B = row_norms(A, squared=True), row_norms(B, squared=True)
    if not _single_will_do(A, norms_A.max(initial=0) + norms_B.max(initial=0), tol / gamma):
        squared = squared_distances(A, B, tol / gamma)
        return gaussian(squared, gamma, out=squared)
    exponents = _in_one_product(A, B, norms_A, norms_B, -gamma)
    np.clip(exponents, LOWEST_EXPONENT[4], 0, out=exponents)
    return np.asarray(np.exp(exponents, out=exponents))


def gaussian(
    squared: NDArray[Any], gamma: float, *, out: NDArray[Any] | None = None
) -> NDArray[Any]:
    """exp(−γ d²) of squared distances; ``out=squared`` writes it in their place.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.spaces.metric import gaussian
    >>> gaussian(np.array([0.0, 1.0]), gamma=2.0).round(3).tolist()
    [1.0, 0.135]
    """
    with np.errstate(over="ignore"):  # −inf is raised as well
        exponents = np.multiply(squared, -min(gamma, np.finfo(squared.dtype).max), out=out)
    lowest = LOWEST_EXPONENT[exponents.dtype.itemsize]
    if exponents.min(initial=0) < lowest:
        np.clip(exponents, lowest, 0, out=exponents)
    return np.asarray(np.exp(exponents, out=exponents))


def few_valued(X: NDArray[np.floating]) -> NDArray[np.bool_]:
    """Which columns are discrete: few values, or one value in a quarter of the rows.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.spaces.metric import few_valued
    >>> few_valued(np.column_stack([np.arange(20.0), np.arange(20) // 7])).tolist()
    [False, True]
    """
    ordered = np.sort(X, axis=0)
    steps = np.count_nonzero(ordered[1:] != ordered[:-1], axis=0)  # a difference may overflow
    far = max(int(np.ceil(COMMON * len(X))) - 1, 1)
    return (steps < FEW_VALUES) | np.any(ordered[far:] == ordered[:-far], axis=0)


def warn_of_far_rows(X: Any, kernel: str) -> None:
    """Say which rows are far, for kernels that give such rows their way."""
    if issparse(X) or kernel not in BY_PRODUCTS:
        return
    n_far, first = far_rows(X)
    if not n_far:
        return
    named = ", ".join(map(str, first.tolist())) + ", ..." * (n_far > len(first))
    warn_user(
        f"{n_far} of the {len(X)} rows of X ({named}, counted from 0) are more than {FAR:.0f} "
        f"times as far from the middle as is usual: with the kernel {kernel!r} they outweigh all "
        f'others. Leave them out, scale the columns, or use kernel="rbf", to which far is far.'
    )
