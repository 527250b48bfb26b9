"""How far rows are from each other, the one choice that comes before any kernel; the Gaussian."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse
from sklearn.decomposition import PCA
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.preprocessing import StandardScaler, normalize
from sklearn.utils.extmath import row_norms

from maxmargin._runtime.memory import row_blocks
from maxmargin._runtime.parameters import Bool, OneOf
from maxmargin._runtime.warnings import warn_user
from maxmargin.spaces.distance_matrix import check_distances

Matrix = Any  # a dense array or a CSR matrix

#: Squared distances below this share of the squared norms are computed from differences.
CANCELLED = 1e-6
#: Columns up to which all of them are.
FEW_COLUMNS = 3
FLOAT64_EPS = float(np.finfo(np.float64).eps)
FLOAT32_EPS = float(np.finfo(np.float32).eps)
#: Values below e⁻²⁰⁰ (e⁻⁸⁰) are raised to it: smaller ones add nothing, and cost as much as twenty.
LOWEST_EXPONENT = {8: -200.0, 4: -80.0}  # by bytes
#: The scale of the data is the median distance to this neighbour.
SCALE_NEIGHBOR = 7
#: Standard deviations beyond which a value says "far" and no more.
CUT = 3.0

#: Values whose squares and products are safe, by bytes.
SAFE = {4: (1e-15, 1e15), 8: (1e-100, 1e100)}
#: Dense rows with more columns are projected on so many leading directions,
DIRECTIONS = 100
#: which are learned from about so many rows.
DIRECTION_ROWS = 4000

#: Every so many rows of distances give the usual one.
SOME_DISTANCES = 7

#: Rows that give the middle; more of them change it by less than it matters.
SPREAD_ROWS = 1000
#: Values beyond this, in units of the usual distance to the middle, are as far as can be.
FARTHEST = 1e15
#: What is so many times as far from the middle as is usual is far.
FAR = 1e3
#: Kernels to which a row counts by its length, which may be that of all others together.
BY_PRODUCTS = ("linear", "poly", "polynomial", "sigmoid")
SAFE_UNITS = (1e-100, 1e100)  # of distances: squares and products neither overflow nor vanish

METRICS = ("euclidean", "cosine", "precomputed")


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
    standardize : bool
        Whether dense columns get mean 0 and variance 1 first, and values beyond three
        standard deviations are cut there: a column that is nearly constant must not turn a
        few rows into outliers. Sparse columns are taken as they are: to centre them would
        fill them.

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

    farthest_ = FARTHEST  # of metrics in files that do not say it

    def __init__(self, metric: str = "euclidean", standardize: bool = True) -> None:
        self.name = OneOf(*METRICS).check("metric", metric)
        self.standardize = bool(Bool().check("standardize", standardize))

    @property
    def precomputed(self) -> bool:
        """Whether rows are distances."""
        return self.name == "precomputed"

    def fit(self, X: Matrix) -> Self:
        """Learn the means and the scales of the columns."""
        self.scaler_: StandardScaler | None = None
        self.directions_: PCA | None = None
        self.sparse_, self.factor_, self.farthest_ = issparse(X), 1.0, FARTHEST
        if self.precomputed:
            check_distances(X)
        if not self.angles:
            self._choose_units(X)
        if self.precomputed:
            return self
        # Distances do not change when all rows are shifted, but far from the origin they lose
        # their digits: rows are centred even where they keep their scale. Angles do change.
        if not self.sparse_ and (self.standardize or self.name == "euclidean"):
            far = far_values(X)
            most = X if far is None else X[~far]  # which decide about means and scales
            self.scaler_ = StandardScaler(with_std=self.standardize).fit(most * self.factor_)
        if not self.sparse_ and min(X.shape) > DIRECTIONS:
            some = np.sort(np.random.default_rng(0).permutation(len(X))[:DIRECTION_ROWS])
            rows = self.prepare(X[some])
            if np.ptp(rows, axis=0).max() > 0:
                directions = PCA(DIRECTIONS, svd_solver="randomized", random_state=0)
                self.directions_ = directions.fit(rows)
        return self

    @property
    def angles(self) -> bool:
        """Whether the lengths of rows do not matter, so that there are no units."""
        return (self.name == "cosine" and not self.standardize) or (
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
            usual = max(middle(X)[1], usual_size(np.abs(X).max(axis=1, initial=0)) * FLOAT64_EPS)
        lowest = -126 if X.dtype.itemsize == 4 else -1022
        if not low < usual < high:
            self.factor_ = 2.0 ** -float(max(np.frexp(usual)[1], lowest))
        if not self.standardize:
            self.farthest_ = FARTHEST * usual * self.factor_

    def raw(self, X: Matrix) -> Matrix:
        """Dense rows around their mean, in safe units, with columns as they are."""
        with np.errstate(over="ignore"):
            rows = np.asarray(X, dtype=np.float64) * self.factor_
        center = center_of(rows)
        limit = FARTHEST * middle(X)[1] * self.factor_
        with np.errstate(over="ignore"):
            return np.clip(rows - center, -limit, limit)

    def prepare(self, X: Matrix, cut: bool = True) -> Matrix:
        """The rows as they are compared; or where nothing is cut, as they are seen."""
        if self.precomputed:
            D = np.abs(X.toarray() if issparse(X) else X).astype(np.float64) * self.factor_
            return np.minimum(D, FARTHEST * SAFE[8][1], out=D)
        if issparse(X) != self.sparse_:  # new rows may come in the other form
            X = csr_array(X) if self.sparse_ else X.toarray()
        with np.errstate(over="ignore"):
            X = X * self.factor_
            X = X if self.scaler_ is None else self.scaler_.transform(X)
        if self.scaler_ is not None:
            farthest = CUT if self.standardize and cut else self.farthest_
            np.clip(X, -farthest, farthest, out=X)
        if self.name == "cosine" or self.sparse_:
            X = normalize(_with_safe_lengths(X))
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
            return np.square(D.astype(np.float64, copy=False))
        return squared_distances(A, B, tol)


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
    if 8 * FLOAT32_EPS * largest < tol and not issparse(A):
        light = A.astype(np.float32) @ (-2 * B).astype(np.float32).T
        light += norms_A[:, None].astype(np.float32)
        light += norms_B.astype(np.float32)
        return np.maximum(light, 0, out=light)
    exact = FLOAT64_EPS * largest >= tol
    if exact and A.shape[1] <= FEW_COLUMNS and not issparse(A):  # nearly as fast as products
        return sum(np.square(np.subtract.outer(a, b)) for a, b in zip(A.T, B.T, strict=True))
    D = euclidean_distances(
        A, B, squared=True, X_norm_squared=norms_A[:, None], Y_norm_squared=norms_B[None]
    )
    if exact:
        # ‖a‖² − 2ab + ‖b‖² has lost its digits where rows are much nearer to each other than to
        # the origin: copies must be at 0, and what is near an outlier must not be equal.
        i, j = np.nonzero(CANCELLED * (norms_A[:, None] + norms_B) >= D)
        for part in row_blocks(len(i), A.shape[1]):
            D[i[part], j[part]] = row_norms(A[i[part]] - B[j[part]], squared=True)
    return D


def _with_safe_lengths(X: Matrix) -> Matrix:
    """Rows whose squares neither overflow nor vanish; angles do not change by a power of two."""
    low, high = SAFE.get(X.dtype.itemsize, SAFE[8])
    largest = abs(X).max(axis=1)
    largest = largest.toarray().ravel() if issparse(largest) else np.asarray(largest).ravel()
    odd = (largest > 0) & ~((low < largest) & (largest < high))
    if not odd.any():
        return X
    powers = np.where(odd, -np.frexp(largest)[1], 0)
    if not issparse(X):
        return np.ldexp(X, powers[:, None])
    X = csr_array(X, copy=True)
    X.data = np.ldexp(X.data, np.repeat(powers, np.diff(X.indptr)))
    return X


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
        exponents = np.multiply(squared, -gamma, out=out)
    lowest = LOWEST_EXPONENT[exponents.dtype.itemsize]
    if exponents.min(initial=0) < lowest:
        np.maximum(exponents, lowest, out=exponents)
    return np.asarray(np.exp(exponents, out=exponents))


# -- units, and rows that are far ------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Units:
    """A middle and a power of two, chosen by most rows, so that a few that are far do not matter.

    Distances do not change when all rows are shifted, but squared distances far from the
    origin lose their digits. A power of two costs none.

    Parameters
    ----------
    offset : ndarray of shape (d,)
        The median of each column.
    factor : float
        A power of two; 1 where squares are safe.
    farthest : float
        Values beyond it say "far" and no more.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.spaces.metric import Units
    >>> units = Units.of(np.array([[0.0], [1e-200], [2e-200], [1e300]]))
    >>> units.prepare(np.array([[1.5e-200], [3.5e-200]])).ravel().round(2).tolist()
    [0.0, 1.2]
    """

    offset: NDArray[np.float64]
    factor: float
    farthest: float

    @classmethod
    def of(cls, X: NDArray[np.floating]) -> "Units":
        """The units of dense rows."""
        offset, usual = middle(X)
        unit = 2.0 ** max(int(np.frexp(usual)[1]), -1022)
        low, high = SAFE_UNITS
        factor = 1.0 if low < unit < high else 1 / unit
        return cls(offset, factor, FARTHEST * unit * factor)

    def of_gamma(self, gamma: float) -> float:
        """A width of the user in these units."""
        found = float(gamma) / self.factor / self.factor
        if not 0 < found < np.inf:
            raise ValueError(
                f"gamma = {gamma!r} is no width for X, whose values are too small or too large for "
                f"it; rescale X."
            )
        return found

    def given_gamma(self, gamma: Any) -> Any:
        """A width in these units, or several, as the user gives and sees them."""
        with np.errstate(over="ignore"):
            found = np.multiply(gamma, self.factor) * self.factor
        return np.minimum(found, np.finfo(np.float64).max)

    def scaled(self, X: NDArray[np.floating]) -> NDArray[np.floating]:
        """Rows where they are, in safe units."""
        middle = self.offset * self.factor
        with np.errstate(over="ignore"):
            rows = X * self.factor
        return np.clip(rows, middle - self.farthest, middle + self.farthest).astype(X.dtype)

    def prepare(self, X: NDArray[np.floating]) -> NDArray[np.floating]:
        """Rows around the middle, in safe units."""
        with np.errstate(over="ignore"):
            rows = (X - self.offset) * self.factor
        return np.clip(rows, -self.farthest, self.farthest, out=rows)


def middle(X: NDArray[np.floating]) -> tuple[NDArray[np.float64], float]:
    """The median of each column, and the usual distance of a row to it, in its largest column."""
    some = X[:: 1 + len(X) // SPREAD_ROWS].astype(np.float64)
    largest = np.finfo(np.float64).max
    half = 0.5 if np.abs(some).max(initial=0) > largest / 4 else 1.0  # a mean of two overflows
    offset = np.median(some * half, axis=0) / half
    with np.errstate(over="ignore"):
        usual = usual_size(np.abs(some - offset).max(axis=1, initial=0))
    return offset, min(usual, float(largest) / 4)


def usual_size(sizes: NDArray[np.floating]) -> float:
    """The (lower) median of what is not 0; 1 where nothing is."""
    positive = np.sort(sizes[sizes > 0], axis=None)
    return float(positive[(len(positive) - 1) // 2]) if len(positive) else 1.0


def center_of(X: NDArray[np.floating]) -> NDArray[np.float64]:
    """The mean of the rows that are not far."""
    far = far_values(X)
    return np.asarray((X if far is None else X[~far]).mean(axis=0, dtype=np.float64))


def far_values(X: NDArray[np.floating]) -> NDArray[np.bool_] | None:
    """Rows with a value that is far from the middle of its column; None if there are none."""
    some = X[:: 1 + len(X) // SPREAD_ROWS].astype(np.float64)
    center, usual = middle(X)
    with np.errstate(over="ignore"):
        limit = FAR * np.array([usual_size(column) for column in np.abs(some - center).T])
        limit = np.minimum(limit, FARTHEST * usual)
        low, high = center - limit, center + limit
    if np.all(X.min(axis=0) >= low) and np.all(X.max(axis=0) <= high):
        return None
    return np.any((low > X) | (high < X), axis=1)


def warn_of_far_rows(X: Any, kernel: str) -> None:
    """Say which rows are far, for kernels that give such rows their way."""
    if issparse(X) or kernel not in BY_PRODUCTS:
        return
    offset, usual = middle(X)
    with np.errstate(over="ignore"):
        low, high = offset - FAR * usual, offset + FAR * usual
    if np.all(X.min(axis=0) >= low) and np.all(X.max(axis=0) <= high):
        return
    far = np.flatnonzero(np.any((low > X) | (high < X), axis=1))
    named = ", ".join(map(str, far[:5].tolist())) + ", ..." * (len(far) > 5)
    warn_user(
        f"{len(far)} of the {len(X)} rows of X ({named}, counted from 0) are more than {FAR:.0f} "
        f"times as far from the middle as is usual: with the kernel {kernel!r} they outweigh all "
        f'others. Leave them out, scale the columns, or use kernel="rbf", to which far is far.'
    )
