"""How far rows are from each other, the one choice that comes before any kernel; the Gaussian."""

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
from maxmargin.preprocessing.table_scaler import indicator_scales

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
#: New rows beyond this, in units of the fitted ones, are as far as can be.
FARTHEST = 1e15
#: Dense rows with more columns are projected on so many leading directions,
DIRECTIONS = 100
#: which are learned from about so many rows.
DIRECTION_ROWS = 4000

#: A column with at most so many values is discrete,
FEW_VALUES = 12
#: and so is one that has one value in so many of the rows.
COMMON = 0.25

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
        few rows into outliers. Columns of two values are scaled as `TableScaler` does. Sparse
        columns are taken as they are: to centre them would fill them.

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
        largest = float(abs(X).max())
        # Where squares would overflow or vanish, other units: a power of two costs no digits.
        low, high = SAFE.get(X.dtype.itemsize, SAFE[8])
        safe = largest == 0 or low < largest < high
        lowest = -126 if X.dtype.itemsize == 4 else -1022
        self.factor_ = 1.0 if safe else 2.0 ** -float(max(np.frexp(largest)[1], lowest))
        self.sparse_ = issparse(X)
        if self.precomputed:
            _check_distances(X)
            return self
        # Distances do not change when all rows are shifted, but far from the origin they lose
        # their digits: rows are centred even where they keep their scale. Angles do change.
        if not self.sparse_ and (self.standardize or self.name == "euclidean"):
            self.scaler_ = StandardScaler(with_std=self.standardize).fit(X * self.factor_)
            if self.standardize and len(X) > FEW_VALUES and _has_flags(X):
                scales = indicator_scales(X) * self.factor_
                self.scaler_.scale_ = np.where(np.isnan(scales), self.scaler_.scale_, scales)
        if not self.sparse_ and min(X.shape) > DIRECTIONS:
            some = np.sort(np.random.default_rng(0).permutation(len(X))[:DIRECTION_ROWS])
            rows = self.prepare(X[some])
            if np.ptp(rows, axis=0).max() > 0:
                directions = PCA(DIRECTIONS, svd_solver="randomized", random_state=0)
                self.directions_ = directions.fit(rows)
        return self

    def prepare(self, X: Matrix, cut: bool = True) -> Matrix:
        """The rows as they are compared; or where nothing is cut, as they are seen."""
        if self.precomputed:
            return np.abs(X.toarray() if issparse(X) else X) * self.factor_
        if issparse(X) != self.sparse_:  # new rows may come in the other form
            X = csr_array(X) if self.sparse_ else X.toarray()
        with np.errstate(over="ignore"):
            X = X * self.factor_
        if self.scaler_ is not None:
            X = self.scaler_.transform(X)
            farthest = CUT if self.standardize and cut else FARTHEST
            np.clip(X, -farthest, farthest, out=X)
        if self.name == "cosine" or self.sparse_:
            X = normalize(X)
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
    steps = np.count_nonzero(np.diff(ordered, axis=0), axis=0)
    far = max(int(np.ceil(COMMON * len(X))) - 1, 1)
    return (steps < FEW_VALUES) | np.any(ordered[far:] == ordered[:-far], axis=0)


def _has_flags(X: NDArray[np.floating]) -> bool:
    """Whether some column has two values, or reaches from 0 to 1, as those with gaps do."""
    low, high = X.min(axis=0), X.max(axis=0)
    two = np.all((low == X) | (high == X), axis=0) & (low < high)
    return bool(np.any(two | ((low == 0) & (high == 1))))


def _check_distances(X: Matrix) -> None:
    n = X.shape[0]
    if X.shape != (n, n):
        raise ValueError(
            f'metric="precomputed" needs a square matrix of distances; got shape {X.shape}.'
        )
    if issparse(X) and X.nnz - np.count_nonzero(X.diagonal()) < n * (n - 1):
        raise ValueError(
            'metric="precomputed" needs all distances: what a sparse matrix does not hold would '
            "be a distance of 0. Use a dense matrix."
        )
    D = X.toarray() if issparse(X) else X
    scale = float(np.max(np.abs(D), initial=0.0))
    if D.min(initial=0.0) < 0:
        raise ValueError(
            f'metric="precomputed" needs distances >= 0; got {D.min():.3g}. A kernel K becomes '
            f"the distances sqrt(K_ii + K_jj - 2 K_ij)."
        )
    if np.abs(D.diagonal()).max(initial=0.0) > 1e-6 * scale:
        raise ValueError(
            f'metric="precomputed" needs distances, with 0 on the diagonal; got '
            f"{np.abs(D.diagonal()).max():.3g}. A kernel K becomes the distances "
            f"sqrt(K_ii + K_jj - 2 K_ij)."
        )
    if np.abs(D - D.T).max(initial=0.0) > 1e-6 * scale:
        raise ValueError('metric="precomputed" needs a symmetric matrix; use (X + X.T) / 2.')
