"""The one-class support vector machine with a Gaussian kernel: what a solver is, and the exact one.

Both forms have the same solutions up to their scale: a share ν of the weights at their bound,
or the bound C itself. Here w·φ = 1 on the boundary, as in the paper: f = Σ α_i k(x_i, ·) − 1.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from maxmargin._core import one_class as core
from maxmargin._runtime.parameters import POSITIVE, Allowed, Integer
from maxmargin.spaces.pairwise import GaussianKernelRows, PairwiseDistances

#: Steps that a counter holds.
MOST_STEPS = 2**62
#: Rows that the density for a start is estimated from.
DENSITY_ROWS = 1000
#: Kernel rows that are kept take at most so many bytes.
CACHE_BYTES = 256 * 2**20
#: A bound that no weight of a hard margin with Σα = 1 reaches.
FREE_BOUND = 1.0
#: The share of rows that a hard margin starts from: those of lowest density.
HARD_START = 0.1
#: The bound of a ν next to 0, whose inverse is infinite.
LARGEST_BOUND = 1e300


@dataclass(frozen=True, eq=False)
class OneClassProblem:
    """Rows to enclose, at one width.

    Parameters
    ----------
    distances : PairwiseDistances
    gamma : float
        The width.
    nu, C : float or None
        One of them bounds the weights; C is in the paper's convention C × N.
    seed : int
        For solvers that draw rows.
    weights : array of shape (n,) or None
        How many copies each row stands for: they share its weight α, which is bounded by so many
        bounds.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from maxmargin import SupportVectorClustering
    >>> from maxmargin.solvers import SMO
    >>> class Told(SMO):
    ...     def solve(self, problem):
    ...         print(problem.distances.n, problem.gamma, problem.nu, problem.kernel.row(0).shape)
    ...         return super().solve(problem)
    >>> X, _ = make_moons(200, noise=0.05, random_state=0)
    >>> _ = SupportVectorClustering(20, nu=0.1, solver=Told()).fit(X)
    200 20.0 0.1 (200,)
    """

    distances: PairwiseDistances
    gamma: float
    nu: float | None = None
    C: float | None = None
    seed: int = 0
    weights: NDArray[np.float64] | None = None

    @cached_property
    def kernel(self) -> GaussianKernelRows:
        """The kernel between the rows."""
        return GaussianKernelRows(self.distances, self.gamma)


@dataclass(frozen=True, eq=False)
class OneClassSolution:
    """The weights of the rows, scaled so that the boundary is at height 1.

    Parameters
    ----------
    gamma : float
        The width.
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

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from maxmargin import SupportVectorClustering
    >>> from maxmargin.solvers import SMO
    >>> class Told(SMO):
    ...     def solve(self, problem):
    ...         found = super().solve(problem)
    ...         print(found.alpha.shape, found.nu, found.gap < 0.001, found.converged)
    ...         return found
    >>> X, _ = make_moons(200, noise=0.05, random_state=0)
    >>> _ = SupportVectorClustering(20, nu=0.1, solver=Told()).fit(X)
    (200,) 0.1 True True
    """

    gamma: float
    alpha: NDArray[np.float64]
    heights: NDArray[np.float64]
    nu: float
    C: float
    gap: float
    n_iter: int
    converged: bool


class OneClassSolver(BaseEstimator, ABC):
    """A way to find the weights; its parameters are set, cloned and printed as an estimator's.

    Examples
    --------
    The same weight for all rows, which is an estimate of the density; a share ν is outside:

    >>> import numpy as np
    >>> from sklearn.datasets import make_moons
    >>> from maxmargin import SupportVectorClustering
    >>> from maxmargin.solvers import OneClassSolution, OneClassSolver
    >>> class Density(OneClassSolver):
    ...     takes = ("nu",)
    ...     def solve(self, problem):
    ...         alpha = np.ones(problem.distances.n)
    ...         heights = problem.kernel.sums(alpha)
    ...         level = np.quantile(heights, problem.nu)
    ...         found = alpha / level, heights / level, problem.nu, 1 / level
    ...         return OneClassSolution(problem.gamma, *found, gap=0.0, n_iter=0, converged=True)
    >>> X, _ = make_moons(200, noise=0.05, random_state=0)
    >>> model = SupportVectorClustering(20, nu=0.1, solver=Density()).fit(X)
    >>> model.n_clusters_, float(np.mean(model.decision_function(X) < 0))
    (2, 0.1)
    """

    #: What the parameters may be.
    _parameters: Mapping[str, Allowed] = {}

    #: The bounds that it can be given, and whether rows may have weights.
    takes: tuple[str, ...] = ("nu", "C")

    @abstractmethod
    def solve(self, problem: OneClassProblem) -> OneClassSolution:
        """Find the weights of the rows."""

    def exact(self) -> "OneClassSolver":
        """The solver to choose a width with."""
        return SMO()


class SMO(OneClassSolver):
    """Pairs of weights move, or single ones, until the conditions of the optimum hold.

    With ν (by pairs, SMO): min ½ αᵀKα subject to Σα = 1, 0 ≤ α ≤ 1/(νn). With C (Equation 1 of
    SGD-LMSVC): max Σα − ½ αᵀKα subject to 0 ≤ α ≤ C. There no sum is fixed, so that single
    coordinates can move, and pairs where that gains more. No weight of a Gaussian kernel
    exceeds 1: every C ≥ 1 is the same problem with a hard margin, solved as the ν form without
    a bound.

    Parameters
    ----------
    tol : float, default=1e-4
        How far f may be from its optimum on the boundary.
    max_iter : int, default=10_000_000
        The most steps.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from maxmargin import SupportVectorClustering
    >>> from maxmargin.solvers import SMO
    >>> X, _ = make_moons(100, noise=0.05, random_state=0)
    >>> model = SupportVectorClustering(20, nu=0.1, solver=SMO(tol=1e-8)).fit(X)
    >>> bool(model.duality_gap_ < 1e-6)
    True
    """

    _parameters = {"tol": POSITIVE, "max_iter": Integer(1, MOST_STEPS)}
    takes = ("nu", "C", "sample_weight")

    def __init__(self, tol: float = 1e-4, max_iter: int = 10_000_000) -> None:
        self.tol = tol
        self.max_iter = max_iter

    def solve(self, problem: OneClassProblem) -> OneClassSolution:
        """Find the weights of the rows."""
        kernel, nu, C = problem.kernel, problem.nu, problem.C
        copies = np.ones(kernel.n) if problem.weights is None else problem.weights
        total = float(copies.sum())
        if nu is not None:
            upper = min(1 / (nu * total), LARGEST_BOUND)
            return self._by_pairs(kernel, _start(kernel, nu, problem.weights), upper, copies)
        assert C is not None, "nu or C is given"
        if C * copies.min() >= 1:
            free = np.ones(kernel.n)
            hard = self._by_pairs(kernel, _start(kernel, HARD_START), FREE_BOUND, free)
            return replace(hard, nu=float(hard.alpha.sum() / (total * C)), C=C)
        alpha, heights = np.zeros(kernel.n), np.zeros(kernel.n)
        n_iter, violation = core.solve_box(
            row_cache(kernel), alpha, heights, C * copies, self.tol, self.max_iter
        )
        return solution_of_box(
            problem.gamma, alpha, heights, C, n_iter, violation <= self.tol, copies=copies
        )

    def exact(self) -> OneClassSolver:
        """Itself."""
        return self

    def _by_pairs(
        self,
        kernel: GaussianKernelRows,
        alpha: NDArray[np.float64],
        upper: float,
        copies: NDArray[np.float64],
    ) -> OneClassSolution:
        heights = kernel.sums(alpha)
        n_iter, violation = core.solve_pairs(
            row_cache(kernel), alpha, heights, upper * copies, self.tol, self.max_iter
        )
        rho = _boundary(alpha, heights, upper * copies)
        nu = 1 / (upper * float(copies.sum()))
        gap = gap_of_nu(alpha, heights, nu, copies)
        found = alpha / rho, heights / rho, nu, upper / rho, gap
        return OneClassSolution(kernel.gamma, *found, n_iter, violation <= self.tol)


def solution_of_box(
    gamma: float,
    alpha: NDArray[np.float64],
    heights: NDArray[np.float64],
    C: float,
    n_iter: int,
    converged: bool,
    dual: float | None = None,
    copies: NDArray[np.float64] | float = 1.0,
) -> OneClassSolution:
    """Say how good weights of the C form are; ``dual`` is a bound if they are not feasible."""
    norm = float(alpha @ heights)
    primal = 0.5 * norm + C * float((copies * np.maximum(1 - heights, 0)).sum())
    gap = primal - (float(alpha.sum()) - 0.5 * norm if dual is None else dual)
    nu = float(alpha.sum() / (np.broadcast_to(copies, len(alpha)).sum() * C))
    return OneClassSolution(gamma, alpha, heights, nu, C, gap / primal, n_iter, converged)


def gap_of_nu(
    alpha: NDArray[np.float64],
    heights: NDArray[np.float64],
    nu: float,
    copies: NDArray[np.float64] | float = 1.0,
) -> float:
    """‖w‖² − ρ Σα + (1/νn) Σ max(0, ρ − g) Σα at the best ρ, as a share of ½ ‖w‖².

    The best ρ has a share ν of the rows, or of their copies, below it. The scale of α cancels.
    """
    norm, total = float(alpha @ heights), float(alpha.sum())
    order = np.argsort(heights, kind="stable")
    below = np.cumsum(np.broadcast_to(copies, len(alpha))[order])
    n = float(below[-1])
    at = min(int(np.searchsorted(below, nu * n, side="right")), len(alpha) - 1)
    rho = float(heights[order[at]])
    slack = float((copies * np.maximum(rho - heights, 0)).sum()) * total / (nu * n)
    return (norm - rho * total + slack) / (0.5 * norm)


def row_cache(kernel: GaussianKernelRows) -> core.RowCache:
    """Rows of the kernel for the solvers: all of them where they are kept anyway."""
    all_fit = kernel.full is not None
    return core.RowCache(
        kernel.row, kernel.n, kernel.n if all_fit else CACHE_BYTES // (8 * kernel.n)
    )


def _start(
    kernel: GaussianKernelRows, nu: float, copies: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """All weight on the rows of lowest density, the next best thing to the solution."""
    n = kernel.n
    seen = np.zeros(n)
    seen[np.linspace(0, n - 1, min(n, DENSITY_ROWS)).astype(np.intp)] = 1
    density = kernel.sums(seen)
    order = np.argsort(density, kind="stable")
    alpha = np.zeros(n)
    if copies is not None:
        bounds = copies[order] / (nu * copies.sum())
        alpha[order] = np.clip(1 - (np.cumsum(bounds) - bounds), 0, bounds)
        return alpha
    alpha[order[: int(nu * n)]] = 1 / (nu * n)
    alpha[order[int(nu * n)]] = max(0.0, 1 - alpha.sum())  # the rest of a row
    return alpha


def _boundary(
    alpha: NDArray[np.float64], heights: NDArray[np.float64], upper: NDArray[np.float64] | float
) -> float:
    """The height of the boundary: that of the weights between their bounds."""
    free = (alpha > 0) & (alpha < upper)
    if free.any():
        return float(heights[free].mean())
    # all weights at a bound: any height between the two kinds does
    full = alpha >= upper
    inside = heights[~full].min() if not full.all() else heights.max()
    return float(heights[full].max() + inside) / 2
