"""A kernel by name, callable or matrix, its width by a rule, its Gram matrix built in place."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.metrics import pairwise_distances
from sklearn.metrics.pairwise import additive_chi2_kernel, pairwise_kernels
from sklearn.preprocessing import normalize
from sklearn.utils import gen_batches

from maxmargin._core.interrupts import check_interrupt
from maxmargin._core.inverse import mirror
from maxmargin._runtime.memory import row_blocks
from maxmargin._runtime.parameters import FINITE, POSITIVE, shown
from maxmargin._runtime.units import Units, with_safe_lengths
from maxmargin.blocks import Block, Rows
from maxmargin.spaces.metric import (
    SCALE_NEIGHBOR,
    Matrix,
    Weights,
    gaussian_kernel,
    squared_distances,
)
from maxmargin.spaces.psd import check_symmetric, clip_negative

#: Rows that a rule looks at; more rows change the answer by less than the rule's own error.
SAMPLE = 1000

RULES = ("auto", "median", "neighbors", "scale")
#: Up to so many clusters the median distance is a good width. More of them are nearer to each
#: other: the width is then what reaches half as many clusters, wherever a row is.
MANY_CLUSTERS = 10
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
KERNEL_TOLERANCE = 1e-9  # the error of a Gaussian that does not matter


class Kernel:
    """A kernel function whose parameters fit the data.

    Parameters
    ----------
    kernel : str or callable
        A name of ``sklearn.metrics.pairwise.pairwise_kernels``, ``"precomputed"``, or a
        function of two rows.
    gamma : float or {"auto", "median", "neighbors", "scale"}
        The width, or the rule that chooses it.
    degree, coef0 : float
        As in scikit-learn.
    params : dict or None
        Keyword arguments for a callable.
    center : bool
        Whether the linear kernel is that of rows around their mean.
    n_clusters : int
        How many clusters are sought: what the rule ``"auto"`` looks at.
    """

    mean_: NDArray[np.float64] | None = None  # of sparse rows, which stay as they are
    factor_ = 1.0  # a power of two: rows are compared in units in which squares are safe
    farthest_ = np.inf  # values beyond it say "far" and no more
    unit_gamma_: float | None = None  # gamma in these units
    n_clusters = 2  # of kernels in files that do not say it

    def __init__(
        self,
        kernel: str | Callable[..., float] = "rbf",
        *,
        gamma: float | str = "median",
        degree: float = 3,
        coef0: float = 1.0,
        params: dict[str, Any] | None = None,
        center: bool = False,
        n_clusters: int = 2,
    ) -> None:
        named = isinstance(kernel, str) and (kernel in PARAMETERS or kernel == "precomputed")
        if not callable(kernel) and not named:
            names = ", ".join(map(repr, PARAMETERS))
            raise ValueError(
                f"kernel must be one of {names}, 'precomputed' or a callable; got {shown(kernel)}."
            )
        if not isinstance(gamma, str):
            gamma = POSITIVE.check("gamma", gamma)
        elif gamma not in RULES:
            names = ", ".join(map(repr, RULES))
            raise ValueError(f"gamma must be a number > 0 or one of {names}; got {shown(gamma)}.")
        degree, coef0 = FINITE.check("degree", degree), FINITE.check("coef0", coef0)
        if degree < 0:
            raise ValueError(f"degree must be a number >= 0; got {shown(degree)}.")
        if params is not None and (named or not isinstance(params, dict)):
            raise ValueError(
                f"kernel_params must be None or, for a kernel that is a function, a dict of its "
                f"arguments; got {shown(params)} with kernel={shown(kernel)}."
            )
        self.name = kernel if isinstance(kernel, str) else "callable"
        self.metric = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.params = params
        self.center = center
        self.n_clusters = n_clusters

    @property
    def precomputed(self) -> bool:
        """Whether X is the kernel matrix itself."""
        return self.name == "precomputed"

    @property
    def knows_distances_only(self) -> bool:
        """Whether neither the origin nor the units of rows matter."""
        return self.name in TRANSLATION_INVARIANT

    @property
    def linear(self) -> bool:
        """Whether rows, perhaps scaled to unit length, are their own explicit map."""
        return self.name in ("linear", "cosine")

    @property
    def keeps_rows(self) -> bool:
        """Whether rows are their own features as they are."""
        return self.name == "linear" and self.offset_ is None and self.mean_ is None

    @property
    def surely_psd(self) -> bool:
        """Whether the kernel is positive semidefinite for whatever data."""
        if self.name in ("poly", "polynomial"):
            return self.coef0 >= 0 and float(self.degree).is_integer()
        return self.name in ("rbf", "laplacian", "chi2", "linear", "cosine")

    def fit(self, X: Matrix, rng: np.random.Generator, weights: Weights = None) -> "Kernel":
        """Choose what depends on the data; X keeps its place as the rows of the Gram matrix."""
        if self.name not in (*TRANSLATION_INVARIANT, "cosine") or issparse(X):
            require_squares(X)
        if self.name in DENSE_ONLY:
            if issparse(X):
                raise ValueError(
                    f"kernel={self.name!r} needs dense data; got a sparse matrix. Use X.toarray() "
                    f"or another kernel."
                )
            least = X.extremes()[0].min() if isinstance(X, Rows) else X.min(initial=0)
            if least < 0:
                raise ValueError(f"kernel={self.name!r} needs X >= 0; got {least!r}.")
        centered = self.name == "linear" and self.center
        self.offset_ = self.mean_ = self.unit_gamma_ = None
        self.factor_, self.farthest_ = 1.0, np.inf
        if not issparse(X) and centered:
            self.offset_ = _mean_row(X, weights)
        elif not issparse(X) and self.name in TRANSLATION_INVARIANT:
            units = Units.of(X)
            self.offset_, self.factor_ = units.offset, units.factor
            self.farthest_ = units.farthest
        if centered and issparse(X):
            self.mean_ = _mean_row(X, weights).ravel()
        self.gamma_: float | None = None
        if "gamma" in PARAMETERS.get(self.name, ()):
            self.gamma_ = self._choose_gamma(X, rng)
        if self.name == "callable":
            some = self.evaluate(X[:50], X[:50])
            check_symmetric(some, "kernel must be a symmetric function of two rows", some.T)
        return self

    def _choose_gamma(self, X: Matrix, rng: np.random.Generator) -> float:
        unit, other = self.factor_, 1.0 if self.name == "laplacian" else self.factor_
        if not isinstance(self.gamma, str):
            gamma = self.gamma / unit / other
        else:
            if isinstance(X, Rows):
                rows = self._sampled(X)
            else:
                rows = X * self.factor_ if self.gamma == "scale" else self.prepare(X)
            with np.errstate(over="ignore", invalid="ignore"):  # then it is no width
                gamma = gamma_by_rule(self.gamma, self.name, rows, rng, self.n_clusters)
        if not 0 < gamma < np.inf:
            raise ValueError(
                f"gamma={self.gamma!r} gives {gamma:.3g} on X: its values are too small or too "
                f"large; rescale X."
            )
        self.unit_gamma_ = gamma
        return min(gamma * unit * other, float(np.finfo(np.float64).max))

    def _sampled(self, X: Rows) -> Rows:
        """Rows in blocks for the rule that needs some of them only."""
        if self.gamma not in ("auto", "median"):
            raise ValueError(
                f'gamma must be a number, "auto" or "median" for rows in blocks: {self.gamma!r} '
                f"looks at all rows at once."
            )
        from maxmargin.blocks.mapped import MappedRows

        return MappedRows(X, self.prepare, X.step)

    def __call__(self, A: Matrix, B: Matrix) -> NDArray[np.floating]:
        """Evaluate the kernel between the rows of A and of B."""
        if self.precomputed:
            return A
        return self.evaluate(self.prepare(A), self.prepare(B))

    def prepare(self, X: Matrix) -> Matrix:
        """Shift (rbf, laplacian) or scale (cosine) rows so that plain formulas apply."""
        if self.name == "cosine":
            return normalize(with_safe_lengths(X))
        if self.name in DENSE_ONLY:  # loops of scikit-learn that want to be able to write
            return np.require(X, requirements="W")
        if self.offset_ is None:
            return X
        dense = X.toarray() if issparse(X) else X
        if self.name == "linear":
            return (dense - self.offset_).astype(X.dtype, copy=False)
        return Units(self.offset_, self.factor_, self.farthest_).prepare(dense)

    def _answering(self, a: Any, b: Any, **params: Any) -> float:
        """The user's function, and Ctrl-C is answered between two calls."""
        check_interrupt()
        return self.metric(a, b, **params)  # type: ignore[operator]

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
            K[block, : block.stop] = self.evaluate(rows[block], rows[: block.stop])
        if self.name in UNIT:
            K.flat[:: n + 1] = 1.0
        if self.surely_psd:
            return K, None
        mirror(K)
        return clip_negative(K, float(np.finfo(np.float64).eps))

    def _gamma_of_rows(self) -> Any:
        """Gamma in the units of rows that were prepared."""
        return self.gamma_ if self.unit_gamma_ is None else self.unit_gamma_

    def evaluate(self, A: Matrix, B: Matrix) -> NDArray[np.floating]:
        """Evaluate the kernel between rows that were prepared."""
        if self.name == "rbf":
            return gaussian_kernel(A, B, self._gamma_of_rows(), KERNEL_TOLERANCE)
        known = {"gamma": self._gamma_of_rows(), "degree": self.degree, "coef0": self.coef0}
        used = {name: known[name] for name in PARAMETERS.get(self.name, ())}
        metric = "linear" if self.name == "cosine" else self.metric
        if self.name == "callable" and not hasattr(metric, "get_params"):  # as kernels of GPs have
            metric = self._answering
        with np.errstate(over="ignore", invalid="ignore"):
            values = pairwise_kernels(A, B, metric=metric, **(used or self.params or {}))
            finite = np.isfinite(values.sum())
        if not finite:
            raise ValueError(
                f"kernel={self.name!r} gives values on X that are not finite; rescale X or choose "
                f"other parameters of the kernel than {used or self.params or 'none'}."
            )
        if self.mean_ is not None:  # (a − m)(b − m)
            m = self.mean_
            values = values - (A @ m)[:, None] - (B @ m - m @ m)
        return values


def as_rows(X: Matrix, precomputed: bool = False) -> Matrix:
    """X, rows or a kernel matrix, as the space takes it.

    A kernel matrix is as large dense as the method itself. Entries of a sparse row that stand
    in the same place are added up, in a copy: norms would take them for two.
    """
    if not issparse(X):
        return X
    if precomputed:
        return X.toarray()
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X


def largest_value(X: Matrix) -> float:
    """The largest absolute value, without a copy of X."""
    if isinstance(X, Rows):
        low, high = X.extremes()
        return max(float(high.max()), -float(low.min()))
    values = X.data if issparse(X) else X
    return max(float(values.max(initial=0)), -float(values.min(initial=0)))


def require_squares(X: Matrix) -> None:
    """Raise a ValueError if squares of values overflow, or all of them vanish."""
    largest, limit = largest_value(X), LARGEST[X.dtype.itemsize]
    if largest > limit or 0 < largest < 1 / limit:
        become = "overflow" if largest > limit else "vanish"
        raise ValueError(
            f"X has values up to {largest:.3g}, whose squares {become}; rescale its columns."
        )


def require_differences(X: Matrix) -> None:
    """Raise a ValueError if rows differ, and the squares of their differences vanish."""
    low, high = X.extremes() if isinstance(X, Rows) else (X.min(axis=0), X.max(axis=0))
    spread = float((high - low).max(initial=0))
    if 0 < spread < SMALLEST:
        raise ValueError(
            f"X has differences of at most {spread:.3g}, whose squares vanish; rescale its columns."
        )


def _mean_row(X: Matrix, weights: Weights) -> NDArray[np.float64]:
    """The mean of dense rows, or of rows in blocks."""
    if weights is not None:
        return np.asarray(weights @ X.astype(np.float64) / weights.sum())
    if not isinstance(X, Rows):
        return np.asarray(X.mean(axis=0, dtype=np.float64))
    (total,) = X.sum(_column_sums)
    return np.asarray(total / X.shape[0])


def _column_sums(block: Block) -> tuple[NDArray[np.float64]]:
    return (sum(rows.sum(axis=0, dtype=np.float64) for _, rows in block.tiles()),)


def entries_in_a_row(X: Matrix) -> int:
    """The numbers that are stored for a row, on average."""
    return X.nnz // max(1, X.shape[0]) + 1 if issparse(X) else X.shape[1]


def gamma_by_rule(
    rule: str, kernel: str, X: Matrix, rng: np.random.Generator, n_clusters: int = 2
) -> float:
    """Choose gamma.

    ``"neighbors"`` takes the median distance of a row to its 7th neighbour as the width σ,
    ``"median"`` the median distance between two rows; zeros (duplicate rows) do not count.
    ``"auto"`` is ``"median"`` for up to ten clusters, and for k of them the distance that a share
    of 5/k of the pairs of rows stays below.
    gamma is 1/(2σ²) where the kernel squares distances or products (rbf, poly, sigmoid) and
    1/σ where it does not (laplacian: city-block distance; chi2: its own distance).
    ``"scale"`` is scikit-learn's 1/(n_features · variance of X).
    """
    if rule == "scale":
        if issparse(X):
            variance = float(X.multiply(X).mean() - X.mean() ** 2)
        else:
            variance = float(np.var(X, dtype=np.float64))
        return 1 / (X.shape[1] * variance) if variance > 0 else 1.0
    rows = rng.permutation(X.shape[0])[:SAMPLE]
    share = 0.5
    if rule in ("median", "auto"):
        share = min(share, MANY_CLUSTERS / 2 / n_clusters) if rule == "auto" else share
        distances = _distances(X[rows], X[rows], kernel)
    else:
        neighbor = min(SCALE_NEIGHBOR, X.shape[0] - 1)
        batches = (rows[batch] for batch in gen_batches(len(rows), 100))
        distances = np.concatenate(
            [
                np.partition(_distances(X[b], X, kernel), neighbor, axis=1)[:, neighbor]
                for b in batches
            ]
        )
    sigma = _quantile_above_zero(distances, share)
    return 1 / sigma if kernel in ("laplacian", "chi2") else 1 / (2 * sigma**2)


def _distances(A: Matrix, B: Matrix, kernel: str) -> NDArray[np.floating]:
    """The distance that the kernel sees."""
    if kernel == "chi2":
        return -additive_chi2_kernel(A, B)
    if kernel == "laplacian":
        return pairwise_distances(A, B, metric="manhattan")
    return np.sqrt(squared_distances(A, B))  # copies are at 0, also beside rows that are far


def _quantile_above_zero(distances: NDArray[np.floating], share: float) -> float:
    """Without any distance above zero every width gives the same kernel: take 1."""
    positive = distances[distances > 0]
    if not len(positive):
        return 1.0
    if share < 0.5:
        return float(np.quantile(positive, share, overwrite_input=True))
    return float(np.median(positive, overwrite_input=True))
