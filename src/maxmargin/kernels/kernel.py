"""A kernel by name, callable or matrix, and its Gram matrix built in place."""

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh
from scipy.sparse import issparse
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.preprocessing import normalize

from maxmargin._core.inverse import mirror, sweep
from maxmargin._runtime.interrupts import stop_flag
from maxmargin._runtime.validation import check_positive
from maxmargin._runtime.warnings import MaxMarginWarning
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
DENSE_ONLY = ("chi2", "additive_chi2")
LARGEST = 1e150  # squares of larger values overflow
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
        if not callable(kernel) and kernel != "precomputed" and kernel not in PARAMETERS:
            names = ", ".join(map(repr, PARAMETERS))
            raise ValueError(
                f"kernel must be one of {names}, 'precomputed' or a callable; got {kernel!r}."
            )
        if not isinstance(gamma, str):
            gamma = check_positive("gamma", gamma)
        elif gamma not in RULES:
            names = ", ".join(map(repr, RULES))
            raise ValueError(f"gamma must be a number > 0 or one of {names}; got {gamma!r}.")
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
        largest = float(abs(X).max())
        if largest > LARGEST:
            raise ValueError(
                f"X has values up to {largest:.3g}, whose squares overflow; rescale its columns."
            )
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
        if "gamma" not in PARAMETERS.get(self.name, ()):
            pass
        elif not isinstance(self.gamma, str):
            self.gamma_ = self.gamma
        else:
            self.gamma_ = gamma_by_rule(self.gamma, self.name, self.prepare(X), rng)
        return self

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
        return X if self.offset_ is None else X - self.offset_.astype(X.dtype)

    def gram(self, X: Matrix) -> NDArray[np.float64]:
        """Build K between the rows of X in float64: the lower triangle only, block by block.

        For kernels that may be indefinite (see ``clip_negative``) both triangles are filled.
        """
        n = X.shape[0]
        K = np.empty((n, n))
        if self.precomputed:
            K[:] = X
            return clip_negative(K, np.finfo(X.dtype).eps)
        rows = self.prepare(X).astype(np.float64, copy=False)
        for block in row_blocks(n, n):
            K[block, : block.stop] = self._evaluate(rows[block], rows[: block.stop])
            if not np.isfinite(K[block, : block.stop].sum()):
                raise ValueError(
                    f"kernel={self.name!r} gives values on X that are not finite; rescale X or "
                    f"choose other parameters of the kernel."
                )
        if self.surely_psd:
            return K
        mirror(K)
        return clip_negative(K, np.finfo(np.float64).eps)

    def _evaluate(self, A: Matrix, B: Matrix) -> NDArray[np.floating]:
        if not isinstance(self.metric, str):
            return pairwise_kernels(A, B, metric=self.metric, **(self.params or {}))
        if self.name == "cosine":
            return pairwise_kernels(A, B, metric="linear")
        known = {"gamma": self.gamma_, "degree": self.degree, "coef0": self.coef0}
        used = {name: known[name] for name in PARAMETERS[self.name]}
        return pairwise_kernels(A, B, metric=self.name, **used)


def row_blocks(n_rows: int, n_columns: int) -> Iterator[slice]:
    """Cut rows so that a float64 block of them stays small."""
    step = max(1, BLOCK_BYTES // (8 * max(1, n_columns)))
    for start in range(0, n_rows, step):
        yield slice(start, min(start + step, n_rows))


def check_precomputed(K: Matrix) -> None:
    """Raise if K cannot be a kernel matrix."""
    if K.ndim != 2 or K.shape[0] != K.shape[1]:
        raise ValueError(
            f"with kernel='precomputed', X must be the square kernel matrix; got shape {K.shape}."
        )
    size = abs(K).max()
    tolerance = 1e-6 if K.dtype == np.float32 else 1e-10
    worst = abs(K - K.T).max()
    if worst > tolerance * max(size, np.finfo(np.float64).tiny):
        raise ValueError(
            f"with kernel='precomputed', X must be symmetric; X and its transpose differ by up to "
            f"{worst:.3g}. Use (X + X.T) / 2 if that is what you mean."
        )


def clip_negative(K: NDArray[np.float64], eps: float) -> NDArray[np.float64]:
    """Return K, or its nearest positive semidefinite matrix with a warning.

    A Cholesky factorisation of K + tI succeeds if no eigenvalue is below −t; t is what
    rounding explains. Only if it fails are the eigenvalues computed.
    """
    n = len(K)
    tolerance = 100 * n * eps * max(float(np.abs(K).max()), np.finfo(np.float64).tiny)
    shifted = K.copy()
    shifted.flat[:: n + 1] += tolerance
    if sweep(shifted, stop_flag()) == 0:
        return K
    del shifted
    values, vectors = eigh(K)
    warnings.warn(
        f"the kernel matrix is not positive semidefinite: its smallest eigenvalue is "
        f"{values[0]:.3g} (the largest is {values[-1]:.3g}). Negative eigenvalues are set to 0.",
        MaxMarginWarning,
        stacklevel=2,
    )
    vectors *= np.sqrt(np.clip(values, 0, None))
    return vectors @ vectors.T
