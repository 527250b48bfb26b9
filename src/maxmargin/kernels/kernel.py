"""A kernel by name, callable or matrix, and its Gram matrix built in place."""

from collections.abc import Callable, Iterator
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.preprocessing import normalize
from sklearn.utils.extmath import row_norms

from maxmargin._core.inverse import mirror
from maxmargin._runtime.validation import check_positive
from maxmargin._runtime.warnings import warn_user
from maxmargin.kernels.definite import check_symmetric, clip_negative
from maxmargin.kernels.widths import RULES, Matrix, gamma_by_rule

#: The parameters of each named kernel of scikit-learn's ``pairwise_kernels``.
PARAMETERS: dict[str, tuple[str, ...]] = {
    "additive_chi2": (),
    "chi2": ("gamma",),
    "cosine": (),
    "laplacian": ("gamma",),
    "linear": (),
    "poly": ("gamma", "degree", "coef0"),
    "polynomial": ("gamma", "degree", "coef0"),
    "rbf": ("gamma",),
    "sigmoid": ("gamma", "coef0"),
}
TRANSLATION_INVARIANT = ("rbf", "laplacian")
UNIT = ("rbf", "laplacian", "chi2")  # k(x, x) = 1
DENSE_ONLY = ("chi2", "additive_chi2")
LARGEST = {4: 1e18, 8: 1e150}  # by bytes: squares of larger values overflow
SMALLEST = 1e-140  # squares of smaller differences vanish
LOST_DIGITS = 1e-4  # the error of a kernel value that is worth a warning
BLOCK_BYTES = 8 * 2**20  # a block of rows that stays near the cache


class Kernel:
    """A kernel function whose parameters fit the data.

    Parameters
    ----------
    kernel : str or callable
        A name of ``sklearn.metrics.pairwise.pairwise_kernels``, ``"precomputed"``, or a
        function of two rows.
    gamma : float or {"median", "neighbors", "scale"}
        The width, or the rule that chooses it.
    degree, coef0 : float
        As in scikit-learn.
    params : dict or None
        Keyword arguments for a callable.
    """

    def __init__(
        self,
        kernel: str | Callable[..., float] = "rbf",
        *,
        gamma: float | str = "median",
        degree: float = 3,
        coef0: float = 1.0,
        params: dict[str, Any] | None = None,
    ) -> None:
        named = isinstance(kernel, str) and (kernel in PARAMETERS or kernel == "precomputed")
        if not callable(kernel) and not named:
            names = ", ".join(map(repr, PARAMETERS))
            raise ValueError(
                f"kernel must be one of {names}, 'precomputed' or a callable; got {kernel!r}."
            )
        if not isinstance(gamma, str):
            gamma = check_positive("gamma", gamma)
        elif gamma not in RULES:
            names = ", ".join(map(repr, RULES))
            raise ValueError(f"gamma must be a number > 0 or one of {names}; got {gamma!r}.")
        for name, value in (("degree", degree), ("coef0", coef0)):
            if not isinstance(value, Real) or not np.isfinite(float(value)):
                raise ValueError(f"{name} must be a finite number; got {value!r}.")
        if float(degree) < 0:
            raise ValueError(f"degree must be a number >= 0; got {degree!r}.")
        if params is not None and (named or not isinstance(params, dict)):
            raise ValueError(
                f"kernel_params must be None or, for a kernel that is a function, a dict of its "
                f"arguments; got {params!r} with kernel={kernel!r}."
            )
        self.name = kernel if isinstance(kernel, str) else "callable"
        self.metric = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.params = params

    @property
    def precomputed(self) -> bool:
        """Whether X is the kernel matrix itself."""
        return self.name == "precomputed"

    @property
    def linear(self) -> bool:
        """Whether rows, perhaps scaled to unit length, are their own explicit map."""
        return self.name in ("linear", "cosine")

    @property
    def surely_psd(self) -> bool:
        """Whether the kernel is positive semidefinite for whatever data."""
        if self.name in ("poly", "polynomial"):
            return self.coef0 >= 0 and float(self.degree).is_integer()
        return self.name in ("rbf", "laplacian", "chi2", "linear", "cosine")

    def fit(self, X: Matrix, rng: np.random.Generator) -> "Kernel":
        """Choose what depends on the data; X keeps its place as the rows of the Gram matrix."""
        require_squares(X)
        if self.name in DENSE_ONLY:
            if issparse(X):
                raise ValueError(
                    f"kernel={self.name!r} needs dense data; got a sparse matrix. Use X.toarray() "
                    f"or another kernel."
                )
            if X.size and X.min() < 0:
                raise ValueError(f"kernel={self.name!r} needs X >= 0; got {X.min()!r}.")
        # Distances do not change when all rows are shifted, but squared distances far from
        # the origin lose their digits: work around the mean.
        shift = self.name in TRANSLATION_INVARIANT and not issparse(X)
        self.offset_ = X.mean(axis=0, dtype=np.float64) if shift else None
        self.gamma_: float | None = None
        if "gamma" in PARAMETERS.get(self.name, ()):
            self.gamma_ = self._choose_gamma(X, rng)
        if self.name == "callable":
            some = self._evaluate(X[:50], X[:50])
            check_symmetric(some, "kernel must be a symmetric function of two rows", some.T)
        return self

    def _choose_gamma(self, X: Matrix, rng: np.random.Generator) -> float:
        if not isinstance(self.gamma, str):
            gamma = self.gamma
        else:
            rows = X if self.gamma == "scale" else self.prepare(X)
            gamma = gamma_by_rule(self.gamma, self.name, rows, rng)
        if not 0 < gamma < np.inf:
            raise ValueError(
                f"gamma={self.gamma!r} gives {gamma:.3g} on X: its values are too small or too "
                f"large; rescale X."
            )
        if self.name == "rbf":
            # ‖x − y‖² is computed from products, with an error of eps · ‖x‖²
            norm = float(row_norms(self.prepare(X), squared=True).max())
            error = gamma * norm * float(np.finfo(np.float64).eps)
            if error > LOST_DIGITS:
                warn_user(
                    f"some rows of X are so far from the others that the kernel has errors of "
                    f"about {error:.1g}: treat outliers first, or use a smaller gamma than "
                    f"{gamma:.3g}."
                )
        return gamma

    def __call__(self, A: Matrix, B: Matrix) -> NDArray[np.floating]:
        """Evaluate the kernel between the rows of A and of B."""
        if self.precomputed:
            return A
        return self._evaluate(self.prepare(A), self.prepare(B))

    def rows_against(self, A: Matrix, B: Matrix) -> Iterator[tuple[slice, NDArray[np.floating]]]:
        """Yield the kernel between A and B in blocks of rows of A."""
        B = self.prepare(B)
        for block in row_blocks(A.shape[0], B.shape[0]):
            yield block, self._evaluate(self.prepare(A[block]), B)

    def prepare(self, X: Matrix) -> Matrix:
        """Shift (rbf, laplacian) or scale (cosine) rows so that plain formulas apply."""
        if self.name == "cosine":
            return normalize(X)
        if self.offset_ is None:
            return X
        return (X.toarray() if issparse(X) else X) - self.offset_

    def gram(self, X: Matrix) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
        """Build K between the rows of X in float64: the lower triangle only, block by block.

        A kernel that may be indefinite is filled on both sides and clipped: the second value
        then holds the eigenvectors that were dropped (see ``clip_negative``), else None.
        """
        n = X.shape[0]
        K = np.empty((n, n))
        if self.precomputed:
            K[:] = X
            return clip_negative(K, np.finfo(X.dtype).eps)
        rows = self.prepare(X).astype(np.float64, copy=False)
        for block in row_blocks(n, n):
            K[block, : block.stop] = self._evaluate(rows[block], rows[: block.stop])
        if self.name in UNIT:
            K.flat[:: n + 1] = 1.0
        if self.surely_psd:
            return K, None
        mirror(K)
        return clip_negative(K, float(np.finfo(np.float64).eps))

    def _evaluate(self, A: Matrix, B: Matrix) -> NDArray[np.floating]:
        known = {"gamma": self.gamma_, "degree": self.degree, "coef0": self.coef0}
        used = {name: known[name] for name in PARAMETERS.get(self.name, ())}
        metric = "linear" if self.name == "cosine" else self.metric
        with np.errstate(over="ignore", invalid="ignore"):
            values = pairwise_kernels(A, B, metric=metric, **(used or self.params or {}))
            finite = np.isfinite(values.sum())
        if not finite:
            raise ValueError(
                f"kernel={self.name!r} gives values on X that are not finite; rescale X or choose "
                f"other parameters of the kernel."
            )
        return values


def largest_value(X: Matrix) -> float:
    """The largest absolute value, without a copy of X."""
    values = X.data if issparse(X) else X
    return max(float(values.max(initial=0)), -float(values.min(initial=0)))


def require_squares(X: Matrix) -> None:
    """Raise a ValueError if squares of values overflow."""
    largest = largest_value(X)
    if largest > LARGEST[X.dtype.itemsize]:
        raise ValueError(
            f"X has values up to {largest:.3g}, whose squares overflow; rescale its columns."
        )


def require_differences(X: NDArray[np.floating]) -> None:
    """Raise a ValueError if rows differ, and the squares of their differences vanish."""
    spread = float(np.ptp(X, axis=0).max(initial=0))
    if 0 < spread < SMALLEST:
        raise ValueError(
            f"X has differences of at most {spread:.3g}, whose squares vanish; rescale its columns."
        )


def entries_in_a_row(X: Matrix) -> int:
    """The numbers that are stored for a row, on average."""
    return X.nnz // max(1, X.shape[0]) + 1 if issparse(X) else X.shape[1]


def row_blocks(n_rows: int, n_columns: int) -> Iterator[slice]:
    """Cut rows so that a float64 block of them stays small."""
    step = max(1, BLOCK_BYTES // (8 * max(1, n_columns)))
    for start in range(0, n_rows, step):
        yield slice(start, min(start + step, n_rows))
