"""The one-class support vector machine with a Gaussian kernel, exact.

Both forms have the same solutions up to their scale: a share ν of the weights at their bound,
or the bound C itself. Here w·φ = 1 on the boundary, as in the paper: f = Σ α_i k(x_i, ·) − 1.
"""

import warnings
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import OneClassSVM

from maxmargin._core import one_class as core
from maxmargin.spaces.pairs import GaussianRows, Pairs

#: Rows that the density for a start is estimated from.
SAMPLE = 1000
#: Kernel rows that are kept take at most so many bytes.
CACHE_BYTES = 256 * 2**20
#: A bound that no weight of a hard margin with Σα = 1 reaches.
FREE = 1.0
#: The share of rows that a hard margin starts from: those of lowest density.
FEW = 0.1
#: The bound of a ν next to 0, whose inverse is infinite.
LARGEST = 1e300


@dataclass(frozen=True, eq=False)
class OneClass:
    """The weights of the rows, scaled so that the boundary is at height 1.

    Parameters
    ----------
    alpha : array of shape (n,)
        0 ≤ α ≤ C.
    heights : array of shape (n,)
        Σ_i α_i k(x_i, x) at every row.
    nu : float
        Σα / (n C): an upper bound on the share of rows outside, a lower bound on the share of
        support vectors.
    C : float
        The bound, in the paper's convention C × N.
    gap : float
        The duality gap, as a share of the objective.
    n_iter : int
        The steps of the solver.
    converged : bool
        Whether it ended before its limit.
    """

    alpha: NDArray[np.float64]
    heights: NDArray[np.float64]
    nu: float
    C: float
    gap: float
    n_iter: int
    converged: bool


def solve_nu(pairs: Pairs, gamma: float, nu: float, *, tol: float, max_iter: int) -> OneClass:
    """Solve the ν form by pairs (SMO): min ½ αᵀKα subject to Σα = 1, 0 ≤ α ≤ 1/(νn).

    Parameters
    ----------
    pairs : Pairs
    gamma, nu : float
    tol : float
        The largest violation of the optimality conditions, in units of f.
    max_iter : int
        The most steps.

    Examples
    --------
    >>> import numpy as np
    >>> from maxmargin.spaces.pairs import Pairs
    >>> from maxmargin.solvers.one_class import solve_nu
    >>> pairs = Pairs(np.array([[0.0], [0.1], [5.0]]))
    >>> found = solve_nu(pairs, 1.0, 0.9, tol=1e-9, max_iter=100)
    >>> found.alpha.round(3).tolist()
    [0.502, 0.502, 0.591]
    """
    kernel = GaussianRows(pairs, gamma)
    upper = min(1 / (nu * pairs.n), LARGEST)
    return _by_pairs(kernel, _start(kernel, nu), upper, tol, max_iter)


def solve_box(pairs: Pairs, gamma: float, C: float, *, tol: float, max_iter: int) -> OneClass:
    """Solve the C form (Equation 1): max Σα − ½ αᵀKα subject to 0 ≤ α ≤ C.

    No sum is fixed, so that single coordinates can move, and pairs where that gains more. No
    weight of a Gaussian kernel exceeds 1: every C ≥ 1 is the same problem with a hard margin,
    solved as the ν form without a bound.

    Parameters are those of :func:`solve_nu`, with ``C`` in the paper's convention C × N.
    """
    kernel = GaussianRows(pairs, gamma)
    if C >= 1:
        hard = _by_pairs(kernel, _start(kernel, FEW), FREE, tol, max_iter)
        return replace(hard, nu=float(hard.alpha.sum() / (pairs.n * C)), C=C)
    alpha, heights = np.zeros(pairs.n), np.zeros(pairs.n)
    n_iter, violation = core.solve_box(row_cache(kernel), alpha, heights, C, tol, max_iter)
    return describe_box(alpha, heights, C, n_iter, violation <= tol)


def describe_box(
    alpha: NDArray[np.float64],
    heights: NDArray[np.float64],
    C: float,
    n_iter: int,
    converged: bool,
    dual: float | None = None,
) -> OneClass:
    """Say how good weights of the C form are; ``dual`` is a bound if they are not feasible."""
    norm = float(alpha @ heights)
    primal = 0.5 * norm + C * float(np.maximum(1 - heights, 0).sum())
    gap = primal - (float(alpha.sum()) - 0.5 * norm if dual is None else dual)
    nu = float(alpha.sum() / (len(alpha) * C))
    return OneClass(alpha, heights, nu, C, gap / primal, n_iter, converged)


def solve_libsvm(pairs: Pairs, gamma: float, nu: float, *, tol: float, max_iter: int) -> OneClass:
    """Solve the ν form by scikit-learn's OneClassSVM: α = α_libsvm / ρ, C = 1/ρ.

    It does not answer Ctrl-C.
    """
    # A bound of 1 or more on weights with Σα = 1 is none: the same problem for all ν ≤ 1/n.
    # LIBSVM's tolerance is on values of the size of ρ, which lies between 0 and νn.
    n, steps = pairs.n, min(max_iter, 2**31 - 1)
    model = OneClassSVM(gamma=gamma, nu=max(nu, 1 / n), tol=tol, max_iter=steps, cache_size=256)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the caller says it, with the gap
        model.fit(pairs.rows)
    rho = -float(model.intercept_[0])
    alpha = np.zeros(pairs.n)
    alpha[model.support_] = model.dual_coef_[0] / rho
    heights = GaussianRows(pairs, gamma).sums(alpha)
    gap = _gap_of_nu(alpha, heights, max(nu, 1 / n))
    n_iter = int(np.max(model.n_iter_))
    C = float(alpha.sum()) * min(1 / (nu * n), LARGEST)
    return OneClass(alpha, heights, nu, C, gap, n_iter, n_iter < max_iter)


def _by_pairs(
    kernel: GaussianRows,
    alpha: NDArray[np.float64],
    upper: float,
    tol: float,
    max_iter: int,
) -> OneClass:
    heights = kernel.sums(alpha)
    n_iter, violation = core.solve_pairs(row_cache(kernel), alpha, heights, upper, tol, max_iter)
    rho = _boundary(alpha, heights, upper)
    nu = 1 / (upper * kernel.n)
    gap = _gap_of_nu(alpha, heights, nu)
    return OneClass(alpha / rho, heights / rho, nu, upper / rho, gap, n_iter, violation <= tol)


def _start(kernel: GaussianRows, nu: float) -> NDArray[np.float64]:
    """All weight on the rows of lowest density, the next best thing to the solution."""
    n = kernel.n
    seen = np.zeros(n)
    seen[np.linspace(0, n - 1, min(n, SAMPLE)).astype(np.intp)] = 1
    density = kernel.sums(seen)
    order = np.argsort(density, kind="stable")
    alpha = np.zeros(n)
    alpha[order[: int(nu * n)]] = 1 / (nu * n)
    alpha[order[int(nu * n)]] = max(0.0, 1 - alpha.sum())  # the rest of a row
    return alpha


def row_cache(kernel: GaussianRows) -> core.RowCache:
    """Rows of the kernel for the solvers: all of them where they are kept anyway."""
    all_fit = kernel.full is not None
    return core.RowCache(
        kernel.row, kernel.n, kernel.n if all_fit else CACHE_BYTES // (8 * kernel.n)
    )


def _boundary(alpha: NDArray[np.float64], heights: NDArray[np.float64], upper: float) -> float:
    """The height of the boundary: that of the weights between their bounds."""
    free = (alpha > 0) & (alpha < upper)
    if free.any():
        return float(heights[free].mean())
    # all weights at a bound: any height between the two kinds does
    full = alpha >= upper
    inside = heights[~full].min() if not full.all() else heights.max()
    return float(heights[full].max() + inside) / 2


def _gap_of_nu(alpha: NDArray[np.float64], heights: NDArray[np.float64], nu: float) -> float:
    """‖w‖² − ρ Σα + (1/νn) Σ max(0, ρ − g) Σα at the best ρ, as a share of ½ ‖w‖².

    The best ρ has a share ν of the rows below it. The scale of α cancels.
    """
    n, norm, total = len(alpha), float(alpha @ heights), float(alpha.sum())
    at = min(int(nu * n), n - 1)
    rho = float(np.partition(heights, at)[at])
    slack = float(np.maximum(rho - heights, 0).sum()) * total / (nu * n)
    return (norm - rho * total + slack) / (0.5 * norm)
