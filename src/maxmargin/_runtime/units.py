"""Units in which squares neither overflow nor vanish, and rows that are far from all others."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse

from maxmargin._runtime.warnings import warn_user

#: Rows that give the middle; more of them change it by less than it matters.
SPREAD_ROWS = 1000
#: Values beyond this, in units of the usual distance to the middle, are as far as can be.
FARTHEST = 1e15
#: What is so many times as far from the middle as is usual is far.
FAR = 1e3
#: Values whose squares and products are safe, by bytes.
SAFE = {4: (1e-15, 1e15), 8: (1e-100, 1e100)}
#: Squares of values that are smaller have no digits.
VANISHING = 1e-150
#: Rows that are shorter are lengthened before they get the length 1.
ZERO_LENGTH = 1e-5

#: Rows that columns are known by.
SOME_ROWS = 4000
#: Fewer columns are no images. These share their lowest value, this share of them at least,
PIXELS, SAME_LOWEST = 20, 0.9
#: reach nearly the highest one, this share of them, and this share hardly varies:
NEARLY_HIGHEST, SAME_HIGHEST, FLAT, SOME_FLAT = 0.9, 0.3, 0.2, 0.1
#: Principal components: so many at least, hardly correlated, each of less variance than the one
#: before, and the first without nearly all of it, which is what mixed units make.
COMPONENTS, UNCORRELATED, IN_ORDER, FIRST_COMPONENT = 5, 0.1, -0.99, 0.9


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
    >>> from maxmargin._runtime.units import Units
    >>> units = Units.of(np.array([[0.0], [1e-200], [2e-200], [1e300]]))
    >>> units.prepare(np.array([[1.5e-200], [3.5e-200]])).ravel().round(2).tolist()
    [0.0, 3.06]
    """

    offset: NDArray[np.float64]
    factor: float
    farthest: float

    @classmethod
    def of(cls, X: Any) -> "Units":
        """The units of rows. Sparse ones stay where they are: to shift them would fill them."""
        offset, usual = (np.zeros(1), usual_size(abs(X.data))) if issparse(X) else middle(X)
        unit = 2.0 ** max(int(np.frexp(usual)[1]), -1022)
        low, high = SAFE.get(X.dtype.itemsize, SAFE[8])
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

    def scaled(self, X: Any) -> Any:
        """Rows where they are, in safe units."""
        if issparse(X):
            rows = X.copy()
            rows.data = self._times(X.data, 0.0)
            return rows
        return self._times(X, self.offset * self.factor)

    def given(self, rows: Any) -> Any:
        """Rows that are where they were, in safe units, as the user gives and sees them."""
        if issparse(rows):
            found = rows.copy()
            found.data = self.given(rows.data)
            return found
        return np.divide(rows, self.factor, dtype=np.float64).astype(rows.dtype)

    def _times(self, values: NDArray[np.floating], middle: Any) -> NDArray[np.floating]:
        """Values times the factor, which single precision may not hold, as far as they count."""
        farthest = min(self.farthest, float(np.finfo(values.dtype).max) / 2)
        with np.errstate(over="ignore"):
            many = np.multiply(values, self.factor, dtype=np.float64)
        return np.clip(many, middle - farthest, middle + farthest).astype(values.dtype)

    def prepare(self, X: NDArray[np.floating]) -> NDArray[np.floating]:
        """Rows around the middle, in safe units."""
        with np.errstate(over="ignore"):
            rows = (X - self.offset) * self.factor
        return np.clip(rows, -self.farthest, self.farthest, out=rows)


def middle(X: NDArray[np.floating]) -> tuple[NDArray[np.float64], float]:
    """The median of each column, and the usual distance of a row to it, in its largest column."""
    some = spread(X)
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


def center_of(X: Any) -> NDArray[np.float64]:
    """The mean of the rows that are not far; 0 for sparse rows, which are not shifted."""
    if issparse(X):
        return np.zeros(X.shape[1])
    far = far_values(X)
    return np.asarray((X if far is None else X[~far]).mean(axis=0, dtype=np.float64))


def usual_range(X: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Between which values of each column a row is not far; where most rows are, none is."""
    (center, usual), some = middle(X), spread(X)
    with np.errstate(over="ignore"):
        limit = FAR * np.array([usual_size(column) for column in np.abs(some - center).T])
        limit = np.minimum(limit, FARTHEST * usual)
        if 2 * np.count_nonzero(outside(center - limit, center + limit, some)) > len(some):
            limit = np.full_like(limit, np.inf)
        return center - limit, center + limit


def shifted(X: Any, center: NDArray[np.float64]) -> Any:
    """Rows around a centre; sparse ones stay where they are."""
    return X if issparse(X) else X - center


def far_values(X: NDArray[np.floating]) -> NDArray[np.bool_] | None:
    """Rows with a value that is far from the middle of its column; None if there are none."""
    far = outside(*usual_range(X), X)
    return far if far.any() else None


def outside(low: NDArray[np.float64], high: NDArray[np.float64], X: Any) -> NDArray[np.bool_]:
    """Rows with a value outside of the range of its column."""
    if np.all(X.min(axis=0) >= low) and np.all(X.max(axis=0) <= high):
        return np.zeros(len(X), bool)
    return np.any((low > X) | (high < X), axis=1)


def spread(X: Any) -> NDArray[np.float64]:
    """Some rows, at even distances."""
    return np.asarray(X[np.arange(0, len(X), 1 + len(X) // SPREAD_ROWS)], dtype=np.float64)


def warn_of_vanishing_columns(X: NDArray[np.floating], factor: float) -> None:
    """Name the columns that vary, but whose squares are nothing in units of other columns."""
    with np.errstate(over="ignore"):
        reach = np.ptp(spread(X), axis=0)
    lost = np.flatnonzero((reach > 0) & (reach * factor < VANISHING))
    if lost.size:
        named = ", ".join(map(str, lost[:8].tolist())) + ", ..." * (lost.size > 8)
        warn_user(
            f"columns of X are so small beside others that they do not count: {named} (from 0). "
            f"Give all columns units in which their values are between 1e-100 and 1e100."
        )


def with_safe_lengths(X: Any) -> Any:
    """Rows whose squares neither overflow nor vanish; angles do not change by a power of two.

    scikit-learn's ``normalize`` takes lengths up to a few roundings of 1 for zeros.
    """
    low, high = ZERO_LENGTH, SAFE.get(X.dtype.itemsize, SAFE[8])[1]
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


def some_rows(X: Any) -> NDArray[np.intp]:
    """The numbers of some rows, the same whoever keeps them."""
    return np.sort(np.random.default_rng(0).permutation(X.shape[0])[:SOME_ROWS])


def share_a_unit(X: NDArray[np.floating]) -> bool:
    """Whether columns are in one unit, and say something by how much they vary.

    To standardise them would blow up noise. Two kinds of columns are known: pixels, of which
    some hardly ever change, and principal components.

    Examples
    --------
    >>> from sklearn.datasets import load_digits, load_wine
    >>> from sklearn.decomposition import PCA
    >>> from maxmargin._runtime.units import share_a_unit
    >>> pixels = load_digits().data
    >>> share_a_unit(pixels), share_a_unit(PCA(10).fit_transform(pixels))
    (True, True)
    >>> share_a_unit(load_wine().data)
    False
    """
    X = np.asarray(X[some_rows(X)], dtype=np.float64)
    X = X / max(float(np.abs(X).max(initial=0)), np.finfo(np.float64).tiny)  # squares are safe
    X = X[:, np.ptp(X, axis=0) > 0]
    d, deviation = X.shape[1], X.std(axis=0)
    if d >= PIXELS:
        lowest, highest = X.min(axis=0), X.max(axis=0)
        between = np.mean((lowest < X) & (highest > X), axis=0) > 0  # flags have two values
        high = highest - X.min() >= NEARLY_HIGHEST * np.ptp(X)
        flat = deviation < FLAT * np.sqrt(np.mean(np.square(deviation)))
        shares = np.mean([lowest == X.min(), high, flat, between], axis=1)
        if np.all(shares >= (SAME_LOWEST, SAME_HIGHEST, SOME_FLAT, 0.5)):
            return True
    if d < COMPONENTS or len(X) <= d:
        return False
    ranks = np.argsort(np.argsort(deviation))
    falling = np.corrcoef(np.arange(d), ranks)[0, 1] < IN_ORDER
    if not falling or deviation[0] ** 2 > FIRST_COMPONENT * np.sum(np.square(deviation)):
        return False
    correlations = np.abs(np.corrcoef(X.T)[np.triu_indices(d, 1)])
    return bool(np.quantile(correlations, 0.9) < UNCORRELATED)
